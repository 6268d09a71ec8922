"""Formulas as they are printed: paper style, read back to the same meaning, in every format."""

from __future__ import annotations

import html.parser
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.algebra.normal import Normal, normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import Sink
from roofdsl.ir.size import Const, Function, Power, Size, Symbol, add, const, divide, product
from roofdsl.quantities.formula import Names, resolve, symbol_formulas
from roofdsl.report.formula import FORMATS, formula, render, structured
from roofdsl.report.formula_latex import latex_name
from roofdsl.report.formula_layout import Style, lay_out
from roofdsl.report.formula_shape import collected, factored, in_terms_of, pulled_out
from roofdsl.report.formula_written import written_orders
from roofdsl.source import Source
from roofdsl.syntax.parser import parse_formula

ORDER = ("s", "b", "h", "a", "L", "V", "N", "t", "d", "f")
LETTERS = {name: Symbol(name) for name in ORDER}
S, B, H, A, L, V, N, T, D, F = (LETTERS[name] for name in ORDER)
SCOPE = Scope(ORDER, {"t": S, "d": divide(H, A), "f": product(const(4), H)})
RESERVED = frozenset(("flops", "saved", "min", "max", "ceil", "floor", "abs", "log", "exp", "sqrt"))
PLAIN = Style(ORDER, reserved=RESERVED)


def read(text: str, names: tuple[str, ...] = ORDER, scope: Scope = SCOPE) -> Normal:
    """A formula's normal form, through our grammar."""
    sink = Sink()
    expr = parse_formula(Source("<test>", text), sink)
    sink.stop_on_errors()
    assert expr is not None
    return normal(resolve(expr, Names(symbol_formulas(names))).size, scope)


def authors_style(*texts: str) -> Style:
    parsed = [parse_formula(Source("<test>", text), Sink()) for text in texts]
    return Style(ORDER, written_orders([expr for expr in parsed if expr is not None], ORDER), reserved=RESERVED)


@pytest.mark.parametrize(
    "text",
    [
        "34sbh + 5as²b",
        "24bsh² + 4bs²h",
        "72bLsh² + 12bLs²h + 6bshV",
        "12Lh² + 13Lh + Vh + Nh + 2h",
        "1 + s/(6h) + V/(16Lh)",
    ],
)
def test_published_formulas_print_as_published(text: str) -> None:
    assert formula(read(text), authors_style(text)) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("72bLsh²(1 + s/6h + V/12Lh)", "72sbh²L + 12s²bhL + 6sbhV"),
        ("3bshV/2", "(3/2)sbhV"),
        ("w", "0"),
        ("s/(2h) - 3h", "-3h + s/(2h)"),
        ("2bsh/(sb + sh + bh)", "2sbh/(sb + sh + bh)"),
        ("4h²/(2h² + 2hs)", "2h/(s + h)"),
        ("min(s, b)² - ceil(s/128)b", "-b·ceil(s/128) + min(s, b)²"),
        ("sqrt(s h)/2", "sqrt(h)·sqrt(s)/2"),
        ("d", "h/a"),
        ("-s", "-s"),
        ("1/2", "1/2"),
    ],
)
def test_without_an_author_the_declaration_rules(text: str, shown: str) -> None:
    form = read(text, (*ORDER, "w"), Scope(ORDER, SCOPE.lets, bindings={"w": const(0)}))
    assert formula(form, PLAIN) == shown


AMBIGUOUS = ("s", "b", "sb", "as", "a", "e1", "d_model", "λ", "m", "x", "ax", "E", "at")


def test_letters_that_could_be_read_otherwise_are_dotted() -> None:
    scope = Scope(AMBIGUOUS)
    style = Style(AMBIGUOUS, reserved=RESERVED)
    for names, shown in [
        (("s", "b"), "s·b"),
        (("a", "s", "x"), "s·a·x"),
        (("m", "a"), "am"),
        (("s", "d_model"), "s·d_model"),
        (("λ", "m"), "λm"),
        (("E", "m"), "mE"),
    ]:
        form = normal(product(*(Symbol(name) for name in names)), scope)
        assert formula(form, style) == shown
        assert read(shown, AMBIGUOUS, scope) == form
    twice = normal(product(const(2), Symbol("e1")), scope)
    assert formula(twice, style) == "2·e1"
    assert read("2·e1", AMBIGUOUS, scope) == twice


