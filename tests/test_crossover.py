"""Where the bound changes: closed forms with their domain, numbers, and that both agree with times on either side."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.algebra.evaluation import compiled, evaluate
from roofdsl.algebra.form import number, symbol
from roofdsl.algebra.signs import Known
from roofdsl.algebra.solve import solutions
from roofdsl.cli import codes
from roofdsl.evaluate.crossover import Contest, changes
from roofdsl.evaluate.roofs import Roof
from tests.commands import roofdsl

LINEAR = """
dim B "tokens"
dim d "width"
block lin(x[B, d]) -> y {
    param w[d, k]
    y[B, k] = sum(x[B, d] * w[d, k])
}
let k = d "columns"
"""
KNOWN = Known()


@pytest.fixture(scope="module")
def linear(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("specs") / "linear.roof"
    path.write_text(LINEAR, encoding="utf-8")
    return str(path)


def test_the_batch_from_which_a_product_is_bound_by_compute(linear: str) -> None:
    ran = roofdsl("crossover", linear, "--machine", "h100_sxm", "--in", "B", "--set", "d=4096")
    assert ran.code == codes.FINE
    lines = [line.strip() for line in ran.out.splitlines()]
    assert lines[2].startswith("B = d·I*/(d - 2I*)    if d - 2I* > 0")
    assert lines[3] == "→ I* for d → ∞"
    assert lines[4] == "B = 345.11: memory (hbm) up to 345, compute from 346 on"


def test_a_narrow_product_is_never_bound_by_compute(linear: str) -> None:
    ran = roofdsl("crossover", linear, "--machine", "h100_sxm", "--in", "B", "--set", "d=512")
    assert "memory (hbm) bounds for every B ≥ 1" in ran.out
    assert "d - 2I*" not in ran.out


def test_without_a_value_of_the_other_sizes_there_is_the_formula(linear: str) -> None:
    ran = roofdsl("crossover", linear, "--machine", "h100_sxm", "--in", "B")
    assert "B = d·I*/(d - 2I*)" in ran.out
    assert "no number: d without a value" in ran.out


@pytest.mark.parametrize(("batch", "bound"), [(345, "memory"), (346, "compute")])
def test_the_roofline_says_the_same(linear: str, batch: int, bound: str) -> None:
    ran = roofdsl("eval", linear, "--machine", "h100_sxm", "--set", "d=4096", "--set", f"B={batch}", "--json")
    assert ran.document["kernels"][0]["bound"] == bound


def test_twice_the_ridge_is_where_fused_attention_changes() -> None:
    ran = roofdsl(
        "crossover", "primer", "--of", "attn_fused", "--machine", "h100_sxm", "--in", "T", "--set", "d=128", "--json"
    )
    (crossing,) = ran.document["crossings"]
    assert crossing["boundaries"][0]["formulas"] == ["T = 2I*".removeprefix("T = ")]
    (change,) = crossing["changes"]
    assert (change["last"], change["before"], change["after"]) == (590, "memory (hbm)", "compute")
    assert round(change["value"], 2) == 590.69


def test_a_ceiling_has_a_number_and_no_formula() -> None:
    asked = ("crossover", "primer", "--of", "attn_tiled", "--machine", "h100_sxm", "--in", "Br")
    ran = roofdsl(*asked, "--set", "d=128", "--set", "T=8192")
    assert "no closed form" in ran.out
    assert "in Br: memory (hbm) up to 315, compute from 316 on" in ran.out


def test_where_attention_equals_the_weights() -> None:
    core = "flops(layer.attention.core)"
    ran = roofdsl("crossover", "gpt3", f"{core} = flops(layer) - {core}", "--in", "s", "--config", "gpt3_175b")
    assert "s = 6h" in ran.out
    assert "s = 73,728" in ran.out


def test_where_the_cache_passes_the_weights() -> None:
    ran = roofdsl("crossover", "gpt3", "cache(gpt) = param_bytes(gpt)", "--in", "t", "--config", "gpt3_175b", "--json")
    (value,) = ran.document["values"]
    h, layers, vocabulary, positions = 12288, 96, 51200, 2048
    params = 12 * layers * h**2 + 13 * layers * h + (vocabulary + positions) * h + 2 * h
    per_position = 2 * layers * h
    assert abs(value - params / per_position) < 0.1


@pytest.mark.parametrize(
    "asked",
    [
        ("primer", "--of", "gemm", "--machine", "h100_sxm"),
        ("primer", "--of", "gemm", "--machine", "h100_sxm", "--in", "Q"),
        ("primer", "--of", "gemm", "--in", "M"),
        ("primer", "flops(gemm)", "--in", "M"),
    ],
)
def test_slips_are_usage(asked: tuple[str, ...]) -> None:
    ran = roofdsl("crossover", *asked)
    assert ran.code == codes.USAGE
    assert "error[E08" in ran.err


def test_a_size_that_takes_no_part_is_said_so() -> None:
    ran = roofdsl("crossover", "primer", "--of", "gemm", "--machine", "h100_sxm", "--in", "T")
    assert ran.code == codes.WRONG
    assert "E0642" in ran.err


SMALL = st.integers(-6, 6)


@given(high=SMALL, middle=SMALL, low=SMALL)
@settings(max_examples=150, deadline=None)
def test_solutions_are_the_positive_roots(high: int, middle: int, low: int) -> None:
    x = symbol("x")
    form = x**3 * high + x**2 * middle + x * low
    found = solutions(form, "x", KNOWN)
    assert found is not None
    values = [evaluate(solution.value, {}) for solution in found]
    for value in values:
        assert value > 0
        assert abs(float(high * value**2 + middle * value + low)) < 1e-6
    signs = [high * n * n + middle * n + low for n in (Fraction(k, 16) for k in range(1, 400))]
    changed = sum(1 for a, b in pairwise(signs) if a * b < 0)
    assert changed <= len(values)


@given(rates=st.lists(st.integers(1, 50), min_size=6, max_size=6))
@settings(max_examples=60, deadline=None)
def test_changes_are_where_the_slowest_roof_changes(rates: list[int]) -> None:
    b = symbol("b")
    seconds = {
        Roof("compute", "contraction", Fraction(1)): b**2 * rates[0],
        Roof("memory", "hbm", Fraction(1)): b * rates[1] * 20 + number(rates[2] * 300),
        Roof("special", "special", Fraction(1)): b * rates[3] * 30 + number(rates[4]),
    }
    times = {roof: compiled(form) for roof, form in seconds.items()}

    def slowest(at: int) -> str:
        return max(times, key=lambda roof: (times[roof]({"b": at}), roof.bound != "memory")).name

    found = changes(Contest(seconds), "b")
    for change in found:
        assert slowest(change.last) == change.before.name != slowest(change.last + 1) == change.after.name
    walked = [slowest(at) for at in range(1, 3000)]
    steps = [at for at, (one, two) in enumerate(pairwise(walked), start=1) if one != two]
    assert steps == [change.last for change in found if change.last < 2999]


def test_every_boundary_of_a_layer_agrees_with_its_numbers() -> None:
    asked = (
        "crossover",
        "gpt3",
        "--of",
        "layer",
        "--config",
        "gpt3_175b",
        "--in",
        "s",
        "--machine",
        "h100_sxm",
        "--json",
    )
    crossings = roofdsl(*asked).document["crossings"]
    moving = [crossing for crossing in crossings if crossing["changes"]]
    assert {kernel for crossing in moving for kernel in crossing["kernels"]} >= {"layer.attention.q", "layer.mlp.u"}
    for crossing in moving:
        assert all(change["last"] < change["value"] <= change["last"] + 1 for change in crossing["changes"])


def lines_of(*asked: str) -> list[str]:
    ran = roofdsl("crossover", *asked)
    assert ran.code == codes.FINE, ran.err
    return [line.strip() for line in ran.out.splitlines()]


SQUARE = ("--set", "K=4096", "--set", "n=4096")


def test_an_equality_without_a_closed_form_has_its_integers() -> None:
    lines = lines_of("primer", "time(gemm, h100_sxm) = 17 [us]", "--in", "M", *SQUARE, "--tile", "1x4096")
    assert lines[1] == "no closed form"
    assert lines[2].startswith("time(gemm, h100_sxm) is below up to M = ")


def test_an_equality_of_times_has_a_solution_in_every_regime_and_the_number_of_the_one_in_force() -> None:
    lines = lines_of("primer", "time(gemm, h100_sxm) = 17 [us]", "--in", "M", *SQUARE)
    assert lines[2] == "M = 8409900000/(Kn)    if 67MKn ≥ 19788MK + 19788Mn + 19788Kn"
    assert lines[3:] == ["M = 501.27", "time(gemm, h100_sxm) is below up to M = 501, above from 502 on"]
    assert 2 * 501 * 4096**2 / 989.4e12 < 17e-6 < 2 * 502 * 4096**2 / 989.4e12


def test_experts_have_a_closed_form_where_all_are_chosen() -> None:
    asked = (
        "--of",
        "mixtral.layer.moe.experts",
        "--phase",
        "infer",
        "--machine",
        "h100_sxm",
        "--config",
        "mixtral_8x7b",
    )
    lines = lines_of("mixtral", *asked, "--set", "s=1", "--in", "b")
    assert any("and sbm ≥ X" in line and line.startswith("b = hXF·I*/(") for line in lines)
    h, x, f, m, ridge = 4096, 8, 14336, 2, 989.4e12 / 3.35e12
    value = h * x * f * ridge / (h * m * f - h * ridge - m * f * ridge - 2 * m * ridge)
    assert any(line.startswith(f"b = {value:,.1f}: memory (hbm) up to {int(value):,}") for line in lines)


def test_an_unknown_size_is_told_with_those_there_are() -> None:
    ran = roofdsl("crossover", "llama", "cache(llama) = param_bytes(llama)", "--in", "seq")
    assert ran.code == codes.USAGE
    assert "expected: one of s, b, h" in ran.err


def test_an_equality_says_which_integers_are_on_either_side() -> None:
    core = "flops(layer.attention.core)"
    lines = lines_of("gpt3", f"{core} = flops(layer) - {core}", "--in", "s", "--config", "gpt3_175b")
    assert lines[-1] == f"{core} is below up to s = 73,727, equal at 73,728, above from 73,729 on"
    lines = lines_of("primer", "time(gemm, h100_sxm) = time(gemm, a100_80gb)", "--in", "M", *SQUARE)
    assert lines[-1] == "time(gemm, h100_sxm) is below for every M ≥ 1"


def test_a_free_size_is_asked_for() -> None:
    lines = lines_of("primer", "time(gemm, h100_sxm) = 17 [us]", "--in", "M", "--set", "K=4096", "--tile", "1x4096")
    assert lines[1] == "no closed form; bind n for a number"


def test_the_turns_are_data_too() -> None:
    asked = ("crossover", "primer", "time(gemm, h100_sxm) = 17 [us]", "--in", "M", *SQUARE, "--json")
    assert roofdsl(*asked).document["turns"] == [{"from": 1, "left": "below"}, {"from": 502, "left": "above"}]


@pytest.mark.parametrize(
    "options",
    [
        ("--overhead", "launch"),
        ("--overlap", "none"),
        ("--overhead", "launch", "--overlap", "none"),
        ("--efficiency", "compute=0.5", "--overhead", "launch"),
        ("--efficiency", "hbm=0.5", "--overlap", "none"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(("of", "size"), [("gemm", "M"), ("attn", "T"), ("square", "n")])
def test_the_options_say_what_the_roofline_says(options: tuple[str, ...], of: str, size: str) -> None:
    fixed = [f"{name}={value}" for name, value in (("M", 700), ("K", 512), ("n", 800), ("T", 900), ("d", 64))]
    sizes = [part for text in fixed if text[0] != size for part in ("--set", text)]
    asked = ("primer", "--of", of, "--machine", "h100_sxm", *sizes, *options, "--json")

    def bounds(at: int) -> dict[str, str]:
        table = roofdsl("eval", *asked, "--set", f"{size}={at}").document["kernels"]
        return {kernel["kernel"]: kernel["bound"] for kernel in table}

    crossings = roofdsl("crossover", *asked, "--in", size).document["crossings"]
    assert crossings
    for crossing in crossings:
        if not crossing["changes"]:
            small, large = bounds(1), bounds(10**6)
            assert all(small[kernel] == large[kernel] for kernel in crossing["kernels"])
        for change in crossing["changes"][:3]:
            if change["last"] > 10**7:
                continue
            for at, named in ((change["last"], "before"), (change["last"] + 1, "after")):
                bound = bounds(at)
                assert {bound[kernel] for kernel in crossing["kernels"]} == {change[named].split(" ")[0]}


def test_an_efficiency_moves_the_ridge(linear: str) -> None:
    asked = (linear, "--machine", "h100_sxm", "--in", "B", "--set", "d=4096")
    assert any("[I* = 147.7 FLOP/B]" in line for line in lines_of(*asked, "--efficiency", "compute=0.5"))


def test_no_line_is_too_long() -> None:
    asked = ("--of", "mixtral", "--machine", "h100_sxm", "--in", "b", "--phase", "infer", "--config", "mixtral_8x7b")
    assert max(len(line) for line in roofdsl("crossover", "mixtral", *asked, "--set", "s=1").out.splitlines()) <= 110


def test_a_tile_of_an_inner_level_takes_part(tmp_path) -> None:
    path = tmp_path / "tiled.roof"
    path.write_text(
        LINEAR.replace("    y[B, k]", "    fused f tile k = 64 at l2 { y[B, k]").replace("])\n}", "]) }\n}")
    )
    out = roofdsl("crossover", str(path), "--machine", "h100_sxm", "--in", "B", "--set", "d=4096").out
    assert "memory (l2)" in out


def test_a_bound_of_a_dim_leaves_no_condition() -> None:
    ran = roofdsl("crossover", "moe", "params(moe) = active_params(moe)", "--in", "X")
    assert ran.out.splitlines()[1].strip() == "X = m"


def test_a_subject_s_own_name_is_not_bounded_by_a_dim_s_bound(tmp_path) -> None:
    """`m` of an outer product is not the `m <= X` of the mixtures."""
    path = tmp_path / "own.roof"
    path.write_text('use "moe"\nop outer(x[m], w[X]) -> y {\n    y[m,X] = x[m] * w[X]\n}\n')
    equation = "bytes(outer)*params(moe) = bytes(outer)*active_params(moe)"
    assert "X = m    if X ≥ m" in roofdsl("crossover", str(path), equation, "--in", "X").out
