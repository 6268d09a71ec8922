"""Faults and questions people reported about models, each restated as an input with the right answer derived here.

One test per case; its docstring is the case. Numbers in the tests are those of the reports or exact hand counts.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.evaluate.bind import bind
from roofdsl.evaluate.number import evaluate_size
from roofdsl.quantities.quantity import contribution
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject
from roofdsl.source import NOWHERE, Source
from roofdsl.syntax.parser import parse_file
from tests.asking import session_of, spec, verdict
from tests.model_values import amount, session, value

GPT = spec("gpt3")
ATTENTION = session("blocks/attention")


def test_flop_02_logits_do_not_depend_on_recompute() -> None:
    """The logits' share of 72bsLh² is V/(12Lh); V/(16Lh) belongs to the prefix 96 of full recomputation."""
    wrong = "flops(gpt, train) = 72bsLh²(1 + s/6h + V/16Lh)"
    assert verdict(GPT, wrong).outcome == "refuted"
    assert verdict(GPT, f"not {wrong} off by -3bshV/2").passed
    assert verdict(GPT, "flops(gpt_full, hardware) = 96bsLh²(1 + s/6h + V/16Lh)").passed


def test_flop_04_attention_work_goes_with_query_heads() -> None:
    """Two key heads for eight query heads: scores and context are computed for all eight."""
    right = amount(ATTENTION, "flops(core_all)", b=1, a=8, g=2, s=256, t=256, d=64)
    assert right == 134217728
    assert amount(ATTENTION, "flops(core_all)", b=1, a=2, g=2, s=256, t=256, d=64) == 33554432


@pytest.mark.parametrize(("b", "a", "s", "d", "flop"), [(1, 12, 64, 64, 12582912), (2, 5, 9, 4, 12960)])
def test_flop_05_work_does_not_depend_on_the_kernel(b: int, a: int, s: int, d: int, flop: int) -> None:
    """Fused into one kernel or not, attention is the same count: never 0, never twice."""
    sizes = {"b": b, "a": a, "g": a, "s": s, "t": s, "d": d}
    assert amount(ATTENTION, "flops(core_all)", **sizes) == flop
    assert amount(ATTENTION, "flops(core_all{fused core_all})", **sizes) == flop


def test_flop_06_twice_the_sequence_is_more_than_twice_the_work() -> None:
    """Doubling s doubles the linear part and quadruples the attention core."""
    short, long = (value("llama_2_7b", "flops({})", s=s, b=1) for s in (8192, 16384))
    assert short == 143434727817216
    assert long == 357238199812096
    assert round(float(long / short), 6) == 2.490598
    linear = value("llama_2_7b", "flops({}) - L flops(core)", s=8192, b=1)
    assert linear == 108250355728384


SHARED = """
dim n
block three(x[n], y[n], z[n]) -> o {
    let m = n
    param W[n,m]
    u[m] = sum(x[n] * W[n,m])
    v[m] = sum(y[n] * W[n,m])
    w[m] = sum(z[n] * W[n,m])
    o[m] = u[m] + v[m] + w[m]
}
"""


def test_flop_07_work_follows_uses_and_parameters_follow_storage() -> None:
    """One 100 × 100 weight applied to three rows: three products, one weight."""
    one = session_of(SHARED)
    assert amount(one, "flops(three)", n=100) == 60000
    assert amount(one, "params(three)", n=100) == 10000


def test_flop_08_experts_have_widths_of_their_own() -> None:
    """The shared expert is as wide as it says, and routed ones are not as wide as a dense layer would be."""
    assert value("qwen2_57b_a14b", "L flops(moe_gated_shared)", s=1, b=1) == 24675553280
    assert value("qwen2_57b_a14b", "params({})") == 57408658944
    assert value("qwen3_30b_a3b", "L flops(moe)", s=1, b=1) == 3649044480
    assert value("qwen3_30b_a3b", "params({})") == 30532122624


def test_flop_11_three_factors_of_causal_attention() -> None:
    """12 bs²h counts the square, 6 half of it, 7 what a fused kernel runs: two products forward, five backward."""
    core = {"b": 1, "s": 16384, "t": 16384, "a": 32, "g": 32, "d": 128}
    assert amount(ATTENTION, "flops(core, train)", **core) == 13194139533312
    assert amount(ATTENTION, "flops(core, train) under causal_half", **core) == 6597069766656
    fused = "flops(core{fused core}, hardware)"
    assert amount(ATTENTION, f"{fused} under causal_half", **core) == 7696581394432


