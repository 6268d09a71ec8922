"""Tables as Markdown, LaTeX (booktabs) and HTML. All text is escaped here; only formulas bring markup of their own."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from roofdsl.report.formula_names import GREEK
from roofdsl.report.plain import one_line
from roofdsl.report.table import Align, Cell, Table

_LATIN = frozenset(("mu",))
_MARKDOWN_RULE: dict[Align, str] = {"left": "---", "right": "---:", "centre": ":---:"}
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
    share = 0.57 / max(1, sum(column.wide for column in table.columns))
    wide = rf"p{{{share:.2g}\linewidth}}"
    columns = "".join(wide if column.wide else _LATEX_COLUMN[column.align] for column in table.columns)
    lines = [r"\begin{table}", r"\centering"]
    if any(column.wide for column in table.columns):
        lines.append(r"\footnotesize\setlength{\tabcolsep}{3pt}")
    if table.title:
        lines.append(rf"\caption{{{escape_latex(table.title)}}}")
    lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines += [" & ".join(escape_latex(column.title) for column in table.columns) + r" \\", r"\midrule"]
    lines += [" & ".join(_latex_cell(cell) for cell in row) + r" \\" for row in table.rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    remarks = [*table.notes, *([table.footer] if table.footer else [])]
    lines += [rf"\par\smallskip{{\footnotesize {escape_latex(remark)}}}" for remark in remarks]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


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
