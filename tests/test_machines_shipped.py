"""The machine library: every part asked for is there, its figures as published, nothing in it that the checker notes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.headline import note_omissions
from roofdsl.evaluate.machine import Machine, bandwidth
from roofdsl.ir.library import Library
from roofdsl.passes.find import specs_root
from roofdsl.passes.load import find_machine, load, machine_names
from roofdsl.source import Source

PUBLISHED = [  # name, dtype of contractions, dense TFLOP/s, memory in GB as sold, GB/s
    ("v100_sxm2", "fp16", "125", "32", "900"),
    ("a100_40gb", "bf16", "312", "40", "1555"),
    ("a100_80gb", "bf16", "312", "80", "2000"),
    ("a100_80gb_pcie", "bf16", "312", "80", "1935"),
    ("h100_sxm", "bf16", "989.4", "80", "3350"),
    ("h100_pcie", "bf16", "756", "80", "2000"),
    ("h100_nvl", "bf16", "835.5", "94", "3938"),
    ("h200", "bf16", "989", "141", "4800"),
    ("h20", "bf16", "148", "96", "4000"),
    ("b200", "bf16", "2250", "180", "8000"),
    ("b200", "fp8_e4m3", "4500", "180", "8000"),
    ("gb200", "bf16", "2500", "186", "8000"),
    ("b300", "nvfp4", "15000", "288", "8000"),
    ("b300", "int8", "250", "288", "8000"),
    ("mi250x", "bf16", "383", "128", "3280"),
    ("mi300x", "fp8_e4m3", "2614.9", "192", "5300"),
    ("mi325x", "bf16", "1307.4", "256", "6000"),
    ("mi355x", "mxfp4", "10100", "288", "8000"),
    ("tpu_v4", "bf16", "275", "32", "1200"),
    ("tpu_v5e", "int8", "394", "16", "819"),
    ("tpu_v5p", "bf16", "459", "95", "2765"),
    ("tpu_v6e", "bf16", "918", "32", "1638"),
    ("tpu_v7", "fp8_e4m3", "4614", "192", "7370"),
    ("gaudi2", "bf16", "432", "96", "2460"),
    ("gaudi3", "bf16", "1835", "128", "3700"),
    ("l4", "bf16", "121", "24", "300"),
    ("l40s", "bf16", "362", "48", "864"),
    ("a10", "fp16", "125", "24", "600"),
    ("t4", "fp16", "65", "16", "320"),
    ("rtx_4090", "fp16", "165.2", "24", "1008"),
    ("rtx_5090", "fp16", "209.5", "32", "1792"),
    ("rtx_5060", "nvfp4", "305.9", "8", "448"),
    ("m4_max", "fp16", "34", "128", "546.112"),
    ("m3_ultra", "fp16", "57", "512", "819.2"),
    ("laptop_ddr5", "fp32", "0.768", "32", "89.6"),
]
LIBRARY = load(Source("empty", ""), Sink(), folder=None)
LINKS = [  # GB/s per direction
    ("h100_sxm", "nvlink", 450),
    ("h100_nvl", "nvlink", 300),
    ("h100_sxm", "ib", 50),
    ("a100_80gb", "nvlink", 300),
    ("v100_sxm2", "nvlink", 150),
    ("b200", "nvlink", 900),
    ("gaudi3", "ethernet", 600),
    ("gaudi2", "ethernet", 300),
    ("mi300x", "xgmi", 448),
]


def machine(name: str, library: Library = LIBRARY) -> Machine:
    sink = Sink()
    found = named_machine(name, library, sink)
    assert not sink.found
    return found


@pytest.mark.parametrize(("name", "dtype", "peak", "size", "rate"), PUBLISHED)
def test_figures_are_those_published(name: str, dtype: str, peak: str, size: str, rate: str) -> None:
    found = machine(name)
    assert found.peaks["contraction", dtype] == Fraction(peak) * 10**12
    assert found.memory.size == Fraction(size) * 10**9
    assert bandwidth(found) == Fraction(rate) * 10**9


@pytest.mark.parametrize(("name", "link", "rate"), LINKS)
def test_links_are_per_direction(name: str, link: str, rate: int) -> None:
    assert machine(name).links[link] == rate * 10**9


@pytest.mark.parametrize("name", machine_names(LIBRARY))
def test_the_checker_notes_nothing(name: str) -> None:
    sink = Sink()
    declaration = find_machine(LIBRARY, name, sink)
    assert declaration is not None
    note_omissions(declaration, sink)
    assert machine(name).title
    assert not sink.found


@pytest.mark.parametrize("name", machine_names(LIBRARY))
def test_headlines_are_above_the_dense_peaks(name: str) -> None:
    found = machine(name)
    for (kind, dtype), headline in found.sparse.items():
        dense = found.peaks[kind, dtype]
        assert headline > dense
        assert all(rate != headline for (k, d), rate in found.peaks.items() if (k, d) == (kind, dtype))


def test_every_line_says_where_it_is_from() -> None:
    for path in sorted((specs_root() / "machines").glob("*.roof")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("    ")]
        figures = [line for line in lines if not line.strip().startswith("source")]
        assert all("#" in line for line in figures), path.name


def test_a_dual_lane_is_two_flop_a_cycle() -> None:
    assert machine("laptop_ddr5").peaks["vector", "fp32"] == 8 * 2 * 8 * 2 * 3 * 10**9
    assert round(machine("rtx_4090").peaks["vector", "fp32"] / 10**12, 1) == Fraction("82.6")


def test_the_accumulator_of_the_file_chooses_the_peak() -> None:
    halves = load(Source("halves", "default accumulators fp16\n"), Sink(), folder=None)
    assert machine("rtx_4090").peaks["contraction", "fp16"] == Fraction("165.2") * 10**12
    assert machine("rtx_4090", halves).peaks["contraction", "fp16"] == Fraction("330.3") * 10**12
    assert machine("h100_sxm", halves).peaks == machine("h100_sxm").peaks


@pytest.mark.parametrize(("name", "dtype", "ridge"), [("b200", "bf16", "281.25"), ("h100_sxm", "fp8_e4m3", "590.7")])
def test_ridges(name: str, dtype: str, ridge: str) -> None:
    found = machine(name)
    assert round(found.peaks["contraction", dtype] / bandwidth(found), 1) == round(Fraction(ridge), 1)


def test_fp8_doubles_the_ridge_within_a_thousandth() -> None:
    peaks = machine("h100_sxm").peaks
    ratio = peaks["contraction", "fp8_e4m3"] / peaks["contraction", "bf16"]
    assert abs(ratio - 2) < Fraction(2, 1000)
