"""Sums of fractions over one denominator, kept in factors, so that lowest terms need trial division and no gcd.

A gcd of two long polynomials in many symbols can take minutes; the denominators met here are short, and their factors
are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from roofdsl.algebra.limits import check_fraction
from roofdsl.algebra.polynomials import raised, times
from roofdsl.algebra.roots import irreducible_factors
from roofdsl.algebra.symbols import Poly, Ring

_PROBES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


@dataclass(frozen=True, slots=True)
class Joined:
    """`numer` (which may have negative exponents) over the product of `factors` and their powers."""

    numer: Poly
    factors: Mapping[Any, int]

    @property
    def denom(self) -> Poly:
        return _product(self.numer.ring, self.factors)


def join(ring: Ring, ratios: Mapping[Any, Any]) -> Joined:
    """The sum of numerators over their denominators, given as denominator: numerator."""
    numer, below, factors = ring.zero, ring.one, dict[Any, int]()
    for denom, part in ratios.items():
        own = {} if denom == 1 else dict(irreducible_factors(denom))
        scale = denom.LC / _product(ring, own).LC
        both = {factor: max(factors.get(factor, 0), own.get(factor, 0)) for factor in (*factors, *own)}
        added = _missing(ring, both, factors)
        lacking = _missing(ring, both, own) if any(factor in factors for factor in own) else below
        numer = times(numer, added) + times(part.quo_ground(scale), lacking)
        factors, below = both, times(below, added)
        if any(factors.values()):
            check_fraction(len(numer))
    return Joined(numer, factors)


def without_common(joined: Joined) -> tuple[Poly, Poly]:
    """Numerator and denominator with the factors both have taken out; the factors must be irreducible."""
    if not joined.numer:
        return joined.numer, joined.numer.ring.one
    numer, left = joined.numer, dict(joined.factors)
    for factor in joined.factors:
        while left[factor] and _may_divide(factor, numer):
            (quotient,), rest = numer.div([factor])
            if rest:
                break
            numer, left[factor] = quotient, left[factor] - 1
    return numer, _product(numer.ring, left)


def _missing(ring: Ring, wanted: Mapping[Any, int], present: Mapping[Any, int]) -> Poly:
    return _product(ring, {factor: power - present.get(factor, 0) for factor, power in wanted.items()})


def _product(ring: Ring, factors: Mapping[Any, int]) -> Poly:
    result = ring.one
    for factor, power in factors.items():
        if power:
            result = times(result, raised(factor, power))
    return result


def _may_divide(factor: Poly, poly: Poly) -> bool:
    """Whether it divides at numbers put in for all symbols but one: a cheap test before a long division."""
    place = next(i for i, degree in enumerate(factor.degrees()) if degree)
    small, large = (_at_probes(p, place) for p in (factor, poly))
    if not any(small.values()) or not any(large.values()):
        return True
    return not _remainder(small, large)


def _at_probes(poly: Poly, place: int) -> dict[int, Any]:
    """Coefficients by power of one generator, with primes put in for the others."""
    found: dict[int, Any] = {}
    for monomial, coefficient in poly.items():
        value = coefficient
        for i, exponent in enumerate(monomial):
            if exponent and i != place:
                value *= _PROBES[i % len(_PROBES)] ** exponent
        found[monomial[place]] = found.get(monomial[place], 0) + value
    return found


def _remainder(divisor: dict[int, Any], of: dict[int, Any]) -> bool:
    """Whether a univariate division leaves a remainder."""
    top = max(power for power, value in divisor.items() if value)
    left = {power: value for power, value in of.items() if value}
    while left and max(left) >= top:
        power = max(left)
        ratio = left[power] / divisor[top]
        for own, value in divisor.items():
            key = power - top + own
            left[key] = left.get(key, 0) - ratio * value
            if not left[key]:
                del left[key]
    return bool(left)
