"""What a time assumes beyond ideal roofs, as its asker says: launches, overlap, efficiencies, tiles.

Each changes the convention that is in force for a quantity; what is not said stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofdsl.quantities.conventions import Convention, Efficiency, Overhead, Overlap, Tile


@dataclass(frozen=True, slots=True)
class Assumptions:
    """None or empty: as the convention says."""

    overhead: Overhead | None = None
    overlap: Overlap | None = None
    efficiencies: tuple[Efficiency, ...] = ()
    tile: Tile | None = None

    def applied(self, convention: Convention) -> Convention:
        """The convention with these assumptions, which its name then says."""
        if self == NONE:
            return convention
        return replace(
            convention,
            name=f"{convention.name} with options",
            overhead=self.overhead or convention.overhead,
            overlap=self.overlap or convention.overlap,
            efficiencies=(*convention.efficiencies, *self.efficiencies),
            tile=self.tile or convention.tile,
        )


NONE = Assumptions()
