"""Utilisation, plans, measured kernels and decode ceilings, against figures of the field."""

from __future__ import annotations

from fractions import Fraction

import pytest

from roofdsl.cli import codes
from roofdsl.evaluate.utilisation import Counted, Step, plan_of, step_at
from tests.commands import Ran, roofdsl

LLAMA = ("utilisation", "llama", "--config", "llama_3_8b", "--machine", "h100_sxm")
GEMM = ("utilisation", "primer", "--of", "gemm", "--machine", "h100_sxm", "--phase", "forward")
SIZES = ("--set", "M=4096", "--set", "K=4096", "--set", "n=4096")


def rows(ran: Ran) -> dict[str, dict]:
    return {row["counted"]: row for row in ran.document["rows"]}


def test_days_of_a_run_by_every_way_of_counting() -> None:
    """15T tokens on 1024 H100 at 40 %: 20.6 days by 6·params, 24.8 and 22.05 by the FLOP of attention too."""
    ran = roofdsl(*LLAMA, "--devices", "1024", "--mfu", "0.4", "--tokens", "15T", "--json")
    days = {name: row["plan"]["days"]["value"] for name, row in rows(ran).items()}
    assert round(days["6 per parameter"], 1) == 20.6
    assert round(days["paper"], 1) == 24.8
    assert round(days["causal_half"], 2) == 22.05


def test_one_run_reads_differently_by_convention_alone() -> None:
    """A deep thin model: attention is a third of it."""
    sizes = ("h=512", "L=30", "a=8", "g=8", "f=1152", "V=32768", "s=2048", "b=1")
    asked = [part for size in sizes for part in ("--set", size)]
    ran = roofdsl("utilisation", "llama_tied", *asked, "--machine", "h100_sxm", "--tokens-per-second", "724k", "--json")
    found = rows(ran)
    per_token = {name: Fraction(row["flop"]["exact"]) / 2048 for name, row in found.items()}
    assert int(per_token["6 per parameter"] / 10**6) == 608
    attention = per_token["paper"] - per_token["causal_half"]
    assert round(attention / 10**6) == 189
    shares = {name: row["utilisation"]["value"] for name, row in found.items()}
    assert round(100 * shares["6 per parameter"], 1) == 44.5
    assert round(100 * shares["causal_half"], 1) == 58.3


def test_more_than_everything_is_impossible() -> None:
    ran = roofdsl(*LLAMA, "--step-time", "100 ms")
    assert ran.code == codes.WRONG
    assert "480 % impossible" in ran.out
    assert "E0641" in ran.err
    assert "dense one" in ran.err


def test_hardware_counts_what_is_computed_again() -> None:
    asked = ("utilisation", "gpt3", "--of", "gpt_full", "--config", "gpt3_175b", "--machine", "a100_80gb")
    found = rows(roofdsl(*asked, "--step-time", "32 s", "--devices", "1", "--json"))
    model, hardware = (found[name]["flop"]["value"] for name in ("paper", "paper, hardware"))
    assert 1.3 < hardware / model < 1.34
    assert found["paper, hardware"]["hardware"]


def test_the_tokens_of_a_step_may_be_those_of_many_devices() -> None:
    one = rows(roofdsl(*LLAMA, "--step-time", "900 ms", "--json"))["paper"]
    many = roofdsl(*LLAMA, "--step-time", "900 ms", "--devices", "8", "--tokens-per-step", "65536", "--json")
    assert rows(many)["paper"]["utilisation"] == one["utilisation"]


def test_money_follows_hours() -> None:
    ran = roofdsl(*LLAMA, "--mfu", "40%", "--tokens", "1M", "--price", "3.6 $/hour", "--json")
    plan = rows(ran)["paper"]["plan"]
    assert Fraction(plan["cost"]["exact"]) == Fraction(plan["device_hours"]["exact"]) * Fraction("3.6")


