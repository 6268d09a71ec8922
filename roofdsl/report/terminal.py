"""Tables for a terminal, through rich where it is installed. Cells are never read as rich markup."""

from __future__ import annotations

import os
from typing import TextIO

from roofdsl.report.plain import render_plain
from roofdsl.report.table import Align, Table

_LEAST_WIDTH = 12
"""Columns are folded down to this, not further."""

_JUSTIFY: dict[Align, str] = {"left": "left", "right": "right", "centre": "center"}


def write_table(table: Table, stream: TextIO) -> None:
    """Write the table to a stream: with colour and rules on a terminal, plain text in a pipe."""
    if not _wants_rich(stream) or not _write_rich(table, stream):
        stream.write(render_plain(table))


def _wants_rich(stream: TextIO) -> bool:
    """NO_COLOR asks for no colour only; rich itself honours it and keeps the rules. A dumb terminal gets plain text."""
    return stream.isatty() and os.environ.get("TERM", "") not in {"dumb", ""}


def _write_rich(table: Table, stream: TextIO) -> bool:
    """Whether rich is installed, the table fits without columns of single letters, and it has been written."""
    try:
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text
    except ImportError:
        return False
    console = Console(file=stream, highlight=False)
    least = [min(width, _LEAST_WIDTH) for width in _widths(table)]
    if sum(least) + 2 * len(least) > console.width:
        return False
    drawn = RichTable(
        title=Text(table.title) if table.title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        header_style="bold",
        pad_edge=False,
    )
    for column, width in zip(table.columns, least, strict=True):
        justify = _JUSTIFY[column.align]
        drawn.add_column(Text(column.title), justify=justify, overflow="fold", min_width=width)  # type: ignore[arg-type]
    for row in table.rows:
        drawn.add_row(*(Text(cell.text) for cell in row))
    console.print(drawn)
    for note in table.notes:
        console.print(Text(f"note: {note}"))
    if table.footer:
        console.print(Text(f"[{table.footer}]", style="dim"))
    return True


def _widths(table: Table) -> list[int]:
    """The characters of the widest cell of each column."""
    return [
        max(len(column.title), *(len(row[k].text) for row in table.rows), 0) for k, column in enumerate(table.columns)
    ]
