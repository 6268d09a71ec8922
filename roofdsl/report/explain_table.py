"""The provenance of a quantity as a document: every contribution with its formula, rule and reason."""

from __future__ import annotations

from typing import Any

from roofdsl.quantities.quantity import Quantity
from roofdsl.quantities.session import Session
from roofdsl.report.derived import scope_of, style_of
from roofdsl.report.formula import formula
from roofdsl.report.formula_layout import Style
from roofdsl.units.display import unit_symbol
from roofdsl.verify.explain import Explanation, explain


def explanations(
    session: Session, quantity: Quantity, renames: tuple[tuple[str, str], ...] = ()
) -> tuple[Explanation, Style]:
    """The provenance of a quantity, and how its formulas are written."""
    graph = session.graph(quantity.subject, quantity.mode)
    order = tuple(dict.fromkeys((*session.library.symbols, *graph.symbols)))
    scope = scope_of(session, order, quantity.convention.causal, graph.symbols)
    return explain(quantity, scope), style_of(session, order, renames)


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
