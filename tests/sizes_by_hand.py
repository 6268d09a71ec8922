"""Sizes built and evaluated by hand, independent of the algebra under test: exact values of trees, random trees."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor, prod

from hypothesis import strategies as st

from roofdsl.ir.size import Const, Function, Power, Product, Size, Sum, Symbol, add, const, product

NAMES = ("s", "b", "h")


def value_of(size: Size, point: Mapping[str, int]) -> Fraction:
    """The exact value of a tree without bands, roots and logarithms."""
    match size:
        case Const(value):
            return value
        case Symbol(name):
            return Fraction(point[name])
        case Sum(parts):
            return sum((value_of(part, point) for part in parts), Fraction(0))
        case Product(parts):
            return prod((value_of(part, point) for part in parts), start=Fraction(1))
        case Power(base, exponent):
            return value_of(base, point) ** int(exponent)
        case Function(name, arguments):
            found = [value_of(argument, point) for argument in arguments]
            functions = {"min": min, "max": max}
            single = {"ceil": ceil, "floor": floor, "abs": abs}
            return functions[name](found) if name in functions else Fraction(single[name](found[0]))
    raise AssertionError(size)


def minimum(*sizes: Size) -> Function:
    return Function("min", sizes)


def maximum(*sizes: Size) -> Function:
    return Function("max", sizes)


def ceiling(size: Size) -> Function:
    return Function("ceil", (size,))


def floored(size: Size) -> Function:
    return Function("floor", (size,))


def over(size: Size, number: int) -> Size:
    return product(Const(Fraction(1, number)), size)


def less(left: Size, right: Size) -> Size:
    return add(left, product(const(-1), right))


monomials = st.builds(
    lambda coefficient, names: product(const(coefficient), *(Symbol(name) for name in names)),
    st.integers(1, 4),
    st.lists(st.sampled_from(NAMES), max_size=2),
)
polynomials = st.builds(lambda terms: add(*terms), st.lists(monomials, min_size=1, max_size=3))
"""Integer polynomials with positive coefficients: what counts are made of."""
