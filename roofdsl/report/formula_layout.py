"""How a normal form is laid out before any format is chosen: terms, factors and fractions in their order of printing.

Order of terms, settled so that the forms come out as papers print them (34sbh + 5as²b, 24bsh² + 4bs²h): whole terms
before fractions; then by their symbols, compared in the order of declaration like words, the shorter word last; then by
total degree; then by the power of the symbol declared last. Factors stand in the order of declaration, unless the
author's file writes that product in another order (`Style.written`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from roofdsl.algebra.form import Atom, Normal, fraction
from roofdsl.algebra.symbols import Poly

Powers = frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Style:
    """`order`: names as declared. `written`: products the author writes in an order of their own. `names`: all names a
    formula may use, against which juxtaposed letters must be unambiguous (`order` if not given). `reserved`: names of
    functions and quantities. `renamed` maps our names to those that are printed.
    """

    order: tuple[str, ...] = ()
    written: Mapping[Powers, tuple[str, ...]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SymbolFactor:
    """A symbol to an integer power."""

    name: str
    exponent: int = 1


@dataclass(frozen=True, slots=True)
class FunctionFactor:
    """`index` is the q of a q-th root."""

    function: str
    arguments: tuple[Layout, ...]
    exponent: int = 1
    index: int = 1


@dataclass(frozen=True, slots=True)
class GroupFactor:
    """A sum in parentheses."""

    inside: Layout
    exponent: int = 1


Factor = SymbolFactor | FunctionFactor | GroupFactor


@dataclass(frozen=True, slots=True)
class Term:
    """coefficient × above / below."""

    coefficient: Fraction
    above: tuple[Factor, ...] = ()
    below: tuple[Factor, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """A sum of terms; none is zero."""

    terms: tuple[Term, ...]


Monomial = tuple[Fraction, dict[str, int]]
"""A coefficient and the (nonzero, perhaps negative) powers of generators."""


def monomials(poly: Poly, below: Mapping[str, int] | None = None) -> list[Monomial]:
    """The terms of a polynomial divided by a product of generators."""
    names = [symbol.name for symbol in poly.ring.symbols]
    found: list[Monomial] = []
    for exponents, coefficient in poly.items():
        powers = {name: e for name, e in zip(names, exponents, strict=True) if e}
        for name, e in (below or {}).items():
            powers[name] = powers.get(name, 0) - e
        found.append((fraction(coefficient), {name: e for name, e in powers.items() if e}))
    return found


def lay_out(form: Normal, style: Style) -> Layout:
    """The expanded form: one sum where the denominator is a product, else a fraction of two sums."""
    if len(form.denom) == 1:
        ((_, below),) = monomials(form.denom)
        return sum_of(monomials(form.numer, below), form.atoms, style)
    return Layout((quotient(form, style),))


def quotient(form: Normal, style: Style) -> Term:
    """Numerator over denominator, common factors of the terms of each pulled out."""
    coefficient, powers, upper = split_common(form.numer)
    divisor, under, lower = split_common(form.denom)
    for name, e in under.items():
        powers[name] = powers.get(name, 0) - e
    term = term_of((coefficient / divisor, powers), form.atoms, style)
    return replace(
        term,
        above=(*term.above, *groups(upper, form.atoms, style)),
        below=(*term.below, *groups(lower, form.atoms, style)),
    )


def split_common(poly: Poly) -> tuple[Fraction, dict[str, int], Poly]:
    """Content and common monomial of a polynomial, and what is left."""
    content, rest = poly.primitive()
    lowest = tuple(min(column) for column in zip(*rest, strict=True))
    names = [symbol.name for symbol in poly.ring.symbols]
    powers = {name: e for name, e in zip(names, lowest, strict=True) if e}
    rest = poly.ring.dtype({tuple(e - m for e, m in zip(x, lowest, strict=True)): c for x, c in rest.items()})
    return fraction(content), powers, rest


def groups(poly: Poly, atoms: Mapping[str, Atom], style: Style) -> tuple[Factor, ...]:
    """A sum as a factor; nothing for 1."""
    return () if poly == 1 else (GroupFactor(sum_of(monomials(poly), atoms, style)),)


def sum_of(terms: Iterable[Monomial], atoms: Mapping[str, Atom], style: Style) -> Layout:
    """The terms in their order."""
    ordered = sorted(terms, key=lambda term: term_key(term[1], style))
    return Layout(tuple(term_of(term, atoms, style) for term in ordered))


def term_key(powers: Mapping[str, int], style: Style) -> tuple[Any, ...]:
    """The order of terms described above."""
    ranks = {name: rank(name, style) for name in powers}
    ordered = sorted(powers, key=lambda name: ranks[name])
    word = (*(ranks[name] for name in ordered), (len(style.order) + 2, ""))
    degree = sum(powers.values())
    return (
        any(e < 0 for e in powers.values()),
        word,
        -degree,
        tuple(-powers[name] for name in reversed(ordered)),
    )


def rank(name: str, style: Style) -> tuple[int, str]:
    """Declared names first, in their order; then others by name; functions last."""
    if name in style.order:
        return style.order.index(name), ""
    return len(style.order) + ("(" in name), name


def term_of(term: Monomial, atoms: Mapping[str, Atom], style: Style) -> Term:
    coefficient, powers = term
    above = {name: e for name, e in powers.items() if e > 0}
    below = {name: -e for name, e in powers.items() if e < 0}
    return Term(coefficient, _factors(above, atoms, style), _factors(below, atoms, style))


def _factors(powers: Mapping[str, int], atoms: Mapping[str, Atom], style: Style) -> tuple[Factor, ...]:
    symbols = frozenset((name, e) for name, e in powers.items() if name not in atoms)
    names = _author_order(symbols, style) or sorted((n for n, _ in symbols), key=lambda name: rank(name, style))
    functions = sorted((name for name in powers if name in atoms), key=lambda name: rank(name, style))
    return (
        *(SymbolFactor(style.renamed.get(name, name), powers[name]) for name in names),
        *(function_factor(atoms[name], powers[name], style) for name in functions),
    )


def _author_order(symbols: Powers, style: Style) -> tuple[str, ...] | None:
    """The order the author writes this product in, else the first order they write a product of these symbols in."""
    if symbols in style.written:
        return style.written[symbols]
    names = {name for name, _ in symbols}
    return next((order for order in style.written.values() if names == set(order)), None)


def function_factor(atom: Atom, exponent: int, style: Style) -> FunctionFactor:
    arguments = [lay_out(argument, style) for argument in atom.arguments]
    if atom.function in ("min", "max"):  # symmetric: show them in the order of declaration, not of their keys
        ordered = sorted(zip(atom.arguments, arguments, strict=True), key=lambda pair: _argument_key(pair[0], style))
        arguments = [argument for _, argument in ordered]
    return FunctionFactor(atom.function, tuple(arguments), exponent, atom.index)


def _argument_key(form: Normal, style: Style) -> tuple[Any, ...]:
    if form.is_zero:
        return ((),)
    return (min(term_key(powers, style) for _, powers in monomials(form.numer)), form.key)
