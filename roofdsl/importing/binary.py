"""Reads binary heads with every length checked: what is asked for must be there, and the whole head is bounded."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

from roofdsl.diagnostics import Kind, fail
from roofdsl.errors.importing import OUT_OF_BOUNDS
from roofdsl.importing.bounds import BOUNDS, Bounds
from roofdsl.source import Span


@dataclass(slots=True)
class Head:
    """A stream that is read from its beginning. `kind` is the diagnostic for what the format does not allow."""

    stream: BinaryIO
    size: int
    kind: Kind
    place: Span
    bounds: Bounds = BOUNDS
    at: int = 0

    def take(self, count: int, what: str) -> bytes:
        """The next bytes; a file too short for them, or a head beyond its bound, is a diagnostic."""
        if count > self.size - self.at:
            self.complain(f"the file ends in {what}", f"{count:,} bytes from byte {self.at:,}", f"{self.size:,} in all")
        if self.at + count > self.bounds.head_bytes:
            self.bound(f"the head is too long ({what})", f"at most {self.bounds.head_bytes:,} bytes")
        data = self.stream.read(count)
        if len(data) != count:
            self.complain(f"the file ends in {what}", f"{count:,} bytes from byte {self.at:,}", "fewer")
        self.at += count
        return data

    def skip(self, count: int, what: str) -> None:
        """Go over bytes nobody needs, a bounded piece at a time."""
        while count > 0:
            piece = min(count, 1 << 20)
            self.take(piece, what)
            count -= piece

    def number(self, form: str, what: str) -> int | float | bool:
        """One little-endian number of a `struct` form."""
        layout = struct.Struct("<" + form)
        value: int | float | bool = layout.unpack(self.take(layout.size, what))[0]
        return value

    def count(self, form: str, what: str, most: int) -> int:
        """A number of things, at most so many."""
        value = int(self.number(form, what))
        if value > most:
            self.bound(f"{value:,} {what}", f"at most {most:,}")
        return value

    def complain(self, text: str, expected: str | None = None, found: str | None = None) -> None:
        """A fault of the format."""
        fail(self.kind, self.place, text, expected=expected, found=found)

    def bound(self, text: str, expected: str) -> None:
        """Beyond a bound."""
        fail(OUT_OF_BOUNDS, self.place, text, expected=expected)
