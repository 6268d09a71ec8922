"""Signs of polynomials by their coefficients, once every generator is measured from its lower bound.

The plain cases are settled first: a term that none of the other sign can outgrow keeps its coefficient, so most forms
without a sign need no expansion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import prod
from typing import Literal

from roofdsl.algebra.allowance import Allowance
from roofdsl.algebra.polynomials import fraction
from roofdsl.algebra.symbols import Poly

Sign = Literal["+", "0+", "0", "0-", "-"]
Monomial = tuple[int, ...]
_SHIFTED_TERMS = 3_000


def sign_from(poly: Poly, least: list[int], allowance: Allowance | None) -> Sign | None:
    """The sign of a polynomial whose generators are at least `least`; None if the coefficients do not tell."""
    if allowance is not None:
        allowance.spend(len(poly))
    if min(least, default=0) >= 0:
        up = [m for m, c in poly.items() if c > 0]
        down = [m for m, c in poly.items() if c < 0]
        if not down:
            return "+" if value_at(poly, least) > 0 else "0+"
        if not up:
            return "-" if value_at(poly, least) < 0 else "0-"
        if allowance is not None:
            allowance.spend(len(up) * len(down) // 8)
        if not _outgrown(down, up, least) and not _outgrown(up, down, least):
            return None
    moved = shifted(poly, least, allowance)
    return None if moved is None else _by_coefficients(moved)


def _by_coefficients(moved: Mapping[Monomial, int]) -> Sign | None:
    constant = next((c for m, c in moved.items() if not any(m)), 0)
    if all(c >= 0 for c in moved.values()):
        return "+" if constant > 0 else "0+"
    if all(c <= 0 for c in moved.values()):
        return "-" if constant < 0 else "0-"
    return None


def _outgrown(few: Iterable[Monomial], others: list[Monomial], least: list[int]) -> bool:
    """Whether every term of `few` meets a term of `others` in the expansion: one with at least its exponents, and with
    the same where the generator starts at 0.
    """
    return all(any(_reaches(other, one, least) for other in others) for one in few)


def _reaches(other: Monomial, one: Monomial, least: list[int]) -> bool:
    return all(i >= j if start else i == j for i, j, start in zip(other, one, least, strict=True))


def value_at(poly: Poly, values: list[int]) -> Fraction:
    """The value of a polynomial."""
    total = Fraction(0)
    for monomial, coefficient in poly.items():
        total += fraction(coefficient) * prod(v**e for v, e in zip(values, monomial, strict=True) if e)
    return total


def shifted(poly: Poly, least: list[int], allowance: Allowance | None = None) -> dict[Monomial, int] | None:
    """Coefficients in the distances from the minima, times a positive number; None if they would be too many."""
    size = sum(prod(exponent + 1 for exponent in monomial) for monomial in poly)
    if size > _SHIFTED_TERMS:
        return None
    if allowance is not None:
        allowance.spend(size)
    _, whole = poly.clear_denoms() if poly else (1, poly)
    terms = {monomial: int(coefficient) for monomial, coefficient in whole.items()}
    for place, start in enumerate(least):
        if start and any(monomial[place] for monomial in terms):
            terms = _moved(terms, place, start)
    return terms


def _moved(terms: dict[Monomial, int], place: int, start: int) -> dict[Monomial, int]:
    """One generator x written as start + x."""
    columns: dict[tuple[Monomial, Monomial], dict[int, int]] = {}
    for monomial, coefficient in terms.items():
        columns.setdefault((monomial[:place], monomial[place + 1 :]), {})[monomial[place]] = coefficient
    found: dict[Monomial, int] = {}
    for (before, after), column in columns.items():
        values = [column.get(power, 0) for power in range(max(column) + 1)]
        for done in range(len(values) - 1):  # Horner's scheme, once for every power
            for power in range(len(values) - 2, done - 1, -1):
                values[power] += start * values[power + 1]
        for power, value in enumerate(values):
            if value:
                found[(*before, power, *after)] = value
    return found
