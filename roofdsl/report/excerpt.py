"""One line of the user's text as it is shown: tabs as blanks, wide characters counted, long lines cut around the marks."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

WIDEST = 116
TAB = 4


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown, and for each mark the columns it covers there."""

    text: str
    marks: tuple[tuple[int, int], ...]


def excerpt(line: str, marks: list[tuple[int, int]]) -> Excerpt:
    """The line with its marks (characters from 0), at most `WIDEST` columns and with the first mark in sight."""
    first, last = _window(line, marks)
    cells = [_cell(character) for character in line[first:last]]
    lead = "…" if first > 0 else ""
    columns = [len(lead)]
    for cell in cells:
        columns.append(columns[-1] + _width(cell))
    text = lead + "".join(cells) + ("…" if last < len(line) else "")
    inside = [(_clip(start - first, len(cells)), _clip(end - first, len(cells))) for start, end in marks]
    return Excerpt(text, tuple((columns[start], columns[end]) for start, end in inside))


def _window(line: str, marks: list[tuple[int, int]]) -> tuple[int, int]:
    """Which characters to show."""
    if sum(_width(_cell(c)) for c in line[: WIDEST + 1]) <= WIDEST and len(line) <= WIDEST:
        return 0, len(line)
    start, end = marks[0]
    length = min(end - start, WIDEST // 2)
    first = max(0, min(start - (WIDEST - length) // 2, len(line) - WIDEST))
    last, used = first, 0
    while last < len(line) and used + _width(_cell(line[last])) <= WIDEST - 2:
        used += _width(_cell(line[last]))
        last += 1
    return first, max(last, min(start + 1, len(line)))


def _clip(position: int, length: int) -> int:
    return max(0, min(position, length))


def _cell(character: str) -> str:
    if character == "\t":
        return " " * TAB
    if character.isprintable() or unicodedata.combining(character):
        return character
    return "\N{REPLACEMENT CHARACTER}"


def _width(cell: str) -> int:
    """Columns a terminal gives: wide characters two, combining marks none."""
    if len(cell) != 1:
        return len(cell)
    if unicodedata.combining(cell):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in "WF" else 1
