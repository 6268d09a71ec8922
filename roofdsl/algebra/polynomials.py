"""Small helpers on SymPy's sparse polynomials: coefficients, rings, products and powers kept within the limits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from roofdsl.algebra.limits import check_power, check_terms
from roofdsl.algebra.symbols import Poly, Ring, names_of


def fraction(coefficient: Any) -> Fraction:
    """A coefficient of a ring as a Fraction."""
    return Fraction(int(coefficient.numerator), int(coefficient.denominator))


def rational(value: int | Fraction) -> Any:
    """A number as a coefficient of our rings."""
    from sympy import QQ

    return QQ(value) if isinstance(value, int) else QQ(value.numerator, value.denominator)


def lift(poly: Poly, ring: Ring) -> Poly:
    """The same polynomial in a ring that has at least its generators."""
    if poly.ring is ring:
        return poly
    position = {name: i for i, name in enumerate(names_of(ring))}
    places = [position[name] for name in names_of(poly.ring)]
    blank = [0] * ring.ngens
    lifted: dict[tuple[int, ...], Any] = {}
    for monomial, coefficient in poly.items():
        exponents = blank.copy()
        for place, exponent in zip(places, monomial, strict=True):
            exponents[place] = exponent
        lifted[tuple(exponents)] = coefficient
    return ring.dtype(lifted)


def minus(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(i - j for i, j in zip(left, right, strict=True))


def times(left: Poly, right: Poly) -> Poly:
    """The product, unless it would be too large."""
    check_terms(len(left) * len(right))
    return left * right


def raised(base: Poly, exponent: int) -> Poly:
    """A power, unless it would be too large."""
    bits = max((max(abs(c.numerator), c.denominator).bit_length() for c in base.values()), default=1)
    check_power(len(base), bits, exponent)
    return base**exponent if exponent else base.ring.one


def poly_key(poly: Poly) -> str:
    names = names_of(poly.ring)
    terms = []
    for monomial, coefficient in sorted(poly.items(), key=lambda t: _used(names, t[0])):
        factors = [f"{n}^{e}" if e != 1 else n for n, e in _used(names, monomial)]
        terms.append("*".join(factors if coefficient == 1 and factors else (str(coefficient), *factors)))
    return "+".join(terms) or "0"


def _used(names: tuple[str, ...], monomial: tuple[int, ...]) -> list[tuple[str, int]]:
    return [(name, e) for name, e in zip(names, monomial, strict=True) if e]
