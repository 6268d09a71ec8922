"""Tables as plain text: what goes into a pipe, a log or a golden file. Stable, without colour, no trailing blanks."""

from __future__ import annotations

import unicodedata

from roofdsl.report.table import Align, Table


def render_plain(table: Table) -> str:
    """The table as aligned columns, two blanks apart, with its notes and footer."""
    cells = [[one_line(cell.text) for cell in row] for row in table.rows]
    titles = [one_line(column.title) for column in table.columns]
    widths = [max(display_width(text) for text in column) for column in zip(titles, *cells, strict=True)]
    aligns = [column.align for column in table.columns]
    lines = [one_line(table.title)] if table.title else []
    if table.columns:
        lines += [_line(titles, widths, aligns), "  ".join("-" * width for width in widths)]
        lines += [_line(row, widths, aligns) for row in cells]
    lines += [f"note: {one_line(note)}" for note in table.notes]
    if table.footer:
        lines.append(f"[{one_line(table.footer)}]")
    return "\n".join(lines) + "\n"


def display_width(text: str) -> int:
    """Columns a terminal gives the text: wide characters two, combining marks none."""
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _line(texts: list[str], widths: list[int], aligns: list[Align]) -> str:
    return "  ".join(map(_pad, texts, widths, aligns)).rstrip()


def _pad(text: str, width: int, align: Align) -> str:
    room = width - display_width(text)
    match align:
        case "left":
            return text + " " * room
        case "right":
            return " " * room + text
        case "centre":
            return " " * (room // 2) + text + " " * (room - room // 2)


def one_line(text: str) -> str:
    """Control characters would move the cursor of whoever reads the pipe; line ends would break the row."""
    return "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} else c for c in text)
