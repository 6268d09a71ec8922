"""Where the names of points go: beside them, at the first place that covers no other name and no other point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

_HEIGHT = 10.5
_WIDTH = 5.0
_RINGS = (0.0, 14.0, 28.0, 46.0, 68.0, 94.0)


class Labelled(Protocol):
    """What has a name."""

    @property
    def label(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels."""

    left: float
    low: float
    right: float
    high: float

    def meets(self, other: Box) -> bool:
        """Whether two rectangles have area in common."""
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high

    def within(self, other: Box) -> bool:
        """Whether it lies inside another."""
        return (
            self.left >= other.left and self.right <= other.right and self.low >= other.low and self.high <= other.high
        )


def place_labels(
    points: Sequence[Labelled],
    centres: Sequence[tuple[float, float]],
    radii: Sequence[float],
    frame: Box,
    scale: float,
    obstacles: Sequence[Box] = (),
) -> list[tuple[float, float] | None]:
    """For each point the left middle of its name, in pixels; None where there is no room. Earlier points choose
    first; `obstacles` are to be left free.
    """
    taken = [*obstacles, *(Box(x - r, y - r, x + r, y + r) for (x, y), r in zip(centres, radii, strict=True))]
    found: list[tuple[float, float] | None] = []
    for point, centre, radius in zip(points, centres, radii, strict=True):
        width, height = _WIDTH * scale * len(point.label), _HEIGHT * scale
        spot = next(
            (b for b in _places(centre, radius, width, height, scale) if b.within(frame) and _free(b, taken)), None
        )
        if spot is not None:
            taken.append(spot)
        found.append(None if spot is None else (spot.left, (spot.low + spot.high) / 2))
    return found


def _free(box: Box, taken: Sequence[Box]) -> bool:
    return not any(box.meets(other) for other in taken)


def _places(centre: tuple[float, float], radius: float, width: float, height: float, scale: float) -> Iterator[Box]:
    """Right, left, above and below, then in wider rings."""
    x, y = centre
    for ring in _RINGS:
        away = radius + 3 * scale + ring * scale
        middles = (
            (x + away, y),
            (x - away - width, y),
            (x - width / 2, y + away + height / 2),
            (x - width / 2, y - away - height / 2),
            (x + away / 2, y + away),
            (x + away / 2, y - away),
            (x - away / 2 - width, y + away),
            (x - away / 2 - width, y - away),
        )
        for left, middle in middles:
            yield Box(left, middle - height / 2, left + width, middle + height / 2)
