"""What conditions leave of a symbol: integer bounds read off polynomials, and the values of symbols that have few.

`q^2 = 4` makes q 2, `q + h <= 20` bounds both. The conditions themselves stay, since between bounds there may be gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor

from roofdsl.algebra.form import Normal
from roofdsl.algebra.polynomials import fraction

_SEARCHED = 10_000
_MOST_VALUES = 128
_ROUNDS = 3
Bounds = tuple[dict[str, int], dict[str, int]]


def tightened(forms: Iterable[Normal], lower: Mapping[str, int], upper: Mapping[str, int]) -> Bounds:
    """Least and greatest values of symbols, given forms that are never below zero."""
    low, high = dict(lower), dict(upper)
    known = [form for form in forms if form.is_polynomial and form.symbols and not _uses_atoms(form)]
    for _ in range(_ROUNDS):
        before = dict(low), dict(high)
        for form in known:
            _tighten(form, low, high)
        if (low, high) == before:
            break
    return low, high


def _uses_atoms(form: Normal) -> bool:
    return any(name in form.atoms for name in form.generators)


def _tighten(form: Normal, low: dict[str, int], high: dict[str, int]) -> None:
    for name in form.generators:
        poly = _in_one(form, name, low, high)
        least, most = low.get(name, 1), high.get(name)
        found = None if poly is None else _span(poly, least, most)
        if found is None:
            continue
        start, end = found
        if start > least:
            low[name] = start
        if end is not None and (most is None or end < most):
            high[name] = end


def _in_one(form: Normal, name: str, low: Mapping[str, int], high: Mapping[str, int]) -> list[Fraction] | None:
    """Coefficients by power of one symbol, the others where the form is greatest; None if it has no greatest value."""
    place = form.names.index(name)
    found: dict[int, Fraction] = {}
    for monomial, coefficient in form.numer.items():
        value = fraction(coefficient)
        for i, exponent in enumerate(monomial):
            if not exponent or i == place:
                continue
            other = high.get(form.names[i]) if coefficient > 0 else low.get(form.names[i], 1)
            if other is None:
                return None
            value *= Fraction(other) ** exponent
        found[monomial[place]] = found.get(monomial[place], Fraction(0)) + value
    poly = [found.get(power, Fraction(0)) for power in range(max(found) + 1)]
    while len(poly) > 1 and not poly[-1]:
        poly.pop()
    return poly


def _span(poly: list[Fraction], least: int, most: int | None) -> tuple[int, int | None] | None:
    """The least and the greatest integer from `least` to `most` at which a polynomial is not below zero; an end below the
    start if there is none. None if a search would be long.
    """
    if len(poly) == 1:
        return None
    if len(poly) == 2:
        return _span_of_line(poly[0], poly[1], least, most)
    settled = 1 + ceil(max(abs(c / poly[-1]) for c in poly[:-1]))  # beyond, the sign is that of the leading term
    if settled - least > _SEARCHED:
        return None
    top = max(settled, least) if most is None else min(max(settled, least), most)
    fine = [q for q in range(least, top + 1) if _value(poly, q) >= 0]
    open_end = poly[-1] > 0 and (most is None or most > top)
    if not fine and not open_end:
        return least, least - 1
    end = most if open_end else fine[-1]
    return (fine[0] if fine else top + 1), end


def _span_of_line(offset: Fraction, slope: Fraction, least: int, most: int | None) -> tuple[int, int | None]:
    """The same of offset + slope q."""
    zero = -offset / slope
    if slope > 0:
        return max(least, ceil(zero)), most
    end = floor(zero)
    return least, end if most is None else min(most, end)


def _value(poly: list[Fraction], at: int) -> Fraction:
    total = Fraction(0)
    for coefficient in reversed(poly):
        total = total * at + coefficient
    return total


def few_values(names: Iterable[str], lower: Mapping[str, int], upper: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """All combinations of the values of the symbols that have few of them; one empty combination if none has."""
    sized = sorted((upper[n] - lower.get(n, 1) + 1, n) for n in set(names) if n in upper)
    chosen: list[str] = []
    count = 1
    for size, name in sized:
        if count * max(size, 1) > _MOST_VALUES:
            break
        count *= max(size, 1)
        chosen.append(name)
    ranges = [range(lower.get(name, 1), upper[name] + 1) for name in chosen]
    for values in product(*ranges):
        yield dict(zip(chosen, values, strict=True))
