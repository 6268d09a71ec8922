"""Sizes bound to numbers: configs, settings, lets, what is missing, and the exact value of size trees."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roofdsl.algebra.evaluation import evaluate
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import Sink
from roofdsl.errors import evaluation as errors
from roofdsl.evaluate.bind import Binding, bind
from roofdsl.evaluate.extents import Use, check_uses
from roofdsl.evaluate.number import NoValueError, evaluate_size
from roofdsl.evaluate.settings import read_setting
from roofdsl.ir.library import Library
from roofdsl.ir.size import Band, Const, Function, Power, Size, Symbol, add, const, divide, product, subtract
from roofdsl.passes.load import load
from roofdsl.source import NOWHERE, Source

TEXT = """
dim s "sequence length"
dim h "hidden size"
dim a "heads"
dim un >= 0
let t = s
let d = h/a "head size"
let f = 4h
let w = f d
config small { s = 8, h = 12, a = 3 }
config odd { s = 8, h = 10, a = 3 }
config rebound { s = 8, h = 10, a = 3, d = 4, t = 2s }
config wrong { s = 8, heads = 3 }
config broken { s = 0, h = 5/2, a = 1 }
"""
H, A, D, S = Symbol("h"), Symbol("a"), Symbol("d"), Symbol("s")


@pytest.fixture(scope="module")
def library() -> Library:
    sink = Sink()
    loaded = load(Source("test.roof", TEXT), sink, folder=Path(__file__).parent)
    assert not sink.errors
    return loaded


def bound(library: Library, *configs: str, **values: str) -> tuple[Binding, Sink]:
    sink = Sink()
    settings = [read_setting(f"{name}={value}", sink, library.symbols) for name, value in values.items()]
    binding = bind(library, sink, [(c, NOWHERE) for c in configs], [s for s in settings if s is not None])
    return binding, sink


def test_lets_follow_the_config(library):
    binding, sink = bound(library, "small")
    assert not sink.found
    assert dict(binding.values) == {"s": 8, "h": 12, "a": 3, "t": 8, "d": 4, "f": 48, "w": 192}


def test_a_setting_wins_over_a_config_and_may_be_a_formula(library):
    binding, sink = bound(library, "small", t="2s", h="24", f="3h")
    assert not sink.found
    assert (binding.values["t"], binding.values["d"], binding.values["w"]) == (16, 8, 576)


def test_a_later_config_wins(library):
    binding, _ = bound(library, "small", "odd")
    assert binding.values["h"] == 10


def test_numbers_are_exact(library):
    binding, _ = bound(library, "odd")
    assert binding.values["d"] == Fraction(10, 3)


def test_what_is_not_bound_stays_open_until_needed(library):
    binding, sink = bound(library, s="4")
    assert not sink.found
    assert binding.value(Symbol("t")) == 4
    with pytest.raises(NoValueError) as caught:
        binding.value(Symbol("w"))
    assert caught.value.name in ("h", "a")


def check(library: Library, size: Size, *configs: str, **values: str) -> Sink:
    binding, sink = bound(library, *configs, **values)
    assert not sink.errors
    check_uses([Use(size, "the extent of d in q", NOWHERE)], binding, library, sink)
    return sink


def test_a_head_size_that_does_not_divide_is_an_error_where_it_is_an_extent(library):
    sink = check(library, D, "odd")
    (error,) = sink.errors
    assert error.kind is errors.NOT_AN_INTEGER
    assert error.primary.text == "d is 10/3: h = 10 is not divisible by a = 3 (remainder 1)"
    assert error.primary.span.text.startswith("let d = h/a")
    assert "--set d=" in error.helps[-1]


def test_a_config_that_rebinds_the_head_size_passes(library):
    assert not check(library, D, "rebound").found


def test_a_fraction_is_no_error_where_it_is_no_extent(library):
    assert not check(library, H, "odd").found


def test_an_unbound_size_is_named_with_its_use_and_a_way_out(library):
    (error,) = check(library, D, s="4", a="2").errors
    assert error.kind is errors.UNBOUND_SIZE
    assert error.primary.text == "h (hidden size) has no value"
    assert error.helps[0] == "bind it: `--set h=…`"
    assert "small" in error.helps[1]


def test_unbound_sizes_are_reported_together(library):
    binding, sink = bound(library)
    check_uses([Use(size, "it", NOWHERE) for size in (S, H, D, product(S, H), A)], binding, library, sink)
    (error,) = sink.errors
    assert sorted((error.primary.text.split()[0], *(label.text.split()[2] for label in error.secondary))) == [
        "a",
        "h",
        "s",
    ]
    assert all(f"--set {name}=…" in error.helps[0] for name in "ahs")


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"s": "0"}, errors.SIZE_TOO_SMALL),
        ({"s": "-2"}, errors.SIZE_TOO_SMALL),
        ({"un": "-1"}, errors.SIZE_TOO_SMALL),
        ({"s": "5/2"}, errors.NOT_AN_INTEGER),
        ({"s": "2.5"}, errors.NOT_AN_INTEGER),
        ({"z": "5"}, errors.UNKNOWN_SIZE),
        ({"t": "w", "a": "t"}, errors.CYCLE),
        ({"s": "t"}, errors.CYCLE),
        ({"s": "3,35"}, errors.BAD_NUMBER),
        ({"s": "2:4"}, errors.BAD_NUMBER),
        ({"s": "1_000"}, errors.BAD_NUMBER),
        ({"s": "1.000.000"}, errors.BAD_NUMBER),
        ({"s": "8K"}, errors.BAD_NUMBER),
    ],
)
def test_wrong_sizes_are_diagnostics(library, settings, kind):
    _, sink = bound(library, **settings)
    assert [e.kind for e in sink.errors] == [kind]


def test_a_size_declared_so_may_be_zero(library):
    binding, sink = bound(library, un="0")
    assert not sink.found
    check_uses([Use(Symbol("un"), "it", NOWHERE)], binding, library, sink)
    assert not sink.found


def test_a_zero_let_is_an_error_where_it_is_an_extent(library):
    (error,) = check(library, Symbol("t"), t="0").errors
    assert error.kind is errors.SIZE_TOO_SMALL


def test_configs_with_unknown_names_and_unknown_configs(library):
    _, sink = bound(library, "wrong")
    assert [(e.kind, e.primary.span.text) for e in sink.errors] == [(errors.UNKNOWN_SIZE, "heads = 3")]
    _, sink = bound(library, "smal")
    assert sink.errors[0].kind is errors.UNKNOWN_CONFIG
    assert sink.errors[0].helps == ("did you mean `small`?",)


def test_all_faults_of_a_config_are_reported(library):
    _, sink = bound(library, "broken")
    assert [e.kind for e in sink.errors] == [errors.SIZE_TOO_SMALL, errors.NOT_AN_INTEGER]


@pytest.mark.parametrize(
    ("text", "value", "notes"),
    [
        ("s=2048", 2048, 0),
        ("s = 8k", 8000, 1),
        ("s=8Ki", 8192, 0),
        ("s=9k", 9000, 0),
        ("s=1.5M", 1500000, 0),
        ("s=1e3", 1000, 0),
        ("s=-3", -3, 0),
    ],
)
def test_numbers_of_the_command_line(text, value, notes):
    sink = Sink()
    binding = read_setting(text, sink)
    assert binding is not None
    assert (binding.name, binding.value.value) == ("s", value)
    assert len(sink.notes) == notes


def test_a_letter_that_is_a_size_is_a_factor():
    sink = Sink()
    binding = read_setting("s=8k", sink, known=("k", "s"))
    assert not sink.found
    assert binding is not None
    assert type(binding.value).__name__ == "Juxtaposed"


@pytest.mark.parametrize("text", ["", "s", "s=", "=3", "3=s", "s=2^", "s=)(", "s=\0"])
def test_broken_settings_are_diagnostics(text):
    sink = Sink()
    assert read_setting(text, sink) is None
    assert sink.errors


# ---------------------------------------------------------------------------------------------- size trees


@pytest.mark.parametrize(
    ("size", "value"),
    [
        (Function("ceil", (divide(S, const(3)),)), 3),
        (Function("floor", (divide(S, const(3)),)), 2),
        (Function("min", (S, H)), 7),
        (Function("max", (S, H)), 16),
        (Function("abs", (subtract(S, H),)), 9),
        (Power(H, Fraction(1, 2)), 4),
        (Power(H, Fraction(-3, 2)), Fraction(1, 64)),
        (Power(H, Fraction(-2)), Fraction(1, 256)),
        (Function("log", (const(1),)), 0),
        (Function("exp", (const(0),)), 1),
    ],
)
def test_functions_are_exact(size, value):
    assert evaluate_size(size, {"s": 7, "h": 16}) == value


def test_irrational_values_are_right_to_fifty_digits():
    root = evaluate_size(Power(const(2), Fraction(1, 2)), {})
    assert abs(root * root - 2) < Fraction(1, 10**48)
    assert abs(evaluate_size(Function("exp", (Function("log", (const(7),)),)), {}) - 7) < Fraction(1, 10**45)


@pytest.mark.parametrize(
    "size",
    [
        divide(const(1), subtract(S, S)),
        Power(const(-2), Fraction(1, 2)),
        Function("log", (const(0),)),
        Power(Power(const(10), Fraction(10**4)), Fraction(10**4)),
        Function("exp", (const(10**9),)),
        product(*[Power(S, Fraction(9999))] * 9),
        Symbol("unheard of"),
    ],
)
def test_what_has_no_value_says_so_at_once(size):
    with pytest.raises(NoValueError):
        evaluate_size(size, {"s": 7})


sizes = st.recursive(
    st.sampled_from([S, H, A, D]) | st.integers(1, 6).map(const),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: add(*p)),
        st.tuples(inner, inner).map(lambda p: product(*p)),
        st.tuples(inner, st.integers(1, 4)).map(lambda p: divide(p[0], const(p[1]))),
        st.tuples(inner, st.integers(1, 3)).map(lambda p: Power(p[0], Fraction(p[1]))),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: Function(p[0], p[1:])),
        st.tuples(st.sampled_from(["ceil", "floor"]), inner).map(lambda p: Function(p[0], p[1:])),
    ),
    max_leaves=7,
)
values = st.fixed_dictionaries({name: st.integers(1, 40) for name in ("s", "h", "a", "d")})


@given(sizes, values)
def test_numbers_agree_with_the_algebra(size, numbers):
    form = normal(size, Scope(("s", "h", "a", "d")))
    assert evaluate_size(size, numbers) == evaluate(form, numbers)


edges = st.none() | st.integers(-3, 12)


@given(st.integers(1, 9), st.integers(1, 9), edges, edges)
def test_bands_are_counted_as_enumerated(rows, columns, lower, upper):
    band = Band(const(rows), const(columns), *(None if e is None else const(e) for e in (lower, upper)))
    pairs = [(r, c) for r in range(rows) for c in range(columns)]
    distances = [(rows - 1 - r) - (columns - 1 - c) for r, c in pairs]
    inside = [e for e in distances if (lower is None or e > -lower) and (upper is None or e <= upper)]
    assert evaluate_size(band, {}, "exact") == len(inside)
    not_too_far = [e for e in distances if lower is None or e > -lower]
    assert evaluate_size(band, {}, "full") == len(not_too_far)
    halved = Fraction(rows * columns, 1 if upper is None else 2)
    assert evaluate_size(band, {}, "half") == halved - (len(distances) - len(not_too_far))


def test_values_are_fractions_in_lowest_terms():
    assert evaluate_size(divide(Const(Fraction(6)), const(4)), {}) == Fraction(3, 2)
