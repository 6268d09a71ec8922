"""Formulas as plain data: the text, and every term with an exact coefficient, powers, and functions."""

from __future__ import annotations

from typing import Any, assert_never

from roofdsl.report.formula_layout import Factor, FunctionFactor, GroupFactor, Layout, Style, SymbolFactor, Term
from roofdsl.report.formula_text import text


def layout_data(layout: Layout, style: Style) -> dict[str, Any]:
    """`{"text", "terms": [{"coefficient": "3/2", "powers": {"s": 1, "h": -1}, "functions": […], "groups": […]}]}`;
    a power below the fraction bar is negative; empty lists are left out.
    """
    return {"text": text(layout, style), "terms": [_term(term, style) for term in layout.terms]}


def _term(term: Term, style: Style) -> dict[str, Any]:
    powers: dict[str, int] = {}
    functions: list[dict[str, Any]] = []
    groups: list[dict[str, Any]] = []
    signed: list[tuple[Factor, int]] = [(f, 1) for f in term.above] + [(f, -1) for f in term.below]
    for factor, turn in signed:
        exponent = turn * factor.exponent
        match factor:
            case SymbolFactor(name):
                powers[name] = exponent
            case FunctionFactor(function, arguments, _, index):
                shown = [layout_data(argument, style) for argument in arguments]
                entry = {"function": function, "arguments": shown, "power": exponent}
                functions.append({**entry, "index": index} if function == "root" else entry)
            case GroupFactor(inside):
                groups.append({**layout_data(inside, style), "power": exponent})
            case _:
                assert_never(factor)
    data: dict[str, Any] = {"coefficient": str(term.coefficient), "powers": powers}
    if functions:
        data["functions"] = functions
    if groups:
        data["groups"] = groups
    return data