def test_flop_12_a_trainers_report_before_and_after_halving() -> None:
    """Llama 2 7B, batch 4: weights, attention in full, attention halved, in TFLOP."""
    config = "llama_2_7b"
    for s, weights, full, causal in ((8192, 1299.0, 422.21, 211.11), (129024, 20459.32, 104735.08, 52367.54)):
        core = "L flops(core, train)"
        assert round(value(config, f"flops({{}}, train) - {core}", s=s, b=4) / 10**12, 2) == Fraction(str(weights))
        assert round(value(config, core, s=s, b=4) / 10**12, 2) == Fraction(str(full))
        assert round(value(config, f"{core} under causal_half", s=s, b=4) / 10**12, 2) == Fraction(str(causal))


def test_flop_13_a_chunk_of_a_prompt() -> None:
    """N new tokens that end a context of C have NC − N(N − 1)/2 pairs: neither NC nor half of it."""
    sizes = {"b": 1, "a": 32, "g": 32, "d": 128}
    chunk = amount(ATTENTION, "flops(core, infer) under causal_exact", s=512, t=2048, **sizes)
    assert chunk == 15036579840 == 4 * 32 * 128 * 917760
    assert amount(ATTENTION, "flops(core, infer)", s=512, t=2048, **sizes) == 17179869184
    decode = amount(ATTENTION, "flops(core, infer) under causal_exact", s=1, t=2048, **sizes)
    assert decode == 4 * 32 * 128 * 2048
    whole = amount(ATTENTION, "flops(core, infer) under causal_exact", s=2048, t=2048, **sizes)
    assert whole == 2 * 32 * 128 * 2048 * 2049


def test_flop_15_forward_is_two_per_weight_and_token() -> None:
    """2 forward, 6 with the backward; a multiply-add is two FLOP."""
    one = session_of(
        "dim s\ndim i\ndim o\nblock one(x[s,i]) -> y {\n param W[i,o]\n y[s,o] = sum(x[s,i] * W[i,o])\n}\n"
    )
    assert verdict(one, "flops(one) = 2s params(one)").passed
    assert verdict(one, "flops(one, train) = 6s params(one)").passed
    assert amount(one, "flops(one)", s=128, i=768, o=3072) == 603979776
    assert amount(one, "flops(one)", s=256, i=25000, o=26000) == 332800000000
    assert amount(one, "flops(one, train)", s=256, i=25000, o=26000) == 998400000000


def test_flop_16_a_frozen_weight_gets_no_gradient() -> None:
    """4 per frozen weight and token, 6 per adapter weight."""
    one = session("blocks/adapters")
    claim = "flops(lora, train) = sb(4params(lora.W) + 6params(lora.A) + 6params(lora.B))"
    assert verdict(one, claim).passed
    frozen, adapter = 70553706496, 175636480
    assert 4 * frozen + 6 * adapter == 283268644864
    assert round((4 * frozen + 6 * adapter) / (6 * (frozen + adapter)), 6) == 0.667494
    with_adapters = amount(one, "flops(lora, train)", s=1, b=1, h=8192, f=8192, Ra=16)
    assert with_adapters == 4 * 8192**2 + 6 * 2 * 16 * 8192


LM = """
use "ops"
use "blocks"
dim L
let g = a
let d = h/a
let f = 4h
block layer(x[s,b,h]) -> y {
    o = x + gqa(rmsnorm(x))
    y = o + mlp(rmsnorm(o))
}
model lm(tokens[s,b]: int32, targets[s,b]: int32) -> loss {
    param E[V,h]
    x = embedding(E, tokens)
    repeat L { x = layer(x) }
    logits = head(x)
    loss = cross_entropy(logits, targets)
}
"""


def test_flop_17_a_look_up_is_nothing_or_a_product() -> None:
    """72Lh² + 6Vh with look-ups for free, 12Vh with one-hot products; both are right under their own rule."""
    one = session_of(LM)
    sizes = {"L": 30, "h": 4096, "V": 102400, "s": 4096, "b": 1, "a": 32}
    linear = "(flops(lm, train) - L flops(core, train))/(s b)"
    assert verdict(one, "flops(lm, train) = sb(72Lh² + 12Lhs + 6Vh)").passed
    assert verdict(one, "flops(lm) = sb(24Lh² + 4Lhs + 4Vh) under onehot").passed
    assert amount(one, linear, **sizes) == 38755368960
    assert amount(one, "flops(lm, train)/(s b)", **sizes) == 44795166720
    assert amount(one, "(flops(lm, train) - 6 [FLOP] * s b V h)/(s b)", **sizes) == 42278584320


