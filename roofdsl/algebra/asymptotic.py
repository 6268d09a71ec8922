"""Exact limits and leading terms, by degrees: nothing is estimated.

min and max are replaced by the argument that decides in the end. ceil and floor are their argument plus an offset below
1, which must drop out of the answer; of something that vanishes they are 1 or 0. What that does not settle has no
answer here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import lcm
from typing import Literal

from roofdsl.algebra.evaluation import mentions, substitute
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.settling import OPEN, Regime, has_offset, settled_forms
from roofdsl.algebra.signs import Known, sign
from roofdsl.algebra.symbols import Poly


@dataclass(frozen=True, slots=True)
class Finite:
    """The limit is a form free of the symbol."""

    value: Normal


@dataclass(frozen=True, slots=True)
class Diverges:
    """The limit is plus or minus infinity."""

    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True)
class NoLimit:
    """It oscillates, or the reason could not be settled."""

    reason: str


Limit = Finite | Diverges | NoLimit


def limit(form: Normal, name: str, scope: Scope, assumed: Iterable[Normal] = ()) -> Limit:
    """The limit for the symbol growing without bound, all other symbols fixed (lets are expanded already). `assumed` are
    forms known not to be below zero; those that speak of the symbol are not used.
    """
    first, *others = limits(form, name, scope, assumed)
    return first if all(other == first for other in others) else NoLimit(OPEN)


def limits(form: Normal, name: str, scope: Scope, assumed: Iterable[Normal] = ()) -> tuple[Limit, ...]:
    """What the limit may be, at least one: each for the sizes of the others that make one argument of a min or max decide
    in the end.
    """
    known = _known(scope, assumed, (name,))
    regime = Regime(
        frozenset((name,)),
        lambda poly, f: _leading_coefficient(poly, f, name),
        lambda part: _strict(part, known),
        lambda f: f.degree(name) < 0,
        known,
    )
    settled = settled_forms(_without_roots(form, name, known), regime)
    if isinstance(settled, str):
        return (NoLimit(settled),)
    return tuple(dict.fromkeys(_limit(one, name, regime) for one in settled))


def _limit(form: Normal, name: str, regime: Regime) -> Limit:
    """The limit of a form without functions of the symbol."""
    degree = form.degree(name)
    upper, lower = (regime.main(poly, form) for poly in (form.numer, form.denom))
    if regime.side(lower) is None:
        return NoLimit("its denominator may vanish")
    if degree < 0:
        return Finite(number(0))
    if has_offset(upper):
        return NoLimit("a ceil or floor keeps it from settling")
    if degree == 0:
        return Finite(upper / lower)
    side = sign(upper / lower, regime.known)
    if side in ("+", "-"):
        return Diverges(1 if side == "+" else -1)
    return NoLimit("the sign of its leading term is not known")


def _known(scope: Scope, assumed: Iterable[Normal], growing: tuple[str, ...]) -> Known:
    """What is known of the sizes that stay as they are."""
    return Known(scope.minimum, tuple(form for form in assumed if not form.symbols & set(growing)))


def leading(form: Normal, big: str, small: str, scope: Scope, assumed: Iterable[Normal] = ()) -> Normal | None:
    """A form whose ratio to the given one tends to 1 as big/small grows without bound, all other symbols fixed and
    small anything from 1 up: the terms that none of the others outgrows. None if that cannot be told. `assumed` as of a
    limit.
    """
    known = _known(scope, assumed, (big, small))

    def main(poly: Poly, of: Normal) -> Normal:
        return _dominant(poly, of, big, small)

    def side(part: Normal) -> int | None:
        return _lasting(part, (big, small), known)

    def smaller(of: Normal) -> bool:
        return main((of + 1).numer, of + 1) == main(of.denom, of)

    regime = Regime(frozenset((big, small)), main, side, smaller, known)
    settled = settled_forms(form, regime)
    if isinstance(settled, str):
        return None
    found: set[Normal] = set()
    for one in settled:
        upper, lower = (main(poly, one) for poly in (one.numer, one.denom))
        if side(upper) is None or side(lower) is None:
            return None
        found.add(upper / lower)
    return found.pop() if len(found) == 1 else None


def ratio_tends_to_one(
    left: Normal, right: Normal, big: str, small: str, scope: Scope, assumed: Iterable[Normal] = ()
) -> bool | None:
    """Whether left/right tends to 1 as big/small grows without bound; None if that cannot be told."""
    if left.is_zero or right.is_zero:
        return left.is_zero and right.is_zero
    found = leading(left / right, big, small, scope, assumed)
    return None if found is None else found == number(1)


def _strict(part: Normal, known: Known) -> int | None:
    """1 or −1 for a form above or below zero for all sizes."""
    found = None if has_offset(part) else sign(part, known)
    return 1 if found == "+" else -1 if found == "-" else None


def _lasting(part: Normal, growing: tuple[str, str], known: Known) -> int | None:
    """The sign of a sum of terms that outgrows what they outgrow one by one: no coefficient may vanish for some sizes of
    the other symbols, nor terms of opposite signs cancel.
    """
    found = _strict(part, known)
    if found is None:
        return None
    same = number(0)
    for powers, coefficient in by_powers(part, growing):
        own = _strict(coefficient, known)
        if own is None:
            return None
        same = same + powers * coefficient if own == found else same
    at_least_half = sign((2 * part - same) * found, known)
    return found if at_least_half in ("+", "0+", "0") else None


def by_powers(part: Normal, growing: tuple[str, str]) -> Iterator[tuple[Normal, Normal]]:
    """Products of powers of two symbols, each with its coefficient."""
    groups: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    places = [i for i, name in enumerate(part.names) if name in growing]
    for monomial, value in part.numer.items():
        rest = tuple(0 if i in places else exponent for i, exponent in enumerate(monomial))
        own = tuple(exponent if i in places else 0 for i, exponent in enumerate(monomial))
        groups.setdefault(own, {})[rest] = value
    ring = part.ring
    for powers, terms in groups.items():
        yield (
            Normal(ring.dtype({powers: ring.domain.one}), ring.one, part.atoms),
            Normal(ring.dtype(terms), ring.one, part.atoms),
        )


def _without_roots(form: Normal, name: str, known: Known) -> Normal:
    """With x^(1/q) present, x is written x^q, so that roots of x become powers; x grows all the same. Not where a ceil or
    floor holds x: it would take the root for an integer.
    """
    roots = {g: a for g, a in form.atoms.items() if a.function == "root" and a.arguments[0] == symbol(name)}
    if not roots or _rounds(form, name):
        return form
    power = lcm(*(atom.index for atom in roots.values()))
    values = {generator: symbol(name) ** (power // atom.index) for generator, atom in roots.items()}
    return substitute(form, {**values, name: symbol(name) ** power}, known)


def _rounds(form: Normal, name: str) -> bool:
    """Whether a symbol stands in a ceil or floor, at any depth."""
    return any(
        (atom.function in ("ceil", "floor") and any(mentions(argument, (name,)) for argument in atom.arguments))
        or any(_rounds(argument, name) for argument in atom.arguments)
        for atom in (form.atoms[generator] for generator in form.generators if generator in form.atoms)
    )


def _leading_coefficient(poly: Poly, form: Normal, name: str) -> Normal:
    one = poly.ring.one
    if name not in form.names:
        return Normal(poly, one, form.atoms)
    place = form.names.index(name)
    degree = max((monomial[place] for monomial in poly), default=0)
    kept = {(*m[:place], 0, *m[place + 1 :]): c for m, c in poly.items() if m[place] == degree}
    return Normal(poly.ring.dtype(kept), one, form.atoms)


def _dominant(poly: Poly, form: Normal, big: str, small: str) -> Normal:
    """The terms not outgrown by another: u is outgrown by t if u/t = small^p big^(−q) × fixed with q > 0 and p <= q."""
    ring = poly.ring
    places = [form.names.index(name) if name in form.names else None for name in (small, big)]

    def powers(monomial: tuple[int, ...]) -> tuple[int, int]:
        low, high = (0 if place is None else monomial[place] for place in places)
        return low, high

    kept = {}
    for monomial, coefficient in poly.items():
        low, high = powers(monomial)
        outgrown = False
        for other in poly:
            other_low, other_high = powers(other)
            outgrown = outgrown or (other_high > high and low - other_low <= other_high - high)
        if not outgrown:
            kept[monomial] = coefficient
    return Normal(ring.dtype(kept), ring.one, form.atoms)
