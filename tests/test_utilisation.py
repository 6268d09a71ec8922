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


DEEP_THIN = ("h=512", "L=30", "a=8", "g=8", "f=1152", "V=32768", "s=2048", "b=1")
"""A deep thin model with tied embeddings and gated MLPs, 101.35M parameters: attention is a quarter of its FLOP."""


def deep_thin(rate: str) -> dict[str, dict]:
    asked = [part for size in DEEP_THIN for part in ("--set", size)]
    return rows(
        roofdsl("utilisation", "llama_tied", *asked, "--machine", "h100_sxm", "--tokens-per-second", rate, "--json")
    )


def test_one_run_reads_differently_by_convention_alone() -> None:
    """6N: 608 MFLOP a token; causal attention: 6Lsh = 188.7 more; so that 44.5 % reads 58.2 % as soon as it is counted."""
    found = deep_thin("723_250".replace("_", ""))
    per_token = {name: Fraction(row["flop_per_token"]["exact"]) for name, row in found.items()}
    assert per_token["6 per parameter"] == 6 * (32768 * 512 + 512 + 30 * (4 * 512**2 + 3 * 512 * 1152 + 2 * 512))
    assert int(per_token["6 per parameter"] / 10**6) == 608
    assert per_token["paper"] - per_token["causal_half"] == 6 * 30 * 2048 * 512
    shares = {name: row["utilisation"]["value"] for name, row in found.items()}
    assert round(100 * shares["6 per parameter"], 1) == 44.5
    assert round(100 * shares["causal_half"], 1) == 58.2


def test_both_printed_figures_leave_little_room_for_the_rate() -> None:
    """44.5 and 58.2 are one run only if 44.5 was rounded up: at 44.5 exactly the other is 58.3."""
    found = deep_thin("724k")
    assert round(100 * found["6 per parameter"]["utilisation"]["value"], 1) == 44.5
    assert round(100 * found["causal_half"]["utilisation"]["value"], 1) == 58.3


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


def test_a_kernel_in_a_repeat_is_timed_once() -> None:
    """A profiler shows one execution of 32."""
    asked = (*LLAMA, "--phase", "forward", "--kernel-time", "gqa.out.y=300 us", "--json")
    (kernel,) = roofdsl(*asked).document["kernels"]
    assert kernel["count"]["value"] == 32
    assert kernel["work_rate"]["value"] == pytest.approx(2 * 8192 * 4096**2 / 300e-6)
    assert kernel["ideal"]["value"] == pytest.approx(2 * 8192 * 4096**2 / 989.4e12)


def test_a_kernel_that_is_none_is_guessed() -> None:
    ran = roofdsl(*LLAMA, "--phase", "forward", "--kernel-time", "gqa.cor.S=3 ms")
    assert "did you mean `gqa.core.S`?" in ran.err
    several = roofdsl(*LLAMA, "--phase", "forward", "--kernel-time", "y=3 ms").err
    assert "kernels are called so" in several
    assert "llama.layer.gqa.out.y" in several


def test_decoding_is_one_token_after_those_held() -> None:
    """By the config alone: no size needs to be named."""
    decode = roofdsl(*LLAMA, "--phase", "decode", "--json").document["ceiling"]
    by_hand = roofdsl(*LLAMA, "--phase", "infer", "--set", "s=1", "--set", "t=8192", "--json").document["ceiling"]
    assert decode == by_hand
    assert (decode["step_is"], decode["new_positions"]["value"], decode["held_positions"]["value"]) == (
        "decode",
        1,
        8192,
    )
    prefill = roofdsl(*LLAMA, "--phase", "prefill")
    assert "prefill: 8,192 new positions of 8,192" in prefill.out
    assert "`--phase decode`" in prefill.out


@pytest.mark.parametrize(
    ("model", "sizes", "tokens"),
    [
        ("whisper", ("--config", "whisper_large_v3"), 1),
        ("t5", ("--config", "t5_small"), 1),
        ("mistral", ("--config", "mistral_7b_v0_1"), 1),
        ("deepseek_v3", ("--config", "deepseek_v3", "--set", "b=4"), 4),
    ],
)
def test_every_kind_of_cache_decodes(model: str, sizes: tuple[str, ...], tokens: int) -> None:
    """Windows, latent caches, and encoders whose keys are there already."""
    ran = roofdsl("utilisation", model, *sizes, "--machine", "h100_sxm", "--phase", "decode", "--json")
    ceiling = ran.document["ceiling"]
    assert ceiling["step_is"] == "decode"
    assert ceiling["tokens"]["value"] == tokens


