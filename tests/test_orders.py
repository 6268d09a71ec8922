"""Claims of order: Θ, O and Ω on a whole domain, for a size that grows, and where one outgrows another."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from roofdsl.algebra.cone import Combination, Separation, combination
from roofdsl.cli import codes
from roofdsl.diagnostics import RoofError
from roofdsl.report.derived import derive
from roofdsl.report.shape import Shape
from roofdsl.report.verdict import render_verdict
from roofdsl.report.verdict_json import verdict_document
from roofdsl.syntax.print_claims import print_claim
from tests.asking import claim, session_of, spec, verdict
from tests.commands import roofdsl
from tests.random_orders import run_formulas, run_posynomials

GPT = spec("gpt3")
SHIPPED = ("gpt3", "llama", "deepseek_v3", "mamba", "bert", "t5", "primer")


@pytest.mark.parametrize(
    "text",
    [
        "flops(attention) = Θ(bs²h) for s -> oo",
        "flops(attention) = Θ(bs²) for s -> oo",
        "flops(attention) = Θ(bsh²) for h >> s",
        "flops(attention) = Θ(bs²h) for s >> h",
        "flops(attention) = O(bsh²) for h >> s",
        "flops(attention) = Ω(bsh) for h >> s",
        "flops(attention) = Theta(bsh² + bs²h)",
        "flops(attention) = Θ(bsh(s + h))",
        "flops(attention) = O(bs²h²)",
        "flops(attention) = Omega(bsh²)",
        "flops(attention) = Ω(bs h sqrt(h))",
        '''flops(attention) = "\\Theta(b s^2 h + b s h^2)"''',
        '''flops(attention) = "\\mathcal{O}\\left(b s^2 h^2\\right)"''',
        '''flops(attention) = "\\Omega(bs)"''',
        "flops(attention) = Θ(bsh²) when s <= h",
        "flops(attention) = Θ(bsh²) when s <= 4096",
        "flops(attention) = Θ(h²) at s = 128, b = 1",
        "flops(attention) = Θ(n h² + n² h) reading n as s when b = 1",
        "saved(layer) = O(bsh + bs²h)",
        "saved(layer) = O(bs²h)",
        "saved(layer) = Ω(as²b)",
        "saved(layer) = Θ(h) for h -> oo when a = h",
        "flops(gpt, train) = O(params(gpt) b s²)",
        "flops(layer) = Θ(params(layer)) for h -> oo",
        "intensity(layer) = Θ(1) for s -> oo",
        "params(layer) = O(1) for s -> oo",
        "flops(mlp) = Θ(bshf) for f free",
        "flops(gpt, train) per token = O(Lh² + Lsh + Vh)",
        "time(layer, h100_sxm) = Θ(s²) for s -> oo",
        "not flops(attention) = Θ(bs²h)",
        "not flops(attention) = O(bs²h)",
        "not flops(attention) = Ω(bs²h²)",
        "not flops(attention) = Θ(bs²h) for h >> s",
        "not flops(attention) = Θ(bh) for s >> h",
        "not flops(attention) = Ω(bs³) for s -> oo",
        "not saved(layer) = O(bsh)",
        "not saved(layer) = O(sbh + 5ab)",
        "not saved(layer) = Θ(as²b)",
        "saved(layer) = Ω(s - 1)",
        "not saved(layer) = O((s - 1) s b h)",
        "not cache(gpt) = O(1) for s -> oo",
    ],
)
def test_what_holds(text: str) -> None:
    found = verdict(GPT, text)
    assert found.passed, render_verdict(found, GPT)
    assert found.outcome == ("refuted" if text.startswith("not") else "proved")


def test_an_undecided_order_says_why() -> None:
    found = verdict(GPT, "flops(attention) = O(s log(s)) for s -> oo")
    assert found.outcome == "undecided"
    assert "log of something that grows" in render_verdict(found, GPT)


def test_a_refuted_order_names_the_way_and_the_ratios() -> None:
    text = render_verdict(verdict(GPT, "flops(attention) = O(bs²h)"), GPT)
    assert "claimed     O(bs²h)" in text
    assert "for h → ∞ the ratio grows without bound" in text
    assert "ratio       12 at h = 1; 84 at h = 10; 804 at h = 100; 8,004 at h = 1,000  (s = 1, b = 1, a = 1)" in text
    assert "difference" not in text
    below = render_verdict(verdict(GPT, "flops(attention) = Ω(bs³h)"), GPT)
    assert "for s → ∞ the ratio goes to 0" in below


def test_a_proved_order_gives_its_constants() -> None:
    text = render_verdict(verdict(GPT, "flops(attention) = Θ(bsh² + bs²h)"), GPT)
    assert "the ratio is at least 4 and at most 8 for all sizes" in text


def test_sizes_that_are_tied_grow_together() -> None:
    found = verdict(GPT, "saved(layer) = O(sbh)")  # a is at most h, and as²b/sbh is as/h
    assert "for s → ∞ the ratio grows" in found.judgement.reason
    found = verdict(GPT, "params(layer) = O(a²)")
    assert found.outcome == "refuted"
    assert verdict(GPT, "params(layer) = Ω(a²)").outcome == "proved"
    assert verdict(GPT, "saved(layer) = O(s²bh)").outcome == "proved"


def test_a_path_where_nothing_grows_alone() -> None:
    found = verdict(GPT, "flops(attention) = O(b²s² + h²) at b = 1")
    assert found.outcome == "refuted"
    assert "for s, h → ∞ alike the ratio grows without bound" in found.judgement.reason


def test_where_the_smaller_size_decides_there_is_no_limit() -> None:
    found = verdict(GPT, "flops(attention) = Θ(bh²) for h >> s")  # the ratio is about 8s
    assert found.outcome == "refuted"
    assert "for h = t², s = t, t → ∞ the ratio grows without bound" in found.judgement.reason
    assert verdict(GPT, "flops(attention) = Ω(bh²) for h >> s").outcome == "undecided"


def test_as_data() -> None:
    found = verdict_document(verdict(GPT, "flops(attention) = O(bs²h)"), GPT)
    assert (found["relation"], found["order"], found["difference"]) == ("order", "O", None)
    assert found["claimed"]["text"] == "bs²h"
    assert found["ratios"][1]["sizes"]["h"] == 10
    assert found["ratios"][1]["ratio"]["value"] == 84
    assert verdict_document(verdict(GPT, "flops(attention) = 8bsh² + 4bs²h"), GPT)["order"] is None


@pytest.mark.parametrize("word", ["Θ", "Theta", "O", "Ω", "Omega"])
def test_the_words_are_ordinary_names(word: str) -> None:
    text = f"""
        use "ops"
        dim s
        dim {word}
        block up(x[s,{word}]) -> y {{
            param W[{word},{word}]
            y[s,{word}] = relu(x)
        }}
    """
    found = verdict(session_of(text), f"params(up) = {word}({word})")
    assert found.question.order is None
    assert found.outcome == "proved"
    renamed = verdict(GPT, f"params(mlp) = 8{word}({word}) + 5h reading {word} as h")
    assert renamed.outcome == "proved"


def test_the_text_of_a_claim_stays() -> None:
    for text in ("flops(x) = Θ(bs²h) for s -> oo", "not flops(x) = O(bs²h) when s <= h", "flops(x) = Ω(h) for h >> s"):
        assert print_claim(claim(text)) == f"claim {text}"


@pytest.mark.parametrize("name", SHIPPED)
def test_what_big_o_prints_is_proved(name: str) -> None:
    session = spec(name)
    proved = 0
    for subject, definition in session.library.definitions.items():
        if definition.kind == "op":
            continue
        for quantity in (f"saved({subject})", f"params({subject})", f"flops({subject}, forward)"):
            try:
                printed = derive(session, quantity, shape=Shape(order=())).printed()
            except RoofError:
                continue  # no sum of products, or nothing to derive
            text = f"{quantity} = {printed}"
            if printed == "O(0)":
                continue
            found = verdict(session, text)
            assert found.outcome == "proved", render_verdict(found, session)
            proved += 1
    assert proved > 3


def test_declared_bounds_are_shown() -> None:
    text = """
        use "ops"
        dim X
        dim m <= X
        dim n >= 0
        dim h
        block some(x[m,h]) -> y {
            param W[h,h]
            y[m,h] = relu(x)
        }
    """
    session = session_of(text)
    found = verdict(session, "saved(some) <= 2Xh + n")
    assert "domain      m <= X, n >= 0" in render_verdict(found, session)
    assert verdict_document(found, session)["domain"]["declared"] == ["m <= X", "n >= 0"]
    assert "domain" not in render_verdict(verdict(session, "params(some) = h²"), session)
    assert verdict(session, "saved(some) = O(Xh)").outcome == "proved"
    assert verdict(session, "saved(some) = O(n h)").outcome == "refuted"


def test_weights_or_a_direction() -> None:
    columns = [(2, 0, 1), (0, 2, 1), (-1, 0, 0), (0, -1, 0)]
    inside = combination(columns, (1, 1, 1))
    assert isinstance(inside, Combination)
    assert inside.weights[:2] == (Fraction(1, 2), Fraction(1, 2))
    outside = combination(columns, (2, 1, 1))
    assert isinstance(outside, Separation)
    above = sum(d * t for d, t in zip(outside.direction, (2, 1, 1), strict=True))
    assert above > 0
    assert all(sum(d * c for d, c in zip(outside.direction, column, strict=True)) <= 0 for column in columns)


def test_random_sums_of_products() -> None:
    counts, faults = run_posynomials(300, seed=7)
    assert not faults, faults[:3]
    assert counts["right, bounded"] > 40
    assert counts["right, unbounded"] > 100
    assert not counts["open"]


def test_random_formulas_with_functions() -> None:
    counts, faults = run_formulas(24, seed=7)
    assert not faults, faults[:3]
    assert counts["open"] < 5


PAPER = r"""
\newcommand{\bigO}[1]{\mathcal{O}\!\left(#1\right)}
% roofdsl: flops(attention)
\begin{equation} F = \mathcal O(b s^2 h + b s h^2) \end{equation}
% roofdsl: flops(attention)
\begin{equation} F = \Theta\bigl(b s^2 h + b s h^2\bigr) = \bigO{b s^2 h^2} \end{equation}
% roofdsl: flops(attention) = \ref{eq:x} for s >> h
\begin{equation}\label{eq:x} F = \Omega(b s^2 h) . \end{equation}
% roofdsl: not flops(attention)
\[ F = \mathrm{O}(b s^2 h) \]
"""


def test_orders_of_a_paper(tmp_path: Path) -> None:
    paper = tmp_path / "paper.tex"
    paper.write_text(PAPER, encoding="utf-8")
    ran = roofdsl("verify", "gpt3", "--tex", str(paper))
    assert ran.code == codes.FINE, ran.out + ran.err
    assert "5 passed, 0 failed, 0 undecided" in ran.out + ran.err
