"""A time as people read it on a terminal: a term a line with the kernels it is of, or the regimes, and what the rates are."""

from __future__ import annotations

from roofdsl.algebra.piecewise import MOST_CASES
from roofdsl.report.formula import render
from roofdsl.report.time_form import Line, TimeForm

_ONE_LINE = 72
_COLUMN = 64
_MOST_NAMES = 3


def time_lines(form: TimeForm, relation: str = "=") -> list[str]:
    """What stands behind the quantity: the first line begins with the relation, the others are to be indented."""
    whole = render(form.layout, form.style)
    if form.regimes is not None:
        lines = [relation, *case_texts(form)]
    elif len(whole) <= _ONE_LINE or len(form.lines) == 1:
        lines = [f"{relation} {whole}"]
    else:
        lines = [relation, *_sum_lines(form)]
    return [*lines, f"where {form.legend}", *remarks(form)]


def case_texts(form: TimeForm) -> list[str]:
    """`2T²d/π + 4T²/β    if 2T²d/π ≥ (4Td + 2T²)/β`, one line for each regime."""
    printed = form.printed_cases()
    width = max(len(text) for text, _ in printed)
    return [f"{text:<{width}}    if {condition}" for text, condition in printed]


def remarks(form: TimeForm) -> list[str]:
    """What there is besides: regimes that are not shown, memory levels that are left out."""
    found: list[str] = []
    if form.regimes is None and form.count > 1 and len(form.lines) > 1:
        found.append(f"({form.count} regimes: --cases)")
    if form.regimes is None and form.terms.opened and not form.count:
        found.append(f"(more than {MOST_CASES} regimes)")
    if form.terms.left_out:
        found.append(f"(left out where no tile is declared: traffic of {', '.join(form.terms.left_out)})")
    return found


def _sum_lines(form: TimeForm) -> list[str]:
    texts = [render(line.layout, form.style) for line in form.lines]
    width = max((len(text) for text in texts if len(text) <= _COLUMN), default=0)
    shown: list[str] = []
    for number, (text, line) in enumerate(zip(texts, form.lines, strict=True)):
        lead = "+ " if number else "  "
        shown.append(f"{lead}{text:<{width}}    {_names(line)}".rstrip())
    return shown


def _names(line: Line) -> str:
    """The first kernels without the part of their names that all have, and how many more."""
    parts = [name.split(".") for name in line.kernels]
    names = [".".join(part[1:]) if len(part) > 1 else part[0] for part in parts]
    shown = ", ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"