def test_decoding_does_not_encode_again() -> None:
    """Keys of the encoder's 1500 positions are there: none is made anew, as with `un = 0` by hand."""
    asked = ("utilisation", "whisper", "--config", "whisper_large_v3", "--machine", "l4", "--json")
    decode = roofdsl(*asked, "--phase", "decode").document["ceiling"]
    by_hand = roofdsl(
        *asked, "--phase", "infer", *("--set", "s=1", "--set", "t=448", "--set", "un=0", "--set", "u=1500")
    )
    assert decode == by_hand.document["ceiling"]


def test_a_size_given_for_the_prompt_is_what_the_cache_holds() -> None:
    ran = roofdsl(*LLAMA, "--phase", "decode", "--set", "s=4096")
    assert ran.out.startswith("llama · decode · llama_3_8b · t=4096 · s=1 · h100_sxm\n")


def test_a_model_over_several_devices() -> None:
    """Four devices with a quarter each take a quarter of the time; four copies take as long, for four times as many."""
    asked = (*LLAMA, "--set", "b=64", "--phase", "decode", "--json")
    one = roofdsl(*asked).document["ceiling"]
    four = roofdsl(*asked, "--devices", "4", "--split").document["ceiling"]
    copies = roofdsl(*asked, "--devices", "4").document["ceiling"]
    assert Fraction(four["step"]["exact"]) == Fraction(one["step"]["exact"]) / 4
    assert Fraction(four["held_by_a_device"]["exact"]) == Fraction(one["held_by_a_device"]["exact"]) / 4
    assert copies["step"] == one["step"]
    assert copies["tokens_per_second"] == four["tokens_per_second"]


def test_how_many_devices_a_run_needs() -> None:
    asked = (*LLAMA, "--set", "b=1024", "--mfu", "40%", "--tokens", "15T", "--days", "30", "--json")
    row = rows(roofdsl(*asked))["6 per parameter"]
    needed = 6 * 8030261248 * 15e12 / (0.4 * 989.4e12 * 30 * 86400)
    assert row["devices"]["value"] == int(needed) + 1
    assert row["plan"]["days"]["value"] < 30


def test_an_expected_rate_with_recomputation() -> None:
    """300B tokens of GPT-3 on 1024 A100 at 140 TFLOP/s, everything computed counted: about the 34 days printed."""
    asked = ("utilisation", "gpt3", "--of", "gpt_full", "--config", "gpt3_175b", "--machine", "a100_80gb")
    more = ("--set", "b=1536", "--devices", "1024", "--achieved", "140 TFLOP/s", "--tokens", "300G", "--json")
    row = rows(roofdsl(*asked, *more))["paper, hardware"]
    flop = 96 * 96 * 12288**2 * (1 + 2048 / (6 * 12288) + 51200 / (16 * 96 * 12288))
    assert row["plan"]["days"]["value"] == pytest.approx(300e9 * flop / (1024 * 140e12) / 86400, rel=1e-9)


def test_experts_that_are_not_chosen_are_not_six_per_parameter() -> None:
    asked = ("utilisation", "mixtral", "--config", "mixtral_8x7b", "--machine", "h100_sxm", "--mfu", "0.4", "--json")
    found = rows(roofdsl(*asked))
    every, active = (found[name]["flop_per_token"]["value"] for name in ("6 per parameter", "6 per active parameter"))
    assert every / active == pytest.approx(46.7 / 12.75, rel=2e-3)


def test_every_figure_has_its_unit() -> None:
    plan = rows(roofdsl(*LLAMA, "--mfu", "0.4", "--tokens", "1T", "--price", "2 $/hour", "--json"))["paper"]
    units = {name: value["unit"] for name, value in plan.items() if isinstance(value, dict) and "unit" in value}
    assert units == {
        "flop": "FLOP",
        "flop_per_token": "FLOP/token",
        "utilisation": "1",
        "achieved": "FLOP/s",
        "step": "s",
        "tokens": "token",
        "devices": "1",
        "tokens_per_second": "token/s",
    }
    assert {name: value["unit"] for name, value in plan["plan"].items()} == {
        "tokens": "token",
        "steps": "1",
        "days": "day",
        "device_hours": "hour",
        "cost": "$",
        "cost_per_million_tokens": "$",
    }


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ((), "E0824"),
        (("--days", "30", "--mfu", "0.4"), "E0824"),
        (("--days", "30", "--tokens", "1T", "--step-time", "1 s"), "E0823"),
        (("--step-time", "1 s", "--mfu", "0.4"), "E0823"),
        (("--achieved", "140 TFLOP"), "E0823"),
        (("--kernel-time", "y"), "E0823"),
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


