"""One total expanded into one ring: products of symbols go straight into one dictionary of terms.

Negative exponents are allowed while terms are collected (a let like d = h/a is then a single term) and cleared once at
the end. Denominators that are sums are kept apart, one numerator for each, and joined once at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from roofdsl.algebra.form import Atom, Normal, canonical
from roofdsl.algebra.joining import Joined, join, without_common
from roofdsl.algebra.limits import LIMITS, check_power, check_terms, too_large
from roofdsl.algebra.polynomials import fraction, raised, rational
from roofdsl.algebra.symbols import Poly, names_of, ring_of
from roofdsl.diagnostics import fail
from roofdsl.errors.algebra import ZERO_DENOMINATOR
from roofdsl.ir.size import Band, Const, Function, Power, Product, Size, Sum, Symbol
from roofdsl.source import NOWHERE

Terms = dict[tuple[int, ...], Any]
"""Exponents, negative ones included, and their coefficient."""
Term = tuple[Fraction | int, tuple[tuple[int, int], ...]]
"""A single product: its coefficient, and (place, exponent) of the generators in it."""
Ratios = dict[Any, Any]
"""For each denominator (a sum without common factor, or 1) its numerator: elements of the ring."""


class OutsideRing(Exception):  # noqa: N818 (not an error: the caller widens the ring)
    """A name or atom that has no generator yet."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What stands behind names and functions: `definition` gives the form of a let or bound name (None: a symbol),
    `special` the form of a function, a band or a root.
    """

    definition: Callable[[str], Normal | None]
    special: Callable[[Function | Band | Power], Normal]


class Expansion:
    """Collects sizes in one ring. Made, used and dropped by `normal`."""

    def __init__(self, names: tuple[str, ...], meaning: Meaning) -> None:
        self.ring = ring_of(names)
        self.meaning = meaning
        self.atoms: dict[str, Atom] = {}
        self._one = self.ring.one
        self._blank = self.ring.zero_monom
        self._place = {name: i for i, name in enumerate(names)}
        self._known: dict[str, Ratios] = {}
        self._terms_of: dict[str, Term | None] = {}

    def total(self, sizes: Iterable[Size]) -> Normal:
        """The sum of the sizes, in lowest terms. Raises `OutsideRing` if a generator is missing."""
        ratios: Ratios = {}
        plain: Terms = {}
        for size in sizes:
            self._collect(size, plain, ratios)
        self._merge(ratios, self._one, self._element(plain))
        return self._joined(ratios)

    def _collect(self, size: Size, plain: Terms, ratios: Ratios) -> None:
        """Adds a size to the plain terms, or to the ratios where it has a denominator that is a sum."""
        if type(size) is Sum:
            for term in size.terms:
                self._collect(term, plain, ratios)
            return
        coefficient, exponents, others = self._flat(size)
        if not coefficient:
            return
        if not others:
            key = tuple(exponents)
            plain[key] = plain.get(key, 0) + coefficient
            return
        value = {self._one: self.ring.dtype({tuple(exponents): rational(coefficient)})}
        for other in others:
            value = self._times(value, self._value(other))
        for denom, numer in value.items():
            self._merge(ratios, denom, numer)
        check_terms(len(plain))

    def _flat(self, size: Size) -> tuple[Fraction | int, list[int], list[Size]]:
        """Coefficient, exponents and remaining factors of a product."""
        coefficient: Fraction | int = 1
        exponents = list(self._blank)
        others: list[Size] = []
        stack = [size]
        while stack:
            factor = stack.pop()
            match factor:
                case Product(factors):
                    stack.extend(factors)
                case Const(value):
                    coefficient *= value
                case Symbol(name) if (term := self._term(name)) is not None:
                    coefficient *= _multiplied(term, 1, exponents)
                case Power(Symbol(name), exponent) if (
                    exponent.denominator == 1 and (term := self._term(name)) is not None
                ):
                    coefficient *= _multiplied(term, exponent.numerator, exponents)
                case _:
                    others.append(factor)
        return coefficient, exponents, others

    def _term(self, name: str) -> Term | None:
        """Coefficient and (place, exponent) pairs of a name that stands for a single nonzero term."""
        if name not in self._terms_of:
            self._terms_of[name] = self._read_term(name)
        return self._terms_of[name]

    def _read_term(self, name: str) -> Term | None:
        form = self.meaning.definition(name)
        if form is None:
            if name not in self._place:
                raise OutsideRing(name)
            return 1, ((self._place[name], 1),)
        ratios = self._lifted(form)
        numer = ratios.get(self._one)
        if len(ratios) != 1 or numer is None or len(numer) != 1:
            return None
        ((monomial, coefficient),) = numer.items()
        places = tuple((i, e) for i, e in enumerate(monomial) if e)
        return fraction(coefficient), places

    def _value(self, size: Size) -> Ratios:
        match size:
            case Symbol(name):
                return self._named(name)
            case Power(base, exponent) if exponent.denominator == 1:
                return self._power(self._value(base), exponent.numerator)
            case Function() | Band() | Power():
                return self._lifted(self.meaning.special(size))
            case Const() | Sum() | Product():
                plain: Terms = {}
                ratios: Ratios = {}
                self._collect(size, plain, ratios)
                self._merge(ratios, self._one, self._element(plain))
                return ratios

    def _named(self, name: str) -> Ratios:
        if name not in self._known:
            form = self.meaning.definition(name)
            if form is None and name not in self._place:
                raise OutsideRing(name)
            self._known[name] = {self._one: self.ring.gens[self._place[name]]} if form is None else self._lifted(form)
        return self._known[name]

    def _lifted(self, form: Normal) -> Ratios:
        """A form in this ring, its denominator's monomial made into negative exponents."""
        used = set(form.generators)
        for name in used:
            if name not in self._place:
                raise OutsideRing(name)
            if name in form.atoms:
                self.atoms[name] = form.atoms[name]
        if form.is_zero:
            return {}
        numer, denom = (self._moved(poly, names_of(form.ring), used) for poly in (form.numer, form.denom))
        return self._quotient(numer, denom)

    def _moved(self, poly: Poly, names: tuple[str, ...], used: set[str]) -> Poly:
        places = [(i, self._place[name]) for i, name in enumerate(names) if name in used]
        moved: Terms = {}
        for monomial, coefficient in poly.items():
            exponents = list(self._blank)
            for source, target in places:
                exponents[target] = monomial[source]
            moved[tuple(exponents)] = coefficient
        return self.ring.dtype(moved)

    def _quotient(self, numer: Poly, denom: Poly) -> Ratios:
        lowest = _lowest(denom)
        denom = _shift(denom, lowest, -1)
        content, denom = denom.primitive()
        if denom.LC < 0:
            content, denom = -content, -denom
        return {denom: _shift(numer, lowest, -1).quo_ground(content)}

    def _power(self, value: Ratios, exponent: int) -> Ratios:
        if exponent >= 0:
            result: Ratios = {self._one: self._one}
            if len(value) == 1:
                ((denom, numer),) = value.items()
                return {raised(denom, exponent): raised(numer, exponent)}
            check_power(max(2, len(value)), 1, exponent)
            for _ in range(exponent):
                result = self._times(result, value)
            return result
        joined = join(self.ring, value)
        denom, numer = joined.denom, joined.numer
        if not numer:
            fail(ZERO_DENOMINATOR, NOWHERE, "the denominator is zero once everything is expanded")
        return self._power(self._quotient(denom, numer), -exponent)

    def _times(self, left: Ratios, right: Ratios) -> Ratios:
        result: Ratios = {}
        for one, over_one in left.items():
            for two, over_two in right.items():
                check_terms(len(over_one) * len(over_two))
                denom = one if two == 1 else two if one == 1 else one * two
                self._merge(result, denom, over_one * over_two)
        return result

    def _merge(self, ratios: Ratios, denom: Poly, numer: Poly) -> None:
        if not numer:
            return
        found = ratios.get(denom)
        ratios[denom] = numer if found is None else found + numer
        if len(ratios) > LIMITS.denominators:
            too_large("different denominators in one formula", len(ratios), LIMITS.denominators)

    def _joined(self, ratios: Ratios) -> Normal:
        joined = join(self.ring, ratios)
        numer, below = _cleared(joined.numer)
        numer, denom = without_common(Joined(numer, joined.factors))
        return canonical(numer, _shift(denom, below, -1), self.atoms, coprime=True)

    def _element(self, terms: Mapping[tuple[int, ...], Any]) -> Poly:
        return self.ring.dtype({m: rational(c) for m, c in terms.items() if c})


def _multiplied(term: Term, power: int, exponents: list[int]) -> Fraction | int:
    """Multiplies a power of a product into the exponents; gives its coefficient."""
    coefficient, places = term
    if power != 1:
        check_power(1, _bits(coefficient), power)
    for place, exponent in places:
        exponents[place] += exponent * power
    return coefficient if coefficient == 1 or power == 1 else Fraction(coefficient) ** power


def _bits(value: Fraction | int) -> int:
    return max(abs(value.numerator), value.denominator).bit_length()


def _lowest(poly: Poly) -> tuple[int, ...]:
    """The least exponent of every generator."""
    return tuple(min(column) for column in zip(*poly, strict=True))


def _cleared(poly: Poly) -> tuple[Poly, tuple[int, ...]]:
    """Without negative exponents, and the (not positive) exponents that were taken out."""
    if not poly:
        return poly, poly.ring.zero_monom
    below = tuple(min(0, least) for least in _lowest(poly))
    return _shift(poly, below, -1), below


def _shift(poly: Poly, by: tuple[int, ...], times: int) -> Poly:
    if not any(by):
        return poly
    ring = poly.ring
    return ring.dtype({tuple(e + times * b for e, b in zip(m, by, strict=True)): c for m, c in poly.items()})
