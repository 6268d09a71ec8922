"""Signs under conditions such as `h >= 4s`: with h written as 4s + k, k from 0 up, the sign often shows in the
coefficients.
"""

from __future__ import annotations

from dataclasses import replace

from roofdsl.algebra.allowance import Allowance, Spent
from roofdsl.algebra.domain import Condition, Domain
from roofdsl.algebra.evaluation import substitute
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.algebra.signs import Known, sign
from roofdsl.syntax import ast
from roofdsl.verify.narrow import solution

REST = "beyond "
"""Begins the name of a distance; no symbol of the language has a blank in its name."""


def shifted_proof(difference: Normal, relation: ast.Relation, domain: Domain) -> bool:
    """Whether a difference is positive (`<`, `>`) or not negative, once symbols are measured from the conditions."""
    try:
        return _shifted_proof(difference, ("+",) if relation in ("<", ">") else ("+", "0+", "0"), domain)
    except Spent:
        return False


def _shifted_proof(difference: Normal, wanted: tuple[str, ...], domain: Domain) -> bool:
    known = Known(domain.minimum, allowance=Allowance())
    for condition in domain.conditions:
        shift = _shift(condition, known)
        if shift is None:
            continue
        name, value, minimum = shift
        known = replace(known, minimum={**known.minimum, **minimum})
        if sign(substitute(difference, {name: value}, known), known) in wanted:
            return True
    return False


def _shift(condition: Condition, known: Known) -> tuple[str, Normal, dict[str, int]] | None:
    """A symbol written as its bound and a distance, where a condition bounds it from below."""
    match condition.relation:
        case ">" | ">=":
            difference = condition.left - condition.right
        case "<" | "<=":
            difference = condition.right - condition.left
        case _:
            return None
    for name in difference.generators:
        bound = None if name in difference.atoms else solution(difference, name)
        if bound is None or not _rises(difference, name):
            continue
        rest = REST + name
        return name, bound + symbol(rest), {rest: 0, name: known.least(name)}
    return None


def _rises(form: Normal, name: str) -> bool:
    """Whether a form linear in a symbol grows with it."""
    rest = substitute(form, {name: number(0)})
    slope = ((form - rest) / symbol(name)).constant
    return slope is not None and slope > 0
