"""Derivations as papers print them: every step adds up, and what is LaTeX is LaTeX."""

from __future__ import annotations

import re

import pytest
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexWalker

from roofdsl.algebra.form import number
from roofdsl.cli import codes
from roofdsl.quantities.session import Session
from roofdsl.report.derivation import Derivation, derivation
from roofdsl.report.derivation_latex import derivation_latex
from roofdsl.report.derivation_text import derivation_text
from roofdsl.report.formula import render
from tests.asking import asked, form, spec
from tests.commands import roofdsl

QUESTIONS = [
    "saved(layer)",
    "saved(layer{fused attention.core})",
    "saved(gpt_full)",
    "flops(layer)",
    "flops(gpt, train)",
    "flops(gpt_selective, hardware)",
    "bytes(layer, backward)",
    "params(gpt)",
    "state(mlp)",
    "cache(gpt)",
    "memory(gpt, infer)",
    "intensity(mlp)",
]


def derived(question: str, session: Session | None = None) -> Derivation:
    session = session or spec("gpt3")
    return derivation(session, asked(session, question))


def parts(found: Derivation) -> list[Derivation]:
    return [found] if not found.parts else [leaf for part in found.parts for leaf in parts(part)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_steps_add_up_to_the_total(question: str) -> None:
    for found in parts(derived(question)):
        whole = number(0)
        for step in found.steps:
            whole += step.amount
        assert whole == found.total
        assert found.steps
        assert all(step.rule for step in found.steps)
        by_phase = number(0)
        for _, amount in found.phases:
            by_phase += amount
        assert not found.phases or by_phase == found.total


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_factored_total_is_the_total(question: str) -> None:
    for found in parts(derived(question)):
        if found.factored is not None:
            text = render(found.factored, found.style)
            assert form(spec("gpt3"), text) == found.total


@pytest.mark.parametrize(
    ("question", "factored"),
    [
        ("saved(layer)", "sbh(34 + 5as/h)"),
        ("flops(layer, train)", "72bsh²(1 + s/(6h))"),
        ("flops(gpt, train)", "72bLsh²(1 + s/(6h) + V/(12Lh))"),
        ("params(layer)", "h(12h + 13)"),
        ("saved(mlp)", None),
    ],
)
def test_totals_are_factored_as_papers_do(question: str, factored: str | None) -> None:
    found = derived(question)
    assert (None if found.factored is None else render(found.factored, found.style)) == factored


def test_a_statement_has_its_forward_and_both_adjoints() -> None:
    found = derived("flops(gpt_selective, hardware)")
    (core,) = [passage for passage in found.passages if passage.name == "layer.attention.S"]
    assert [step.phase for step in core.steps] == ["forward", "backward", "backward", "recompute"]
    assert core.statement == "layer.attention: S[b,a,s,t] = sum(q[s,b,a,d] * K[t,b,a,d]) / sqrt(d)"


def test_text_shows_what_the_lets_do() -> None:
    text = derivation_text(derived("saved(layer)"))
    assert "attention.q[s,b,a,d] bf16    2sbad = 2sbh " in text
    assert "where t = s, d = h/a, f = 4h" in text
    assert text.index("   = 34sbh + 5as²b") < text.index("   = sbh(34 + 5as/h)")


def environments(text: str) -> list[LatexEnvironmentNode]:
    nodes, _, _ = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    return [node for node in nodes if isinstance(node, LatexEnvironmentNode)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_latex_parses(question: str) -> None:
    text = derivation_latex(derived(question))
    assert text.isascii()
    names = [node.environmentname for node in environments(text)]
    assert "align*" in names
    assert "table" in names
    assert set(names) == {"align*", "table"}
    for body in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", text, re.DOTALL):
        for row in body.split("\\\\\n"):
            assert re.sub(r"\\&", "", row).count("&") <= 3, row
            assert row.strip()
    for columns, body in re.findall(
        r"\\begin\{tabular\}\{((?:[^{}]|\{[^{}]*\})*)\}\n(.*?)\\end\{tabular\}", text, re.DOTALL
    ):
        width = len(re.sub(r"p\{[^{}]*\}", "p", columns))
        rows = [line for line in body.splitlines() if line.endswith(r" \\")]
        assert {cells(row) for row in rows} == {width}
        shares = [float(share) for share in re.findall(r"p\{([0-9.]+)\\linewidth\}", columns)]
        assert sum(shares) < 0.9  # and gaps between


def cells(row: str) -> int:
    """How many columns a row of a table fills."""
    spanned = sum(int(count) - 1 for count in re.findall(r"\\multicolumn\{(\d+)\}", row))
    return len(re.findall(r"(?<!\\)&", row)) + 1 + spanned


def test_latex_derives_before_it_sums() -> None:
    text = derivation_latex(derived("saved(layer)"))
    assert "&\\operatorname{saved}(\\texttt{layer}) \\\\\n  &\\quad = 2 s b h \\tag*{\\footnotesize n1: x}" in text
    assert r"\intertext{where $t = s$, $d = \frac{h}{a}$, $f = 4 h$:}" in text
    assert "  &\\quad = 34 s b h + 5 a s^{2} b \\\\\n" in text
    assert r"&\quad = s b h \left(34 + \frac{5 a s}{h}\right)" in text


def test_formats_of_the_command() -> None:
    runs = {
        form: roofdsl("explain", "gpt3", "saved(layer)", "--format", form) for form in ("markdown", "html", "latex")
    }
    assert all(ran.code == codes.FINE for ran in runs.values())
    assert "| attention: S\\[b,a,s,t\\] = " in runs["markdown"].out
    assert runs["html"].out.count("<tr>") == 18
    assert "<math" in runs["html"].out
    assert environments(runs["latex"].out)


def test_a_formula_of_several_quantities_is_shown_after_them() -> None:
    ran = roofdsl("explain", "gpt3", "saved(layer)/saved(mlp)")
    assert "saved(layer) = 34sbh + 5as²b\n" in ran.out
    assert "saved(mlp) = 19sbh\n" in ran.out
    assert "saved(layer)/saved(mlp) = 34/19 + 5as/(19h)\n" in ran.out


def test_the_papers_names() -> None:
    ran = roofdsl("explain", "gpt3", "saved(mlp)", "--rename", "h=d_model,s=n")
    assert "x[n,b,d_model] bf16" in ran.out
    assert "g[n,b,f] bf16" in ran.out
    assert "saved(mlp) = 19nb·d_model" in ran.out
    assert "f = 4d_model" in ran.out
    clash = roofdsl("explain", "gpt3", "saved(attention)", "--rename", "h=d")
    assert clash.code == codes.USAGE
    assert "E0814" in clash.err
    assert roofdsl("explain", "gpt3", "saved(attention)", "--rename", "h=d,d=d_h").code == codes.FINE
