"""Exact limits and leading terms, by degrees: nothing is estimated.

min and max are replaced by the argument that decides in the end. ceil and floor are their argument plus an offset below
1, which must drop out of the answer; of something that vanishes they are 1 or 0. What that does not settle has no
answer here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import lcm
from typing import Literal

from roofdsl.algebra.atoms import rebuilt
from roofdsl.algebra.evaluation import substitute
from roofdsl.algebra.form import Atom, Normal, number, put, symbol
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known, sign
from roofdsl.algebra.symbols import Poly

_OFFSET = "offset("


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


@dataclass(frozen=True, slots=True)
class _Regime:
    """What grows: `main` gives the part of a polynomial that decides in the end, `side` the sign of such a part where it
    outgrows the rest whatever the other symbols are, `smaller` whether a form's numerator is outgrown by its denominator.
    """

    names: frozenset[str]
    main: Callable[[Poly, Normal], Normal]
    side: Callable[[Normal], int | None]
    smaller: Callable[[Normal], bool]
    known: Known

    def sign(self, form: Normal) -> int | None:
        """The sign a form has in the end: 1, 0, −1, or None."""
        if form.is_zero:
            return 0
        upper, lower = (self.side(self.main(poly, form)) for poly in (form.numer, form.denom))
        return None if upper is None or lower is None else upper * lower

    def vanishes(self, form: Normal) -> bool:
        """Whether a form is known to tend to 0."""
        return self.smaller(form) and self.side(self.main(form.denom, form)) is not None


def limit(form: Normal, name: str, scope: Scope) -> Limit:
    """The limit for the symbol growing without bound, all other symbols fixed (lets are expanded already)."""
    known = Known(scope.minimum)
    regime = _Regime(
        frozenset((name,)),
        lambda poly, f: _leading_coefficient(poly, f, name),
        lambda part: _strict(part, known),
        lambda f: f.degree(name) < 0,
        known,
    )
    settled = _settled(_without_roots(form, name, known), regime)
    if isinstance(settled, str):
        return NoLimit(settled)
    degree = settled.degree(name)
    upper, lower = (regime.main(poly, settled) for poly in (settled.numer, settled.denom))
    if regime.side(lower) is None:
        return NoLimit("its denominator may vanish")
    if degree < 0:
        return Finite(number(0))
    if has_offset(upper):
        return NoLimit("a ceil or floor keeps it from settling")
    if degree == 0:
        return Finite(upper / lower)
    side = sign(upper / lower, known)
    if side in ("+", "-"):
        return Diverges(1 if side == "+" else -1)
    return NoLimit("the sign of its leading term is not known")


def leading(form: Normal, big: str, small: str, scope: Scope) -> Normal | None:
    """A form whose ratio to the given one tends to 1 as big/small grows without bound, all other symbols fixed and
    small anything from 1 up: the terms that none of the others outgrows. None if that cannot be told.
    """
    known = Known(scope.minimum)

    def main(poly: Poly, of: Normal) -> Normal:
        return _dominant(poly, of, big, small)

    def side(part: Normal) -> int | None:
        return _lasting(part, (big, small), known)

    def smaller(of: Normal) -> bool:
        return main((of + 1).numer, of + 1) == main(of.denom, of)

    regime = _Regime(frozenset((big, small)), main, side, smaller, known)
    settled = _settled(form, regime)
    if isinstance(settled, str):
        return None
    upper, lower = (main(poly, settled) for poly in (settled.numer, settled.denom))
    return None if side(upper) is None or side(lower) is None else upper / lower


def ratio_tends_to_one(left: Normal, right: Normal, big: str, small: str, scope: Scope) -> bool | None:
    """Whether left/right tends to 1 as big/small grows without bound; None if that cannot be told."""
    if left.is_zero or right.is_zero:
        return left.is_zero and right.is_zero
    found = leading(left / right, big, small, scope)
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
    for powers, coefficient in _by_powers(part, growing):
        own = _strict(coefficient, known)
        if own is None:
            return None
        same = same + powers * coefficient if own == found else same
    at_least_half = sign((2 * part - same) * found, known)
    return found if at_least_half in ("+", "0+", "0") else None


def _by_powers(part: Normal, growing: tuple[str, str]) -> Iterator[tuple[Normal, Normal]]:
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
    """With x^(1/q) present, x is written x^q, so that roots of x become powers; x grows all the same."""
    roots = {g: a for g, a in form.atoms.items() if a.function == "root" and a.arguments[0] == symbol(name)}
    if not roots:
        return form
    power = lcm(*(atom.index for atom in roots.values()))
    values = {generator: symbol(name) ** (power // atom.index) for generator, atom in roots.items()}
    return substitute(form, {**values, name: symbol(name) ** power}, known)


def _settled(form: Normal, regime: _Regime) -> Normal | str:
    """The form without atoms that depend on what grows, or why that is not possible."""
    for generator in form.generators:
        atom = form.atoms.get(generator)
        if atom is None or not any(argument.symbols & regime.names for argument in atom.arguments):
            continue
        arguments: list[Normal] = []
        for argument in atom.arguments:
            inner = _settled(argument, regime)
            if isinstance(inner, str):
                return inner
            arguments.append(inner)
        value = _in_the_end(atom, tuple(arguments), regime)
        return value if isinstance(value, str) else _settled(put(form, generator, value), regime)
    return form


def _in_the_end(atom: Atom, arguments: tuple[Normal, ...], regime: _Regime) -> Normal | str:
    match atom.function:
        case "min" | "max":
            return _winner(atom.function, arguments, regime)
        case "abs":
            side = regime.sign(arguments[0])
            return "the sign inside a modulus is not known" if side is None else arguments[0] * side
        case "ceil" | "floor":
            return _rounded(atom, arguments[0], regime)
        case _:
            if any(argument.symbols & regime.names for argument in arguments):
                return f"{atom.function} of something that grows"
            return rebuilt(atom, arguments, regime.known)


def _winner(function: str, arguments: tuple[Normal, ...], regime: _Regime) -> Normal | str:
    best = arguments[0]
    for other in arguments[1:]:
        side = regime.sign(best - other)
        if side is None:
            return f"which argument of {function} decides in the end is not known"
        if side == (1 if function == "min" else -1):
            best = other
    return best


def _rounded(atom: Atom, argument: Normal, regime: _Regime) -> Normal | str:
    """The argument and an offset; a fraction that shrinks to zero is rounded to 1, 0 or −1."""
    up = atom.function == "ceil"
    if regime.vanishes(argument):
        side = regime.sign(argument)
        if side is None:
            return f"the sign inside a {atom.function} is not known"
        return number(max(side, 0) if up else min(side, 0))
    offset = symbol(f"{_OFFSET}{atom.key})")
    return argument + offset if up else argument - offset


def has_offset(form: Normal) -> bool:
    """Whether an offset of a ceil or floor is left."""
    return any(generator.startswith(_OFFSET) for generator in form.generators)


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
