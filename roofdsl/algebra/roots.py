"""Roots as generators: r with r^q = base, for bases without further factors, and their reduction in products.

A base is first pulled apart into primes, symbols and irreducible factors known to be positive; what is left keeps one
root of its own. Products are reduced so that no root occurs to its own index or beyond, nor alone below a fraction bar.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from roofdsl.algebra.form import Atom, Normal, atom_form, number
from roofdsl.algebra.polynomials import fraction, rational
from roofdsl.algebra.signs import Known, sign
from roofdsl.algebra.symbols import Poly
from roofdsl.diagnostics import fail
from roofdsl.errors.algebra import NOT_REAL
from roofdsl.source import NOWHERE

Part = tuple[Normal, int]
_FACTOR_TERMS = 40
_FACTOR_DEGREE = 24
_FACTOR_BITS = 256
_PRIMES_TO = 10_000


def power(base: Normal, exponent: Fraction, known: Known) -> Normal:
    """base^exponent; a fractional exponent of something negative is E0753."""
    if exponent.denominator == 1:
        return base ** int(exponent)
    if base.is_zero and exponent > 0:
        return number(0)
    if sign(base, known) in ("-", "0-"):
        fail(NOT_REAL, NOWHERE, "a root of zero in a denominator or of a negative number")
    result = number(1)
    for part, times in multiplicative_parts(base, known):
        result = result * _root(part, exponent * times)
    return result


def _root(part: Normal, exponent: Fraction) -> Normal:
    if part.constant == 1 or exponent.denominator == 1:
        return part ** int(exponent)
    atom = Atom("root", (part,), exponent.denominator)
    return atom_form(atom) ** int(exponent.numerator)


def multiplicative_parts(form: Normal, known: Known) -> tuple[Part, ...]:
    """Factors and their powers whose product is the form (taken to be positive): primes, symbols, irreducible factors
    known to be positive, and at most one rest.
    """
    parts: list[Part] = []
    rest = number(1)
    coefficient = Fraction(1)
    for poly, turn in ((form.numer, 1), (form.denom, -1)):
        content, factors = _factors(poly)
        coefficient *= content**turn
        for factor, times in factors:
            part = Normal(factor, factor.ring.one, form.atoms)
            if sign(part, known) in ("+", "0+"):
                parts.append((part, turn * times))
            elif times % 2 == 0 and sign(-part, known) in ("+", "0+"):
                parts.append((-part, turn * times))
            else:
                rest = rest * part ** (turn * times)
    if coefficient < 0:
        rest, coefficient = -rest, -coefficient
    parts += _primes(coefficient)
    return tuple(parts) if rest.constant == 1 else (*parts, (rest, 1))


def _factors(poly: Poly) -> tuple[Fraction, list[tuple[Poly, int]]]:
    ring = poly.ring
    if len(poly) == 1:
        ((monomial, coefficient),) = poly.items()
        return fraction(coefficient), [(g, e) for g, e in zip(ring.gens, monomial, strict=True) if e]
    if len(poly) <= _FACTOR_TERMS and max(poly.degrees()) <= _FACTOR_DEGREE and _small(poly):
        content, factors = poly.factor_list()
        primitive = [(f.primitive(), e) for f, e in factors]
        scale = fraction(content)
        for (part, _), times in primitive:
            scale *= fraction(part) ** times
        return scale, [(f, e) for (_, f), e in primitive]
    content, primitive_part = poly.primitive()
    return fraction(content), [(primitive_part, 1)]


def _small(poly: Poly) -> bool:
    """Whether its coefficients are short: factoring looks for primes of their size, which takes minutes for long ones."""
    parts = (fraction(coefficient) for coefficient in poly.values())
    return all(max(abs(part.numerator), part.denominator).bit_length() <= _FACTOR_BITS for part in parts)


def irreducible_factors(poly: Poly) -> list[tuple[Poly, int]]:
    """Factors and their powers, a number among them unless it is 1; large polynomials are left whole."""
    content, factors = _factors(poly)
    return factors if content == 1 else [(poly.ring.ground_new(rational(content)), 1), *factors]


def _primes(coefficient: Fraction) -> list[Part]:
    from sympy import factorint

    found: list[Part] = []
    for whole, turn in ((coefficient.numerator, 1), (coefficient.denominator, -1)):
        powers: Mapping[Any, Any] = factorint(whole, limit=_PRIMES_TO) if whole != 1 else {}
        found += [(number(int(prime)), turn * int(times)) for prime, times in sorted(powers.items())]
    return found


def reduce_roots(numer: Poly, denom: Poly, atoms: Mapping[str, Atom]) -> Normal | None:
    """numer/denom with every root below its index and none alone in the denominator; None if that is so already."""
    names = [s.name for s in numer.ring.symbols]
    for place, name in enumerate(names):
        atom = atoms.get(name)
        if atom is None or atom.function != "root":
            continue
        if _degree(numer, place) >= atom.index or _degree(denom, place) >= atom.index:
            return _reduced(numer, place, atom, atoms) / _reduced(denom, place, atom, atoms)
        missing = atom.index - _degree(denom, place)
        if len(denom) == 1 and missing < atom.index:
            filler = numer.ring.gens[place] ** missing
            return _reduced(numer * filler, place, atom, atoms) / _reduced(denom * filler, place, atom, atoms)
    return None


def _degree(poly: Poly, place: int) -> int:
    return max((monomial[place] for monomial in poly), default=0)


def _reduced(poly: Poly, place: int, atom: Atom, atoms: Mapping[str, Atom]) -> Normal:
    """r^(kq + e) written as base^k r^e."""
    ring = poly.ring
    groups: dict[int, dict[tuple[int, ...], Any]] = {}
    for monomial, coefficient in poly.items():
        times, left = divmod(monomial[place], atom.index)
        groups.setdefault(times, {})[(*monomial[:place], left, *monomial[place + 1 :])] = coefficient
    result = number(0)
    for times, terms in groups.items():
        result = result + Normal(ring.dtype(terms), ring.one, atoms) * atom.arguments[0] ** times
    return result
