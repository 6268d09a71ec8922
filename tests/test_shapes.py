"""Formulas in the shapes papers want: factored, leading terms, orders of growth, per token, other names, macros."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latexwalker import LatexMacroNode, LatexWalker
from sympy import Function  # noqa: F401  (what a printed line may call)

from roofdsl.algebra.form import Normal
from roofdsl.cli import codes
from roofdsl.report.derived import derive, style_of
from roofdsl.report.formula import render
from roofdsl.report.formula_growth import big_o
from roofdsl.report.formula_shape import as_papers
from roofdsl.report.shape import Growth, Shape
from tests.asking import form, session_of, spec
from tests.commands import roofdsl

TRAIN = "flops(gpt, train)"


def line(*options: str, quantity: str = TRAIN) -> str:
    ran = roofdsl("derive", "gpt3", quantity, *options)
    assert ran.code == codes.FINE, ran.err
    return ran.out.splitlines()[0]


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        (("--factored",), "flops(gpt, train) = 72bLsh²(1 + s/(6h) + V/(12Lh))"),
        (("--leading", "h >> s"), "flops(gpt, train) ~ 72bLsh² for h >> s"),
        (("--leading", "s"), "flops(gpt, train) ~ 12bLs²h as s → ∞"),
        (("--leading", "V"), "flops(gpt, train) ~ 6bshV as V → ∞"),
        (("--big-o",), "flops(gpt, train) = O(bLsh² + bLs²h + bshV)"),
        (("--big-o", "s"), "flops(gpt, train) = O(s²)"),
        (("--big-o", "s,h"), "flops(gpt, train) = O(sh² + s²h)"),
        (("--per", "token", "--leading", "h >> s"), "flops(gpt, train) per token ~ 72Lh² for h >> s"),
        (("--per", "layer", "--big-o", "L"), "flops(gpt, train) per layer = O(1)"),
        (("--rename", "h=d_model,s=n", "--leading", "h >> s"), "flops(gpt, train) ~ 72bLn·d_model² for d_model >> n"),
    ],
)
def test_shapes(options: tuple[str, ...], printed: str) -> None:
    assert line(*options) == printed


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--leading", "q"), "E0810"),
        (("--leading", "h >> q"), "E0810"),
        (("--leading", "h >>"), "E0810"),
        (("--big-o", "q"), "E0810"),
        (("--rename", "q=h"), "E0814"),
        (("--rename", "h"), "E0814"),
        (("--rename", "h=s"), "E0814"),
        (("--rename", "h=x,s=x"), "E0814"),
        (("--rename", "h=2x"), "E0814"),
        (("--per", "year"), "E0714"),
    ],
)
def test_shapes_that_cannot_be(options: tuple[str, ...], code: str) -> None:
    ran = roofdsl("derive", "gpt3", TRAIN, *options)
    assert f"[{code}]" in ran.err
    assert ran.code in (codes.WRONG, codes.USAGE)


def test_a_minimum_has_no_order_here() -> None:
    ran = roofdsl("derive", "gpt3", "time(mlp, h100_sxm)", "--big-o", "s")
    assert "E0816" in ran.err


def test_names_exchanged() -> None:
    assert line("--rename", "h=d,s=h", quantity="saved(mlp)") == "saved(mlp) = 19hbd"


def test_orders_in_other_formats() -> None:
    assert line("--big-o", "s", "--format", "latex").startswith(r"\mathcal{O}\left(s^{2}\right) %")
    assert "<mi>O</mi>" in line("--big-o", "s", "--format", "mathml")
    assert line("--big-o", "s", "--format", "sympy") == "Function('O')(s**2)"
    found = roofdsl("derive", "gpt3", TRAIN, "--leading", "h >> s", "--json").document["results"][0]
    assert found["regime"] == "for h >> s"


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), st.integers(1, 60), min_size=1, max_size=5
    )
)
def test_factored_forms_are_equal_and_orders_bound(terms: dict[tuple[int, int, int], int]) -> None:
    text = " + ".join(f"{c}·a^{x}·b^{y}·s^{z}" for (x, y, z), c in terms.items())
    session = session_of("dim a\ndim b\ndim s\n")
    whole = form(session, text)
    style = style_of(session, ("a", "b", "s"))
    layout = as_papers(whole, style)
    if layout is not None:
        assert form(session, render(layout, style)) == whole
    order = big_o(whole, ("a", "b", "s"))
    assert order is not None
    assert all(_reached(power, _powers(order)) for power in terms)
    assert _powers(order) <= set(terms)


def _powers(whole: Normal) -> set[tuple[int, ...]]:
    places = [whole.names.index(name) if name in whole.names else None for name in ("a", "b", "s")]
    return {tuple(0 if place is None else monomial[place] for place in places) for monomial in whole.numer}


def _reached(power: tuple[int, ...], powers: set[tuple[int, ...]]) -> bool:
    return any(all(o >= p for o, p in zip(other, power, strict=True)) for other in powers)


def test_leading_terms_are_what_the_limit_says() -> None:
    session = spec("gpt3")
    whole = derive(session, TRAIN)
    lead = derive(session, TRAIN, shape=Shape(leading=Growth("s")))
    s, *rest = sympy.symbols("s b h L V", positive=True)
    scope = {"s": s, **{str(symbol): symbol for symbol in rest}}
    ratio = sympy.parse_expr(whole.printed("sympy"), scope) / sympy.parse_expr(lead.printed("sympy"), scope)
    assert sympy.limit(ratio, s, sympy.oo) == 1


def test_macros_of_a_paper(tmp_path: Path) -> None:
    path = tmp_path / "out.tex"
    questions = ("saved(layer)", "saved(layer)", TRAIN, "flops(layer{f = 3h})", "params(head)/2")
    ran = roofdsl("derive", "gpt3", *questions, "--macros", str(path), "--rename", "h=d_model")
    assert ran.code == codes.FINE
    text = path.read_text(encoding="utf-8")
    names = re.findall(r"^\\newcommand\{\\([A-Za-z]+)\}\{.+\}$", text, re.MULTILINE)
    assert names == ["savedLayer", "savedLayerA", "flopsGptTrain", "flopsLayerFThreeH", "paramsHeadTwo"]
    assert r"\newcommand{\savedLayer}{34 s b d_{\mathrm{model}} + 5 a s^{2} b}" in text
    nodes, _, _ = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    assert sum(isinstance(node, LatexMacroNode) for node in nodes) == len(questions)
    comments = [row for row in text.splitlines() if row.startswith("%")]
    assert len(comments) == len(questions) + 1


def test_macros_are_read_back_by_verify(tmp_path: Path) -> None:
    """A paper that uses the macros is verified with them."""
    macros = tmp_path / "out.tex"
    roofdsl("derive", "gpt3", "saved(layer)", "--macros", str(macros))
    paper = tmp_path / "paper.tex"
    marked = "% roofdsl: saved(layer)\n\\[ M = \\savedLayer . \\]\n"
    paper.write_text(macros.read_text(encoding="utf-8") + marked, encoding="utf-8")
    assert roofdsl("verify", "gpt3", "--tex", str(paper)).code == codes.FINE


def test_macros_that_cannot_be_written() -> None:
    assert "E0801" in roofdsl("derive", "gpt3", "saved(mlp)", "--macros", "/nowhere/out.tex").err
