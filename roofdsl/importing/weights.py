"""What a weights file says of its tensors, whichever format it has: names, shapes and formats; never their values."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True)
class Stored:
    """A tensor of a file: its number format by the file's own name for it."""

    name: str
    format: str
    shape: tuple[int, ...]

    @property
    def elements(self) -> int:
        """How many numbers it holds."""
        return prod(self.shape)
