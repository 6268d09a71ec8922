"""Faults and questions people reported of derivations done by hand and of units, as claims.

Each is restated in our words: the right derivation is accepted, the wrong one refuted with the right difference. What was
reported of names and notation is in `test_cases_notation`.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from roofdsl.units.dimension import BYTE
from roofdsl.units.display import format_amount
from tests.asking import code_of, session_of, spec
from tests.cases import fails, holds, message_of

GPT = spec("gpt3")
LLAMA = spec("llama")
DENSE = spec("dense")


# ------------------------------------------------------------------------------------------ derivations by hand


@pytest.mark.parametrize(
    ("positions", "small", "large"), [(4096, "0.5", "1.25"), (32768, "4", "10"), (131072, "16", "40")]
)
def test_a_table_of_caches_against_its_formula(positions: int, small: str, large: str) -> None:
    """HAND-01: 8B and 70B, 8 key heads of 128; the figures of 8B are GiB, those of 70B four times too large."""
    at = f"at llama_3_8b, s = {positions}"
    of_70b = f"at llama_2_70b, s = {positions}"
    holds(LLAMA, f"cache(llama) = {small} [GiB] {at}")
    holds(LLAMA, f"cache(llama) = {large} [GiB] {of_70b}")
    fails(LLAMA, f"cache(llama) = 4 * {large} [GiB] {of_70b}", "(4 times the derived)")
    fails(LLAMA, f"cache(llama) = {small} [GB] {at}", "7.37% away")


def test_a_cache_with_windows_and_its_true_head_size() -> None:
    """HAND-02: half of Gemma 2 27B's layers keep 4096 positions, and a head has 128, not h/a = 144."""
    gemma = spec("gemma2")
    at = "at gemma_2_27b, s = 1000000"
    holds(gemma, "params(gemma2) = 27227128320 at gemma_2_27b")
    holds(gemma, f"cache(gemma2)/2 = 94593875968 [B] {at}")
    holds(gemma, f"cache(gemma2{{gqa_window = gqa}})/2 = 188416000000 [B] {at}")
    fails(gemma, f"cache(gemma2)/2 = 2 [B] * 46 * 16 * 144 * s {at}", "94.5939 GB", "211.968 GB")


def test_a_product_with_another_value_of_its_symbol() -> None:
    """HAND-04: 32K tokens were asked for, 131072 multiplied."""
    holds(LLAMA, "cache(llama) = 10737418240 [B] at llama_2_70b, s = 32768")
    holds(LLAMA, "cache(llama) ~ 42.95 [GB] at llama_2_70b, s = 131072")
    fails(LLAMA, "cache(llama) ~ 42.95 [GB] at llama_2_70b, s = 32768", "10.7374 GB")


def test_a_claimed_value_that_was_never_evaluated() -> None:
    """HAND-05: 12d²L + 2Vd of GPT-2 small is 162 million; tied and with everything it is 124.4."""
    gpt2 = spec("gpt2")
    at = "at gpt2_124m"
    holds(gpt2, f"params(gpt2) = 124439808 {at}")
    holds(gpt2, f"params(gpt2) ~ 124e6 {at}")
    fails(gpt2, f"params(gpt2) = 12h²L + 2V h {at}", "162.129 Mparam", "124.44 Mparam")


def test_bytes_of_a_product_with_a_vector() -> None:
    """HAND-08: 2d² FLOP over 2d² bytes and two vectors; 1/2 counts the matrix twice."""
    primer = spec("primer")
    holds(primer, "intensity(gemm{M = 1, K = n}) = n/(n + 2)")
    holds(primer, "intensity(gemm{M = 1, K = n}) -> 1 for n -> oo")
    fails(primer, "intensity(gemm{M = 1, K = n}) -> 1/2 for n -> oo", "limit       1")


def test_fewer_bits_per_weight_raise_the_intensity() -> None:
    """HAND-09: 2NB FLOP over N·bits/8 bytes are 16B/bits, so that 4-bit weights move it up."""
    blocks = "".join(
        f"block in_{dtype}(x[B,m]) -> y {{\nparam W[m,n]: {dtype}\ny[B,n] = sum(x[B,m] * W[m,n])\n}}\n"
        for dtype in ("bf16", "int8", "int4")
    )
    session = session_of(f"dim B\ndim m\ndim n\n{blocks}")
    for dtype, factor in (("bf16", 1), ("int8", 2), ("int4", 4)):
        holds(session, f"flops(in_{dtype})/param_bytes(in_{dtype}) = {factor}B")
    fails(session, "flops(in_int4)/param_bytes(in_int4) = B/4", "derived     4B")


def test_the_number_of_devices_is_left_out() -> None:
    """HAND-10: the work of 16 devices over the peak of one."""
    at = "at m = 1, n = 7e10, T = 1.64e7"
    one = "flops(dense, train)/(13.5 [hour] * peak(a100_80gb, bf16))"
    holds(DENSE, f"{one} ~ 0.454 {at}")
    holds(DENSE, f"{one}/16 ~ 0.0284 {at}")
    fails(DENSE, f"{one}/16 ~ 0.454 {at}", "0.0283911")


# ------------------------------------------------------------------------------------------ units


