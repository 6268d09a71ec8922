"""Where the words of a plot go: at the first place that covers no other word and no marker, and few lines.

Places are rectangles in pixels, turned where a word follows a slanted roof. Two meet unless some edge separates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin

Pixel = tuple[float, float]

_RINGS = (0.0, 3.0, 7.0, 12.0, 18.0, 25.0, 34.0, 46.0, 62.0, 84.0, 112.0, 150.0, 200.0)
"""How much further out each round of places is, in points."""

_NEAR = 7
"""The rings in which a name stands beside its point for the eye."""

_CROSSED = 12.0
"""What crossing a line costs, in points of distance."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, or a line of two corners, in pixels: its corners in order."""

    corners: tuple[Pixel, ...]
    left: float = field(init=False, compare=False, repr=False)
    right: float = field(init=False, compare=False, repr=False)
    low: float = field(init=False, compare=False, repr=False)
    high: float = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """The extremes, once: every pair of boxes is compared by them."""
        across, up = ([corner[axis] for corner in self.corners] for axis in (0, 1))
        for name, value in (("left", min(across)), ("right", max(across)), ("low", min(up)), ("high", max(up))):
            object.__setattr__(self, name, value)

    def within(self, other: Box) -> bool:
        """Whether it lies inside an upright rectangle."""
        return (
            self.left >= other.left and self.right <= other.right and self.low >= other.low and self.high <= other.high
        )

    def meets(self, other: Box) -> bool:
        """Whether two have area in common: no edge of either separates them."""
        if self.left >= other.right or other.left >= self.right or self.low >= other.high or other.low >= self.high:
            return False
        return not any(_apart(self, other, normal) for box in (self, other) for normal in _normals(box))


def upright(left: float, low: float, right: float, high: float) -> Box:
    """A rectangle along the axes."""
    return Box(((left, low), (right, low), (right, high), (left, high)))


def turned(anchor: Pixel, width: float, height: float, angle: float) -> Box:
    """The rectangle of a word whose left middle is the anchor, turned about it by an angle in degrees."""
    c, s = cos(radians(angle)), sin(radians(angle))
    half = height / 2
    flat = ((0.0, -half), (width, -half), (width, half), (0.0, half))
    return Box(tuple((anchor[0] + x * c - y * s, anchor[1] + x * s + y * c) for x, y in flat))


def _normals(box: Box) -> Iterator[Pixel]:
    for (x, y), (x2, y2) in pairwise((*box.corners, box.corners[0])):
        yield (y - y2, x2 - x)


def _apart(one: Box, other: Box, normal: Pixel) -> bool:
    first = [x * normal[0] + y * normal[1] for x, y in one.corners]
    second = [x * normal[0] + y * normal[1] for x, y in other.corners]
    return max(first) <= min(second) or max(second) <= min(first)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a word: where its left middle goes, by what angle it is turned, how far it is from what it names."""

    anchor: Pixel
    box: Box
    angle: float = 0.0
    far: float = 0.0


@dataclass(frozen=True, slots=True)
class Field:
    """What is there already: words stay inside the frame, off what is taken, and off lines where they can."""

    frame: Box
    taken: tuple[Box, ...]
    lines: tuple[Box, ...]

    def choose(self, spots: Iterable[Spot]) -> Spot | None:
        """The best free place: near, and across few lines; None where none is free."""
        best: tuple[float, Spot] | None = None
        for spot in spots:
            if best is not None and spot.far >= best[0]:
                continue
            if not spot.box.within(self.frame) or any(spot.box.meets(box) for box in self.taken):
                continue
            crossed = sum(spot.box.meets(line) for line in self.lines)
            score = spot.far + _CROSSED * crossed
            if best is None or score < best[0]:
                best = (score, spot)
        return None if best is None else best[1]

    def having(self, spot: Spot) -> Field:
        """With a word there."""
        return Field(self.frame, (*self.taken, spot.box), self.lines)


def beside(centre: Pixel, radius: float, size: Pixel, scale: float, *, near: bool = False) -> Iterator[Spot]:
    """Places around a point: right, left, above and below, then in wider rings; only the nearest where asked."""
    x, y = centre
    width, height = size
    for ring in _RINGS[: _NEAR if near else None]:
        away = radius + (3 + ring) * scale
        across = away / 2
        middles = (
            (x + away, y),
            (x - away - width, y),
            (x - width / 2, y + away + height / 2),
            (x - width / 2, y - away - height / 2),
            (x + across, y + away),
            (x + across, y - away),
            (x - across - width, y + away),
            (x - across - width, y - away),
        )
        for anchor in middles:
            yield Spot(anchor, turned(anchor, width, height, 0.0), 0.0, ring)


def along(start: Pixel, end: Pixel, size: Pixel, gap: float, shares: Sequence[float], *, below: bool) -> Iterator[Spot]:
    """Places along a line, on either side of it, the wanted side first; `shares` are where on it the word begins."""
    (x, y), (x2, y2) = start, end
    length = hypot(x2 - x, y2 - y)
    if not length:
        return
    angle = degrees(atan2(y2 - y, x2 - x))
    up = (-(y2 - y) / length, (x2 - x) / length)
    off = gap + size[1] / 2
    for number, share in enumerate(shares):
        for side in (-1, 1) if below else (1, -1):
            anchor = (x + share * (x2 - x) + side * off * up[0], y + share * (y2 - y) + side * off * up[1])
            yield Spot(anchor, turned(anchor, *size, angle), angle, number + (0.5 if (side < 0) != below else 0.0))
