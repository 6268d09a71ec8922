"""Whether a sum of products stays below a multiple of another, for all sizes of a domain.

x^α is at most Σ λ x^β times a constant where α lies below a mixture Σ λ β of the exponents (weighted means), and what
is known of the domain (x >= 1, h >= a) pulls exponents down further. Where no mixture does, there is a direction in
which the product outgrows the whole sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as every
from math import gcd, lcm

from roofdsl.algebra.cone import Combination, combination
from roofdsl.algebra.domain import Domain
from roofdsl.algebra.evaluation import substitute
from roofdsl.algebra.form import Normal, unify
from roofdsl.algebra.polynomials import fraction, times
from roofdsl.algebra.signs import sign

Exponents = tuple[int, ...]
MOST_PAIRS = 20_000
_MOST_VACANT = 4


@dataclass(frozen=True, slots=True)
class Below:
    """It is at most `factor` times the other; None where the factor exists and is not rational."""

    factor: Fraction | None


@dataclass(frozen=True, slots=True)
class Above:
    """Exponents of the symbols along which it outgrows the other, conditions that are no products aside."""

    powers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Fact:
    """A product of powers that is at least `least` everywhere."""

    exponents: Exponents
    least: Fraction


def largest(powers: Iterable[Exponents]) -> Iterator[Exponents]:
    """Those that no other one reaches in every exponent."""
    found = tuple(powers)
    for power in found:
        if not any(other != power and all(o >= p for o, p in zip(other, power, strict=True)) for other in found):
            yield power


def compared(upper: Normal, by: Normal, domain: Domain) -> Below | Above | None:
    """Whether `upper` is at most a multiple of `by`; None where that is not told by exponents: functions, or terms below
    zero in `by`.
    """
    one, two = unify(upper, by)
    below = Normal(times(one.denom, two.denom), one.ring.one, one.atoms)
    if one.atoms or two.atoms or sign(below, domain.known) != "+":
        return None
    if len(one.numer) * len(two.denom) + len(two.numer) * len(one.denom) > MOST_PAIRS:
        return None
    above = Normal(times(one.numer, two.denom), one.ring.one)
    limit = Normal(times(two.numer, one.denom), one.ring.one)
    vacant = _vacant(above, limit, domain)
    if vacant is None:
        return None
    found: list[Below] = []
    for left, right, facts in _cases(above, limit, vacant, domain):
        answer = _case(left, right, facts, domain)
        if not isinstance(answer, Below):
            return answer
        found.append(answer)
    factors = [answer.factor for answer in found if answer.factor is not None]
    return Below(max(factors, default=Fraction(0)) if len(factors) == len(found) else None)


def _vacant(above: Normal, limit: Normal, domain: Domain) -> tuple[str, ...] | None:
    """The sizes that may be 0; None if there are too many for every case, or some may be less."""
    symbols = above.symbols | limit.symbols
    found = tuple(sorted(name for name in symbols if domain.least(name) < 1))
    if len(found) > _MOST_VACANT or any(domain.least(name) < 0 for name in symbols):
        return None
    return found


def _cases(
    above: Normal, limit: Normal, vacant: tuple[str, ...], domain: Domain
) -> Iterator[tuple[Normal, Normal, tuple[Normal, ...]]]:
    """Both sums with every size that may be 0 at 0, or at least 1; what is known in that case."""
    known = domain.known
    facts = (*known.nonnegative, *(form - 1 for form in domain.whole if sign(form, known) == "+"))
    symbols = above.symbols | limit.symbols
    elsewhere = {n for fact in facts for n in fact.symbols - symbols if domain.least(n) < 1}
    usable = tuple(fact for fact in facts if not fact.atoms and fact.symbols.isdisjoint(elsewhere))
    for choice in every((0, 1), repeat=len(vacant)):
        zero = {name: 0 for name, value in zip(vacant, choice, strict=True) if not value}
        kept = tuple(fact for fact in usable if fact.symbols.isdisjoint(zero))
        yield substitute(above, zero), substitute(limit, zero), kept


def _case(above: Normal, limit: Normal, facts: tuple[Normal, ...], domain: Domain) -> Below | Above | None:
    """One case, in which all symbols are at least 1."""
    if all(value < 0 for value in above.numer.values()):
        return Below(Fraction(0)) if limit.is_zero or all(v > 0 for v in limit.numer.values()) else None
    if limit.is_zero or any(value < 0 for value in limit.numer.values()):
        return None
    symbols = above.symbols.union(limit.symbols, *(fact.symbols for fact in facts))
    names = tuple(name for name in domain.order if name in symbols) + tuple(sorted(symbols - {*domain.order}))
    known = [_Fact(tuple(int(n == name) for n in names), Fraction(1)) for name in names]
    known += [made for fact in facts for made in _facts(fact, names)]
    terms = {_exponents(limit, m, names): fraction(c) for m, c in limit.numer.items()}
    own = {_exponents(above, m, names): fraction(c) for m, c in above.numer.items() if c > 0}
    if own.keys() <= terms.keys():
        return Below(max(value / terms[power] for power, value in own.items()))
    return _sum_below(own, terms, known, names)


def _sum_below(
    own: Mapping[Exponents, Fraction],
    terms: Mapping[Exponents, Fraction],
    known: list[_Fact],
    names: tuple[str, ...],
) -> Below | Above:
    """Whether every product of one sum stays below a multiple of the other."""
    factor: Fraction | None = Fraction(0)
    for power, coefficient in own.items():
        answer = _product_below(power, terms, known, names)
        if isinstance(answer, Above):
            return answer
        factor = None if factor is None or answer.factor is None else factor + coefficient * answer.factor
    return Below(factor)


def _exponents(form: Normal, monomial: Sequence[int], names: tuple[str, ...]) -> Exponents:
    powers = dict(zip(form.names, monomial, strict=True))
    return tuple(powers.get(name, 0) for name in names)


def _facts(form: Normal, names: tuple[str, ...]) -> Iterator[_Fact]:
    """What a form that is not negative says of products: p·u − q·v >= 0 means u/v >= q/p."""
    if any(value < 0 for value in form.denom.values()):
        return
    above = [(m, c) for m, c in form.numer.items() if c > 0]
    if len(above) != 1:
        return
    ((upper, coefficient),) = above
    high = _exponents(form, upper, names)
    for monomial, value in form.numer.items():
        if value < 0:
            low = _exponents(form, monomial, names)
            ratio = tuple(i - j for i, j in zip(high, low, strict=True))
            yield _Fact(ratio, -fraction(value) / fraction(coefficient))


def _product_below(
    power: Exponents, terms: Mapping[Exponents, Fraction], known: list[_Fact], names: tuple[str, ...]
) -> Below | Above:
    """Whether one product is at most a multiple of the sum of terms: first of a single one of them."""
    reached = [c for other, c in terms.items() if all(o >= p for o, p in zip(other, power, strict=True))]
    if reached:
        return Below(1 / max(reached))
    tops = list(largest(terms))
    columns: list[tuple[int, ...]] = [(*top, 1) for top in tops]
    columns += [(*(-e for e in fact.exponents), 0) for fact in known]
    found = combination(columns, (*power, 1))
    if isinstance(found, Combination):
        shares = [w / terms[top] for w, top in zip(found.weights, tops, strict=False)]
        scale = _scale(found.weights[len(tops) :], known)
        return Below(None if scale is None else max(shares) * scale)
    scaled = lcm(*(value.denominator for value in found.direction[:-1]))
    whole = [int(value * scaled) for value in found.direction[:-1]]
    common = gcd(*whole) or 1
    return Above({name: value // common for name, value in zip(names, whole, strict=True) if value})


def _scale(weights: Sequence[Fraction], known: list[_Fact]) -> Fraction | None:
    """What the facts used cost: u >= q to the power w is a factor q^(−w)."""
    scale = Fraction(1)
    for weight, fact in zip(weights, known, strict=True):
        if fact.least == 1 or not weight:
            continue
        if weight.denominator != 1:
            return None
        scale *= fact.least ** -int(weight)
    return scale
