"""Slips that people publish: a derivation gone wrong in a known way, and the cause that must be named first.

The right value of each was worked out by hand from the model's text; what a refutation says first is compared with the slip
that was made.
"""

from __future__ import annotations

import pytest

from roofdsl.quantities.session import Session
from roofdsl.report.verdict import render_verdict
from tests.asking import session_of, spec, verdict

GPT = spec("gpt3")
LLAMA = spec("llama")
DENSE = spec("dense")
ONE_CARD = "13.5 [hour] * peak(a100_80gb, bf16)"
ARTICLE = "at m = 1, n = 7e10, T = 1.64e7"


def first(session: Session, text: str) -> str:
    """What is said first about why a claim fails."""
    found = verdict(session, text)
    assert found.outcome == "refuted", text
    lines = [" ".join(line.split()) for line in render_verdict(found, session).splitlines()]
    labels = ("left out", "counted twice", "counted three", "not certain", "holds", "this is", "right", "consistent")
    reasons = [line for line in lines if line.startswith((*labels, "the claimed formula", "every term"))]
    return reasons[0] if reasons else ""


CACHES = [
    (LLAMA, "cache(llama) = 4btLh", "holds when g = a"),
    (LLAMA, "cache(llama) ~ 4.29 [GB] at llama_3_8b", "consistent with g = 32, which is a (heads), not 8 (key heads)"),
    (LLAMA, "cache(llama) = 2btLh", "holds with elements of 1 byte (fp8_e4m3), not bf16, and where g = a"),
    (LLAMA, "cache(llama) ~ 536.9 [MB] at llama_3_8b", "consistent with elements of 1 byte"),
    (LLAMA, "cache(llama) ~ 1.00 [GB] at llama_3_8b", "consistent with GiB, binary, not GB"),
    (LLAMA, "cache(llama) ~ 8.59 [GB] at llama_3_8b", "consistent with bits, not bytes"),
    (GPT, "cache(gpt) = 2btLh", "left out one of K, U of layer.attention"),
]
PARAMETERS = [
    (LLAMA, "params(llama) = 2Vh + L(4h² + 3h f + 2h) + h", "holds when g = a"),
    (LLAMA, "params(llama) = 2Vh + L(2h² + 2h g d + 2h f + 2h) + h", "left out one of Wg, Wu, Wd of layer.gated_mlp"),
    (LLAMA, "params(llama) ~ 6.15e9 at llama_3_8b", "consistent without Wg of every repeat"),
    (LLAMA, "params(llama) = V h + L(2h² + 2h g d + 3h f + 2h) + h", "left out E (Vh), one of 2 alike"),
    (LLAMA, "params(llama) ~ 7.505e9 at llama_3_8b", "consistent without E"),
    (LLAMA, "params(llama) = 2Vh + (L-1)(2h² + 2h g d + 3h f + 2h) + h", "holds with L − 1 in place of L (layers)"),
    (GPT, "params(gpt) = 12(L+1)h² + 13(L+1)h + (V + N)h + 2h", "holds with L + 1 in place of L (layers)"),
    (GPT, "params(gpt) = 12Lh² + 13Lh + 2V h + N h + 2h", "counted twice E (Vh)"),
    (GPT, "params(gpt) = 12Lh² + (V+N)h", "left out parameters of one dimension (biases, gains)"),
    (GPT, "params(gpt) = 12Lh²", "holds without what stands outside of the repeats, and without parameters of one"),
    (GPT, "params(gpt) = 8Lh² + 13Lh + (V + N)h + 2h", "left out one of W1, W2 of layer.mlp"),
    (GPT, "params(gpt) ~ 175 [B] at gpt3_175b", "consistent with billions"),
]
FLOP = [
    (GPT, "flops(gpt, train) = 72bLsh²(1 + s/6h)", "left out block head"),
    (GPT, "flops(gpt, train) = 96bLsh²(1 + s/6h + V/12Lh)", "counted twice the phase forward"),
    (GPT, "flops(gpt, train) = 48bLsh²(1 + s/6h + V/12Lh)", "left out the phase forward"),
    (GPT, "flops(layer, backward) = 72bsh² + 12bs²h", "holds for the phase train"),
    (GPT, "flops(layer, backward) = 24bsh² + 4bs²h", "holds for the phase forward"),
    (GPT, "flops(gpt, train) = 72bLsh²(1 + s/12h + V/12Lh)", "holds with half of attention's square"),
    (
        GPT,
        "flops(layer) = 12bsh² + bs²h",
        "holds with a multiply-accumulate counted as one FLOP, not two, and with half",
    ),
    (GPT, "flops(gpt, train) = 36bLsh²(1 + s/12h + V/12Lh)", "holds with a multiply-accumulate counted as one FLOP"),
    (GPT, "flops(layer) = 6bsh(4h + s)", "counted twice one of S, c of attention"),
    (GPT, "flops(layer) = 16bsh² + 4bs²h", "left out one of u, o of mlp"),
    (GPT, "flops(layer) = 24sh² + 4s²h", "the claimed formula is the derived one divided by b (micro-batch size)"),
    (GPT, "flops(layer) = 24h² + 4sh", "holds per token"),
    (GPT, "flops(layer) = 12h² + 2sh", "holds with a multiply-accumulate counted as one FLOP, not two, and per token"),
    (GPT, "flops(layer) = 24bsh² + 4bs²d", "holds with h in place of d"),
    (GPT, "flops(layer) = 24bsh² + 4bs²ha", "holds with d in place of one h"),
]
BYTES = [
    (GPT, "saved(gpt) = 34sbh + 5as²b", "this is `saved(layer)`, one of those in `gpt`"),
    (GPT, "saved(gpt) = L(34sbh + 5as²b)", "this is `saved(gpt.layer)`"),
    (GPT, "saved(layer) = 34sbhL + 5as²bL", "the claimed formula is the derived one times L (layers)"),
    (GPT, "saved(layer) = 32sbh + 4as²b", "left out kept masks"),
    (GPT, "saved(layer) = 68sbh + 10as²b", "the claimed formula is 2 times the derived one: the two bytes"),
    (GPT, "saved(layer) = 17sbh + (5/2)as²b", "the claimed formula is 1/2 times the derived one: the two bytes"),
    (GPT, "saved(layer) = 34sbh + 5s²b", "holds with 5a in place of 5"),
    (GPT, "state(gpt) = 12 [B/parameter] params(gpt)", "not certain 3 groups of contributions"),
    (GPT, "state(gpt) = 14 [B/parameter] params(gpt)", "not certain 2 groups of contributions"),
    (GPT, "state(gpt) = 18 [B/parameter] params(gpt)", "holds with 4 bytes (fp32) for each of `grad`"),
    (GPT, "state(gpt) = 20 [B/parameter] params(gpt)", "holds with 4 bytes for every element"),
    (GPT, "state(gpt) ~ 2.10 [TB] at gpt3_175b", "consistent without `master`"),
    (GPT, "param_bytes(gpt) ~ 698.5 [GB] at gpt3_175b", "consistent with elements of 4 bytes (fp32), not bf16"),
    (GPT, "param_bytes(gpt) ~ 325 [GB] at gpt3_175b", "consistent with GiB, binary, not GB"),
    (GPT, "param_bytes(gpt) ~ 2.79 [TB] at gpt3_175b", "consistent with bits, not bytes"),
]
DEVICES = [
    (DENSE, f"flops(dense, train)/({ONE_CARD})/16 ~ 0.454 {ARTICLE}", "consistent without the 16 of the left side"),
    (DENSE, f"flops(dense, train)/(16 * {ONE_CARD}) ~ 0.4543 {ARTICLE}", "consistent without the 16 of the left side"),
]


