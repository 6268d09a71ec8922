"""A machine with the bandwidth of an H100 and twice its compute (ridge 591): which kernels change side."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import roofdsl

DOUBLED = """
use "primer"

machine doubled "twice the compute, the same memory" {
    source "made up, 2026-11"
    peak contraction bf16 = 1978.8 TFLOP/s
    peak vector fp32 = 133.8 TFLOP/s
    peak special = 7.8 TFLOP/s
    memory hbm = 80 GB at 3.35 TB/s
}
claim ridge(doubled, bf16) ~ 591
"""
CASES = [  # subject, sizes, bound on the H100, bound on the other
    ("gemm", ("M=8192", "K=4096", "n=4096"), "compute", "compute"),
    ("attn_fused", ("T=4096", "d=128"), "compute", "compute"),
    ("attn", ("T=4096", "d=128"), "memory", "memory"),
    ("gemm", ("M=64", "K=4096", "n=4096"), "memory", "memory"),
    ("gemm", ("M=256", "K=4096", "n=4096"), "memory", "memory"),
    ("gemm", ("M=512", "K=4096", "n=4096"), "compute", "memory"),
]


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("specs") / "doubled.roof"
    path.write_text(DOUBLED, encoding="utf-8")
    return path


def test_the_ridge_doubles(spec: Path) -> None:
    assert roofdsl("verify", str(spec)).code == 0


@pytest.mark.parametrize(("subject", "sizes", "before", "after"), CASES)
def test_sides(spec: Path, subject: str, sizes: tuple[str, ...], before: str, after: str) -> None:
    bound = [part for size in sizes for part in ("--set", size)]
    for machine, expected in (("h100_sxm", before), ("doubled", after)):
        ran = roofdsl("eval", str(spec), "--of", subject, "--machine", machine, *bound, "--json")
        by_bound = ran.document["totals"]["by_bound"]
        assert max(by_bound, key=lambda name: by_bound[name]["value"]) == expected