@pytest.mark.parametrize(
    ("unit", "same"),
    [("400 [Gbit/s]", "50 [GB/s]"), ("4 [Gbit/s]", "0.5 [GB/s]"), ("8 [Gibit/s]", "1 [GiB/s]")],
)
def test_bits_and_bytes(unit: str, same: str) -> None:
    """UNIT-01: what is spelt out is read as it is."""
    holds(GPT, f"bandwidth(h100_sxm)/({unit}) = bandwidth(h100_sxm)/({same})")


@pytest.mark.parametrize(
    ("unit", "hints"),
    [
        ("Gb/s", ("Gbit", "GB")),
        ("Gbps", ("Gbit/s",)),
        ("KB", ("kB", "KiB")),
        ("Gib", ("GiB",)),
        ("GBps", ("GB/s",)),
        ("TFLOPS", ("TFLOP/s",)),
    ],
)
def test_near_misses_of_units(unit: str, hints: tuple[str, ...]) -> None:
    """UNIT-01: an abbreviation with two readings is refused with both, never read as something else."""
    said = message_of(GPT, f"saved(layer) ~ 400 [{unit}] at gpt3_175b")
    assert all(hint in said for hint in hints), said


def test_a_petabyte_of_parameters() -> None:
    """UNIT-04: 1e14 numbers of 16 bit are 200 TB or 181.9 TiB."""
    at = "at m = 1e7, n = 1e7"
    holds(DENSE, f"param_bytes(dense) = 200 [TB] {at}")
    holds(DENSE, f"param_bytes(dense) ~ 182 [TiB] {at}")
    fails(DENSE, f"param_bytes(dense) ~ 182 [TB] {at}", "200 TB (182 TiB)", "TiB")
    assert code_of(DENSE, f"params(dense) * 16 [bit] * 8 [bit] = 182 [TB] {at}") == "E0704"


def test_both_prefixes_are_shown() -> None:
    """UNIT-05: 83 GB fit into the 80 GiB of a device that is sold as 80 GB."""
    assert format_amount(Fraction(83 * 10**9), BYTE) == "83 GB (77.3 GiB)"
    assert format_amount(Fraction(80 * 2**30), BYTE, 3) == "85.9 GB (80 GiB)"
    holds(DENSE, "param_bytes(dense) < 80 [GiB] at m = 1, n = 41.5e9")
    fails(DENSE, "param_bytes(dense) < 80 [GB] at m = 1, n = 41.5e9")


FORMATS = """
dtype q4_wide = 4 bit + 32 bit per 32
dtype q4_wide_offset = 4 bit + 32 bit per 32 + 32 bit per 32
dim n
"""


@pytest.mark.parametrize(
    ("dtype", "bits"),
    [("q4_wide", "5"), ("q4_wide_offset", "6"), ("q4_0", "4.5"), ("q4_1", "5"), ("mxfp4", "4.25")],
)
def test_bits_of_scales_and_offsets(dtype: str, bits: str) -> None:
    """UNIT-06: "4-bit" formats have a scale, and some an offset, per block of 32."""
    session = session_of(f"{FORMATS}block f(x[n]) -> y {{\nparam W[n]: {dtype}\ny[n] = x[n] * W[n]\n}}\n")
    holds(session, f"param_bytes(f) = {bits} [bit] * n")


MEMORY = """
machine card {
    peak contraction fp32 = 9 TFLOP/s
    memory gddr = 8 GB at 256 bit × 10.01 Gbit/s
}
"""


def test_ten_times_a_power_of_ten() -> None:
    """UNIT-07: 256 bits at 10.01 Gbit/s are 320.32 GB/s; dividing by 10e9 or by 1024³ gives something else."""
    session = session_of(MEMORY)
    holds(session, "bandwidth(card) = 320.32 [GB/s]")
    holds(session, "bandwidth(card) ~ 298.32 [GiB/s]")
    fails(session, "bandwidth(card) ~ 298.32 [GB/s]", "320.32 GB/s")
    fails(session, "bandwidth(card)/10e9 ~ 32.032 [GB/s]")
    holds(session, "bandwidth(card)/10e9 ~ 32.032 [B/s]")


def test_shape_letters_are_no_units() -> None:
    """UNIT-08: s, h, a, L, V, b, d are sizes; units stand in brackets."""
    session = session_of(
        "dim s\ndim b\ndim h\ndim a\ndim L\ndim V\nlet d = h/a\n"
        "block f(x[s,b,h]) -> y {\nparam W[s,b,h]\ny = x * W\n}\n"
    )
    holds(session, "17 param_bytes(f) = 34s*b*h")
    holds(session, "params(f)/(h/a) = sba")
    assert code_of(session, "param_bytes(f) = 5 [ha]") == code_of(session, "param_bytes(f) = 5 [barn]")


# ------------------------------------------------------------------------------------------ what these needed


def test_a_tile_sees_what_the_braces_of_an_instance_bind() -> None:
    primer = spec("primer")
    holds(primer, "bytes(attn_tiled{Br = 128}) = 4T d + 4T d * ceil(T/128)")
    holds(primer, "bytes(attn_tiled) = 4T d + 4T d * ceil(T/Br)")


def test_the_peak_of_special_functions() -> None:
    holds(GPT, "peak(h100_sxm, special) = 3.9 [TFLOP/s]")
    assert code_of(GPT, "peak(tpu_v5e, special) = 3.9 [TFLOP/s]") == "E0620"