def test_a_product_that_spells_a_clause_word_or_a_function_is_dotted() -> None:
    names = ("a", "t", "m", "x", "s")
    style = Style(names, reserved=RESERVED)
    scope = Scope(names)
    assert formula(normal(product(Symbol("a"), Symbol("t")), scope), style) == "a·t"
    assert formula(normal(product(const(2), Symbol("a"), Symbol("t")), scope), style) == "2at"
    mixed = normal(product(Symbol("m"), Symbol("a"), Symbol("x")), scope)
    reordered = Style(("m", "a", "x"), reserved=RESERVED)
    assert formula(mixed, reordered) == "m·a·x"


NAME_SETS = (ORDER, AMBIGUOUS, ("alpha", "d_ff", "n1", "s", "e2"))


@st.composite
def shaped(draw: st.DrawFn) -> tuple[Size, tuple[str, ...]]:
    """A formula with fractions, powers and functions, over one of several sets of names."""
    names = draw(st.sampled_from(NAME_SETS))
    symbols = st.sampled_from(names).map(Symbol)
    fractions = st.fractions(min_value=-9, max_value=9, max_denominator=12).filter(bool)

    def power(base: Size, exponent: int) -> Size:
        return Power(base, Fraction(exponent))

    factors = st.one_of(
        symbols,
        st.builds(power, symbols, st.integers(-3, 3).filter(bool)),
        st.builds(lambda x, y: Function("min", (x, y)), symbols, symbols),
        st.builds(lambda x, n: Function("ceil", (product(Const(Fraction(1, n)), x),)), symbols, st.integers(2, 128)),
        st.builds(add, symbols, symbols),
        st.builds(lambda x, y: Power(add(x, y), Fraction(-1)), symbols, symbols),
        st.builds(lambda x: Power(x, Fraction(1, 2)), symbols),
    )
    terms = st.builds(lambda c, fs: product(Const(c), *fs), fractions, st.lists(factors, max_size=4))
    return add(*draw(st.lists(terms, min_size=1, max_size=4))), names


@settings(max_examples=60, deadline=None)
@given(shaped())
def test_what_is_printed_reads_back(case: tuple[Size, tuple[str, ...]]) -> None:
    size, names = case
    scope = Scope(names)
    form = normal(size, scope)
    style = Style(names, reserved=RESERVED)
    for shown in (
        formula(form, style),
        render(factored(form, style), style),
        render(collected(form, names[:1], style), style),
    ):
        assert read(shown, names, scope) == form, shown


@settings(max_examples=40, deadline=None)
@given(shaped())
def test_the_sympy_line_parses_back(case: tuple[Size, tuple[str, ...]]) -> None:
    from sympy import sympify

    from roofdsl.algebra.expr import to_expr
    from roofdsl.algebra.symbols import symbol_table

    size, names = case
    form = normal(size, Scope(names))
    line = formula(form, Style(names), "sympy")
    table = symbol_table(names)
    parsed = sympify(line, locals={}) if "\n" not in line else None
    assert parsed is not None
    numbers = {name: 3 + 2 * i for i, name in enumerate(names)}
    ours = to_expr(form, table).subs({table[name]: value for name, value in numbers.items()})
    theirs = parsed.subs({symbol: numbers[symbol.name] for symbol in parsed.free_symbols})
    assert abs((ours - theirs).evalf(30)) < Fraction(1, 10**20)


def test_the_order_of_terms_is_stable() -> None:
    terms = [product(const(34), S, B, H), product(const(5), A, S, S, B), product(S, B), const(3), divide(S, H)]
    shown = {formula(normal(add(*terms[i:], *terms[:i]), SCOPE), PLAIN) for i in range(len(terms))}
    assert shown == {"34sbh + 5s²ba + sb + 3 + s/h"}


# ---------------------------------------------------------------- shapes