@pytest.mark.parametrize(("session", "claim", "said"), [*CACHES, *PARAMETERS, *FLOP, *BYTES, *DEVICES])
def test_the_slip_is_named_first(session: Session, claim: str, said: str) -> None:
    assert first(session, claim).startswith(said), first(session, claim)


OWN = """
use "dense"
dim D "devices"
config article { m = 1, n = 7e10, T = 1.64e7, D = 16 }
"""


def test_a_count_of_devices_that_is_declared() -> None:
    session = session_of(OWN)
    claim = f"flops(dense, train)/(D * {ONE_CARD}) ~ 0.454 at article"
    assert first(session, claim) == "consistent times D = 16 (devices)"


@pytest.mark.parametrize(
    ("phase", "claim"),
    [
        ("forward", "16bsh² - 5bsh"),  # u has 4bsh elements, o has bsh
        ("backward", "32bsh² - 5bsh - 8h²"),  # the adjoints of g and x, and of both matrices
        ("train", "48bsh² - 10bsh - 8h²"),
    ],
)
def test_one_addition_less_for_each_sum(phase: str, claim: str) -> None:
    found = verdict(GPT, f"flops(mlp, {phase}) = {claim}")
    assert [remedy.text for remedy in found.remedies] == ["holds with 2k − 1 operations for a sum over k, not 2k"]


@pytest.mark.parametrize(
    "claim", ["saved(layer) = 33sbh + 7as²b", "flops(layer) = 13bsh² + 3bs²h", "params(gpt) = 11Lh² + 9Lh + 3(V + N)h"]
)
def test_what_nothing_explains_gets_no_pair(claim: str) -> None:
    assert all(remedy.second is None for remedy in verdict(GPT, claim).remedies)
