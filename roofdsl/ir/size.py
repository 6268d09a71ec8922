"""Sizes and amounts as exact trees: no algebra happens here.

Every derived amount (a count of points, bytes, parameters) is a `Size`. Trees are built cheaply while deriving;
`roofdsl.algebra.normal` turns one into a SymPy normal form when somebody asks. Names are dims and lets of the root
scope: a let stays a name until it is asked for, so that a claim can detach it (`for f free`) and a config rebind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class Const:
    """An exact number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Symbol:
    """A dim, a let or a user's measured name of the root scope."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of sizes."""

    terms: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A product of sizes."""

    factors: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """An integer power, or any constant rational one (`1/2` for sqrt)."""

    base: Size
    exponent: Fraction


FunctionName = Literal["min", "max", "ceil", "floor", "abs", "log", "exp"]


@dataclass(frozen=True, slots=True)
class Function:
    """min, max (any number of arguments); ceil, floor, abs, log, exp (one)."""

    name: FunctionName
    arguments: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """Number of index pairs (row, column) of a `rows` × `columns` rectangle whose ends are aligned, inside a guard.

    With e = (column − (columns−1)) − (row − (rows−1)), the guard is `-lower < e` (when `lower` is given: a window of
    that width) and `e <= upper` (when given; 0 for causal). Counting follows the convention `causal` (full: the upper
    edge is ignored; half: it halves the rectangle; exact). The lower edge always counts.
    """

    rows: Size
    columns: Size
    lower: Size | None
    upper: Size | None


Size = Const | Symbol | Sum | Product | Power | Function | Band

ONE = Const(Fraction(1))
ZERO = Const(Fraction(0))


def const(value: int | Fraction) -> Const:
    return Const(Fraction(value))


def product(*factors: Size) -> Size:
    """The product, dropping ones and flattening; zero if any factor is zero."""
    flat: list[Size] = []
    coefficient = Fraction(1)
    for factor in factors:
        for part in factor.factors if isinstance(factor, Product) else (factor,):
            if isinstance(part, Const):
                coefficient *= part.value
            else:
                flat.append(part)
    if coefficient == 0:
        return ZERO
    if coefficient != 1 or not flat:
        flat.insert(0, Const(coefficient))
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def add(*terms: Size) -> Size:
    """The sum, dropping zeros and flattening."""
    flat: list[Size] = []
    constant = Fraction(0)
    for term in terms:
        for part in term.terms if isinstance(term, Sum) else (term,):
            if isinstance(part, Const):
                constant += part.value
            else:
                flat.append(part)
    if constant != 0 or not flat:
        flat.append(Const(constant))
    return flat[0] if len(flat) == 1 else Sum(tuple(flat))


def negate(size: Size) -> Size:
    return product(const(-1), size)


def subtract(left: Size, right: Size) -> Size:
    return add(left, negate(right))


def divide(left: Size, right: Size) -> Size:
    if isinstance(right, Const):
        return product(Const(1 / right.value), left)
    return product(left, Power(right, Fraction(-1)))


def symbols_of(size: Size) -> frozenset[str]:
    """All names a size mentions."""
    match size:
        case Const():
            return frozenset()
        case Symbol(name):
            return frozenset((name,))
        case Sum(parts) | Product(parts) | Function(_, parts):
            return frozenset().union(*(symbols_of(p) for p in parts))
        case Power(base, _):
            return symbols_of(base)
        case Band(rows, columns, lower, upper):
            optional = tuple(edge for edge in (lower, upper) if edge is not None)
            return frozenset().union(*(symbols_of(p) for p in (rows, columns, *optional)))