def shape(text: str, layout_of: str) -> str:
    form = read(text)
    match layout_of:
        case "factored":
            layout = factored(form, PLAIN)
        case "collect s":
            layout = collected(form, ("s",), PLAIN)
        case "factor sbh":
            layout = pulled_out(form, read("sbh"), PLAIN)
        case _:
            layout = lay_out(in_terms_of(form, ("s", "b", "a", "d"), SCOPE), PLAIN)
    return render(layout, PLAIN)


@pytest.mark.parametrize(
    ("text", "how", "shown"),
    [
        ("34sbh + 5as²b", "factor sbh", "sbh(34 + 5sa/h)"),
        ("24bsh² + 4bs²h", "collect s", "4s²bh + 24sbh²"),
        ("24bsh² + 4bs²h + 2s", "collect s", "4s²bh + s(24bh² + 2)"),
        ("24bsh² + 4bs²h", "factored", "4sbh(s + 6h)"),
        ("-8bLs²h", "factored", "-8s²bhL"),
        ("s² - h²", "factored", "(s - h)·(s + h)"),
        ("(s + h)²/(s - 1)", "factored", "(s + h)²/(s - 1)"),
        ("34sbh + 5as²b", "in terms of d", "34sbad + 5s²ba"),
        ("0", "factored", "0"),
    ],
)
def test_shapes(text: str, how: str, shown: str) -> None:
    assert shape(text, how) == shown


# ---------------------------------------------------------------- formats


def test_latex() -> None:
    form = read("34sbh + 5as²b - s/6h + ceil(s/128)/2 + min(s,h)² + 3sb/2 + sqrt(h)")
    assert formula(form, PLAIN, "latex") == (
        r"34 s b h + 5 s^{2} b a + \frac{3}{2} s b + \frac{\lceil \frac{s}{128} \rceil}{2} + "
        r"\min\left(s, h\right)^{2} + \sqrt{h} - \frac{s}{6 h}"
    )
    assert formula(read("s"), PLAIN, "markdown") == "$s$"


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("d_model", r"d_{\mathrm{model}}"),
        ("lambda", r"\lambda"),
        ("λ", r"\lambda"),
        ("dff", r"\mathrm{dff}"),
        ("n_h", "n_{h}"),
        ("n1", "n_{1}"),
        ("alpha_2", r"\alpha_{2}"),
        ("a_b_c", r"a_{\mathrm{b\_c}}"),
    ],
)
def test_latex_names(name: str, latex: str) -> None:
    assert latex_name(name) == latex


def test_latex_in_quotes_reads_back() -> None:
    for text in ("34sbh + 5as²b", "s/6h + V/12Lh", "(3/2)sbh - max(s, h) + ceil(s/2)"):
        form = read(text)
        shown = formula(form, PLAIN, "latex")
        assert read(f'"{shown}"') == form, shown


def test_mathml_is_well_formed_and_escaped() -> None:
    hostile = Symbol("<script>alert(1)</script>")
    form = normal(divide(product(hostile, Power(S, Fraction(1, 2))), add(H, Symbol("d_model"))), Scope(("s", "h")))
    shown = formula(form, PLAIN, "mathml")
    tags: list[str] = []
    open_tags: list[str] = []

    class Checker(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
            tags.append(tag)
            open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Checker().feed(shown)
    assert not open_tags
    assert "script" not in tags
    assert {"msqrt", "mfrac", "msub"} <= set(tags)


def test_json_is_structured() -> None:
    data = json.loads(formula(read("34sbh + 3s/2h - min(s, h)"), PLAIN, "json"))
    assert data == structured(lay_out(read("34sbh + 3s/2h - min(s, h)"), PLAIN), PLAIN)
    assert [(term["coefficient"], term["powers"]) for term in data["terms"]] == [
        ("34", {"s": 1, "b": 1, "h": 1}),
        ("-1", {}),
        ("3/2", {"s": 1, "h": -1}),
    ]
    assert [argument["text"] for argument in data["terms"][1]["functions"][0]["arguments"]] == ["s", "h"]


@pytest.mark.parametrize("kind", FORMATS)
def test_zero_prints_in_every_format(kind: str) -> None:
    assert "0" in formula(read("s - s"), PLAIN, kind)
