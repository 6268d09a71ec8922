"""Derivations as text: what a terminal shows of a statement, its tensors, and the sum."""

from __future__ import annotations

from collections.abc import Iterator

from roofdsl.report.derivation import Derivation, Passage, Step
from roofdsl.report.formula import formula, render
from roofdsl.report.formula_layout import Style
from roofdsl.report.plain import display_width, one_line

MOST_TERMS = 40


def derivation_text(found: Derivation) -> str:
    """The derivation of a quantity, and of each of its parts, as lines."""
    return "\n".join(one_line(line) for line in _lines(found)) + "\n"


def _lines(found: Derivation) -> Iterator[str]:
    for part in found.parts:
        yield from _lines(part)
        yield ""
    style = found.style
    whole = formula(found.total, style)
    yield f"{found.text} = {whole}"
    if found.passages:
        yield from _passages(found.passages, style)
    yield from _sum(found)
    yield f"[{found.footer}]"


def _passages(passages: tuple[Passage, ...], style: Style) -> Iterator[str]:
    steps = [(step, _amount(step, style)) for passage in passages for step in passage.steps]
    first = max(display_width(step.what) for step, _ in steps)
    second = max(display_width(amount) for _, amount in steps)
    for passage in passages:
        yield passage.statement
        for step in passage.steps:
            amount = _amount(step, style)
            declared = "; declared" if step.declared else ""
            left = step.what + " " * (first - display_width(step.what))
            yield f"    {left}  {amount}{' ' * (second - display_width(amount))}  {step.why} ({step.rule}{declared})"


def _amount(step: Step, style: Style) -> str:
    """`2sbad = 2sbh`: before and after the lets are put in."""
    count, amount = formula(step.count, style), formula(step.amount, style)
    return amount if count == amount else f"{count} = {amount}"


def _sum(found: Derivation) -> Iterator[str]:
    """The terms added up, by phase where there are several, and the total in factors."""
    style = found.style
    whole = formula(found.total, style)
    several = len(found.passages) > 1
    pieces = [p.total for p in found.passages] if several else [step.amount for step in found.steps]
    terms = [formula(piece, style) for piece in pieces]
    if found.lets:
        yield f"where {', '.join(f'{name} = {formula(form, style)}' for name, form in found.lets)}"
    for phase, amount in found.phases:
        yield f"{phase}: {formula(amount, style)}"
    if 1 < len(terms) <= MOST_TERMS:
        joined = " + ".join(term if " " not in term else f"({term})" for term in terms)
        yield f"sum: {joined}"
        yield f"   = {whole}"
    if found.factored is not None:
        yield f"   = {render(found.factored, style)}"
