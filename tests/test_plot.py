"""Roofline plots: what is on them, that names do not cover one another, and that the same plot is the same bytes."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from roofdsl.cli import codes
from roofdsl.report.plot_labels import Box, place_labels
from roofdsl.report.plot_model import Point, short_names
from tests.commands import roofdsl

LAYER = ("plot", "gpt3", "--of", "layer", "--config", "gpt3_175b", "--machine", "h100_sxm")
MAGIC = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_the_same_plot_is_the_same_bytes(tmp_path: Path, form: str) -> None:
    first, second = tmp_path / f"a.{form}", tmp_path / f"b.{form}"
    for path in (first, second):
        assert roofdsl(*LAYER, "-o", str(path)).code == codes.FINE
    data = first.read_bytes()
    assert data.startswith(MAGIC[form])
    assert data == second.read_bytes()
    assert not re.search(rb"20\d\d-\d\d-\d\dT|CreationDate", data)


def test_roofs_ridge_and_kernels_are_named(tmp_path: Path) -> None:
    path = tmp_path / "layer.svg"
    roofdsl(*LAYER, "-o", str(path))
    comments = set(re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8")))
    assert {"contraction bf16 989.4 TFLOP/s", "hbm 3.35 TB/s", "ridge 295.3 FLOP/B", "special 3.9 TFLOP/s"} <= comments
    assert any("q, k, v" in comment for comment in comments)
    assert "bound by compute" in comments


def test_machines_and_configs_are_overlaid(tmp_path: Path) -> None:
    path = tmp_path / "two.svg"
    ran = roofdsl(
        "plot",
        "llama",
        "--config",
        "llama_3_8b",
        "--machine",
        "h100_sxm",
        "--also",
        "a100_80gb",
        "--also",
        "llama_2_7b",
        "-o",
        str(path),
    )
    assert ran.code == codes.FINE
    comments = set(re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8")))
    assert {"a100_80gb: ridge 156 FLOP/B", "h100_sxm: ridge 295.3 FLOP/B"} <= comments
    assert {"llama_3_8b · a100_80gb", "llama_2_7b · h100_sxm"} <= comments


@pytest.mark.parametrize(
    ("asked", "code"),
    [((*LAYER, "-o", "x.gif"), "E0826"), ((*LAYER[:-2], "-o", "x.svg"), "E0811"), ((*LAYER, "-o", "x"), "E0826")],
)
def test_slips_are_usage(asked: tuple[str, ...], code: str) -> None:
    ran = roofdsl(*asked)
    assert ran.code == codes.USAGE
    assert code in ran.err


def test_without_matplotlib_the_way_out_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roofdsl.report.plot_draw.find_spec", lambda _: None)
    ran = roofdsl(*LAYER, "-o", str(tmp_path / "x.svg"))
    assert ran.code == codes.USAGE
    assert "python -m pip install matplotlib" in ran.err


def test_without_matplotlib_nothing_else_is_complained_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """A size is missing, the ending is wrong and the model is unknown: none of it matters before the plotter is there."""
    monkeypatch.setattr("roofdsl.report.plot_draw.find_spec", lambda _: None)
    for asked in (("gpt3", "-o", "x.svg"), ("gpt3", "-o", "x.gif"), ("nothing", "-o", "x.svg")):
        ran = roofdsl("plot", *asked)
        assert (ran.code, ran.err.count("error[")) == (codes.USAGE, 1)
        assert "E0825" in ran.err


def test_names_do_not_cover_one_another() -> None:
    points = [Point(f"kernel number {n}", 1.0, 1.0, 0.1, "memory") for n in range(12)]
    centres = [(300.0 + 7 * n, 200.0 + 5 * n) for n in range(12)]
    frame = Box(0, 0, 900, 600)
    spots = place_labels(points, centres, [6.0] * 12, frame, 1.0)
    width, height = 5.0 * len("kernel number 1"), 10.5
    boxes = [Box(s[0], s[1] - height / 2, s[0] + width, s[1] + height / 2) for s in spots if s is not None]
    assert len(boxes) >= 10
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    assert all(box.within(frame) for box in boxes)


def test_names_are_as_short_as_they_can_be() -> None:
    found = short_names(["layer.attention.q", "layer.mlp.o", "layer.attention.o", "layer.y"])
    assert found == {
        "layer.attention.q": "q",
        "layer.mlp.o": "mlp.o",
        "layer.attention.o": "attention.o",
        "layer.y": "y",
    }
