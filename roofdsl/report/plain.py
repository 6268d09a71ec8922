"""Tables as plain text: what goes into a pipe, a log or a golden file. Stable, without colour, no trailing blanks."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from itertools import zip_longest

from roofdsl.report.table import Align, Cell, Column, Table
from roofdsl.report.table_fit import blocks, broken, column_widths, display_width

__all__ = ["PIPE", "display_width", "one_line", "render_plain"]

PIPE = 120
"""Characters that prose keeps to where no terminal says how wide it is; numbers and names stay whole there."""


def render_plain(table: Table, width: int | None = None) -> str:
    """The table as aligned columns, two blanks apart, with its notes and footer. With the width of a terminal words are
    broken over lines too, and columns that do not fit follow in a block of their own.
    """
    flat = _flat(table)
    parts = (flat,) if width is None else blocks(flat, width)
    texts = [_part(part, width) for part in parts]
    return "\n".join(texts)


def _part(table: Table, width: int | None) -> str:
    widths = column_widths(table, PIPE if width is None else width, words=width is not None)
    aligns = [column.align for column in table.columns]
    lines = [table.title] if table.title else []
    if table.columns:
        lines += _row([column.title for column in table.columns], widths, aligns)
        lines.append("  ".join("-" * width for width in widths))
        for row in table.rows:
            lines += _row([cell.text for cell in row], widths, aligns)
    lines += [f"note: {note}" for note in table.notes]
    if table.footer:
        lines.append(f"[{table.footer}]")
    return "\n".join(lines) + "\n"


def _row(texts: list[str], widths: list[int], aligns: list[Align]) -> list[str]:
    """A row, over as many lines as its longest cell takes."""
    cells = [
        broken(text, width) if display_width(text) > width else [text]
        for text, width in zip(texts, widths, strict=True)
    ]
    return ["  ".join(map(_pad, line, widths, aligns)).rstrip() for line in zip_longest(*cells, fillvalue="")]


def _pad(text: str, width: int, align: Align) -> str:
    room = width - display_width(text)
    match align:
        case "left":
            return text + " " * room
        case "right":
            return " " * room + text
        case "centre":
            return " " * (room // 2) + text + " " * (room - room // 2)


def _flat(table: Table) -> Table:
    """Every text on one line."""
    return replace(
        table,
        title=one_line(table.title),
        columns=tuple(Column(one_line(c.title), c.align, c.wide) for c in table.columns),
        rows=tuple(tuple(Cell(one_line(cell.text)) for cell in row) for row in table.rows),
        notes=tuple(one_line(note) for note in table.notes),
        footer=one_line(table.footer),
    )


def one_line(text: str) -> str:
    """Control characters would move the cursor of whoever reads the pipe; line ends would break the row."""
    return "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} else c for c in text)
