"""One line of the user's text as it is shown: tabs as blanks, wide characters counted, long lines cut around the marks."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

WIDEST = 116
TAB = 4


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown, for each mark the columns it covers there, and which marks lie outside it."""

    text: str
    marks: tuple[tuple[int, int], ...]
    hidden: tuple[bool, ...]


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
    hidden = tuple(start > last or end < first for start, end in marks)
    return Excerpt(text, tuple((columns[start], columns[end]) for start, end in inside), hidden)


def _window(line: str, marks: list[tuple[int, int]]) -> tuple[int, int]:
    """Which characters to show: all, or about as much before the first mark as after it."""
    if len(line) <= WIDEST and sum(_width(_cell(c)) for c in line) <= WIDEST:
        return 0, len(line)
    start, end = marks[0]
    half = (WIDEST - min(end - start, WIDEST // 2)) // 2
    first = _fill(line, range(start - 1, -1, -1), half)[0]
    first = start if first is None else first
    last, used = _fill(line, range(first, len(line)), WIDEST - 2)
    last = first if last is None else last + 1
    if last == len(line):
        more = _fill(line, range(first - 1, -1, -1), WIDEST - 2 - used)[0]
        first = first if more is None else more
    return first, max(last, min(start + 1, len(line)))


def _fill(line: str, positions: range, columns: int) -> tuple[int | None, int]:
    """The last of the positions that fits into so many columns with all before it, and the columns used."""
    reached, used = None, 0
    for position in positions:
        width = _width(_cell(line[position]))
        if used + width > columns:
            break
        reached, used = position, used + width
    return reached, used


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