@pytest.mark.parametrize(
    ("batch", "held", "rate", "cache"),
    [(1, 17.1, 196, 6), (8, 24.7, 1090, 35), (32, 50.4, 2130, 68), (64, 84.8, 2530, 81)],
)
def test_decoding_at_8k_is_bound_by_bytes(batch: int, held: float, rate: int, cache: int) -> None:
    sizes = ("--set", "s=1", "--set", "t=8192", "--set", f"b={batch}")
    ceiling = roofdsl(*LLAMA, *sizes, "--phase", "infer", "--json").document["ceiling"]
    weights, cached = ceiling["weights"]["value"], ceiling["cache"]["value"]
    assert (weights + cached) / 1e9 == pytest.approx(held, abs=0.05)
    assert ceiling["tokens_per_second_by_bytes"]["value"] == pytest.approx(rate, rel=0.003)
    assert round(100 * cached / (weights + cached)) == cache


def test_what_fits_the_bytes_of_the_device_may_not_fit_its_label() -> None:
    ran = roofdsl(*LLAMA, "--set", "s=1", "--set", "t=8192", "--set", "b=64", "--phase", "infer", "--price", "2 $/hour")
    assert "yes, of 85.52 GB (79.6 GiB) usable; in the 80 GB (74.5 GiB) of the label it would not" in ran.out
    assert "cost of a million tokens" in ran.out
    assert "differ from weights and cache" in ran.out


def test_decoding_faster_than_the_roofs_is_refused() -> None:
    asked = (*LLAMA, "--set", "s=1", "--set", "t=8192", "--phase", "infer", "--tokens-per-second")
    assert "of what the kernels allow" in roofdsl(*asked, "150").out
    ran = roofdsl(*asked, "400")
    assert (ran.code, ran.out) == (codes.WRONG, "")
    assert "E0640" in ran.err


def test_a_measured_kernel_against_its_roofs() -> None:
    ran = roofdsl(*GEMM, *SIZES, "--kernel-time", "y=180 us", "--json")
    (kernel,) = ran.document["kernels"]
    assert kernel["work_rate"]["value"] == pytest.approx(2 * 4096**3 / 180e-6)
    assert kernel["traffic_rate"]["value"] == pytest.approx(3 * 2 * 4096**2 / 180e-6)
    assert kernel["roof"] == "contraction"
    assert kernel["shares"]["contraction"]["value"] == pytest.approx(0.7717, abs=1e-4)
    slow = roofdsl(*GEMM, *SIZES, "--kernel-time", "gemm.y=2 ms").out
    assert "far from every roof: 14.4× the ideal time" in slow


def test_a_kernel_above_its_roof_is_refused_and_not_shown() -> None:
    ran = roofdsl(*GEMM, *SIZES, "--kernel-time", "y=100 us")
    assert (ran.code, ran.out) == (codes.WRONG, "")
    assert "139 % of the contraction roof" in ran.err
    assert "at least 138.9 µs" in ran.err


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ((), "E0824"),
        (("--step-time", "6.2"), "E0823"),
        (("--step-time", "6.2 GB"), "E0823"),
        (("--mfu", "1.4"), "E0823"),
        (("--mfu", "0.4", "--tokens", "many"), "E0823"),
        (("--mfu", "0.4", "--price", "2 $"), "E0823"),
        (("--kernel-time", "nothing=3 us"), "E0823"),
    ],
)
def test_slips_are_said(more: tuple[str, ...], code: str) -> None:
    ran = roofdsl(*LLAMA, *more)
    assert ran.code in (codes.USAGE, codes.WRONG)
    assert code in ran.err


def test_a_step_at_a_utilisation_has_that_utilisation() -> None:
    counted = Counted("test", Fraction(10**15), Fraction(2))
    step = step_at(counted, Fraction(2, 5), Fraction(1000), Fraction(4))
    assert step == Step(Fraction(1000), Fraction(5, 4), Fraction(4))
    assert step.utilisation(counted) == Fraction(2, 5)
    assert plan_of(step, Fraction(8000), Fraction(1, 2)).cost == 8 * Fraction(5, 4) * 4 / 2
