"""Derivations as tables: one row a contribution, with its statement, its count, and the rule it follows."""

from __future__ import annotations

from collections.abc import Iterator

from roofdsl.algebra.form import Normal
from roofdsl.report.derivation import Derivation, Passage
from roofdsl.report.formula import formula, render
from roofdsl.report.formula_layout import Style
from roofdsl.report.table import Cell, Column, Table, make_table

_COLUMNS = (
    Column("statement", wide=True),
    Column("what", wide=True),
    Column("count"),
    Column("amount"),
    Column("why", wide=True),
    Column("rule"),
)


def derivation_tables(found: Derivation) -> Iterator[Table]:
    """A table for each part that is a sum, then for the quantity itself."""
    for part in found.parts:
        yield from derivation_tables(part)
    style = found.style
    rows = [row for passage in found.passages for row in _rows(passage, style)]
    rows += [(phase, "", "", _cell(amount, style), "", "") for phase, amount in found.phases]
    rows.append(("total", "", "", _cell(found.total, style), "", ""))
    if found.factored is not None:
        kinds = (render(found.factored, style, kind) for kind in ("text", "latex", "mathml"))
        rows.append(("in factors", "", "", Cell(*kinds), "", ""))
    where = ", ".join(f"{name} = {formula(form, style)}" for name, form in found.lets)
    notes = (f"where {where}",) if where else ()
    title = f"{found.text} = {formula(found.total, style)}"
    yield make_table(title, _COLUMNS, rows, notes=notes, footer=found.footer)


def _rows(passage: Passage, style: Style) -> Iterator[tuple[str | Cell, ...]]:
    """The statement stands in its first row only."""
    statement = passage.statement
    for step in passage.steps:
        rule = f"{step.rule}, declared" if step.declared else step.rule
        yield statement, step.what, _cell(step.count, style), _cell(step.amount, style), step.why, rule
        statement = ""


def _cell(form: Normal, style: Style) -> Cell:
    return Cell(formula(form, style), formula(form, style, "latex"), formula(form, style, "mathml"))