def test_what_a_machine_holds_is_a_quantity() -> None:
    """81559 MiB of an H100: 64 sequences of 8192 fit beside 8B weights in 16 bit, 65 do not."""
    asked = ("verify", "llama", "--claim")
    fits = "memory(llama, infer) <= capacity(h100_sxm) at llama_3_8b, s = 1, t = 8192, b = {}"
    assert roofdsl(*asked, fits.format(64)).code == codes.FINE
    assert roofdsl(*asked, fits.format(65)).code == codes.WRONG
    assert (81559 * 2**20 - 2 * 8030261248) // (8192 * 131072) == 64
    (largest,) = roofdsl(
        *(
            "crossover",
            "llama",
            "memory(llama, infer) = capacity(h100_sxm)",
            "--in",
            "b",
            "--config",
            "llama_3_8b",
            "--json",
        )
    ).document["values"]
    assert int(largest) == 64


def test_what_does_not_fit_says_how_many_devices_do() -> None:
    ceiling = roofdsl(
        "utilisation", "llama", "--config", "llama_2_70b", "--machine", "a100_80gb", "--phase", "decode", "--json"
    ).document["ceiling"]
    assert (ceiling["fits"], ceiling["devices_needed"]) == (False, 2)


def test_bandwidth_utilisation_and_cost_of_a_measured_rate() -> None:
    """14 ms a token of 7B in 16 bit is about half of an A100's 2 TB/s; 71.4 tokens/s at $2 an hour cost $7.78 a million."""
    asked = ("--config", "llama_2_7b", "--set", "s=512", "--tokens-per-second", "71.43", "--price", "2 $/hour")
    ran = roofdsl("utilisation", "llama", *asked, "--machine", "a100_80gb", "--phase", "decode")
    share = 71.43 * (2 * 6738415616 + 512 * 524288) / 2.0e12
    assert (
        f"(MBU)                               {100 * share:.1f} %".split()
        == ran.out.split("alone allow ")[1].split("\n")[0].split()
    )
    assert "$7.778" in ran.out


@pytest.mark.parametrize(
    "asked",
    [
        ("eval", "llama", "--config", "llama_3_8b", "--machine", "h100_sxm"),
        ("tiles", "primer", "--of", "gemm", *SIZES, "--machine", "h100_sxm", "--tile", "256x128"),
        ("machines", "h100_sxm"),
        (*LLAMA, "--phase", "decode", "--price", "2 $/hour", "--tokens", "1G"),
        (*LLAMA, "--phase", "forward", "--kernel-time", "gqa.out.y=300 us"),
    ],
    ids=lambda asked: asked[0],
)
def test_numbers_of_documents_have_units(asked: tuple[str, ...]) -> None:
    """Every exact number has a unit beside it; sizes, which are counts, are listed as bindings."""
    without = []

    def walk(value: object, path: str) -> None:
        if isinstance(value, dict):
            if "exact" in value and "unit" not in value and "bindings" not in path:
                without.append(path)
            for name, inner in value.items():
                walk(inner, f"{path}.{name}")
        elif isinstance(value, list):
            for inner in value:
                walk(inner, path)

    walk(roofdsl(*asked, "--json").document, "")
    assert without == []


def test_billions_are_written_as_the_field_does() -> None:
    one, other = (
        rows(roofdsl(*LLAMA, "--mfu", "0.4", "--tokens", tokens, "--json"))["paper"]["plan"]
        for tokens in ("300B", "300G")
    )
    assert one == other


def test_serving_has_hours_and_cost() -> None:
    """A thousand million tokens at 2065 a second: 134.5 hours, $269."""
    asked = (
        *LLAMA,
        "--set",
        "b=32",
        "--phase",
        "decode",
        "--step-time",
        "20 ms",
        "--tokens",
        "1B",
        "--price",
        "2 $/hour",
    )
    ceiling = roofdsl(*asked, "--json").document["ceiling"]
    assert ceiling["measured"]["value"] == 32 / 0.020
    assert ceiling["device_hours"]["value"] == pytest.approx(1e9 / ceiling["tokens_per_second"]["value"] / 3600)
    assert ceiling["measured_cost_per_million_tokens"]["value"] == pytest.approx(1e6 / 1600 / 3600 * 2)
    assert roofdsl(*LLAMA, "--phase", "decode", "--mfu", "0.4").code == codes.USAGE