def test_flop_19_full_recompute_is_just_below_four_thirds() -> None:
    """The logits are not computed again."""
    sizes = {"L": 96, "h": 12288, "s": 2048, "V": 51200, "b": 1, "a": 96, "N": 2048}
    model, hardware = (amount(GPT, f"flops({q})/s", **sizes) for q in ("gpt, train", "gpt_full, hardware"))
    assert model == 1076442955776
    assert hardware == 1433998983168
    assert round(float(hardware / model), 6) == 1.332164


def test_par_01_a_gated_mlp_has_three_matrices() -> None:
    """Qwen 1.5 72B: with two matrices and no biases it would come out at 56 billion."""
    assert value("qwen1_5_72b", "params({})") == 72287920128
    assert value("qwen1_5_72b", "params({}) - L h f - 5L h - h") == 56178507776


def test_par_02_eight_times_seven_is_not_56() -> None:
    """Mixtral 8x7B: attention and embeddings are there once, and a token uses two experts."""
    assert value("mixtral_8x7b", "params({})") == 46702792704
    active = value("mixtral_8x7b", "active_params({})") - 4096
    assert active == 12748853248
    assert active + 32000 * 4096 == 12879925248


@pytest.mark.parametrize(
    ("config", "unique", "stored"),
    [
        ("stories15m", 15191712, 24407712),
        ("stories42m", 41689600, 58073600),
        ("stories110m", 109529856, 134105856),
        ("qwen3_0_6b", 596049920, 751632384),
    ],
)
def test_par_03_and_05_a_tied_matrix_stored_twice(config: str, unique: int, stored: int) -> None:
    """A tied matrix counts once; files that hold two copies hold V·h more."""
    assert value(config, "params({})") == unique
    assert value(config, "params({}) + V h") == stored


def test_par_05_the_larger_sibling_is_stored_once() -> None:
    """No rule by name can tell; the count can."""
    assert value("qwen3_4b", "params({})") == 4022468096


WIDTH = """
dim h
dim m "rounded up to a multiple of this"
let k = 1 "multiplier"
let f = m ceil(floor(k floor(8h/3))/m) "MLP width"
"""
WIDTHS = (
    (4096, 1, 256, 11008), (5120, 1, 256, 13824), (8192, Fraction(13, 10), 4096, 28672),
    (4096, Fraction(13, 10), 1024, 14336), (16384, Fraction(6, 5), 4096, 53248),
    (2048, Fraction(3, 2), 256, 8192), (288, 1, 32, 768), (512, 1, 32, 1376), (768, 1, 32, 2048),
)  # fmt: skip


@pytest.mark.parametrize(("h", "k", "m", "f"), WIDTHS)
def test_par_08_the_width_rule_rounds_up(h: int, k: int | Fraction, m: int, f: int) -> None:
    """Two thirds of 4h, a multiplier if there is one, then up to a multiple."""
    one = session_of(WIDTH)
    binding = "" if k == 1 else f"k = {Fraction(k).numerator}/{Fraction(k).denominator}"
    sink = Sink()
    text = f"config c {{ h = {h}, m = {m}{', ' + binding if binding else ''} }}"
    config = parse_file(Source("c", text), sink).declarations[0]
    bound = bind(one.library, sink, (), config.bindings)  # type: ignore[union-attr]
    assert not sink.errors
    assert bound.values["f"] == f


@pytest.mark.parametrize(
    ("config", "f", "params"),
    [("llama_3_8b", 6144, 4809035776), ("llama_3_1_405b", 20480, 202916184064)],
)
def test_par_08_the_papers_widths_do_not_give_the_totals(config: str, f: int, params: int) -> None:
    assert value(config, "params({})", f=f) == params
    assert value(config, "params({})") != params


def test_kv_01_a_head_factor_too_many() -> None:
    """2·L·a·h/2 bytes per token is a/4 times the cache."""
    llama = session("models/llama")
    assert verdict(llama, "cache(llama) = 4bLth when g = a").passed
    assert verdict(llama, "cache(llama) = bLtah at llama_2_7b").outcome == "refuted"
    assert value("llama_2_7b", "cache({})", s=1, b=1) == 524288
    assert value("llama_2_7b", "L a h") == 8 * 524288


def test_kv_02_the_head_size_need_not_be_h_over_a() -> None:
    """Qwen 3 4B: 2560 hidden, 32 heads of 128."""
    assert value("qwen3_4b", "cache({})", s=1, b=1) == 147456
    assert value("qwen3_4b", "cache({})", s=1, b=1, d=80) == 92160


