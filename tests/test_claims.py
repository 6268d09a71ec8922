"""Claims: every form, every verdict, witnesses, and what is said about a refutation."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.evaluate.number import evaluate_size
from roofdsl.report.verdict import render_verdict
from roofdsl.report.verdict_json import verdict_document
from roofdsl.verify.judge import judge
from roofdsl.verify.printed import printed
from roofdsl.verify.question import pose
from roofdsl.verify.verdict import Verdict, verify_claim
from tests.asking import claim, code_of, expression, form, session_of, spec, verdict

ROOT = Path(__file__).parent.parent
GPT = spec("gpt3")
PRIMER = spec("primer")


@pytest.mark.parametrize(
    "text",
    [
        "saved(layer) = 34sbh + 5as²b",
        "saved(layer) = sbh(34 + 5as/h)",
        '''saved(layer) = "sbh\\left(34 + 5\\frac{as}{h}\\right)"''',
        "saved(layer) = 34sbh + 5a·s·t·b",
        "saved(layer) = 34sb(a d) + 5as²b",
        "flops(gpt, train) = 72bLsh²(1 + s/6h + V/12Lh)",
        "flops(gpt, train) = 3 flops(gpt)",
        "flops(gpt) per token = 24Lh² + 4Lsh + 2Vh",
        "state(gpt) = 16 params(gpt)",
        "param_bytes(layer) = 2 params(layer)",
        "params(gpt) = 12Lh² + 13Lh + (V + s)h + 2h when N = s",
        "params(gpt) = 12Lh² + 13Lh + (V + s)h + 2h when s = N",
        "flops(layer) = 4abdh(6h + s)s/h when h = 128a",
        "flops(layer) = 28bs³ when s = h",
        "flops(mlp) = 4bshf for f free",
        "flops(mlp) = 4bshu reading u as f",
        "flops(layer) <= 28bsh² when s <= h",
        "flops(layer) > 24bsh²",
        "flops(layer) <= 28bsh² when h >= s, s = 4b",
        "flops(layer) = 28bs³ when s <= h, h = s",
        "flops(layer) = 104b⁴ when s = b, h = 2s",
        "flops(layer) >= 28bs³ when h >= s",
        "flops(layer) ~ 24bsh² for h >> s",
        "flops(layer) ~ 4bs²h for s >> h",
        "flops(layer) ~ 24bsh² within 5% when h >= 4s",
        "intensity(layer) -> (2a + h)/(3a) for s -> oo",
        "params(gpt) ~ 174.6e9 at gpt3_175b",
        "params(gpt) ~ 175e9 at gpt3_175b",
        "params(layer) ~ 300 at gpt3_175b, h = 4, a = 1 within 20%",
        "state(gpt) ~ 2.54 [TiB] at gpt3_175b",
        "cache(gpt) ~ 9.66 [GB] at gpt3_175b",
        "cache(gpt) = cache(gpt{s = 1, t = N}) when N = s",
        "ridge(h100_sxm, bf16) ~ 295",
        "time(layer, h100_sxm) > 9 [ms] at gpt3_175b",
        "flops(layer) = 24bsh² + 4bs²h under paper",
        "not saved(layer) = 34sbh",
        "not saved(layer) = 34sbh off by -5as²b",
        "not flops(layer) <= 24bsh²",
    ],
)
def test_what_holds(text: str) -> None:
    found = verdict(GPT, text)
    assert found.passed, render_verdict(found, GPT)
    assert found.outcome == ("refuted" if text.startswith("not") else "proved")


@pytest.mark.parametrize(
    "text",
    [
        "saved(layer) = 34sbh + 4as²b",
        "params(gpt) = 12Lh² + 13Lh + (V + N)h",
        "flops(layer) < 28bsh² when s <= h",
        "flops(layer) ~ 24bsh² for s >> h",
        "flops(layer) ~ 24bsh² within 1% when h >= 4s",
        "intensity(layer) -> h for s -> oo",
        "saved(layer) -> h for s -> oo",
        "params(gpt) ~ 174e9 at gpt3_175b",
        "flops(mlp) = 16bsh² for f free",
        "not saved(layer) = 34sbh + 5as²b",
        "not saved(layer) = 34sbh off by 5as²b",
        "not saved(layer) = 34sbh off by -4as²b",
    ],
)
def test_what_does_not_hold(text: str) -> None:
    found = verdict(GPT, text)
    assert not found.passed
    assert found.decided
    if not text.startswith("not"):
        assert found.outcome == "refuted"


def test_a_truth_without_a_proof_is_undecided_and_never_proved() -> None:
    found = verdict(GPT, "3a flops(mlp)/(16b) <= s³ + h⁶ + a³")
    assert found.outcome == "undecided"
    assert not found.passed
    assert not found.decided
    assert "proves nothing" in render_verdict(found, GPT)


def test_the_smallest_witness_and_both_values() -> None:
    found = verdict(GPT, "saved(layer) = 34sbh + 5asb")
    witness = found.judgement.witness
    assert witness is not None
    assert dict(witness.sizes) == {"s": 2, "b": 1, "h": 1, "a": 1}
    assert (witness.left, witness.right) == (88, 78)
    assert found.difference == form(GPT, "5asb - 5as²b")


def test_a_witness_is_admissible() -> None:
    found = verdict(GPT, "saved(layer) = 34sbh + 5as²b + (a - 1)sb when a >= 3")
    witness = found.judgement.witness
    assert witness is not None
    assert witness.sizes["a"] == 3
    assert witness.sizes["h"] % 3 == 0
    assert found.question.whole == ("d",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("saved(layer) = 100", "E0705"),
        ("saved(layer) = flops(layer)", "E0704"),
        ("34sbh = saved(layer)", "E0707"),
        ("saved(layer) = 34sbh when s < 1", "E0708"),
        ("saved(layer) = 34sbh at h = 10, a = 3", "E0708"),
        ("saved(layer) = 34sbh when h = a/2, a = 1", "E0708"),
        ("saved(layer) = 34sbh when h > s, s = h", "E0708"),
        ("saved(layer) = 34sbh when s = b - b", "E0708"),
        ("saved(layer) ~ 34sbh", "E0712"),
        ("intensity(layer) ~ 5", "E0721"),
        ("saved(layer) = 34sbq", "E0701"),
        ("saved(layer) = 34sbh at nowhere", "E0709"),
        ("saved(layer) = 34sbh on nothing", "E0201"),
        ("saved(layer) = 34sbh when t = 2s", "E0708"),
        ("intensity(layer) -> t for t -> oo", "E0709"),
        ("flops(layer) + flops(layer{checkpoint mlp}, recompute) under nothing = s", "E0101"),
    ],
)
def test_what_cannot_be_asked(text: str, code: str) -> None:
    assert code_of(GPT, text) == code


def test_printed_numbers_agree_to_half_their_last_digit_ends_included() -> None:
    for text, outcome in (
        ("0.2", "proved"),
        ("0.3", "proved"),
        ("0.25", "proved"),
        ("0.24", "refuted"),
        ("0.26", "refuted"),
    ):
        assert verdict(PRIMER, f"intensity(add_one) ~ {text}").outcome == outcome


@pytest.mark.parametrize(
    ("text", "half", "digits"),
    [("62.7", Fraction(1, 20), 3), ("1.7e9", 5 * 10**7, 2), ("0.70", Fraction(1, 200), 2), ("2068", Fraction(1, 2), 4),
     ("41 [us]", Fraction(1, 2), 2), ("-2.5e-3", Fraction(1, 20000), 2)],
)  # fmt: skip
def test_the_last_printed_digit(text: str, half: Fraction, digits: int) -> None:
    found = printed(expression(text))
    assert found is not None
    assert (found.half_unit, found.digits) == (half, digits)
    assert printed(expression("2s")) is None


# ------------------------------------------------------------------------------------------ what explains a refutation


def causes(found: Verdict) -> list[tuple[str, str, int, list[str]]]:
    return [(c.sort, c.sense, c.fits, [e.what for e in c.entries]) for c in found.causes]


def test_one_contribution_left_out() -> None:
    found = verdict(GPT, "saved(layer) = 34sbh + 4as²b")
    assert causes(found) == [("entry", "left out", 1, ["layer.attention.D.u"])]
    assert {o.entry.what.rsplit(".", 1)[-1] for o in found.origins} == {"P", "u", "D"}


def test_one_contribution_counted_twice() -> None:
    found = verdict(GPT, "flops(gpt) = 24bLsh² + 4bLs²h + 4bshV")
    assert causes(found) == [("entry", "counted twice", 1, ["gpt.head.logits"])]


def test_many_of_one_size_are_counted_and_not_named() -> None:
    found = verdict(GPT, "saved(layer) = 32sbh + 5as²b")
    assert causes(found) == [("entry", "left out", 8, [])]


def test_a_group_left_out() -> None:
    found = verdict(GPT, "params(gpt) = 12Lh² + (V + N)h")
    ((sort, _, _, what),) = causes(found)
    assert sort == "group"
    assert len(what) == 12
    assert "biases" in found.causes[0].name


def test_no_sum_of_arbitrary_contributions_is_offered() -> None:
    found = verdict(GPT, "saved(layer) = 9sbh + 5as²b")
    assert found.causes == ()


@pytest.mark.parametrize(
    ("text", "sort", "words"),
    [
        ("flops(layer) = 12bsh² + 2bs²h", "factor", "1/2 times"),
        ("flops(gpt) = 72bLsh²(1 + s/6h + V/12Lh)", "phase", "train"),
        ("saved(layer) = 34sbh + 5Ls²b", "symbol", "a in place of L"),
        ("params(gpt) = 12Lh² + 13Lh + (V + s)h + 2h", "symbol", "N = s"),
        ("saved(layer) = 8sbh(34 + 5as/h)", "factor", "bits for bytes"),
        ("saved(layer) = 66sbh + 9as²b", "dtype", "fp32"),
        ("flops(layer) = L(24bsh² + 4bs²h)", "factor", "times L (layers)"),
        ("flops(mlp) = 16bsh² + 10bsh + 8bsh", "convention", ""),
        ("state(gpt) ~ 2.54 [TB] at gpt3_175b", "unit", "TiB"),
    ],
)
def test_single_changes(text: str, sort: str, words: str) -> None:
    found = verdict(GPT, text)
    assert found.outcome == "refuted"
    if words:
        (remedy, *_) = [r for r in found.remedies if r.sort == sort]
        assert words in remedy.text
        assert remedy.consistent == ("~" in text)


def test_two_digits_suggest_nothing() -> None:
    assert verdict(GPT, "state(gpt) ~ 2.5 [TB] at gpt3_175b").remedies == ()
    assert verdict(GPT, "params(gpt) ~ 87e9 at gpt3_175b").remedies == ()


CAUSAL = """
dim T
dim d
let U = T

