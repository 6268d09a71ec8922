"""Verdicts as data, the schema's `verdict`: every finding has its own key, so that nobody has to take a text apart.

Takes a `Verdict` and gives plain values; `text` is what `verify` prints.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from roofdsl.algebra.evaluation import Value, evaluate
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.ir.entry import Entry
from roofdsl.quantities.quantity import contribution
from roofdsl.quantities.session import Session
from roofdsl.report.footer import basis_of
from roofdsl.report.formula import formula, render
from roofdsl.report.formula_layout import Style
from roofdsl.report.formula_shape import factored
from roofdsl.report.json import exact_number, span_of
from roofdsl.report.verdict import claim_text, has_difference, let_value, remedy_text, render_verdict, verdict_style
from roofdsl.report.verdict_sizes import when_texts
from roofdsl.units.dimension import PURE
from roofdsl.units.display import unit_symbol
from roofdsl.verify.causes import Cause
from roofdsl.verify.explain import shown_path
from roofdsl.verify.judge import sizes_of
from roofdsl.verify.provenance import left_entries
from roofdsl.verify.reading import Remedy
from roofdsl.verify.verdict import Verdict


def verdict_document(verdict: Verdict, session: Session) -> dict[str, Any]:
    """The verdict as the schema's `verdict`."""
    style = verdict_style(verdict, session)
    question, judgement = verdict.question, verdict.judgement
    return {
        "claim": claim_text(verdict),
        "outcome": verdict.outcome,
        "passed": verdict.passed,
        "negated": verdict.claim.negated,
        "relation": verdict.claim.relation if question.order is None else "order",
        "order": question.order,
        "reason": judgement.reason or None,
        "unit": unit_symbol(question.dimension or PURE),
        "derived": _formula(verdict.left, style),
        "claimed": _formula(verdict.right, style),
        "difference": _difference(verdict, style),
        "values": _values(verdict),
        "witness": _witness(verdict),
        "limit": None if judgement.limit is None else _formula(judgement.limit, style),
        "ratios": [{"sizes": dict(seen.sizes), "ratio": _number(seen.ratio)} for seen in judgement.trail],
        "agreeing_points": judgement.points,
        "contributors": [_contributor(o.entry, o.amount, style, verdict) for o in verdict.origins],
        "causes": [_cause(cause, style, verdict) for cause in verdict.causes],
        "changes": [_change(remedy, style) for remedy in verdict.remedies],
        "holds_under": next((r.convention for r in verdict.remedies if r.convention), None),
        "fault": _fault(verdict),
        **_basis(verdict, style),
        "source": question.clauses.source,
        "location": span_of(verdict.claim.span),
        "text": render_verdict(verdict, session),
    }


def _formula(form: Normal, style: Style) -> dict[str, str]:
    return {kind: formula(form, style, kind) for kind in ("text", "latex", "sympy")}


def _difference(verdict: Verdict, style: Style) -> dict[str, str] | None:
    """Claimed − derived, in factors; null where the claim is about an order or a limit."""
    if not has_difference(verdict):
        return None
    layout = factored(verdict.difference, style)
    return {kind: render(layout, style, kind) for kind in ("text", "latex", "sympy")}


def _values(verdict: Verdict) -> dict[str, Any] | None:
    """Both values of a claim about numbers, in base units, and the sizes it was evaluated at."""
    if verdict.left.symbols or verdict.right.symbols:
        return None
    left, right = (evaluate(form, {}) for form in (verdict.left, verdict.right))
    return {"sizes": sizes_of(verdict.question), "derived": _number(left), "claimed": _number(right)}


def _number(value: Value) -> dict[str, Any]:
    return exact_number(Fraction(value))


def _witness(verdict: Verdict) -> dict[str, Any] | None:
    found = verdict.judgement.witness
    if found is None or verdict.outcome != "refuted":
        return None
    return {
        "sizes": dict(found.sizes),
        "smallest": found.smallest,
        "derived": _number(found.left),
        "claimed": _number(found.right),
    }


def _contributor(entry: Entry, amount: Normal, style: Style, verdict: Verdict) -> dict[str, Any]:
    """An entry the left side was derived from, with what it adds to it."""
    quantities = verdict.question.left_quantities
    root = quantities[0].subject.root if quantities else ""
    return {
        "what": shown_path(entry.what, root),
        "kernel": None if entry.kernel is None else shown_path(entry.kernel, root),
        "path": shown_path(".".join(entry.path), root),
        "formula": _formula(amount, style),
        "phase": entry.phase,
        "op": entry.op,
        "kind": entry.kind,
        "dtype": entry.dtype,
        "rule": str(entry.rule),
        "because": entry.because,
        "declared": entry.declared,
    }


def _cause(cause: Cause, style: Style, verdict: Verdict) -> dict[str, Any]:
    scope = verdict.question.scope
    entries = [_contributor(e, normal(contribution(e), scope), style, verdict) for e in cause.entries]
    return {
        "sort": cause.sort,
        "sense": cause.sense,
        "name": cause.name or None,
        "fits": cause.fits,
        "names": list(cause.names),
        "any_of": cause.any_of,
        "entries": entries,
    }


def _change(remedy: Remedy, style: Style) -> dict[str, Any]:
    return {
        "kinds": list(remedy.sorts),
        "text": remedy_text(remedy, style),
        "convention": remedy.convention or None,
        "identical": not remedy.consistent,
        "last_resort": remedy.last_resort,
    }


def _fault(verdict: Verdict) -> dict[str, Any] | None:
    """The smallest part of the right side that is wrong, and what would be right there."""
    found = verdict.fault
    return (
        None if found is None else {"span": span_of(found.span), "found": found.span.text, "right": found.meant or None}
    )


def _basis(verdict: Verdict, style: Style) -> dict[str, Any]:
    question = verdict.question
    basis = basis_of(question.quantities)
    return {
        "lets": {name: formula(let_value(name, verdict), style) for name in question.lets},
        "domain": {
            "whole": list(question.whole),
            "declared": list(question.declared),
            "when": when_texts(question),
        },
        "conventions": [
            {"name": convention.name, "quantities": list(names), "settings": dict(convention.settings)}
            for convention, names in basis.conventions
        ],
        "dtypes": list(basis.dtypes),
        "provenance": basis.provenance,
        "entries": len(left_entries(question)),
    }
