"""The machine library: every part asked for is there, its figures as published, nothing in it that the checker notes."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.headline import note_omissions
from roofdsl.evaluate.machine import Machine, bandwidth
from roofdsl.ir.entry import Kind
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
    ("l40", "bf16", "181.05", "48", "864"),
    ("a30", "bf16", "165", "24", "933"),
    ("a40", "bf16", "149.7", "48", "696"),
    ("h800", "bf16", "989", "80", "3350"),
    ("gh200_144gb", "bf16", "989", "144", "4800"),
    ("rtx_3090", "bf16", "71.2", "24", "936"),
    ("rtx_6000_ada", "bf16", "364", "48", "960"),
    ("rtx_pro_6000", "bf16", "503.8", "96", "1792"),
    ("gb10", "nvfp4", "500", "128", "273"),
    ("jetson_agx_orin", "int8", "85", "64", "204.8"),
    ("mi250", "bf16", "362.1", "128", "3280"),
    ("rx_7900_xtx", "fp16", "122.8", "24", "960"),
    ("trainium2", "bf16", "667", "96", "2900"),
    ("rtx_4090", "fp16", "165.2", "24", "1008"),
    ("rtx_5090", "fp16", "209.5", "32", "1792"),
    ("rtx_5060", "nvfp4", "305.9", "8", "448"),
    ("m4_max", "fp16", "34", "128", "546.112"),
    ("m3_ultra", "fp16", "57", "512", "819.2"),
    ("laptop_ddr5", "fp32", "0.768", "32", "89.6"),
    ("a800", "bf16", "312", "80", "2039"),
    ("h20_141gb", "fp16", "148", "141", "4800"),
    ("groq_lpu", "int8", "750", "0.23", "80000"),
]
BY_CLOCK: list[
    tuple[str, Kind, str, str]
] = [  # a peak that is written per cycle: name, unit, dtype, TFLOP/s as tables print it
    ("rtx_4080", "contraction", "fp16", "97.5"),
    ("rtx_5080", "contraction", "bf16", "112.6"),
    ("rtx_3080", "contraction", "fp16", "59.5"),
    ("rtx_4070", "vector", "fp32", "29.1"),
    ("rtx_4060", "vector", "fp32", "15.1"),
    ("rtx_5070_ti", "vector", "fp32", "43.9"),
    ("ryzen_ai_max_395", "contraction", "bf16", "59.4"),
    ("mi210", "contraction", "bf16", "181.0"),
    ("mi300a", "contraction", "fp8_e4m3", "1961.2"),
    ("mi350x", "contraction", "fp16", "2306.9"),
    ("mi250x", "contraction", "fp32", "95.7"),
    ("max_1550", "contraction", "bf16", "681.6"),
    ("m1_max", "contraction", "fp16", "10.6"),
    ("m2_ultra", "vector", "fp32", "27.2"),
    ("m3_max", "contraction", "bf16", "14.3"),
    ("xeon_8480", "contraction", "bf16", "114.7"),
    ("grace", "contraction", "fp32", "7.1"),
    ("tpu_v5p", "vector", "fp32", "14.3"),
    ("b200", "special", "fp32", "4.7"),
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
    ("h800", "nvlink", 200),
    ("a800", "nvlink", 200),
    ("rtx_5060", "pcie", 32),
    ("trainium2", "neuronlink", 640),
    ("trainium3", "neuronlink", 1280),
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


@pytest.mark.parametrize(("name", "kind", "dtype", "printed"), BY_CLOCK)
def test_peaks_by_clock_are_those_printed(name: str, kind: Kind, dtype: str, printed: str) -> None:
    peaks = machine(name).peaks
    rate = peaks[kind, dtype if (kind, dtype) in peaks else None]
    assert round(rate / 10**12, 1) == Fraction(printed)


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


FILES = sorted((specs_root() / "machines").glob("*.roof"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_figure_names_a_source_and_every_source_is_used(path: Path) -> None:
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("    ")]
    declared = [number for line in lines for number in re.findall(r'^source "\[(\d+)\] ', line)]
    figures = [line for line in lines if not line.startswith("source")]
    cited = [re.findall(r"\[(\d+)\]", line.partition("#")[2]) for line in figures]
    assert declared == [str(n + 1) for n in range(len(declared))]
    assert all(numbers for numbers in cited), [
        line for line, numbers in zip(figures, cited, strict=True) if not numbers
    ]
    assert {number for numbers in cited for number in numbers} == set(declared)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_source_says_when(path: Path) -> None:
    sources = re.findall(r'^    source "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    assert all(re.search(r"\b20\d\d\b|\b\d{4}\.\d{5}\b", source) for source in sources), sources


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_from_memory(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search("recall|not checked|customary|typical", text)


def test_special_functions_per_cycle_are_sixteen_a_multiprocessor() -> None:
    derived = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        rate, sms = (
            re.search(r"peak special = (\d+) FLOP/cycle", text),
            re.search(r"^    sms = (\d+)", text, re.MULTILINE),
        )
        if rate is not None and sms is not None:
            assert int(rate[1]) == 16 * int(sms[1]), path.stem
            derived.append(path.stem)
    assert len(derived) >= 10


def test_what_is_usable_fits_the_label_read_in_powers_of_two() -> None:
    """A label of n GB means at least n · 10⁹ bytes and at most n · 2³⁰, so a device reports no more than the latter."""
    shown = [memory for name in machine_names(LIBRARY) if (memory := machine(name).memory).usable is not None]
    assert len(shown) >= 10
    for memory in shown:
        assert memory.usable is not None
        assert memory.size is not None
        assert memory.usable <= memory.size * Fraction(2**30, 10**9)


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
