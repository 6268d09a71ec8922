"""Formulas to sizes: splitting, products, powers, units, dimensions; and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import RoofError, Sink
from roofdsl.ir.size import Const, Power, Size, Symbol, add, const, divide, product
from roofdsl.quantities.amounts import Formula, common_dimension, comparable
from roofdsl.quantities.formula import Names, resolve, symbol_formulas
from roofdsl.quantities.lets import unit_of
from roofdsl.source import NOWHERE, Source
from roofdsl.syntax.parser import parse_formula
from roofdsl.units.dimension import BYTE, FLOP, PARAMETER, PURE, SECOND

SYMBOLS = ("s", "b", "h", "a", "L", "V", "d_model", "f", "t")
NAMES = Names(symbol_formulas(SYMBOLS), unit=unit_of, reserved=frozenset(("flops",)))
s, b, h, a, L, V, d_model, f, t = (Symbol(name) for name in SYMBOLS)
HALF = Fraction(1, 2)


def read(text: str, names: Names = NAMES) -> Formula:
    sink = Sink()
    expr = parse_formula(Source("test", text), sink)
    assert not sink.errors, sink.errors
    assert expr is not None
    return resolve(expr, names)


def code_of(text: str, names: Names = NAMES) -> str:
    with pytest.raises(RoofError) as error:
        read(text, names)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.primary.span.source.name == "test"
    return diagnostic.kind.code


def same(one: Size, two: Size) -> bool:
    return normal(one, Scope(SYMBOLS)) == normal(two, Scope(SYMBOLS))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("34sbh", product(const(34), s, b, h)),
        ("as²b", product(a, Power(s, Fraction(2)), b)),
        ("as^2b", product(a, Power(s, Fraction(2)), b)),
        ("bLsh", product(b, L, s, h)),
        ("d_model f", product(d_model, f)),
        ("d_model", d_model),
        ("2(a+b)", product(const(2), add(a, b))),
        ("a(b + h)", product(a, add(b, h))),
        ("sb(a + h)²", product(s, b, Power(add(a, h), Fraction(2)))),
        ("s/6h", divide(s, product(const(6), h))),
        ("s/6*h", divide(product(s, h), const(6))),
        ("72bLsh²(1 + s/6h + V/12Lh)", add(
            product(const(72), b, L, s, h, h), product(const(12), b, L, s, s, h), product(const(6), b, s, h, V))),
        ("sqrt(s)sqrt(s)", s),
        ("h^-1", Power(h, Fraction(-1))),
        ("-s + 2s", s),
        ("3.35", Const(Fraction(67, 20))),
        ("2^10", const(1024)),
        ('"\\frac{s}{6h}"', divide(s, product(const(6), h))),
    ],
)  # fmt: skip
def test_sizes(text: str, size: Size) -> None:
    assert same(read(text).size, size)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("34sbx", "E0701"),
        ("seq", "E0701"),
        ("foo(s)", "E0701"),
        ("a(s, b)", "E0706"),
        ("floor(s, b)", "E0706"),
        ("s^h", "E0715"),
        ("s^65", "E0715"),
        ("s/0", "E0719"),
        ("0^-1", "E0719"),
        ("flops(s)", "E0716"),
        ("s.b", "E0711"),
        ("1 [GB] + 1 [FLOP]", "E0704"),
        ("1 [GB] + 2", "E0705"),
        ("log(1 [GB])", "E0704"),
        ("s per token", "E0714"),
        ("3 [GiBs]", "E0601"),
    ],
)
def test_refused(text: str, code: str) -> None:
    found = code_of(text)
    assert found == code or (code == "E0601" and found.startswith("E06"))


def test_two_splits_show_both() -> None:
    names = Names(symbol_formulas(("n", "m", "nm", "k")))
    with pytest.raises(RoofError) as error:
        read("2nmk", names)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.kind.code == "E0702"
    assert "n·m·k" in diagnostic.primary.text
    assert "nm·k" in diagnostic.primary.text


def test_a_declared_name_is_never_split() -> None:
    names = Names(symbol_formulas(("n", "m", "nm")))
    assert read("nm", names).size == Symbol("nm")
    assert same(read("n m", names).size, product(Symbol("n"), Symbol("m")))


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("80 [GB]", 80 * 10**9, BYTE),
        ("80 [GiB]", 80 * 2**30, BYTE),
        ("8 [bit]", 1, BYTE),
        ("3.35 [TB/s]", 3_350 * 10**9, BYTE / SECOND),
        ("80 [GB] / (4 [GB])", 20, PURE),
        ("2 [FLOP] / (4 [B])", HALF, FLOP / BYTE),
        ("(2 [GB])^2", 4 * 10**18, BYTE * BYTE),
        ("5 [us] + 1 [ms]", Fraction(1005, 10**6), SECOND),
    ],
)
def test_units_scale_to_base_units(text: str, value: Fraction, dimension: object) -> None:
    found = read(text)
    assert normal(found.size, Scope()).constant == value
    assert found.dimension == dimension


def test_bare_symbols_take_the_unit_they_meet() -> None:
    assert read("2 [GB] + 34sbh").dimension == BYTE
    assert read("34sbh").dimension is None
    assert comparable((Formula(s, BYTE), NOWHERE), (read("34sbh"), NOWHERE)) == BYTE
    assert common_dimension(((read("1"), NOWHERE), (read("s"), NOWHERE))) is None


def test_counts_may_be_left_out_between_sides() -> None:
    state, params = Formula(s, BYTE), Formula(h, PARAMETER)
    assert comparable((state, NOWHERE), (params, NOWHERE)) == BYTE
    with pytest.raises(RoofError):
        comparable((Formula(s, FLOP), NOWHERE), (state, NOWHERE))


def test_a_bare_number_is_no_number_of_bytes_but_may_be_an_intensity() -> None:
    with pytest.raises(RoofError):
        comparable((Formula(s, BYTE), NOWHERE), (read("100"), NOWHERE))
    assert comparable((Formula(s, FLOP / BYTE), NOWHERE), (read("62.7"), NOWHERE)) == FLOP / BYTE
    assert comparable((Formula(s, PARAMETER), NOWHERE), (read("1.7e9"), NOWHERE)) == PARAMETER
    assert comparable((Formula(s, BYTE), NOWHERE), (read("0"), NOWHERE)) == BYTE


@given(st.lists(st.sampled_from("sbhaLV"), min_size=1, max_size=6), st.integers(2, 99))
def test_juxtaposed_letters_are_their_product(letters: list[str], coefficient: int) -> None:
    found = read(f"{coefficient}{''.join(letters)}")
    assert same(found.size, product(const(coefficient), *(Symbol(x) for x in letters)))


@given(st.lists(st.tuples(st.sampled_from("sbhaLV"), st.integers(1, 5)), min_size=1, max_size=4))
def test_powers_bind_to_the_last_letter(factors: list[tuple[str, int]]) -> None:
    text = "".join(f"{x}^{n} " for x, n in factors)
    assert same(read(text).size, product(*(Power(Symbol(x), Fraction(n)) for x, n in factors)))
