"""Closed forms of guarded rectangles: how many index pairs a `Band` holds, as a tree, under each causal convention.

Counted from the common end, row r and column c (both from 0) fulfil the guard when −lower < r − c <= upper. For a fixed
edge v, the pairs with r − c <= v are Σ_r clip(columns + v − r, 0, columns), a difference of two truncated triangles.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, assert_never

from roofdsl.ir.size import ONE, ZERO, Band, Const, Function, Size, add, const, negate, product, subtract


def pairs(band: Band, causal: Literal["full", "half", "exact"]) -> Size:
    """The pairs inside the guard. `full` ignores the upper edge, `half` counts half the rectangle for it; the lower edge
    always counts.
    """
    whole = product(band.rows, band.columns)
    below = ZERO if band.lower is None else _up_to(band, _outermost(negate(band.lower), band.upper))
    if band.upper is None:
        return subtract(whole, below)
    match causal:
        case "full":
            return subtract(whole, _below_alone(band))
        case "half":
            return subtract(product(Const(Fraction(1, 2)), whole), _below_alone(band))
        case "exact":
            return subtract(_up_to(band, band.upper), below)
        case _:
            assert_never(causal)


def _below_alone(band: Band) -> Size:
    return ZERO if band.lower is None else _up_to(band, negate(band.lower))


def _outermost(edge: Size, upper: Size | None) -> Size:
    """An empty window (lower + upper < 0) removes nothing beyond the upper edge."""
    return edge if upper is None else _extremum("min", edge, upper)


def _up_to(band: Band, edge: Size) -> Size:
    """The pairs with r − c <= edge."""
    rows, columns = band.rows, band.columns
    reach = _positive_sum(columns, edge)
    if rows == ONE:
        return _extremum("min", columns, reach)
    if columns == ONE:
        return _extremum("min", rows, _positive_sum(edge, ONE))
    return subtract(_triangle(reach, rows), _triangle(_extremum("max", ZERO, edge), rows))


def _positive_sum(columns: Size, edge: Size) -> Size:
    """max(0, columns + edge), for a negative edge written columns − min(columns, −edge), as one says it."""
    return subtract(columns, _extremum("min", columns, negate(edge)))


def _triangle(first: Size, rows: Size) -> Size:
    """The sum first + (first − 1) + …, at most `rows` terms, none below zero: m(2·first − m + 1)/2 for m = min(rows, first)."""
    if first == ZERO:
        return ZERO
    m = _extremum("min", rows, first)
    return product(Const(Fraction(1, 2)), m, add(product(const(2), first), negate(m), ONE))


def _extremum(name: Literal["min", "max"], left: Size, right: Size) -> Size:
    """Decided at once between numbers."""
    if left == right:
        return left
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(min(left.value, right.value) if name == "min" else max(left.value, right.value))
    return Function(name, (left, right))
