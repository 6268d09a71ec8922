"""Normal forms as formulas, in each format the command line offers.

`formula` gives the expanded form; `render` prints a layout that `formula_shape` has factored or collected.
"""

from __future__ import annotations

from typing import Any, Literal, assert_never

from roofdsl.algebra.form import Normal
from roofdsl.report.formula_layout import Layout, Style, lay_out
from roofdsl.report.formula_text import text

Format = Literal["text", "latex", "markdown", "json", "mathml", "sympy"]
FORMATS: tuple[Format, ...] = ("text", "latex", "markdown", "json", "mathml", "sympy")


def formula(form: Normal, style: Style, kind: Format = "text") -> str:
    """The form, expanded, in one of the formats."""
    return render(lay_out(form, style), style, kind)


def render(layout: Layout, style: Style, kind: Format = "text") -> str:
    """A layout in one of the formats; JSON as one line."""
    match kind:
        case "text":
            return text(layout, style)
        case "latex":
            from roofdsl.report.formula_latex import latex

            return latex(layout)
        case "markdown":
            from roofdsl.report.formula_latex import latex

            return f"${latex(layout)}$"
        case "mathml":
            from roofdsl.report.formula_mathml import mathml

            return mathml(layout)
        case "sympy":
            from roofdsl.report.formula_sympy import sympy_line

            return sympy_line(layout)
        case "json":
            import json

            return json.dumps(structured(layout, style), ensure_ascii=False)
        case _:
            assert_never(kind)


def structured(layout: Layout, style: Style) -> dict[str, Any]:
    """The layout as plain data: its text, and its terms with exact coefficients, powers and functions."""
    from roofdsl.report.formula_json import layout_data

    return layout_data(layout, style)
