"""Text and positions. A span is two character offsets; line and column are computed only when printed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Source:
    """A named piece of text: a file, standard input, or an argument of the command line."""

    name: str
    text: str = field(repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def line(self, number: int) -> str:
        """The text of a line, numbered from 1, without its end."""
        return self.text.split("\n")[number - 1].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` (included) to `end` (excluded) of a source."""

    source: Source
    start: int
    end: int

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError(f"span runs backwards: {self.start}..{self.end}")

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The smallest span holding both; they must be of one source."""
        if other.source is not self.source:
            raise ValueError("spans of two sources cannot be joined")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


def word(text: str, what: str) -> Span:
    """The place of a word that was typed: an argument of the command line or of a call, `what` says which."""
    return Span(Source(what, text), 0, len(text))


NOWHERE = Span(Source("<built in>", ""), 0, 0)
