"""Crossovers, utilisation and plots from Python: the numbers of the command line, as frozen values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path

import pytest
import sympy

import roofdsl as rd
from tests.commands import roofdsl

AT = {"machine": "h100_sxm", "config": "llama_3_8b"}


@pytest.fixture(scope="module")
def llama() -> rd.Model:
    return rd.load("llama")


def test_a_boundary_is_a_sympy_expression() -> None:
    model = rd.load("primer")
    found = model.crossover("M", of="gemm", machine="h100_sxm", K=4096, n=4096)
    crossing = found["y"]
    assert crossing.kernels == ("gemm.y",)
    (boundary,) = crossing.boundaries
    k, n = model.symbols.K, model.symbols.n
    (ridge,) = (symbol for symbol in boundary.formula.free_symbols if symbol.name == "I_ridge")
    assert sympy.cancel(boundary.formula - k * n * ridge / (k * n - k * ridge - n * ridge)) == 0
    assert [sympy.expand(need - (k * n - k * ridge - n * ridge)) for need in boundary.needs] == [0]
    exact = boundary.ridge
    assert exact is not None
    number = boundary.formula.subs({k: 4096, n: 4096, ridge: sympy.Rational(exact.numerator, exact.denominator)})
    (change,) = crossing.changes or ()
    assert change.value == Fraction(int(number.p), int(number.q))
    assert (change.before, change.after, change.last) == ("memory (hbm)", "compute", 345)
    assert (
        str(found)
        in roofdsl(
            "crossover",
            "primer",
            "--of",
            "gemm",
            "--machine",
            "h100_sxm",
            "--in",
            "M",
            "--set",
            "K=4096",
            "--set",
            "n=4096",
        ).out
    )
    assert "345" in found._repr_html_()
    with pytest.raises(KeyError, match="gemm"):
        found["nothing"]


def test_where_two_quantities_are_equal() -> None:
    model = rd.load("gpt3")
    found = model.crossover("b", "cache(gpt) = param_bytes(gpt)", config="gpt3_175b")
    (formula,), (value,) = found.formulas, found.values
    sizes = {"s": 2048, "h": 12288, "L": 96, "V": 51200, "N": 2048}
    put = formula.subs({model.symbols[name]: size for name, size in sizes.items()})
    assert value == Fraction(int(put.p), int(put.q))
    assert not found.crossings


def test_plans_and_measurements_are_those_of_the_command_line(llama: rd.Model) -> None:
    run = llama.utilisation(**AT, b=1024, devices=1024, mfu=0.4, tokens="15T", price="2 $/hour")
    asked = ("--config", "llama_3_8b", "--machine", "h100_sxm", "--set", "b=1024", "--devices", "1024", "--mfu", "0.4")
    rows = roofdsl("utilisation", "llama", *asked, "--tokens", "15T", "--price", "2 $/hour", "--json").document["rows"]
    for row in rows:
        mine = run[row["counted"]]
        assert mine.plan is not None
        assert (str(mine.plan.days), str(mine.plan.cost)) == (
            row["plan"]["days"]["exact"],
            row["plan"]["cost"]["exact"],
        )
    assert run.possible
    assert not llama.utilisation(**AT, step_time=0.1).possible
    assert llama.utilisation(**AT, step_time="100 ms").rows == llama.utilisation(**AT, step_time=Fraction(1, 10)).rows
    assert "<table" in run._repr_html_()
    with pytest.raises(KeyError, match="6 per parameter"):
        run["7 per parameter"]
    with pytest.raises(FrozenInstanceError):
        run.rows = ()  # type: ignore[misc]


def test_decoding_and_kernels(llama: rd.Model) -> None:
    ceiling = llama.utilisation(**AT, phase="decode", b=8).ceiling
    assert ceiling is not None
    weights = 2 * 8030261248
    assert ceiling.weights == weights
    assert ceiling.cache == 8 * 8192 * 131072
    assert ceiling.by_bytes == 8 * Fraction(3350 * 10**9, weights + 8 * 8192 * 131072)
    found = llama.utilisation(**AT, phase="forward", kernel_times={"gqa.out.y": 300e-6})
    (kernel,) = found.kernels
    assert float(kernel.work_rate) == pytest.approx(2 * 8192 * 4096**2 / 300e-6)
    assert "gqa.out.y" in str(found)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"phase": "banana"}, "E0706"),
        ({}, "E0824"),
        ({"mfu": float("nan")}, "E0823"),
        ({"mfu": 0.4, "devices": 0}, "E0823"),
        ({"step_time": "6.2"}, "E0823"),
        ({"phase": "forward", "kernel_times": {"gqa.out.y": "1 us"}}, "E0640"),
        ({"phase": "decode", "tokens_per_second": 400}, "E0640"),
    ],
)
def test_slips_are_errors(llama: rd.Model, asked: dict[str, object], code: str) -> None:
    with pytest.raises(rd.RoofError, match=code):
        llama.utilisation(**AT, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("size", "equation"), [("bb", None), ("bb", "cache(llama) = param_bytes(llama)"), ("b", "cache(llama)")]
)
def test_slips_of_crossovers(llama: rd.Model, size: str, equation: str | None) -> None:
    with pytest.raises(rd.RoofError, match=r"E0822|E0642"):
        llama.crossover(size, equation, **AT)


def test_a_plot_has_its_numbers_and_is_drawn_when_asked(llama: rd.Model, tmp_path: Path) -> None:
    plot = llama.plot("layer", **AT, also=["a100_80gb", "llama_2_7b"])
    assert [one.title for one in plot.series] == [
        "llama_3_8b · h100_sxm",
        "llama_3_8b · a100_80gb",
        "llama_2_7b · h100_sxm",
    ]
    assert plot.series[0].ridge[0] == pytest.approx(989.4 / 3.35)
    plot.save(tmp_path / "layer.svg")
    assert (tmp_path / "layer.svg").read_bytes().startswith(b"<?xml")
    assert plot._repr_html_().startswith("<svg")
    with pytest.raises(rd.RoofError, match="E0826"):
        plot.save(tmp_path / "layer.gif")


def test_a_convention_of_the_file_says_what_a_time_assumes(tmp_path: Path) -> None:
    path = tmp_path / "slow.roof"
    path.write_text('use "primer"\nconvention slowc {overhead = launch, overlap = none, memory = 0.1 per peak}\n')
    found = rd.load(str(path)).crossover("M", of="gemm", machine="h100_sxm", under="slowc", K=512, n=512)
    asked = ("crossover", str(path), "--of", "gemm", "--machine", "h100_sxm", "--in", "M", "--set", "K=512")
    ran = roofdsl(*asked, "--set", "n=512", "--under", "slowc")
    assert str(found).strip() == ran.out.strip()
    plain = rd.load("primer").crossover("M", of="gemm", machine="h100_sxm", K=512, n=512)
    assert found["y"].changes != plain["y"].changes
    assert "overhead" in {change.before for change in found["y"].changes or ()}
