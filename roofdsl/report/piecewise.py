"""Piecewise results: one formula for each regime, with the condition under which it holds, in every notation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from roofdsl.algebra.form import Normal
from roofdsl.algebra.piecewise import Case
from roofdsl.report.formula import formula
from roofdsl.report.formula_layout import Style

if TYPE_CHECKING:
    from roofdsl.report.time_form import TimeForm


def case_lines(cases: tuple[Case, ...], style: Style) -> list[str]:
    """`T²/8    if 3T ≥ 5d and d ≥ 4`, one line for each case."""
    formulas = [formula(case.form, style) for case in cases]
    width = max(len(text) for text in formulas)
    return [
        f"{text:<{width}}    if {condition_text(case.conditions, style)}"
        for text, case in zip(formulas, cases, strict=True)
    ]


def condition_text(conditions: tuple[Normal, ...], style: Style) -> str:
    """All conditions of a case."""
    parts = []
    for condition in conditions:
        left, right = sides(condition)
        parts.append(f"{formula(left, style)} ≥ {formula(right, style)}")
    return " and ".join(parts) or "always"


def cases_latex(cases: tuple[Case, ...], style: Style) -> str:
    """A `cases` environment."""
    rows = []
    for case in cases:
        conditions = [r" \ge ".join(formula(side, style, "latex") for side in sides(c)) for c in case.conditions]
        rows.append((formula(case.form, style, "latex"), ", ".join(conditions)))
    return _environment(rows)


def cases_in_rates(form: TimeForm) -> str:
    """A `cases` environment of a time, its rates named."""
    return _environment(form.printed_cases("latex"))


def _environment(rows: Iterable[tuple[str, str]]) -> str:
    shown = (f"{text} & \\text{{if }} {condition}" for text, condition in rows)
    return "\\begin{cases} " + r" \\ ".join(shown) + " \\end{cases}"


def cases_sympy(cases: tuple[Case, ...], style: Style) -> str:
    """One `Piecewise`."""
    rows = []
    for case in cases:
        conditions = [" >= ".join(formula(side, style, "sympy") for side in sides(c)) for c in case.conditions]
        joined = " & ".join(f"({condition})" for condition in conditions) or "True"
        rows.append(f"({formula(case.form, style, 'sympy')}, {joined})")
    return f"Piecewise({', '.join(rows)})"


def sides(condition: Normal) -> tuple[Normal, Normal]:
    """A condition `p − n ≥ 0` as p and n, so that it reads `p ≥ n`."""
    ring = condition.ring
    above = {m: c for m, c in condition.numer.items() if c > 0}
    below = {m: -c for m, c in condition.numer.items() if c < 0}
    left, right = (Normal(ring.dtype(terms), ring.one, condition.atoms) for terms in (above, below))
    return left, right
