"""A roofline plot drawn by matplotlib: log-log, all roofs, the ridge labelled, kernels sized by their share of the time.

Uses the Figure API, no global state, and settings under which the same plot is the same bytes each time.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from math import atan2, degrees
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roofdsl.diagnostics import fail
from roofdsl.errors.performance import NO_MATPLOTLIB, PLOT_FORMAT
from roofdsl.report.dot import LOOKS
from roofdsl.report.plot_labels import Box, place_labels
from roofdsl.source import Source, Span

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from roofdsl.report.plot_model import Point, Series, Slope

FORMATS = ("svg", "pdf", "png")
_MARKERS = ("o", "s", "D", "^", "v", "P", "X")
_LINES = ("#222222", "#00527f", "#a34700", "#00614a", "#7b3f7d", "#7a6500", "#444444")
_NO_DATES: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
_SETTINGS: Any = {
    "svg.hashsalt": "roofdsl",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
}
_CLOSE = 1.6
"""Ceilings within this factor are close together."""

_LARGEST, _LEAST = 420.0, 14.0
_DPI = 100


def plot_format(path: str) -> str:
    """The format an output's name asks for; E0826 for another ending."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending in FORMATS:
        return ending
    found = f"the ending .{ending}" if ending else "no ending"
    span = Span(Source("-o", path), 0, len(path))
    fail(PLOT_FORMAT, span, "the ending chooses the format", expected=".svg, .pdf or .png", found=found)


def check_matplotlib(span: Span) -> None:
    """E0825 without matplotlib, which is not installed with roofdsl itself."""
    if find_spec("matplotlib") is None:
        helps = ("python -m pip install matplotlib", 'or with roofdsl itself: pip install ".[plot]"')
        fail(NO_MATPLOTLIB, span, "matplotlib is not installed", helps=helps)


def draw_plot(series: Sequence[Series], title: str, form: str) -> bytes:
    """The picture in svg, pdf or png; E0825 without matplotlib."""
    check_matplotlib(Span(Source("-o", f".{form}"), 0, len(form) + 1))
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(9.5, 6.2), dpi=_DPI, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _frame(axes, series, title)
        for number, one in enumerate(series):
            _roofs(axes, one, number)
            _points(axes, one, _MARKERS[number % len(_MARKERS)])
        _legend(axes, series)
        figure.canvas.draw()
        _words(axes, series)
        _labels(axes, [point for one in series for point in one.points])
        out = io.BytesIO()
        figure.savefig(out, format=form, metadata=_NO_DATES[form])
    return out.getvalue()


def _frame(axes: Axes, series: Sequence[Series], title: str) -> None:
    """Log-log axes with some room around all points, ridges and roofs."""
    intensities = [p.intensity for s in series for p in s.points] + [s.ridge[0] for s in series if s.ridge[0]]
    rates = [p.rate for s in series for p in s.points] + [c.rate for s in series for c in s.ceilings]
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(min(intensities, default=1.0) / 4, max(intensities, default=100.0) * 8)
    axes.set_ylim(min(rates, default=1e9) / 4, max(rates, default=1e12) * 2.5)
    axes.set_xlabel("intensity (FLOP/byte)")
    axes.set_ylabel("attainable (FLOP/s)")
    axes.set_title(title, fontsize=10)
    axes.grid(visible=True, which="major", color="#e4e4e4", linewidth=0.6)


def _roofs(axes: Axes, one: Series, number: int) -> None:
    """Slopes and ceilings of one series, and its ridge."""
    colour = _LINES[number % len(_LINES)]
    left, right = axes.get_xlim()
    top = max((ceiling.rate for ceiling in one.ceilings), default=axes.get_ylim()[1])
    main = max((slope.rate for slope in one.slopes if slope.main), default=1.0)
    for slope in one.slopes:
        dashed: Any = "-" if slope.main else (0, (4, 3))
        ends = [left * slope.rate, top]
        axes.plot([left, top / slope.rate], ends, color=colour, linestyle=dashed, linewidth=1.6 if slope.main else 0.9)
    for ceiling in one.ceilings:
        solid = ceiling.kind == "contraction"
        dotted: Any = "-" if solid else (0, (1, 2))
        ends = [ceiling.rate / main, right]
        axes.plot(ends, [ceiling.rate] * 2, color=colour, linestyle=dotted, linewidth=1.6 if solid else 1.1)
    place, rate, words = one.ridge
    if words:
        axes.plot([place, place], [axes.get_ylim()[0], rate], color=colour, linestyle=(0, (1, 3)), linewidth=0.9)


