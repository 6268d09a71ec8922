"""The roofline: times, bounds and totals of kernels, against figures the primers print (design §6)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.errors import evaluation as errors
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.closed_time import time_formula, time_of
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.number import evaluate_size
from roofdsl.evaluate.roofline import Options, roofline
from roofdsl.ir.entry import Entry
from roofdsl.ir.size import ONE, Band, Size, Symbol, const, product
from roofdsl.passes.load import load
from roofdsl.quantities.conventions import Convention
from roofdsl.source import Source

T, D = Symbol("T"), Symbol("d")
NUMBERS = {"T": 4096, "d": 128, "n": 4096, "L": 3}


@pytest.fixture(scope="module")
def h100() -> Machine:
    return named_machine("h100_sxm", load(Source("empty", ""), Sink(), folder=Path(__file__).parent), Sink())


def work(kernel: str, kind, amount: Size, dtype: str | None = "fp32", times: Size = ONE) -> Entry:
    return Entry("work", "forward", amount, times, "y", ("m",), kernel, "R1", kind=kind, dtype=dtype)


def traffic(kernel: str, elements: Size, size: int = 2, times: Size = ONE) -> Entry:
    return Entry("traffic", "forward", product(const(size), elements), times, "x", ("m",), kernel, "R4", access="read")


def matmul(kernel: str, m: Size, n: Size, k: Size) -> tuple[Entry, ...]:
    moved = [product(m, k), product(k, n), product(m, n)]
    return (
        work(kernel, "contraction", product(const(2), m, n, k), "bf16"),
        *(traffic(kernel, elements) for elements in moved),
    )


def softmax_work(kernel: str) -> tuple[Entry, ...]:
    """5 operations per element, one of them an exponential."""
    square = product(T, T)
    return work(kernel, "vector", product(const(4), square)), work(kernel, "special", square)


def naive() -> tuple[Entry, ...]:
    moved = (traffic("softmax", product(T, T)), traffic("softmax", product(T, T)))
    return (*matmul("S", T, T, D), *softmax_work("softmax"), *moved, *matmul("O", T, D, T))


def fused() -> tuple[Entry, ...]:
    kernel = "core"
    products = [e for e in (*matmul(kernel, T, T, D), *matmul(kernel, T, D, T)) if e.measure == "work"]
    return (*products, *softmax_work(kernel), *(traffic(kernel, product(T, D)) for _ in range(4)))


def run(entries, machine: Machine, **options):
    sink = Sink()
    result = roofline(entries, machine, Binding(NUMBERS), sink, Options(Convention("test", **options)))
    assert not sink.found
    return result


def in_us(time: Fraction) -> float:
    return float(time * 10**6)


def test_naive_attention_takes_41_us_and_all_of_it_is_memory(h100):
    result = run(naive(), h100)
    assert in_us(result.time) == pytest.approx(41.3, abs=0.05)
    assert [k.bound for k in result.kernels] == ["memory"] * 3
    assert dict(result.by_bound) == {"memory": result.time}
    assert sum(k.share for k in result.kernels) == 1
    whole = sum(k.total_work for k in result.kernels) / sum(k.traffic for k in result.kernels)
    assert float(whole) == pytest.approx(62.7, abs=0.05)


def test_fused_attention_takes_8_7_us_with_softmax_on_its_own_units(h100):
    """The primers print 8.8: they charge softmax to the matrix units."""
    result = run(fused(), h100)
    (kernel,) = result.kernels
    assert in_us(result.time) == pytest.approx(8.68, abs=0.005)
    assert kernel.bound == "compute"
    assert float(kernel.intensity) == pytest.approx(2068, abs=0.5)
    assert in_us(kernel.parts["special"]) == pytest.approx(4.30, abs=0.01)
    assert in_us(kernel.parts["vector"]) == pytest.approx(1.0, abs=0.01)
    as_primers = sum(kernel.work.values()) / (9894 * 10**11)
    assert in_us(as_primers) == pytest.approx(8.77, abs=0.01)


def test_intensities_of_matmuls(h100):
    (kernel,) = run(matmul("y", const(8192), const(4096), const(4096)), h100).kernels
    assert float(kernel.intensity) == pytest.approx(1638.4)
    n = Symbol("n")
    (kernel,) = run(matmul("y", n, n, n), h100).kernels
    assert kernel.intensity == Fraction(4096, 3)
    (kernel,) = run(matmul("y", ONE, n, n), h100).kernels
    assert float(kernel.intensity) == pytest.approx(1, abs=0.001)
    assert kernel.bound == "memory"


def test_layernorm_with_eight_flop_per_element_has_intensity_two(h100):
    n = product(T, D)
    entries = (work("norm", "vector", product(const(8), n)), traffic("norm", n), traffic("norm", n))
    (kernel,) = run(entries, h100).kernels
    assert kernel.intensity == 2


def test_repeats_multiply_and_are_shown_once(h100):
    once = run(naive(), h100)
    repeated = [
        Entry(e.measure, e.phase, e.amount, Symbol("L"), e.what, e.path, e.kernel, e.rule, e.kind, e.dtype)
        for e in naive()
    ]
    result = run(repeated, h100)
    assert result.time == 3 * once.time
    assert [k.count for k in result.kernels] == [3, 3, 3]


def test_launches_count_only_where_the_convention_says_so(h100):
    plain, launch, graph = (run(naive(), h100, overhead=o) for o in ("none", "launch", "graph"))
    five = Fraction(5, 10**6)
    assert launch.time == plain.time + 3 * five
    assert graph.time == plain.time + five
    assert graph.by_bound["overhead"] == graph.step_overhead == five
    tiny = run((work("k", "vector", ONE), traffic("k", ONE)), h100, overhead="launch")
    assert tiny.kernels[0].bound == "overhead"


def test_units_of_one_kernel_run_at_the_same_time_and_one_unit_adds_up(h100):
    entries = (
        work("k", "vector", const(669 * 10**11)),
        work("k", "vector", const(669 * 10**11)),
        work("k", "contraction", const(9894 * 10**11), "bf16"),
        work("k", "contraction", const(19789 * 10**11), "fp8_e4m3"),
    )
    (kernel,) = run(entries, h100).kernels
    assert kernel.parts == {"vector": 2, "compute": 2}
    assert kernel.time == 2
    assert kernel.intensity is None


def test_what_a_backward_kernel_rebuilds_is_part_of_it(h100):
    rebuilt = Entry("work", "recompute", ONE, ONE, "y", ("m",), "k:backward", "R7", kind="vector", dtype="fp32")
    backward = Entry("work", "backward", ONE, ONE, "y", ("m",), "k:backward", "R5", kind="vector", dtype="fp32")
    result = run((work("k", "vector", ONE), rebuilt, backward), h100)
    assert [(k.kernel, k.phase, k.total_work) for k in result.kernels] == [
        ("k", "forward", 1),
        ("k:backward", "backward", 2),
    ]
    alone = run((rebuilt,), h100)
    assert [k.phase for k in alone.kernels] == ["recompute"]


@pytest.mark.parametrize(("causal", "pairs"), [("full", 4096**2), ("half", 4096**2 // 2), ("exact", 4096 * 4097 // 2)])
def test_guards_count_by_convention(h100, causal, pairs):
    entries = (work("k", "vector", Band(T, T, None, const(0))),)
    (kernel,) = run(entries, h100, causal=causal).kernels
    assert kernel.total_work == pairs


def test_a_missing_peak_and_an_unbound_size_are_diagnostics(h100):
    sink = Sink()
    entries = (work("k", "contraction", ONE, "mxfp4"), traffic("k", Symbol("unbound")))
    roofline(entries, h100, Binding(NUMBERS), sink)
    assert [d.kind for d in sink.errors] == [errors.UNBOUND_SIZE, errors.MISSING_PEAK]


def test_no_kernels_take_no_time(h100):
    assert run((), h100, overhead="graph").time == 0


@pytest.mark.parametrize("overhead", ["none", "launch", "graph"])
@pytest.mark.parametrize("entries", [naive(), fused()], ids=["naive", "fused"])
def test_the_closed_form_of_the_time_is_the_time(h100, entries, overhead):
    sink = Sink()
    formula = time_formula(time_of(entries, h100, sink, Convention("test", overhead=overhead)))
    assert not sink.found
    assert evaluate_size(formula, NUMBERS) == run(entries, h100, overhead=overhead).time


def test_the_closed_form_of_kernels_whose_parts_repeat_differently(h100):
    entries = (work("k", "vector", const(669 * 10**11), times=const(2)), traffic("k", ONE, times=const(5)))
    formula = time_formula(time_of(entries, h100, Sink(), Convention("test", overhead="launch")))
    assert evaluate_size(formula, {}) == run(entries, h100, overhead="launch").time == 2 + 5 * Fraction(5, 10**6)
