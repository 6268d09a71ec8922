"""Tables as Markdown, LaTeX (booktabs) and HTML. All text is escaped here; only formulas bring markup of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from roofdsl.report.formula_names import GREEK
from roofdsl.report.plain import one_line
from roofdsl.report.table import Align, Cell, Table

_LATIN = frozenset(("mu",))
_MARKDOWN_RULE: dict[Align, str] = {"left": "---", "right": "---:", "centre": ":---:"}
_RAGGED = r"\rightskip0pt plus1fil\relax"
"""Lines of any length in a cell; `\\raggedright` would change what ends a row."""
_A_CHARACTER = 0.0142
"""The share of a line of an article that a character of a formula takes in a small print."""
_LONG = 30
_BREAKS = re.compile(r"[\s,.\[*/(:=]")
"""Where text may break in a narrow cell."""
_LATEX_COLUMN: dict[Align, str] = {"left": "l", "right": "r", "centre": "c"}
_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "·": r"\ensuremath{\cdot}",
    "×": r"\ensuremath{\times}",
    "≥": r"\ensuremath{\ge}",
    "≤": r"\ensuremath{\le}",
    "→": r"\ensuremath{\to}",
    "−": r"\ensuremath{-}",
    "⁰": r"\textsuperscript{0}",
    "¹": r"\textsuperscript{1}",
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "⁴": r"\textsuperscript{4}",
    "µ": r"\textmu{}",
    "μ": r"\textmu{}",
    "∂": r"\ensuremath{\partial}",
    "…": r"\dots{}",
    "∞": r"\ensuremath{\infty}",
    **{letter: rf"\ensuremath{{\{word}}}" for word, letter in GREEK.items() if word not in _LATIN},
    **{
        letter: rf"\ensuremath{{\mathrm{{{latin}}}}}"
        for letter, latin in zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABEZHIKMNOPTX", strict=True)
    },
}
_MARKDOWN_SPECIAL = "\\`*_{}[]<>|#~$&"


def render_markdown(table: Table) -> str:
    """The table as a pipe table; formulas stay plain text, so that it reads in a terminal and on any forge."""
    lines = [f"**{escape_markdown(table.title)}**", ""] if table.title else []
    lines.append(_pipes(escape_markdown(column.title) for column in table.columns))
    lines.append(_pipes(_MARKDOWN_RULE[column.align] for column in table.columns))
    lines += [_pipes(escape_markdown(cell.text) for cell in row) for row in table.rows]
    remarks = [*table.notes, *([table.footer] if table.footer else [])]
    for remark in remarks:
        lines += ["", escape_markdown(remark)]
    return "\n".join(lines) + "\n"


def render_latex(table: Table) -> str:
    """The table as a `tabular` with the rules of the booktabs package, in a `table` with the title as caption."""
    widths = _latex_widths(table)
    wide = any(column.wide for column in table.columns)
    columns = "".join(
        rf"p{{{width:.3g}\linewidth}}" if wide else _LATEX_COLUMN[column.align]
        for column, width in zip(table.columns, widths, strict=True)
    )
    lines = [r"\begin{table}", r"\centering"]
    if wide:
        lines.append(r"\footnotesize\setlength{\tabcolsep}{3pt}")
    if table.title:
        lines.append(rf"\caption{{{escape_latex(table.title)}}}")
    lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines += [" & ".join(escape_latex(column.title) for column in table.columns) + r" \\", r"\midrule"]
    lines += [
        (_fitted_row(row, widths) if wide else " & ".join(_latex_cell(cell) for cell in row)) + r" \\"
        for row in table.rows
    ]
    lines += [r"\bottomrule", r"\end{tabular}"]
    remarks = [*table.notes, *([table.footer] if table.footer else [])]
    lines += [rf"\par\smallskip{{\footnotesize {escape_latex(remark)}}}" for remark in remarks]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _latex_widths(table: Table) -> list[float]:
    """Shares of the line that columns get where some hold long text: what a column's longest word takes, and of what is
    left the columns of text by what they hold. Rows whose formula has room behind it do not count.
    """
    rows = [row for row in table.rows if row[-1].text]
    least: list[float] = []
    for i, column in enumerate(table.columns):
        held = [column.title, *(row[i].text for row in rows)]
        words = [word for text in held for word in (_BREAKS.split(text) if column.wide else text.split())]
        least.append(_A_CHARACTER * (2 + max(map(len, words), default=1)))
    room = 1 - 0.018 * len(table.columns) - sum(least)
    lengths = [max((min(len(row[i].text), _LONG) for row in rows), default=1) for i in range(len(table.columns))]
    wide = sum(length for length, column in zip(lengths, table.columns, strict=True) if column.wide) or 1
    return [
        width + room * length / wide if column.wide else width
        for length, column, width in zip(lengths, table.columns, least, strict=True)
    ]


def _fitted_row(row: Sequence[Cell], widths: Sequence[float]) -> str:
    """Cells that break their lines; a formula with nothing behind it takes the room that is left."""
    last = max((i for i, cell in enumerate(row) if cell.text), default=0)
    if last < len(row) - 1 and row[last].latex is not None:
        cells = [_fitted_cell(cell) for cell in row[:last]]
        room = sum(widths[last:])
        spanned = rf"\multicolumn{{{len(row) - last}}}{{p{{{room:.3g}\linewidth}}}}{{{_fitted_cell(row[last])}}}"
        return " & ".join((*cells, spanned))
    return " & ".join(_fitted_cell(cell) for cell in row)


def _fitted_cell(cell: Cell) -> str:
    """A cell that may break behind what stands between names."""
    if cell.latex is not None or not cell.text:
        return rf"{_RAGGED} {_latex_cell(cell)}" if cell.text else ""
    text = re.sub(r"([,.\[*/(:=])(?=\S)", r"\1\\allowbreak{}", _latex_cell(cell))
    return rf"{_RAGGED} {text}"


def render_html(table: Table) -> str:
    """The table as an HTML fragment without scripts or references to other files."""
    lines = ["<table>"]
    if table.title:
        lines.append(f"<caption>{escape(table.title)}</caption>")
    lines.append("<thead><tr>" + "".join(f"<th{_style(c.align)}>{escape(c.title)}</th>" for c in table.columns))
    lines[-1] += "</tr></thead>"
    lines.append("<tbody>")
    for row in table.rows:
        cells = (f"<td{_style(c.align)}>{_html_cell(x)}</td>" for c, x in zip(table.columns, row, strict=True))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table>")
    remarks = [*table.notes, *([table.footer] if table.footer else [])]
    lines += [f"<p><small>{escape(remark)}</small></p>" for remark in remarks]
    return "\n".join(lines) + "\n"


def escape_markdown(text: str) -> str:
    """Text that a Markdown reader shows letter for letter, on one line."""
    return "".join("\\" + c if c in _MARKDOWN_SPECIAL else c for c in one_line(text))


def escape_latex(text: str) -> str:
    """Text that LaTeX sets letter for letter."""
    return "".join(_LATEX_SPECIAL.get(c, c) for c in text)


def _latex_cell(cell: Cell) -> str:
    return escape_latex(cell.text) if cell.latex is None else f"${cell.latex}$"


def _html_cell(cell: Cell) -> str:
    return escape(cell.text) if cell.mathml is None else cell.mathml


def _style(align: Align) -> str:
    match align:
        case "left":
            return ""
        case "right":
            return ' style="text-align:right"'
        case "centre":
            return ' style="text-align:center"'


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
