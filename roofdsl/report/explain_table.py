"""The provenance of a quantity as a table or a document: the table an appendix would print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roofdsl.algebra.form import Normal
from roofdsl.quantities.quantity import Quantity
from roofdsl.quantities.session import Session
from roofdsl.report.derived import scope_of, style_of
from roofdsl.report.footer import basis_of, footer_text
from roofdsl.report.formula import formula
from roofdsl.report.formula_layout import Style
from roofdsl.report.table import Cell, Table, make_table
from roofdsl.units.display import unit_symbol
from roofdsl.verify.explain import Explanation, Row, explain

_COLUMNS = ("where", "what", "amount", "why", "rule", "")


def explanations(session: Session, quantity: Quantity) -> tuple[Explanation, Style]:
    """The provenance of a quantity, and how its formulas are written."""
    graph = session.graph(quantity.subject, quantity.mode)
    order = tuple(dict.fromkeys((*session.library.symbols, *graph.symbols)))
    return explain(quantity, scope_of(session, order, quantity.convention.causal)), style_of(session, order)


def explain_tables(found: Explanation, style: Style, *, markup: bool = False) -> Iterator[Table]:
    """One table for each sum of entries: the quantity itself, or each of its parts."""
    if found.parts:
        for part in found.parts:
            yield from explain_tables(part, style, markup=markup)
        return
    quantity = found.quantity
    total = formula(found.total, style)
    several = len({row.phase for row in found.rows}) > 1
    rows = [_row(row, style, several=several, markup=markup) for row in found.rows]
    last = ("total", "", _cell(found.total, style, markup=markup), "", "", "")
    footer = footer_text(basis_of((quantity,)), (quantity.dimension,))
    used = [i for i in range(len(_COLUMNS)) if i == 0 or any(row[i] != "" for row in rows)]
    shown = ([row[i] for i in used] for row in (*rows, last))
    yield make_table(f"{quantity.text} = {total}", [_COLUMNS[i] for i in used], shown, footer=footer)


def explain_document(found: Explanation, style: Style) -> list[dict[str, Any]]:
    """The entries of all parts as the schema's `entry`."""
    if found.parts:
        return [entry for part in found.parts for entry in explain_document(part, style)]
    unit = unit_symbol(found.quantity.dimension)
    return [
        {
            "quantity": found.quantity.text,
            "what": row.label,
            "path": row.where,
            "formula": {kind: formula(row.amount, style, kind) for kind in ("text", "latex", "sympy")},
            "unit": unit,
            "times": [formula(times, style) for times in row.times],
            "phase": row.phase,
            "kind": row.kind,
            "op": row.op,
            "rule": ", ".join(row.rules),
            "because": "; ".join(row.reasons),
            "declared": row.declared,
        }
        for row in found.rows
    ]


def _row(row: Row, style: Style, *, several: bool, markup: bool) -> tuple[str | Cell, ...]:
    where = f"{row.where} ({row.phase})" if several else row.where
    kind = "" if row.kind is None else f"{row.kind}; "
    return (
        where,
        _what(row),
        _cell(row.amount, style, markup=markup),
        (kind + "; ".join(row.reasons)).removesuffix("; "),
        ", ".join(row.rules),
        "declared" if row.declared else "",
    )


def _what(row: Row) -> str:
    """What the row is about: the tensors by their names; of work and traffic the op, since the place says the rest."""
    if row.entries[0].measure in {"work", "traffic"}:
        return row.op or ""
    return row.label


def _cell(form: Normal, style: Style, *, markup: bool) -> Cell:
    text = formula(form, style)
    return Cell(text, formula(form, style, "latex"), formula(form, style, "mathml")) if markup else Cell(text)
