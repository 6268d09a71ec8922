"""How many distinct positions one affine index expression reaches on an axis (R4), and whether two can meet.

A position Σ cᵢ·xᵢ + offset takes distinct values; with the terms in order of their coefficients and the first one 1,
each further term adds (extent − 1) steps of at most its coefficient. What leaves the axis is padding and touches
nothing. Comparisons that only algebra could decide stay as min and max.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from roofdsl.ir.expr import Affine
from roofdsl.ir.size import ONE, ZERO, Const, Function, Power, Product, Size, Sum, Symbol, add, const, product, subtract

Term = tuple[Size, Size]
"""Coefficient and extent of one term, the coefficient positive."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Positions from `low` up in steps of `step`, `count` of them; `count` is what the tensor has of them."""

    low: Size
    step: Size
    count: Size


def reach(position: Affine, extents: Mapping[str, Size], axis: Size) -> Interval:
    """The positions an index expression reaches on an axis of the given extent."""
    forward = [(coefficient, extents[index]) for coefficient, index in position.terms if not _negative(coefficient)]
    turned = [(product(const(-1), c), extents[index]) for c, index in position.terms if _negative(c)]
    low = subtract(position.offset, _span(turned))
    terms = sorted((*forward, *turned), key=_order)
    common = _common_factor(terms)
    count, dense = _distinct(
        [(product(Const(Fraction(1, common)), coefficient), extent) for coefficient, extent in terms]
    )
    if not terms:
        return Interval(low, ONE, ONE)
    if len(terms) == 1 and (terms[0][0] != ONE or low == ZERO):
        return Interval(low, terms[0][0], count)
    if common != 1:
        return Interval(low, const(common), count)
    return _clipped(low, count, None if dense else add(_span(terms), ONE), axis)


def apart(one: Interval, other: Interval) -> bool:
    """Whether two intervals provably share no position: one ends where the other begins, or their steps interleave."""
    if one.step == other.step == ONE:
        return _ends_before(one, other) or _ends_before(other, one)
    shift = subtract(one.low, other.low)
    if one.step != other.step or not isinstance(one.step, Const) or not isinstance(shift, Const):
        return False
    return shift.value % one.step.value != 0


def same(one: Size, other: Size) -> bool:
    """Whether two sizes are written alike but for the order of factors or terms; no algebra."""
    if one == other:
        return True
    if isinstance(one, Product) and isinstance(other, Product):
        return Counter(one.factors) == Counter(other.factors)
    if isinstance(one, Sum) and isinstance(other, Sum):
        return Counter(one.terms) == Counter(other.terms)
    return False


def smaller(one: Size, other: Size) -> Size:
    """The minimum, read off where it is plain to see; sizes are at least one."""
    return _extreme("min", one, other)


def larger(one: Size, other: Size) -> Size:
    """The maximum, read off where it is plain to see."""
    return _extreme("max", one, other)


def _extreme(name: str, one: Size, other: Size) -> Size:
    (rest, constant), (other_rest, other_constant) = _split_constant(one), _split_constant(other)
    if same(rest, other_rest):
        return one if (constant <= other_constant) == (name == "min") else other
    if ONE in {one, other} and _is_extent(one) and _is_extent(other):
        rest = other if one == ONE else one
        return ONE if name == "min" else rest
    return Function("min" if name == "min" else "max", (one, other))


def _split_constant(size: Size) -> tuple[Size, Fraction]:
    """A size as the part with names in it and a number."""
    if isinstance(size, Const):
        return ZERO, size.value
    if isinstance(size, Sum) and isinstance(size.terms[-1], Const):
        return add(*size.terms[:-1]), size.terms[-1].value
    return size, Fraction(0)


def _is_extent(size: Size) -> bool:
    """Whether a size is at least one by its form: products and sums of dims and numbers from one up."""
    match size:
        case Const(value):
            return value >= 1
        case Symbol():
            return True
        case Product(parts) | Sum(parts):
            return all(_is_extent(part) for part in parts)
        case Power(base, exponent):
            return exponent > 0 and _is_extent(base)
        case Function("min" | "max", parts):
            return all(_is_extent(part) for part in parts)
        case _:
            return False


def _negative(size: Size) -> bool:
    """Whether a size is negative by its form: a number below zero, or a product led by one."""
    match size:
        case Const(value):
            return value < 0
        case Product((Const(value), *_)):
            return value < 0
        case Sum(parts):
            return all(_negative(part) for part in parts)
        case _:
            return False


def _positive(size: Size) -> bool:
    match size:
        case Sum(parts):
            return all(_positive(part) for part in parts)
        case _:
            return not _negative(size)


def _order(term: Term) -> tuple[int, Fraction, int]:
    """Numbers by value, then symbolic coefficients by their number of factors."""
    coefficient = term[0]
    if isinstance(coefficient, Const):
        return (0, coefficient.value, 0)
    return (1, Fraction(0), len(coefficient.factors) if isinstance(coefficient, Product) else 1)


def _common_factor(terms: list[Term]) -> int:
    """The greatest common divisor of the coefficients where all are whole numbers, else 1."""
    values = [c.value for c, _ in terms if isinstance(c, Const) and c.value.denominator == 1]
    return gcd(*(int(value) for value in values)) if values and len(values) == len(terms) else 1


def _span(terms: list[Term]) -> Size:
    """Σ |c|·(extent − 1): the distance between the first and the last position."""
    return add(*(product(coefficient, subtract(extent, ONE)) for coefficient, extent in terms))


def _distinct(terms: list[Term]) -> tuple[Size, bool]:
    """How many distinct values the terms take, and whether they leave no gap; with gaps inside, the smaller bound."""
    count: Size = ONE
    dense = True
    for number, (coefficient, extent) in enumerate(terms):
        if number == 0 or (dense and same(coefficient, count)):
            dense = dense and (number > 0 or coefficient == ONE)
            count = product(count, extent)
        elif dense:
            dense = _at_most(coefficient, count)
            count = add(product(subtract(extent, ONE), smaller(coefficient, count)), count)
        else:
            count = smaller(product(count, extent), add(_span(terms[: number + 1]), ONE))
    return count, dense


def _at_most(one: Size, other: Size) -> bool:
    """Whether a coefficient is plainly no greater than a count, which is at least one."""
    return one == ONE or (isinstance(one, Const) and isinstance(other, Const) and one.value <= other.value)


def _clipped(low: Size, count: Size, span: Size | None, axis: Size) -> Interval:
    """What of a run of positions lies on the axis 0 … extent − 1; `span` is given where the run may have gaps."""
    end = smaller(add(low, count if span is None else span), axis)
    start = low if _positive(low) else ZERO if _negative(low) else Function("max", (low, ZERO))
    inside = subtract(end, start)
    return Interval(start, ONE, inside if span is None else smaller(count, inside))


def _ends_before(one: Interval, other: Interval) -> bool:
    end = add(one.low, one.count)
    if same(end, other.low):
        return True
    return isinstance(end, Const) and isinstance(other.low, Const) and end.value <= other.low.value
