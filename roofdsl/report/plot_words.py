"""The words on a roofline plot: what each says, how large it is, and where it may stand.

Roofs and ridges are labelled along their lines, points by their names, or where these do not all fit by numbers that a key explains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from roofdsl.report.plot_labels import Box, Field, Pixel, Spot, along, beside, upright

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from roofdsl.report.plot_model import Series, Slope

SIZE = 8
"""Points of all words on the plot."""

_ALONG = tuple(n / 40 for n in range(1, 40))
_FAR_POINT = 12
"""From so many points' distance on a line leads from a name to its point."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word at its place: `at` is what it belongs to, in data; `led` if a line leads there."""

    text: str
    at: tuple[float, float]
    spot: Spot
    colour: str
    led: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Looks:
    """How series are drawn: the colour of each machine's lines, the radius of a point in pixels."""

    colours: Mapping[str, str]
    radii: Mapping[int, float]
    scale: float


def key_of(series: Sequence[Series]) -> dict[str, str]:
    """A number for every name of points, those that take longest first; the same name in several series has one."""
    points = sorted((point for one in series for point in one.points), key=lambda point: -point.share)
    names = dict.fromkeys(point.label for point in points)
    return {name: str(number) for number, name in enumerate(names, 1)}


def place_words(axes: Axes, series: Sequence[Series], looks: Looks, key: Mapping[str, str]) -> list[Word] | None:
    """All words, none over another; None if not every name has room near its point and there is no key."""
    points = [point for one in series for point in one.points]
    centres: list[Pixel] = [_pixel(axes, point.intensity, point.rate) for point in points]
    field = _field(axes, centres, [looks.radii[id(point)] for point in points])
    words, field = _roof_words(axes, series, looks, field)
    for point, centre in zip(points, centres, strict=True):
        text = key.get(point.label, point.label)
        near = not key
        spot = field.choose(beside(centre, looks.radii[id(point)], _size(axes, text), looks.scale, near=near))
        if spot is None and near:
            return None
        if spot is None:
            continue
        field = field.having(spot)
        words.append(
            Word(text, (point.intensity, point.rate), spot, "#000000", _is_far(spot, centre, looks), named=True)
        )
    return words


def _is_far(spot: Spot, centre: Pixel, looks: Looks) -> bool:
    box = spot.box
    dx = max(box.left - centre[0], centre[0] - box.right, 0.0)
    dy = max(box.low - centre[1], centre[1] - box.high, 0.0)
    return max(dx, dy) > _FAR_POINT * looks.scale


def _field(axes: Axes, centres: Sequence[Pixel], radii: Sequence[float]) -> Field:
    """The frame, the legend and all markers, and the lines of all roofs."""
    frame, legend = axes.get_window_extent(), axes.get_legend()
    taken = [upright(x - r, y - r, x + r, y + r) for (x, y), r in zip(centres, radii, strict=True)]
    if legend is not None:
        extent = legend.get_window_extent()
        taken.append(upright(extent.x0, extent.y0, extent.x1, extent.y1))
    lines = [Box((_pixel(axes, *start), _pixel(axes, *end))) for start, end in _lines(axes)]
    return Field(upright(frame.x0 + 2, frame.y0 + 2, frame.x1 - 2, frame.y1 - 2), tuple(taken), tuple(lines))


def _lines(axes: Axes) -> Iterator[tuple[Pixel, Pixel]]:
    for line in axes.lines:
        xs, ys = (tuple(map(float, values)) for values in (line.get_xdata(), line.get_ydata()))  # type: ignore[arg-type]
        if len(xs) == 2:
            yield (xs[0], ys[0]), (xs[1], ys[1])


def _roof_words(axes: Axes, series: Sequence[Series], looks: Looks, field: Field) -> tuple[list[Word], Field]:
    """The labels of ridges, ceilings and slopes, those of one machine once."""
    several = len({one.machine for one in series}) > 1
    words: list[Word] = []
    for one in {one.machine: one for one in series}.values():
        prefix = f"{one.machine}: " if several else ""
        colour = looks.colours[one.machine]
        for text, at, spots in _roof_places(axes, one, prefix, looks.scale):
            spot = field.choose(spots)
            led = spot is None
            if spot is None:
                spot = field.choose(beside(_pixel(axes, *at), 0.0, _size(axes, text), looks.scale))
            if spot is not None:
                field = field.having(spot)
                words.append(Word(text, at, spot, colour, led))
    return words, field


def _roof_places(
    axes: Axes, one: Series, prefix: str, scale: float
) -> Iterator[tuple[str, tuple[float, float], Iterator[Spot]]]:
    """Each label, what it belongs to, and the places it may have: ridges from below, ceilings from the right."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    gap = 2 * scale
    if one.ridge[2]:
        place, rate, text = one.ridge[0], one.ridge[1], prefix + one.ridge[2]
        ends = _pixel(axes, place, low), _pixel(axes, place, rate)
        yield text, (place, low), along(*ends, _size(axes, text), gap, (0.01, *_ALONG), below=True)
    for ceiling in one.ceilings:
        text = prefix + ceiling.label
        size = _size(axes, text)
        start, end = _pixel(axes, left, ceiling.rate), _pixel(axes, right, ceiling.rate)
        last = 1 - (size[0] + 4 * scale) / (end[0] - start[0])
        shares = [last * (1 - step) for step in (0.0, *_ALONG)]
        yield text, (right, ceiling.rate), along(start, end, size, gap, shares, below=False)
    for slope in one.slopes:
        text = prefix + slope.label
        first, top = _ends(slope, left, low, high)
        ends = _pixel(axes, *first), _pixel(axes, *top)
        yield text, first, along(*ends, _size(axes, text), gap, _ALONG, below=slope.main)


def _ends(slope: Slope, left: float, low: float, high: float) -> tuple[Pixel, Pixel]:
    """Where a slanted roof enters and leaves the frame."""
    start = max(left, low / slope.rate)
    return (start, start * slope.rate), (high / slope.rate, high)


def _pixel(axes: Axes, x: float, y: float) -> Pixel:
    found = axes.transData.transform((x, y))
    return float(found[0]), float(found[1])


def _size(axes: Axes, text: str) -> Pixel:
    """Width and height of a word in pixels, as it will be drawn, with a little room around it."""
    from matplotlib.transforms import IdentityTransform

    drawn = axes.text(0, 0, text, fontsize=SIZE, transform=IdentityTransform())
    extent = drawn.get_window_extent()
    drawn.remove()
    return extent.width + 3, extent.height + 1


def write_words(axes: Axes, words: Sequence[Word], scale: float) -> None:
    """Draw words at their places, as offsets from what they name, so that every format has them there."""
    for word in words:
        home = _pixel(axes, *word.at)
        offset = tuple((there - here) / scale for there, here in zip(word.spot.anchor, home, strict=True))
        how: dict[str, Any] = {}
        if word.named:
            how["bbox"] = {"boxstyle": "square,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.7}
        if word.led:
            how["arrowprops"] = {"arrowstyle": "-", "color": "#999999", "linewidth": 0.6}
        axes.annotate(
            word.text,
            word.at,
            xytext=offset,  # type: ignore[arg-type]
            textcoords="offset points",
            color=word.colour,
            fontsize=SIZE,
            ha="left",
            va="center",
            rotation=word.spot.angle,
            rotation_mode="anchor",
            zorder=4,
            **how,
        ).set_in_layout(False)
