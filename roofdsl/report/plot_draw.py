"""A roofline plot drawn by matplotlib: log-log, all roofs, the ridge labelled, kernels sized by their share of the time.

Uses the Figure API, no global state, and settings under which the same plot is the same bytes each time.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from roofdsl.diagnostics import fail
from roofdsl.errors.performance import NO_MATPLOTLIB, PLOT_FORMAT
from roofdsl.report.dot import LOOKS
from roofdsl.report.plot_words import Looks, key_of, place_words, write_words
from roofdsl.source import Span, word

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from roofdsl.report.plot_model import Point, Series

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
_LARGEST, _LEAST = 420.0, 14.0
_DPI = 100
_WIDTH, _HEIGHT = 9.5, 6.2
_MARGIN, _LETTER = 0.35, 0.055
"""Inches: the plot, and of the strip beside it that explains numbers the margin and each letter of its longest line."""

_WIDEST = 58
"""Characters of a line there."""

_SMALLEST = 4.0
"""Points of its letters, however many lines there are."""


def plot_format(path: str) -> str:
    """The format an output's name asks for; E0826 for another ending."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending in FORMATS:
        return ending
    found = f"the ending .{ending}" if ending else "no ending"
    span = word(path, "-o")
    fail(PLOT_FORMAT, span, "the ending chooses the format", expected=".svg, .pdf or .png", found=found)


def check_matplotlib(span: Span) -> None:
    """E0825 without matplotlib, which is not installed with roofdsl itself."""
    if find_spec("matplotlib") is None:
        helps = ("python -m pip install matplotlib", 'or with roofdsl itself: pip install ".[plot]"')
        fail(NO_MATPLOTLIB, span, "matplotlib is not installed", helps=helps)


def draw_plot(series: Sequence[Series], title: str, form: str) -> bytes:
    """The picture in svg, pdf or png; E0825 without matplotlib."""
    check_matplotlib(word(f".{form}", "-o"))
    import matplotlib as mpl

    with mpl.rc_context(_SETTINGS):
        out = io.BytesIO()
        make_figure(series, title).savefig(out, format=form, metadata=_NO_DATES[form])
    return out.getvalue()


def make_figure(series: Sequence[Series], title: str) -> Figure:
    """The picture as a figure of matplotlib, every word at its place. Names that do not all fit near their points become
    numbers, explained beside the plot.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT), dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _frame(axes, series, title)
    machines = {one.machine: one for one in series}
    colours = {name: _LINES[number % len(_LINES)] for number, name in enumerate(machines)}
    for name, one in machines.items():
        _roofs(axes, one, colours[name])
    for number, one in enumerate(series):
        _points(axes, one, _MARKERS[number % len(_MARKERS)])
    _legend(axes, series, colours)
    scale = _DPI / 72
    radii = {id(point): scale * (_area(point) ** 0.5) / 2 for one in series for point in one.points}
    looks = Looks(colours, radii, scale)
    figure.canvas.draw()
    words = place_words(axes, series, looks, {})
    if words is None:
        key = key_of(series)
        _key(figure, axes, key)
        figure.canvas.draw()
        words = place_words(axes, series, looks, key)
    figure.set_layout_engine("none")
    write_words(axes, words or [], scale)
    return figure


def _key(figure: Figure, axes: Axes, key: Mapping[str, str]) -> None:
    """The names that numbers stand for, on a strip to the right of the plot."""
    lines = [line for name, number in key.items() for line in _broken(number, name)]
    strip = _MARGIN + _LETTER * max(len(line) for line in lines)
    figure.set_size_inches(_WIDTH + strip, _HEIGHT)
    engine: Any = figure.get_layout_engine()
    engine.set(rect=(0, 0, _WIDTH / (_WIDTH + strip), 1))
    size = min(7.0, max(_SMALLEST, 72 * 0.9 * _HEIGHT / (1.35 * len(lines))))
    text = axes.text(1.015, 1.0, "\n".join(lines), transform=axes.transAxes, fontsize=size, va="top", linespacing=1.25)
    text.set_in_layout(False)


def _broken(number: str, name: str) -> list[str]:
    """A long list of names over several lines."""
    return wrap(f"{number}  {name}", _WIDEST, subsequent_indent="      ", break_long_words=False)


def _frame(axes: Axes, series: Sequence[Series], title: str) -> None:
    """Log-log axes with some room around all points, ridges and roofs."""
    intensities = [p.intensity for s in series for p in s.points] + [s.ridge[0] for s in series if s.ridge[0]]
    rates = [p.rate for s in series for p in s.points] + [c.rate for s in series for c in s.ceilings]
    axes.set_xscale("log")
    axes.set_yscale("log")
    room = (
        40 if len({one.machine for one in series}) == 1 else 250
    )  # for the names of roofs, with those of their machines
    axes.set_xlim(min(intensities, default=1.0) / 4, max(intensities, default=100.0) * room)
    axes.set_ylim(min(rates, default=1e9) / 4, max(rates, default=1e12) * 2.5)
    axes.set_xlabel("intensity (FLOP/byte)")
    axes.set_ylabel("attainable (FLOP/s)")
    axes.set_title(title, fontsize=10)
    axes.grid(visible=True, which="major", color="#e4e4e4", linewidth=0.6)


def _roofs(axes: Axes, one: Series, colour: str) -> None:
    """Slopes and ceilings of one machine, and its ridge."""
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


def _legend(axes: Axes, series: Sequence[Series], colours: Mapping[str, str]) -> None:
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
                [], [], marker=_MARKERS[n % len(_MARKERS)], linestyle="", color=colours[one.machine], label=one.title
            )
            for n, one in enumerate(series)
        ]
    hidden = sum(one.hidden for one in series)
    left_out = f"; {hidden} kernel{'s' if hidden > 1 else ''} without work or traffic not shown" if hidden else ""
    note = f"area: share of the time{left_out}"
    axes.legend(handles=handles, loc="upper left", fontsize=8, title=note, title_fontsize=8, framealpha=0.9)
