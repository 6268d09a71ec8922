"""Machines: every figure checked, peaks looked up without guessing, the shipped machines."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.errors import evaluation as errors
from roofdsl.errors import units
from roofdsl.evaluate.describe import build_machine, named_machine
from roofdsl.evaluate.machine import bandwidth, find_peak, peak_for, ridge
from roofdsl.ir.library import Library
from roofdsl.passes.load import load, machine_names
from roofdsl.source import NOWHERE, Source
from roofdsl.syntax.parser import parse_file
from roofdsl.units.dimension import DOLLAR, SECOND

GOOD = """
    source "made up"
    peak contraction bf16 = 989.4 TFLOP/s
    peak vector fp32 = 66.9 TFLOP/s
    memory hbm = 80 GB at 3.35 TB/s, usable 81559 MiB
    cache l2 = 50 MB
    link ib = 400 Gbit/s
    sms = 132
    launch = 5 us
    price = 3.6 $/hour
    clock = 1.83 GHz
"""


def library() -> Library:
    return load(Source("empty", ""), Sink(), folder=Path(__file__).parent)


def build(*lines: str):
    source = Source("m.roof", "machine m {\n" + "\n".join(lines) + "\n}\n")
    sink = Sink()
    (declaration,) = parse_file(source, sink).declarations
    assert not sink.found
    return build_machine(declaration, library(), sink), sink


def without(word: str) -> list[str]:
    return [line for line in GOOD.splitlines() if word not in line]


def test_figures_are_exact_and_in_base_units():
    machine, sink = build(GOOD)
    assert not sink.found
    assert machine.peaks["contraction", "bf16"] == 9894 * 10**11
    assert machine.memory.size == 80 * 10**9
    assert machine.memory.capacity == 81559 * 2**20
    assert bandwidth(machine) == 335 * 10**10
    assert machine.levels[1].bandwidth is None
    assert machine.links["ib"] == 50 * 10**9
    assert machine.figures["sms"].value == 132
    assert (machine.figures["launch"].value, machine.figures["launch"].dimension) == (Fraction(1, 200000), SECOND)
    assert (machine.figures["price"].value, machine.figures["price"].dimension) == (Fraction(1, 1000), DOLLAR / SECOND)
    assert machine.sources == ("made up",)


@pytest.mark.parametrize(
    ("name", "dtype", "expected"),
    [("h100_sxm", "bf16", 295), ("a100_80gb", "bf16", 156), ("laptop_ddr5", "fp32", 9), ("b200", "bf16", 281)],
)
def test_ridges_of_the_shipped_machines(name, dtype, expected):
    sink = Sink()
    machine = named_machine(name, library(), sink)
    found = ridge(machine, dtype, NOWHERE, sink)
    assert round(found) == expected
    assert not sink.found


def test_every_shipped_machine_is_sound_and_has_sources():
    shipped = library()
    for name in machine_names(shipped):
        sink = Sink()
        machine = named_machine(name, shipped, sink)
        assert not sink.found, name
        assert machine.sources, name
        assert find_peak(machine, "contraction", next(iter(machine.peaks))[1]), name


@pytest.mark.parametrize(
    ("removed", "lines", "kind", "underlined"),
    [
        ("hbm", ["memory hbm = 80 GB at 3.35 TB"], units.UNIT_CLASH, "3.35 TB"),
        ("hbm", ["memory hbm = 80 GB/s at 3.35 TB/s"], units.UNIT_CLASH, "80 GB/s"),
        ("hbm", ["memory hbm = 80 Gb at 3.35 TB/s"], units.AMBIGUOUS_UNIT, "Gb"),
        ("hbm", ["memory hbm = 80 at 3.35 TB/s"], units.MISSING_UNIT, "80"),
        ("hbm", ["memory hbm = 80 GB at 0 TB/s"], errors.NOT_POSITIVE, "0 TB/s"),
        ("hbm", ["memory hbm = 80 GB"], errors.NO_MEMORY, "machine m"),
        ("hbm", [], errors.NO_MEMORY, "machine m"),
        ("bf16", ["peak contraction bf16 = 989.4 TFLOP"], units.UNIT_CLASH, "989.4 TFLOP"),
        ("bf16", ["peak contraction bf16 = 989.4 TFLOPS"], units.AMBIGUOUS_UNIT, "TFLOPS"),
        ("bf16", ["peak contraction bf16 = 989.4 TB/s"], units.UNIT_CLASH, "989.4 TB/s"),
        ("bf16", ["peak contractoin bf16 = 1 TFLOP/s"], errors.UNKNOWN_UNIT_KIND, "contractoin"),
        ("bf16", ["peak contraction bf61 = 1 TFLOP/s"], errors.PEAK_DTYPE, "bf61"),
        ("bf16", ["peak contraction bf16 = 0 TFLOP/s"], errors.NOT_POSITIVE, "0 TFLOP/s"),
        ("l2", ["cache hbm = 50 MB"], errors.DECLARED_TWICE, "cache hbm = 50 MB"),
        ("l2", ["peak vector fp32 = 1 TFLOP/s"], errors.DECLARED_TWICE, "peak vector fp32 = 1 TFLOP/s"),
        ("launch", ["launch = 5"], units.MISSING_UNIT, "5"),
        ("launch", ["launch = 5 GB"], units.UNIT_CLASH, "5 GB"),
        ("sms", ["sms = 132 GB"], units.UNIT_CLASH, "132 GB"),
        ("price", ["price = 3.6 EUR/hour"], units.AMBIGUOUS_UNIT, "EUR"),
        ("ib", ["link ib = 50 GB"], units.UNIT_CLASH, "50 GB"),
    ],
)
def test_a_faulty_figure_is_one_diagnostic_on_its_own_text(removed, lines, kind, underlined):
    _, sink = build(*without(removed), *lines)
    (error,) = sink.errors
    assert error.kind is kind
    assert error.primary.span.text == underlined


def test_all_faults_are_reported_in_one_run():
    _, sink = build("peak contraction bf16 = 1 TB", "memory hbm = 1 KB at 1 Gb/s", "launch = 0 s")
    assert len(sink.errors) == 4


def test_a_binary_bandwidth_and_a_memory_in_bits_get_notes():
    _, sink = build(*without("hbm"), "memory hbm = 640 Gbit at 3 TiB/s")
    assert [d.kind for d in sink.found] == [units.BITS_OF_MEMORY, units.BINARY_RATE]


def test_a_missing_peak_lists_those_there_are():
    machine, sink = build(GOOD)
    assert peak_for(machine, "contraction", "fp32", NOWHERE, sink) is None
    (error,) = sink.errors
    assert error.kind is errors.MISSING_PEAK
    assert error.found == "contraction fp32"
    assert error.expected == "one of contraction bf16, vector fp32"
    assert "contraction bf16" in error.helps[1]


def test_a_peak_without_a_dtype_serves_all():
    machine, _ = build(*without("vector"), "peak vector = 7 TFLOP/s", "peak special = 3 TFLOP/s")
    assert find_peak(machine, "vector", "bf16").rate == 7 * 10**12
    assert find_peak(machine, "special", "fp32").rate == 3 * 10**12


def test_special_work_falls_to_the_vector_unit_with_a_note():
    machine, sink = build(GOOD)
    peak = peak_for(machine, "special", "fp32", NOWHERE, sink)
    assert (peak.unit, peak.rate) == ("vector", 669 * 10**11)
    assert [d.kind for d in sink.found] == [errors.SPECIAL_ON_VECTOR]


def test_special_work_falls_nowhere_if_there_is_a_special_peak_of_another_dtype():
    machine, sink = build(GOOD, "peak special fp16 = 1 TFLOP/s")
    assert peak_for(machine, "special", "fp32", NOWHERE, sink) is None
    assert sink.errors


def test_work_of_unknown_dtype_is_served_by_a_sole_peak_only():
    machine, _ = build(GOOD)
    assert find_peak(machine, "contraction", None).rate == 9894 * 10**11
    machine, _ = build(GOOD, "peak contraction fp16 = 1 TFLOP/s")
    assert find_peak(machine, "contraction", None) is None


def test_a_machine_that_is_not_there_is_an_error_with_a_suggestion():
    with pytest.raises(RoofError) as caught:
        named_machine("h100_sxn", library(), Sink())
    assert "h100_sxm" in caught.value.diagnostics[0].helps[0]


def test_special_functions_are_stated_for_the_accelerators():
    for name in ("h100_sxm", "a100_80gb", "b200"):
        machine = named_machine(name, library(), Sink())
        assert find_peak(machine, "special", "fp32").unit == "special"
