"""Tables cut to a width: cells of text over several lines, and where that is not enough the columns in blocks.

Numbers are never broken. A block repeats the first column, which says what its rows are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from roofdsl.report.table import Column, Table

GAP = 2
"""Blanks between columns."""

_LEAST_WIDE, _LEAST = 28, 14
"""Columns of prose, and other columns of words, are broken down to this, not further."""

_BLANK, _MARK = re.compile(r"(?<= )"), re.compile(r"(?<=[,./·:_])")


def display_width(text: str) -> int:
    """Columns a terminal gives the text: wide characters two, combining marks none."""
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def natural_widths(table: Table) -> list[int]:
    """What each column needs on one line."""
    return [
        max(display_width(column.title), *(display_width(row[k].text) for row in table.rows), 0)
        for k, column in enumerate(table.columns)
    ]


def column_widths(table: Table, limit: int, *, words: bool) -> list[int]:
    """The widths of columns in so many characters, as far as that is possible: prose gives way first, then with `words`
    every column that stands left.
    """
    widths = natural_widths(table)
    for least, gives in ((_LEAST_WIDE, _is_prose), (_LEAST, _is_words)):
        if gives is _is_words and not words:
            break
        columns = [k for k, column in enumerate(table.columns) if gives(column)]
        while (over := sum(widths) + GAP * (len(widths) - 1) - limit) > 0:
            widest = max((k for k in columns if widths[k] > least), key=lambda k: widths[k], default=None)
            if widest is None:
                break
            rest = max((widths[k] for k in columns if k != widest), default=least)
            step = widths[widest] - max(rest, least)
            widths[widest] -= min(over, step if step > 0 else 1)
    return widths


def _is_prose(column: Column) -> bool:
    return column.wide


def _is_words(column: Column) -> bool:
    return column.align == "left"


def blocks(table: Table, limit: int) -> tuple[Table, ...]:
    """The table in as many blocks of columns as it takes; title, notes and footer stand once."""
    widths = column_widths(table, limit, words=True)
    if sum(widths) + GAP * (len(widths) - 1) <= limit or len(widths) < 3:
        return (table,)
    groups: list[list[int]] = [[]]
    room = limit - widths[0]
    left = room
    for k in range(1, len(widths)):
        if groups[-1] and left < GAP + widths[k]:
            groups.append([])
            left = room
        groups[-1].append(k)
        left -= GAP + widths[k]
    last = len(groups) - 1
    return tuple(_block(table, group, first=n == 0, last=n == last) for n, group in enumerate(groups))


def _block(table: Table, group: Sequence[int], *, first: bool, last: bool) -> Table:
    kept = (0, *group)
    return replace(
        table,
        title=table.title if first else "",
        columns=tuple(table.columns[k] for k in kept),
        rows=tuple(tuple(row[k] for k in kept) for row in table.rows),
        notes=table.notes if last else (),
        footer=table.footer if last else "",
    )


def broken(text: str, width: int) -> list[str]:
    """A text over lines of a width: broken at blanks, within a long word after marks, anywhere only where nothing helps."""
    lines = [""]
    for word in _BLANK.split(text):
        pieces = [word] if display_width(word.rstrip()) <= width else _MARK.split(word)
        for piece in pieces:
            _append(lines, piece, width)
    return [line.rstrip() for line in lines if line.strip()] or [""]


def _append(lines: list[str], piece: str, width: int) -> None:
    """Add a piece to the last line, or to new ones."""
    rest = piece
    if lines[-1] and display_width(lines[-1] + rest.rstrip()) > width:
        lines.append("")
    while display_width(rest.rstrip()) > width:
        end = next(n for n in range(len(rest), 0, -1) if n == 1 or display_width(rest[:n]) <= width)
        lines[-1], rest = rest[:end], rest[end:]
        lines.append("")
    lines[-1] += rest