block head(q[T, d], k[U, d]) -> S {
    S[T, U] = sum(q[T, d] * k[U, d]) where U <= T
}

claim flops(head) = dT(T + 1) under exact
claim flops(head) = 2dT²
claim flops(head) = dT² under causal_half
"""


def test_the_convention_under_which_a_claim_is_right() -> None:
    session = session_of(CAUSAL)
    assert all(verify_claim(stated, session).passed for stated in session.library.claims)
    found = verdict(session, "flops(head) = dT(T + 1)")
    assert [r.sort for r in found.remedies] == ["convention"]
    assert "`exact`" in found.remedies[0].text
    half = verdict(session, "flops(head) = dT²")
    assert "causal_half" in half.remedies[0].text


def test_the_text_of_a_verdict_shows_what_it_rests_on() -> None:
    text = render_verdict(verdict(GPT, "saved(layer) = 34sbh + 5Ls²b"), GPT)
    for part in (
        "refuted",
        "34sbh + 5as²b",
        "34sbh + 5Ls²b",
        "derived 39 B, claimed 44 B",
        "a in place of L",
        "d = h/a",
        "d whole",
    ):
        assert part in text
    document = verdict_document(verdict(GPT, 'saved(layer) = 34sbh from "a source"'), GPT)
    assert document["outcome"] == "refuted"
    assert document["passed"] is False
    assert document["source"] == "a source"


# ------------------------------------------------------------------------------------------ rewriting and perturbing

TRUE = ((Fraction(34), {"s": 1, "b": 1, "h": 1}), (Fraction(5), {"a": 1, "s": 2, "b": 1}))
SPELLINGS = {
    "h": ("h", "(a*d)", "(f/4)", "(h + s - t)"),
    "s": ("s", "t", "(2s - t)"),
    "b": ("b", "(b*V/V)"),
    "a": ("a", "(h/d)"),
}


@st.composite
def rewritten(draw: st.DrawFn, terms: tuple[tuple[Fraction, dict[str, int]], ...]) -> str:
    """The same sum in other words: terms split and reordered, symbols spelled through lets, a factor put in and out."""
    pieces: list[str] = []
    for coefficient, powers in terms:
        part = draw(st.fractions(min_value=-9, max_value=9, max_denominator=7))
        for amount in (part, coefficient - part):
            factors = [f"({amount.numerator}/{amount.denominator})"]
            for name, exponent in powers.items():
                factors += [draw(st.sampled_from(SPELLINGS[name])) for _ in range(exponent)]
            pieces.append("*".join(draw(st.permutations(factors))))
    text = " + ".join(draw(st.permutations(pieces)))
    return draw(st.sampled_from((text, f"(L*({text}))/L", f"({text}) + V - V", f"({text})*(s + h)/(h + t)")))


@settings(max_examples=40, deadline=None)
@given(rewritten(TRUE))
def test_a_rewritten_truth_is_proved(text: str) -> None:
    assert judge(pose(claim(f"saved(layer) = {text}"), GPT)).outcome == "proved"


@st.composite
def perturbed(draw: st.DrawFn) -> str:
    """One coefficient or one exponent changed by as little as possible."""
    terms = [(c, dict(p)) for c, p in TRUE]
    which = draw(st.integers(0, 1))
    coefficient, powers = terms[which]
    if draw(st.booleans()):
        terms[which] = (coefficient + draw(st.sampled_from((-1, 1, Fraction(1, 7)))), powers)
    else:
        name = draw(st.sampled_from(sorted(powers)))
        powers[name] += draw(st.sampled_from((-1, 1)))
    return draw(rewritten(tuple(terms)))


@settings(max_examples=40, deadline=None)
@given(perturbed())
def test_a_perturbed_truth_is_refuted_with_a_valid_witness(text: str) -> None:
    question = pose(claim(f"saved(layer) = {text}"), GPT)
    judgement = judge(question)
    assert judgement.outcome == "refuted"
    witness = judgement.witness
    assert witness is not None
    sizes = dict(witness.sizes)
    assert all(value >= 1 for value in sizes.values())
    values = {**{n: Fraction(1) for n in GPT.library.dims}, **{n: Fraction(v) for n, v in sizes.items()}}
    for name, size in GPT.lets.items():
        values[name] = evaluate_size(size, values)
    assert values["d"].denominator == 1
    left, right = (evaluate_size(side.size, values) for side in (question.left, question.right))
    assert (left, right) == (witness.left, witness.right)
    assert left != right


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("params(f) = z", "proved"),
        ("params(f) = 0 [parameter] at z = 0", "proved"),
        ("params(f) = 0 [parameter] when z = 0", "proved"),
        ("params(f) = 1 [parameter] when z = 0", "refuted"),
        ("params(f) = max(z, 1)", "refuted"),
    ],
)
def test_a_dim_that_may_be_zero(text: str, outcome: str) -> None:
    session = session_of("dim z >= 0\nblock f(x[z]) -> y {\n    param g[z]\n    y[z] = x[z] * g[z]\n}\n")
    assert verdict(session, text).outcome == outcome


def test_a_formula_that_holds_is_not_called_proved_where_it_should_not() -> None:
    found = verdict(GPT, "not flops(mlp) = 16bsh² off by sbh")
    assert not found.passed
    assert render_verdict(found, GPT).startswith("not refuted, it holds: ")
