"""Training, prefill and decode from one text: pairs of new and cached positions, and what inference keeps (R1, R8)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.quantities.session import Session
from tests.asking import session_of, verdict
from tests.model_values import amount, session, value

ATTENTION = session("blocks/attention")
LATENT = session("blocks/latent")
RECURRENT = session("blocks/recurrent")
ENCODER = session("blocks/encoder")

CACHES = (
    (ATTENTION, "cache(gqa) = 4btgd for t free"),
    (ATTENTION, "cache(mha) = 4btad for t free"),
    (ATTENTION, "cache(mqa) = 4btd for t free"),
    (ATTENTION, "cache(gqa_window) = 4bgd*min(t, w) for t free"),
    (ATTENTION, "cache(gqa{core = core_window}) = 4btgd for t free"),
    (ATTENTION, "cache(gqa_encoder) = 0 [B]"),
    (LATENT, "cache(mla) = 2bt(R + p) for t free"),
    (LATENT, "cache(mla_absorbed) = cache(mla)"),
    (RECURRENT, "cache(mamba) = 2bIM + 2bI*min(t, J) for t free"),
    (RECURRENT, "cache(gla) = 2badD"),
    (ENCODER, "cache(cross_attention) = 4bugd"),
)
"""What is kept, in bytes of 2 per element: per position for attention, once for a state."""


@pytest.mark.parametrize(("one", "claim"), CACHES, ids=[claim for _, claim in CACHES])
def test_what_inference_keeps(one: Session, claim: str) -> None:
    assert verdict(one, claim).passed


def test_key_heads_replicated_for_as_many_devices() -> None:
    """With more devices than key heads each device holds one, so there are as many as devices."""
    replicated = amount(ATTENTION, "cache(gqa{g = 8})", s=1, t=100, b=1, a=32, g=4, d=128)
    assert replicated == 2 * amount(ATTENTION, "cache(gqa)", s=1, t=100, b=1, a=32, g=4, d=128)


STEP = "flops(core, infer)"


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(0, 60))
def test_pairs_of_a_chunk_are_counted_one_by_one(new: int, before: int) -> None:
    """N new positions after some cached ones: position i sees all before it and itself."""
    context = before + new
    pairs = sum(before + i + 1 for i in range(new))
    assert pairs == new * context - new * (new - 1) // 2
    sizes = {"s": new, "t": context, "b": 1, "a": 2, "g": 1, "d": 3}
    assert amount(ATTENTION, f"{STEP} under causal_exact", **sizes) == 4 * 2 * 3 * pairs


def test_chunks_of_a_prompt_add_up_to_the_prompt() -> None:
    sizes = {"b": 1, "a": 32, "g": 8, "d": 128}
    chunks = sum(amount(ATTENTION, f"{STEP} under causal_exact", s=512, t=512 * k, **sizes) for k in range(1, 5))
    assert chunks == amount(ATTENTION, f"{STEP} under causal_exact", s=2048, t=2048, **sizes)


def test_a_step_of_several_tokens_checks_a_draft() -> None:
    """Speculative decode: five tokens at once do the work of five steps, and read the weights once."""
    steps = sum(value("llama_3_8b", "flops({}, infer) under causal_exact", s=1, t=1000 + k, b=1) for k in range(1, 6))
    assert value("llama_3_8b", "flops({}, infer) under causal_exact", s=5, t=1005, b=1) == steps
    one, five = (value("llama_3_8b", "bytes({}, infer)", s=s, t=1005, b=1) for s in (1, 5))
    assert five < Fraction(101, 100) * one


def test_training_and_prefill_are_the_same_forward() -> None:
    assert value("llama_3_8b", "flops({}, infer)") == value("llama_3_8b", "flops({})")


def test_decode_reads_the_weights_and_the_cache() -> None:
    """At batch 1 a step moves little more than the weights (without the table's other rows) and the cache."""
    weights = value("llama_3_8b", "param_bytes({}) - param_bytes({}.E)")
    cached = value("llama_3_8b", "cache({})", s=1, t=8192, b=1)
    moved = value("llama_3_8b", "bytes({}{fused core}, infer)", s=1, t=8192, b=1)
    assert weights + cached < moved < Fraction(1001, 1000) * (weights + cached)


def test_absorbing_pays_in_decode_and_not_in_prefill() -> None:
    """Expanding the latent costs 2R(d + D)a per position attended to; absorbed scores are R wide instead."""
    sizes = {"b": 1, "h": 7168, "a": 128, "d": 128, "p": 64, "D": 128, "R": 512, "Q": 1536}
    expanded, absorbed = (amount(LATENT, f"flops({x}, infer)", s=1, t=4096, **sizes) for x in ("mla", "mla_absorbed"))
    assert expanded > 10 * absorbed
    expanded, absorbed = (
        amount(LATENT, f"flops({x}, infer)", s=4096, t=4096, **sizes) for x in ("mla", "mla_absorbed")
    )
    assert expanded < absorbed


def test_a_window_bounds_a_step() -> None:
    sizes = {"s": 1, "b": 1, "a": 8, "g": 8, "d": 64, "w": 128}
    assert amount(ATTENTION, "flops(core_window, infer)", t=100000, **sizes) == 4 * 8 * 64 * 128
    assert amount(ATTENTION, "flops(core_window, infer)", t=100, **sizes) == 4 * 8 * 64 * 100


HYBRID = """
use "ops"
use "blocks"
dim L
let I = 2h
let d = h/a
block layers(x[s,b,h]) -> y {
    z = x
    repeat 7 {
        z = z + mamba(rmsnorm(z))
    }
    y = z + gqa(rmsnorm(z))
}
model hybrid(tokens[s,b]: int32) -> logits {
    param E[V,h]
    x = embedding(E, tokens)
    repeat L { x = layers(x) }
    logits = head(x, E)
}
"""


def test_a_hybrid_keeps_states_and_few_caches() -> None:
    """Seven layers with a fixed state for each with a cache."""
    one = session_of(HYBRID)
    claim = "cache(hybrid) = L(4btgd + 7(2bIM + 2bI*min(t, J))) for t free"
    assert verdict(one, claim).passed


EXPERTS = session("blocks/moe")


@pytest.mark.parametrize(("tokens", "most"), [(1, 8), (4, 32), (64, 128)])
def test_experts_touched_by_a_batch(tokens: int, most: int) -> None:
    """At most every choice is another expert; with uniform routing X(1 − (1 − m/X)^n) are on average."""
    sizes = {"s": 1, "b": tokens, "h": 64, "F": 32, "X": 128, "m": 8}
    worst = amount(EXPERTS, "bytes(experts, infer)", **sizes)
    expected = amount(EXPERTS, "bytes(experts_expected, infer)", **sizes)
    mean = 128 * (1 - Fraction(15, 16) ** tokens)
    of_lists = 3 * 4 * mean  # int32 numbers of the experts touched, read by three products
    assert abs(worst - expected + of_lists - 3 * 64 * 32 * 2 * (most - mean)) < Fraction(1, 10**6)


def test_capacity_bounds_the_work_of_experts() -> None:
    assert verdict(EXPERTS, "flops(moe_capacity) = 2sbhX + 6cf sbmhF").passed
    assert verdict(EXPERTS, "flops(moe) = flops(moe_capacity) when cf = 1").passed
