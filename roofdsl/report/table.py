"""A table as data: cells already formatted, with what each output format needs to print them right.

Takes no view of what the rows mean; the renderers beside it (`plain`, `markup`, `terminal`) turn a table into text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "right", "centre"]


@dataclass(frozen=True, slots=True)
class Cell:
    """Plain text, and where it is a formula its LaTeX (math mode, without dollars) and its MathML. Both are markup made
    by our own printers; `text` is escaped by every renderer that needs it.
    """

    text: str
    latex: str | None = None
    mathml: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading and on which side its cells stand. `wide`: its text may be broken into lines where a format can."""

    title: str
    align: Align = "left"
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """`notes` stand under the table as remarks; `footer` is the line that states convention, dtype, unit and whether
    figures are derived or declared. Every row has as many cells as there are columns.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    footer: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.title!r}: a row of {len(row)} cells under {len(self.columns)} columns")


def make_table(
    title: str,
    columns: Iterable[str | Column],
    rows: Iterable[Iterable[str | Cell]],
    *,
    notes: Iterable[str] = (),
    footer: str = "",
) -> Table:
    """A table from strings: a heading that starts with `>` stands right, any other left."""
    return Table(
        title,
        tuple(_column(column) for column in columns),
        tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows),
        tuple(notes),
        footer,
    )


def _column(heading: str | Column) -> Column:
    match heading:
        case Column():
            return heading
        case str() if heading.startswith(">"):
            return Column(heading[1:], "right")
        case str():
            return Column(heading)