def test_kv_04_groups_mean_two_things() -> None:
    """Our one name is g, the number of key heads. A config with another name is refused and says so."""
    one = session("models/llama")
    assert value("llama_2_7b", "cache({})", s=1, b=1, g=8) == 131072
    assert value("llama_2_7b", "cache({})", s=1, b=1, g=4) == 65536
    sink = Sink()
    config = parse_file(Source("c", "config c { kv_groups = 8 }"), sink).declarations[0]
    bind(one.library, sink, (), config.bindings)  # type: ignore[union-attr]
    with pytest.raises(RoofError) as caught:
        sink.stop_on_errors()
    (diagnostic,) = caught.value.diagnostics
    assert "`kv_groups` is no dim and no let" in diagnostic.primary.text


def cache_reads(one: Session, root: str, sizes: dict[str, int]) -> Fraction:
    """Bytes that a step reads of its caches, repeats included."""
    subject = Subject(root, text=root, span=NOWHERE)
    caches = {tensor.id for tensor in one.graph(subject, "infer").tensors.values() if tensor.role == "cache"}
    entries = [e for e in one.sheet(subject, "traffic", "infer") if e.access == "read" and e.what in caches]
    return sum((evaluate_size(contribution(entry), sizes) for entry in entries), Fraction(0))


def test_kv_05_a_step_reads_every_key_head_once() -> None:
    """Llama 2 70B at 4096 cached tokens: eight key heads are read, not 64."""
    sizes = {"s": 1, "t": 4096, "b": 1, "L": 80, "a": 64, "g": 8, "r": 8, "d": 128, "h": 8192, "f": 28672, "V": 32000}
    assert cache_reads(session("models/llama"), "llama", sizes) == 1342177280


def test_kv_06_three_policies_of_a_window() -> None:
    """gpt-oss: half of the layers see 128 positions. Capped at the window, or reserved in full; never left out."""
    capped = value("gpt_oss_20b", "cache({})", s=1, t=8192, b=32)
    assert capped == 6543114240
    reserved = value("gpt_oss_20b", "cache({}{gqa_window = gqa})", s=1, t=8192, b=32)
    assert reserved == 12884901888
    assert value("gpt_oss_120b", "cache({})", s=1, b=1) == 73728


def test_kv_08_the_cross_attention_cache_is_as_long_as_the_encoder() -> None:
    """Whisper large: 1500 positions whatever the text's limit is."""
    sizes = {"s": 448, "b": 1}
    cross = value("whisper_large_v3", "cache({}.layer.cross_attention)", **sizes)
    assert cross == 245760000
    assert value("whisper_large_v3", "cache({})", **sizes) - cross == 73400320
    step = value("whisper_large_v3", "cache({}.layer.cross_attention)", s=1, t=448, b=1, un=0)
    assert step == cross


def test_kv_10_a_cache_in_blocks() -> None:
    """16,384 tokens of a 70B model on 8 devices are 640 MiB each; 2048 blocks of 4 KiB would be 8 MiB."""
    llama = session("models/llama")
    assert verdict(llama, "cache(llama)/8 = 640 [MiB] at llama_2_70b, s = 16384").passed
    assert verdict(llama, "cache(llama)/8 = 2048 * 4 [KiB] at llama_2_70b, s = 16384").outcome == "refuted"
    device = value("llama_2_70b", "cache({})/8", s=16384, b=1)
    assert device == 671088640 == 163840 * 4096 == 327680 * 2048


def test_act_01_the_published_constant_is_bytes_already() -> None:
    """34sbh + 5as²b counts bytes: 2 per activation, 1 per mask. Times four is four times too much."""
    assert verdict(GPT, "saved(layer) = 34sbh + 5as²b").passed
    assert verdict(GPT, "saved(layer) = 4(34sbh + 5as²b)").outcome == "refuted"
    sizes = {"s": 4096, "b": 1, "h": 8192, "a": 64}
    assert amount(GPT, "saved(layer)", **sizes) == 6509559808


def test_act_04_norms_have_one_vector_or_two() -> None:
    """Two norms a layer: 4h parameters with layer norms, 2h with RMS norms; the formula cannot be judged without."""
    one = session_of(
        'use "ops"\ndim h\ndim s\nblock l(x[s,h]) -> y { y = layernorm(x) }\nblock r(x[s,h]) -> y { y = rmsnorm(x) }\n'
    )
    assert amount(one, "2 params(l)", h=4096) == 16384
    assert amount(one, "2 params(r)", h=4096) == 8192
