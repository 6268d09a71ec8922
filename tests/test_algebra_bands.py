"""Closed forms of guarded rectangles against counting, under all three causal conventions (R1)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as every

import pytest

from roofdsl.algebra.evaluation import compiled
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.ir.band import columns_touched, rows_touched
from roofdsl.ir.pairs import pairs
from roofdsl.ir.size import Band, Size, Symbol, const, negate

ROWS, COLUMNS, LOWER, UPPER = (Symbol(name) for name in ("S", "T", "w", "u"))
MINIMUM = {"u": 0}
SIZES = range(1, 7)


def inside(rows: int, columns: int, lower: int | None, upper: int | None) -> list[tuple[int, int]]:
    """The pairs of a band, counted one by one."""
    found = []
    for i, j in every(range(rows), range(columns)):
        e = (j - (columns - 1)) - (i - (rows - 1))
        if (lower is None or -lower < e) and (upper is None or e <= upper):
            found.append((i, j))
    return found


def counted(rows: int, columns: int, lower: int | None, upper: int | None, causal: str) -> Fraction:
    """Pairs under a convention: `full` drops the upper edge, `half` halves the rectangle for it."""
    if upper is None or causal == "exact":
        return Fraction(len(inside(rows, columns, lower, upper)))
    without_upper = Fraction(len(inside(rows, columns, lower, None)))
    return without_upper if causal == "full" else without_upper - Fraction(rows * columns, 2)


@pytest.mark.parametrize("causal", ["full", "half", "exact"])
@pytest.mark.parametrize("edges", [(None, None), (None, UPPER), (LOWER, None), (LOWER, UPPER), (LOWER, const(0))])
def test_symbolic_bands_agree_with_counting(causal: str, edges: tuple[Size | None, Size | None]) -> None:
    lower, upper = edges
    scope = Scope(order=("S", "T", "w", "u"), causal=causal, minimum=MINIMUM)
    value = compiled(normal(Band(ROWS, COLUMNS, lower, upper), scope))
    for s, t, w, u in every(SIZES, SIZES, range(1, 9), range(4)):
        point = {"S": s, "T": t, "w": w, "u": u}
        bounds = (None if lower is None else w), (None if upper is None else u if upper is UPPER else 0)
        assert value(point) == counted(s, t, *bounds, causal), point


@pytest.mark.parametrize("upper", [-3, -1, 0, 2])
@pytest.mark.parametrize("lower", [None, 1, 3])
def test_numeric_edges_agree_with_counting(lower: int | None, upper: int) -> None:
    band = Band(ROWS, COLUMNS, None if lower is None else const(lower), const(upper))
    value = compiled(normal(band, Scope(order=("S", "T"), causal="exact")))
    for s, t in every(SIZES, SIZES):
        assert value({"S": s, "T": t}) == len(inside(s, t, lower, upper)), (s, t)


@pytest.mark.parametrize("sides", [(1, 5), (5, 1), (1, 1), (4, 14)])
def test_numeric_sides_agree_with_counting(sides: tuple[int, int]) -> None:
    rows, columns = sides
    value = compiled(normal(Band(const(rows), const(columns), LOWER, const(0)), Scope(order=("w",), causal="exact")))
    for w in range(1, 18):
        assert value({"w": w}) == len(inside(rows, columns, w, 0)), w


def test_a_negative_upper_edge_may_be_a_symbol() -> None:
    value = compiled(
        normal(Band(ROWS, COLUMNS, LOWER, negate(UPPER)), Scope(order=("S", "T"), causal="exact", minimum=MINIMUM))
    )
    for s, t, w, u in every(range(1, 6), range(1, 6), range(1, 6), range(4)):
        assert value({"S": s, "T": t, "w": w, "u": u}) == len(inside(s, t, w, -u)), (s, t, w, u)


def test_four_new_tokens_over_ten_cached_have_34_pairs() -> None:
    """Queries stand at the end of the 10 positions (design §3)."""
    assert normal(Band(const(4), const(10), None, const(0)), Scope(causal="exact")).constant == 34


def test_equal_sides_need_no_min() -> None:
    square = normal(Band(ROWS, Symbol("t"), None, const(0)), Scope(("S",), {"t": ROWS}, causal="exact"))
    assert square.key == "1/2*S+1/2*S^2"


def test_one_row_under_a_window_is_a_min() -> None:
    row = normal(Band(const(1), COLUMNS, LOWER, const(0)), Scope(("T", "w"), causal="exact"))
    assert row.key == "min(T,w)"


def test_the_tree_of_a_full_triangle_is_the_rectangle() -> None:
    scope = Scope(("S", "T"))
    assert normal(pairs(Band(ROWS, COLUMNS, None, const(0)), "full"), scope).key == "S*T"


@pytest.mark.parametrize("edges", [(None, 0), (3, 0), (2, None), (2, 3)])
def test_touched_sides_agree_with_counting(edges: tuple[int | None, int | None]) -> None:
    lower, upper = edges
    band = Band(ROWS, COLUMNS, *(None if edge is None else const(edge) for edge in edges))
    rows, columns = (compiled(normal(touched(band), Scope(("S", "T")))) for touched in (rows_touched, columns_touched))
    for s, t in every(SIZES, SIZES):
        found = inside(s, t, lower, upper)
        point = {"S": s, "T": t}
        assert rows(point) == len({i for i, _ in found}), point
        assert columns(point) == len({j for _, j in found}), point
