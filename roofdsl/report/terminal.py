"""Tables for a terminal, through rich where it is installed. Cells are never read as rich markup."""

from __future__ import annotations

import os
from typing import TextIO

from roofdsl.report.plain import render_plain
from roofdsl.report.table import Align, Table
from roofdsl.report.table_fit import natural_widths

_BESIDE = 3
"""Characters that rich puts around a cell."""

_UNKNOWN = 80
"""Characters of a terminal that does not say."""

_JUSTIFY: dict[Align, str] = {"left": "left", "right": "right", "centre": "center"}


def write_table(table: Table, stream: TextIO) -> None:
    """Write the table to a stream: with colour and rules on a terminal, plain text in a pipe. What is wider than the
    terminal is broken there.
    """
    if not stream.isatty():
        stream.write(render_plain(table))
    elif not _wants_rich(stream) or not _write_rich(table, stream):
        stream.write(render_plain(table, _columns(stream)))


def _columns(stream: TextIO) -> int:
    """How wide the terminal is: what COLUMNS says, else what it says itself."""
    stated = os.environ.get("COLUMNS", "")
    if stated.isdigit() and int(stated) > 0:
        return int(stated)
    try:
        return os.get_terminal_size(stream.fileno()).columns or _UNKNOWN
    except OSError:
        return _UNKNOWN


def _wants_rich(stream: TextIO) -> bool:
    """NO_COLOR asks for no colour only; rich itself honours it and keeps the rules. A dumb terminal gets plain text."""
    return stream.isatty() and os.environ.get("TERM", "") not in {"dumb", ""}


def _write_rich(table: Table, stream: TextIO) -> bool:
    """Whether rich is installed, every cell of the table fits on one line, and it has been written."""
    try:
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text
    except ImportError:
        return False
    console = Console(file=stream, highlight=False)
    if sum(width + _BESIDE for width in natural_widths(table)) + _BESIDE > console.width:
        return False
    drawn = RichTable(
        title=Text(table.title) if table.title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        header_style="bold",
        pad_edge=False,
    )
    for column in table.columns:
        drawn.add_column(Text(column.title), justify=_JUSTIFY[column.align], no_wrap=True)  # type: ignore[arg-type]
    for row in table.rows:
        drawn.add_row(*(Text(cell.text) for cell in row))
    console.print(drawn)
    for note in table.notes:
        console.print(Text(f"note: {note}"))
    if table.footer:
        console.print(Text(f"[{table.footer}]", style="dim"))
    return True
