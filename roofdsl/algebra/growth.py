"""Whether one formula is bounded by a constant multiple of another on a whole domain: O, Ω and Θ of claims.

Bounded is proved by exponents or by a multiple that the inequality decision proves; unbounded is an admissible ray along
which the ratio exceeds every number, or a point where the bound is zero and the bounded is not. Else it is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from roofdsl.algebra.asymptotic import Diverges
from roofdsl.algebra.decide import Proved, Refuted, decide
from roofdsl.algebra.domain import Domain
from roofdsl.algebra.domination import Above, Below, compared
from roofdsl.algebra.enclosure import surely_sign
from roofdsl.algebra.evaluation import Value, compiled
from roofdsl.algebra.form import Normal, fraction, number
from roofdsl.algebra.rays import Ray, Seen, goes_above_zero, limit_along, rays, seen_along
from roofdsl.algebra.search import Effort, completed, points
from roofdsl.diagnostics import RoofError

_FIRST_POINTS = 40
_TRIED = (1, 4, 64)
"""Multiples of the largest ratio seen that are tried as a bound."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """At most `factor` times the other; None where no rational factor is at hand."""

    factor: Fraction | None


@dataclass(frozen=True, slots=True)
class Unbounded:
    """Along the ray the ratio exceeds every number; `seen` are exact values of upper over lower on the way."""

    ray: Ray
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Fails:
    """A point where the bound is not above zero and the bounded is."""

    sizes: Mapping[str, int]
    upper: Value
    lower: Value


@dataclass(frozen=True, slots=True)
class Open:
    """Neither was found."""


Bound = Bounded | Unbounded | Fails | Open


def bounded(upper: Normal, by: Normal, domain: Domain) -> Bound:
    """Whether some constant c has upper <= c·by for all sizes of the domain."""
    symbols = upper.symbols | by.symbols
    tried = list(_values(upper, by, domain, symbols))
    for sizes, high, low in tried:
        if isinstance(high, Fraction) and isinstance(low, Fraction) and low <= 0 < high:
            return Fails(sizes, high, low)
    told = compared(upper, by, domain)
    if isinstance(told, Below):
        return Bounded(told.factor)
    along = _ray(upper, by, domain, told)
    if along is not None:
        return along
    for factor in _factors(upper, by, tried):
        found = decide(upper, "<=", by * number(factor), domain)
        if isinstance(found, Proved):
            return Bounded(factor)
        if (
            isinstance(found, Refuted)
            and isinstance(found.right, Fraction)
            and found.right <= 0 < found.left
            and (surely_sign(upper, found.witness) == 1)
        ):
            return Fails(found.witness, found.left, found.right / factor)
    return Open()


def _values(
    upper: Normal, by: Normal, domain: Domain, symbols: frozenset[str]
) -> Iterator[tuple[Mapping[str, int], Value, Value]]:
    """Both values at the smallest admissible points."""
    high, low = compiled(upper), compiled(by)
    for point in islice(points(domain, symbols, Effort()), _FIRST_POINTS):
        sizes = completed(domain, point, symbols, Effort())
        try:
            if sizes is not None:
                yield sizes, high(sizes), low(sizes)
        except (RoofError, OverflowError):
            continue


def _ray(upper: Normal, by: Normal, domain: Domain, told: Above | None) -> Unbounded | None:
    """The first admissible ray along which the ratio goes to infinity."""
    if by.is_zero or upper.is_zero:
        return None
    ratio = upper / by
    further = () if told is None else (told.powers,)
    for ray in rays(domain, upper.symbols | by.symbols, further):
        found = limit_along(ratio, ray)
        if isinstance(found, Diverges) and found.sign > 0 and goes_above_zero(by, ray):
            return Unbounded(ray, seen_along(ratio, ray))
    return None


def _factors(upper: Normal, by: Normal, tried: list[tuple[Mapping[str, int], Value, Value]]) -> Iterator[Fraction]:
    """Constants worth trying: from the coefficients, and from the ratios seen."""
    above = [abs(fraction(c)) for c in upper.numer.values()]
    below = [abs(fraction(c)) for c in by.numer.values()]
    seen = [Fraction(high) / Fraction(low) for _, high, low in tried if low > 0]
    least = max((max(seen, default=Fraction(1)), sum(above, Fraction(0)) / min(below, default=Fraction(1))))
    yield from (least * more for more in _TRIED if least > 0)
