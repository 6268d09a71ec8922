"""Small operations on size trees that judging claims needs: renaming symbols, and normal forms back to sizes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from roofdsl.algebra.form import Normal
from roofdsl.algebra.polynomials import fraction
from roofdsl.ir.size import Band, Const, Function, Power, Product, Size, Sum, Symbol, add, divide, product


def renamed(size: Size, names: Mapping[str, str]) -> Size:
    """The size with symbols replaced by others, all at once."""
    if not names:
        return size
    match size:
        case Const():
            return size
        case Symbol(name):
            return Symbol(names.get(name, name))
        case Sum(parts):
            return Sum(tuple(renamed(part, names) for part in parts))
        case Product(parts):
            return Product(tuple(renamed(part, names) for part in parts))
        case Power(base, exponent):
            return Power(renamed(base, names), exponent)
        case Function(name, arguments):
            return Function(name, tuple(renamed(a, names) for a in arguments))
        case Band(rows, columns, lower, upper):
            edges = (None if edge is None else renamed(edge, names) for edge in (lower, upper))
            return Band(renamed(rows, names), renamed(columns, names), *edges)
        case _:
            assert_never(size)


def size_of_form(form: Normal) -> Size | None:
    """A size with this normal form, or None if it holds functions (they have no size of their own)."""
    if any(name in form.atoms for name in form.generators):
        return None
    above, below = (_polynomial(part) for part in ((form.names, form.numer), (form.names, form.denom)))
    return divide(above, below)


def _polynomial(named: tuple[tuple[str, ...], Mapping[tuple[int, ...], object]]) -> Size:
    names, poly = named
    terms: list[Size] = []
    for monomial, coefficient in poly.items():
        powers = (
            Power(Symbol(n), Fraction(e)) if e > 1 else Symbol(n) for n, e in zip(names, monomial, strict=True) if e
        )
        terms.append(product(Const(fraction(coefficient)), *powers))
    return add(*terms)
