"""`machines`, `machine-check`, `dtypes` and `tiles` as a user meets them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from roofdsl.cli import codes
from tests.commands import roofdsl

MINE = """
machine mine "a box" {
    source "made up, 2026-11"
    peak contraction bf16 = 100 TFLOP/s
    peak vector fp32 = 1024 lanes at 2 GHz
    memory hbm = 16 GiB at 256 bit x 20 Gbit/s
    link pcie = 32 GB/s per direction
}
"""


def test_machines_are_listed_with_peak_and_ridge() -> None:
    lines = roofdsl("machines").out.splitlines()
    (h100,) = (line for line in lines if line.startswith("h100_sxm "))
    assert "989.4 TFLOP/s" in h100
    assert "295.3 FLOP/B" in h100
    (laptop,) = (line for line in roofdsl("machines", "--dtype", "fp32").out.splitlines() if "laptop" in line)
    assert "8.571 FLOP/B" in laptop


def test_machines_are_compared_side_by_side() -> None:
    ran = roofdsl("machines", "h100_sxm", "mi300x")
    rows = {line.split("  ")[0]: line for line in ran.out.splitlines()}
    assert "1.307 PFLOP/s" in rows["peak contraction bf16"]
    assert "590.7 FLOP/B" in rows["ridge fp8_e4m3"]
    assert "450 GB/s" in rows["link nvlink, per direction"]
    assert "85.52 GB (79.6 GiB)" in rows["memory, usable"]


def test_a_machine_that_is_not_there_is_said_so() -> None:
    ran = roofdsl("machines", "h100sxm")
    assert ran.code == codes.WRONG
    assert "h100_sxm" in ran.err


def test_machines_as_data() -> None:
    found = {m["name"]: m for m in roofdsl("machines", "--json").document["machines"]}
    assert found["rtx_5090"]["levels"][0]["bandwidth"]["exact"] == str(1792 * 10**9)
    memory = {"figure": "memory gddr", "value": "32 GB at 512 bit × 28 Gbit/s, usable 32607 MiB"}
    assert memory in found["rtx_5090"]["figures"]
    assert found["h100_sxm"]["links"]["ib"]["value"] == 5e10


def test_a_machine_of_ones_own_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "mine.roof"
    path.write_text(MINE, encoding="utf-8")
    ran = roofdsl("machine-check", str(path))
    assert (ran.code, ran.err) == (codes.FINE, "")
    assert "640 GB/s" in ran.out
    assert "156.2 FLOP/B" in ran.out
    document = roofdsl("machine-check", str(path), "--json").document
    assert document["ok"]
    assert Fraction(document["machines"][0]["peaks"][1]["rate"]["exact"]) == 1024 * 2 * 2 * 10**9


@pytest.mark.parametrize(
    ("line", "wrong", "code"),
    [
        ("    link pcie = 32 GB/s per direction", "    link pcie = 32 GB/s", "N0633"),
        ('    source "made up, 2026-11"\n', "", "N0635"),
    ],
)
def test_what_a_machine_leaves_open_is_noted(tmp_path: Path, line: str, wrong: str, code: str) -> None:
    path = tmp_path / "mine.roof"
    path.write_text(MINE.replace(line, wrong), encoding="utf-8")
    ran = roofdsl("machine-check", str(path))
    assert ran.code == codes.FINE
    assert code in ran.err


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("100 TFLOP/s", "100 TFLOP", "E0603"),
        ("16 GiB at 256 bit x 20 Gbit/s", "16 GiB at 640 GB", "E0603"),
        ("100 TFLOP/s", "0 TFLOP/s", "E0624"),
        ("100 TFLOP/s", "-1 TFLOP/s", "greater than zero"),
        ("100 TFLOP/s", "inf TFLOP/s", "finite"),
        ("16 GiB", "3,35 GiB", "decimal point"),
        ("bf16 =", "bf16 2:4 =", "2:4 is sparsity"),
        ("peak vector fp32 = 1024 lanes at 2 GHz", "peak vector fp32 = 1024 lanes", "E0628"),
        ("link pcie", "memory hbm = 1 GB at 1 GB/s\n    link pcie", "E0623"),
        ("256 bit x 20 Gbit/s", "256 bit x 20 GHz", "E0603"),
    ],
)
def test_a_bad_machine_is_refused(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    path = tmp_path / "mine.roof"
    path.write_text(MINE.replace(right, wrong), encoding="utf-8")
    ran = roofdsl("machine-check", str(path))
    assert ran.code == codes.WRONG
    assert said in ran.err


def test_a_file_without_machines_is_a_slip() -> None:
    ran = roofdsl("machine-check", "primer")
    assert ran.code == codes.USAGE
    assert "E0827" in ran.err


def test_formats_with_range_and_epsilon(tmp_path: Path) -> None:
    rows = {line.split()[0]: line for line in roofdsl("dtypes").out.splitlines() if line}
    assert all(part in rows["fp8_e4m3"] for part in ("448", "0.01562", "0.125"))
    assert "6.5625" in rows["q6_k"]
    found = {d["name"]: d for d in roofdsl("dtypes", "--json").document["dtypes"]}
    assert (found["bf16"]["epsilon"]["exact"], found["mxfp4"]["bits"]["value"]) == ("1/128", 4.25)
    path = tmp_path / "own.roof"
    path.write_text("dtype fp5 = 5 bit e2m2 finite\n", encoding="utf-8")
    assert "5 bit e2m2 finite" in roofdsl("dtypes", str(path)).out


def test_tiles_of_the_command_line() -> None:
    asked = ("tiles", "primer", "--of", "square", "--set", "n=1793", "--machine", "a100_80gb", "--tile", "256x128")
    assert "55.56 %" in roofdsl(*asked).out
    (product,) = roofdsl(*asked, "--json").document["products"]
    assert (product["tiles"], product["waves"], product["busy"]["exact"]) == (120, 2, "5/9")
    assert roofdsl(*asked[:-2]).code == codes.USAGE
    assert roofdsl(*asked[:-1], "256").code == codes.USAGE


def test_assumptions_are_stated_with_the_figures() -> None:
    asked = ("eval", "primer", "--of", "square", "--set", "n=512", "--machine", "h100_sxm")
    ran = roofdsl(*asked, "--overhead", "launch", "--efficiency", "memory=0.9")
    assert "overhead = launch, memory = 0.9 per peak" in ran.out
    (kernel,) = roofdsl(*asked, "--overhead", "launch", "--json").document["kernels"]
    assert (kernel["bound"], kernel["roof"]) == ("overhead", "launch")
    assert roofdsl(*asked, "--efficiency", "memory=90").code == codes.USAGE
    assert "traffic of l2" in roofdsl(*asked).out
