"""Where a form goes as one size outgrows another: h/s without bound, s anything from 1 up, all other sizes fixed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from roofdsl.algebra.asymptotic import Diverges, Finite, Limit, NoLimit, by_powers, leading
from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known, sign

_Goes = Literal["stays", "vanishes", "grows", "depends"]


def limit_in_regime(form: Normal, big: str, small: str, scope: Scope, assumed: Iterable[Normal] = ()) -> Limit:
    """The limit of a form as big/small grows without bound, on whatever path; none if paths differ or nothing tells."""
    facts = tuple(assumed)
    found = number(0) if form.is_zero else leading(form, big, small, scope, facts)
    if found is None:
        return NoLimit("the leading terms do not tell")
    growing = frozenset((big, small))
    if found.symbols.isdisjoint(growing):
        return Finite(found)
    known = Known(scope.minimum, tuple(fact for fact in facts if fact.symbols.isdisjoint(growing)))
    goes = _goes(found, big, small)
    if goes == {"vanishes"}:
        return Finite(number(0))
    side = sign(found, known)
    if goes == {"grows"} and side in ("+", "-"):
        return Diverges(1 if side == "+" else -1)
    return NoLimit(f"where it goes depends on how {small} grows")


def _goes(form: Normal, big: str, small: str) -> set[_Goes]:
    """What each of the terms does; the denominator is one product of what grows, or it depends."""
    if any(atom.arguments and {big, small} & _inside(form, name) for name, atom in form.atoms.items()):
        return {"depends"}
    one = form.ring.one
    below = list(by_powers(Normal(form.denom, one, form.atoms), (big, small)))
    if len(below) != 1:
        return {"depends"}
    ratios = [powers / below[0][0] for powers, _ in by_powers(Normal(form.numer, one, form.atoms), (big, small))]
    return {_term(ratio.degree(small), ratio.degree(big)) for ratio in ratios}


def _inside(form: Normal, name: str) -> frozenset[str]:
    """The symbols of an atom that occurs."""
    return (
        frozenset()
        if name not in form.generators
        else frozenset().union(*(argument.symbols for argument in form.atoms[name].arguments))
    )


def _term(low: int, high: int) -> _Goes:
    """small^low·big^high: with high > 0 and low >= −high at least (big/small)^high."""
    if low == high == 0:
        return "stays"
    if high > 0 and low >= -high:
        return "grows"
    return "vanishes" if high < 0 and low <= -high else "depends"
