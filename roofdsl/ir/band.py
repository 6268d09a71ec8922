"""Projections of a guarded rectangle on one of its sides: how many rows or columns a band touches.

With distances from the common end, r' = rows−1−row and c' = columns−1−column, the guard is −lower < r'−c' <= upper;
row r' is touched if some c' in 0..columns−1 fulfils it, which leaves an interval of r' (and likewise of c').
"""

from __future__ import annotations

from roofdsl.ir.size import ONE, ZERO, Band, Const, Function, Size, Symbol, add, negate, subtract


def rows_touched(band: Band) -> Size:
    """The rows with at least one column inside the guard; the band must not be empty."""
    last = band.rows if band.upper is None else _smaller(band.rows, add(band.columns, band.upper))
    if band.lower is None or isinstance(band.lower, Symbol) or band.upper == ZERO:
        return last  # the window is at least one wide, so the last row has a column in it
    return subtract(last, _positive(subtract(ONE, band.lower)))


def columns_touched(band: Band) -> Size:
    """The columns with at least one row inside the guard; the band must not be empty."""
    last = band.columns
    if band.lower is not None:
        last = _smaller(band.columns, add(band.rows, band.lower, Const(ZERO.value - 1)))
    if band.upper is None or isinstance(band.upper, Symbol):
        return last  # the edge is not below the diagonal, so the last column has a row in it
    return subtract(last, _positive(negate(band.upper)))


def _smaller(first: Size, second: Size) -> Size:
    if isinstance(first, Const) and isinstance(second, Const):
        return min(first, second, key=lambda side: side.value)
    return first if first == second else Function("min", (first, second))


def _positive(size: Size) -> Size:
    """max(0, size), read off at once where the sign is known."""
    if isinstance(size, Const):
        return Const(max(size.value, ZERO.value))
    return Function("max", (ZERO, size))
