"""Roofline plots: what is on them, that names do not cover one another, and that the same plot is the same bytes."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text

import roofdsl as rd
from roofdsl.cli import codes
from roofdsl.report.plot_draw import make_figure
from roofdsl.report.plot_labels import Box, Field, beside, turned, upright
from roofdsl.report.plot_model import short_names
from roofdsl.report.plot_words import key_of
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


def turned_box(text: Any, renderer: Any) -> Box:
    """What the renderer says a word covers: its flat extent, turned about its anchor."""
    angle = text.get_rotation()
    if not angle:
        extent = Text.get_window_extent(text, renderer)
        return upright(extent.x0, extent.y0, extent.x1, extent.y1)
    text.update_positions(renderer)
    anchor = text.get_transform().transform((text._x, text._y))
    text.set_rotation(0)
    extent = Text.get_window_extent(text, renderer)
    text.set_rotation(angle)
    return turned((anchor[0], anchor[1]), extent.width, extent.height, angle)


BUSY = [
    ("gpt3", ("layer",), {"config": "gpt3_175b", "machine": "h100_sxm", "phase": "train"}),
    ("gpt3", ("layer",), {"config": "gpt3_175b", "machine": "h100_sxm", "also": ("a100_80gb", "b200", "tpu_v5p")}),
    ("llama", (), {"config": "llama_3_8b", "machine": "h100_sxm", "also": ("a100_80gb", "mi300x", "llama_2_7b")}),
    ("deepseek_v3", (), {"config": "deepseek_v3", "machine": "h100_sxm", "phase": "train"}),
    ("llama", (), {"config": "llama_3_8b", "machine": "rtx_4090", "phase": "infer", "s": 1, "t": 8192}),
]


@pytest.mark.parametrize(("model", "of", "asked"), BUSY, ids=str)
def test_no_word_covers_another_or_a_marker(model: str, of: tuple[str, ...], asked: dict[str, Any]) -> None:
    plot = rd.load(model).plot(*of, **asked)
    figure = make_figure(plot.series, plot.title)
    (axes,) = figure.axes
    renderer = figure.canvas.get_renderer()
    figure.canvas.draw()
    words = [(text.get_text(), turned_box(text, renderer)) for text in axes.texts]
    legend = axes.get_legend().get_window_extent()
    words.append(("the legend", upright(legend.x0, legend.y0, legend.x1, legend.y1)))
    over = [(one, other) for (one, box), (other, there) in combinations(words, 2) if box.meets(there)]
    assert over == []
    centres = [axes.transData.transform((p.intensity, p.rate)) for one in plot.series for p in one.points]
    markers = [upright(x - 1, y - 1, x + 1, y + 1) for x, y in centres]
    assert [text for text, box in words for marker in markers if box.meets(marker)] == []
    every = axes.get_figure().bbox
    assert all(box.within(upright(every.x0, every.y0, every.x1, every.y1)) for _, box in words)


@pytest.mark.parametrize(("model", "of", "asked"), BUSY, ids=str)
def test_every_roof_ridge_and_kernel_is_named(model: str, of: tuple[str, ...], asked: dict[str, Any]) -> None:
    plot = rd.load(model).plot(*of, **asked)
    (axes,) = make_figure(plot.series, plot.title).axes
    written = [text.get_text() for text in axes.texts]
    machines = {one.machine: one for one in plot.series}
    prefix = "{}: " if len(machines) > 1 else ""
    for name, one in machines.items():
        for label in (one.ridge[2], *(c.label for c in one.ceilings), *(s.label for s in one.slopes)):
            assert prefix.format(name) + label in written
    names = [point.label for one in plot.series for point in one.points]
    key = key_of(plot.series)
    assert [sorted(names)] == [sorted(w for w in written if w in names)] or all(
        written.count(number) == names.count(name) for name, number in key.items()
    )


def test_boxes_turned_and_upright_meet_where_they_share_area() -> None:
    flat = upright(0, 0, 10, 10)
    assert flat.meets(turned((5, 5), 20, 2, 45))
    assert not flat.meets(turned((12, 0), 20, 2, 45))
    assert not flat.meets(upright(10, 0, 20, 10))
    assert Box(((-5, -5), (5, 5))).meets(flat)
    assert not Box(((0, 12), (12, 24))).meets(flat)


def test_a_name_keeps_off_lines_where_it_can() -> None:
    line = Box(((0.0, 100.0), (400.0, 100.0)))
    field = Field(upright(0, 0, 400, 300), (upright(190, 90, 210, 110),), (line,))
    spot = field.choose(beside((200, 100), 10, (60, 12), 1.0))
    assert spot is not None
    assert not spot.box.meets(line)
    assert field.having(spot).choose([spot]) is None


def test_names_are_as_short_as_they_can_be() -> None:
    found = short_names(["layer.attention.q", "layer.mlp.o", "layer.attention.o", "layer.y"])
    assert found == {
        "layer.attention.q": "q",
        "layer.mlp.o": "mlp.o",
        "layer.attention.o": "attention.o",
        "layer.y": "y",
    }