def _words(axes: Axes, series: Sequence[Series]) -> None:
    """The labels of all roofs, once the axes have their place. Of two ceilings close together the lower is labelled below."""
    right, low = axes.get_xlim()[1], axes.get_ylim()[0]
    every = [ceiling.rate for one in series for ceiling in one.ceilings]
    for number, one in enumerate(series):
        colour = _LINES[number % len(_LINES)]
        prefix = f"{one.machine}: " if len(series) > 1 else ""
        for place, slope in enumerate(one.slopes):
            _along(axes, prefix + slope.label, slope, 2 * number + place, colour)
        for ceiling in one.ceilings:
            below = any(ceiling.rate < rate < _CLOSE * ceiling.rate for rate in every)
            offset = (-4, -10) if below else (-4, 3)
            _word(axes, prefix + ceiling.label, (right, ceiling.rate), offset, colour, ha="right")
        if one.ridge[2]:
            offset = (4, 6) if number % 2 == 0 else (-11, 6)
            _word(axes, prefix + one.ridge[2], (one.ridge[0], low), offset, colour, rotation=90)


def _along(axes: Axes, text: str, slope: Slope, number: int, colour: str) -> None:
    """A label along a slanted roof: under the main memory's, above others; each further up than the one before."""
    (left, _), (low, high) = axes.get_xlim(), axes.get_ylim()
    rate = low * (high / low) ** (0.05 + 0.09 * number)
    at = max(rate / slope.rate, 1.2 * left)
    (x, y), (x2, y2) = axes.transData.transform([(at, at * slope.rate), (2 * at, 2 * at * slope.rate)])
    angle = degrees(atan2(y2 - y, x2 - x))
    offset = (8, -4) if slope.main else (-3, 4)
    _word(axes, text, (at, at * slope.rate), offset, colour, rotation=angle, rotation_mode="anchor")


def _word(axes: Axes, text: str, at: tuple[float, float], offset: tuple[float, float], colour: str, **how: Any) -> None:
    axes.annotate(text, at, xytext=offset, textcoords="offset points", color=colour, fontsize=8, **how)


def _points(axes: Axes, one: Series, marker: str) -> None:
    looks = {look.word: look for look in LOOKS}
    for point in one.points:
        look = looks[point.bound]
        axes.scatter(
            [point.intensity],
            [point.rate],
            s=_area(point),
            marker=marker,
            facecolor=look.fill,
            edgecolor=look.border,
            linewidth=1.0,
            zorder=3,
        )


def _area(point: Point) -> float:
    return max(_LEAST, _LARGEST * point.share)


def _legend(axes: Axes, series: Sequence[Series]) -> None:
    """What colours and markers mean."""
    from matplotlib.lines import Line2D

    bounds = list(dict.fromkeys(point.bound for one in series for point in one.points))
    handles = [
        Line2D(
            [],
            [],
            marker="o",
            linestyle="",
            color=look.border,
            markerfacecolor=look.fill,
            label=f"bound by {look.word}",
        )
        for look in LOOKS
        if look.word in bounds
    ]
    if len(series) > 1:
        handles += [
            Line2D(
                [], [], marker=_MARKERS[n % len(_MARKERS)], linestyle="", color=_LINES[n % len(_LINES)], label=one.title
            )
            for n, one in enumerate(series)
        ]
    hidden = sum(one.hidden for one in series)
    note = (
        f"area: share of the time; {hidden} kernels without work or traffic are not shown"
        if hidden
        else "area: share of the time"
    )
    axes.legend(handles=handles, loc="upper left", fontsize=8, title=note, title_fontsize=8, framealpha=0.9)


def _labels(axes: Axes, points: Sequence[Point]) -> None:
    """Names beside their points, moved apart where they would cover one another."""
    scale = _DPI / 72
    centres = [tuple(axes.transData.transform((point.intensity, point.rate))) for point in points]
    radii = [scale * (_area(point) ** 0.5) / 2 for point in points]
    spots = place_labels(points, centres, radii, _box(axes), scale, _obstacles(axes))
    for point, centre, spot in zip(points, centres, spots, strict=True):
        if spot is None:
            continue
        dx, dy = ((spot[0] - centre[0]) / scale, (spot[1] - centre[1]) / scale)
        axes.annotate(
            point.label,
            (point.intensity, point.rate),
            xytext=(dx, dy),
            textcoords="offset points",
            fontsize=8,
            va="center",
            bbox={"boxstyle": "square,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.7},
            arrowprops={"arrowstyle": "-", "color": "#999999", "linewidth": 0.6}
            if max(abs(dx), abs(dy)) > 26
            else None,
            zorder=4,
        )


def _box(artist: Any) -> Box:
    extent = artist.get_window_extent()
    return Box(extent.x0, extent.y0, extent.x1, extent.y1)


def _obstacles(axes: Axes) -> list[Box]:
    """Labels of roofs and the legend; slanted ones as the squares along them."""
    legend = axes.get_legend()
    found = [] if legend is None else [_box(legend)]
    for text in axes.texts:
        box = _box(text)
        if text.get_rotation() in (0, 90):
            found.append(box)
            continue
        step = 12.0
        count = max(1, int((box.right - box.left) / step))
        across, up = (box.right - box.left) / count, (box.high - box.low) / count
        found += (
            Box(box.left + n * across, box.low + n * up, box.left + (n + 1) * across, box.low + (n + 1) * up)
            for n in range(count)
        )
    return found
