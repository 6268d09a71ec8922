"""Guards: from comparisons to aligned bands, and their inheritance through tensors (design §3, R1).

`t <= s` means t − (size(t)−1) <= s − (size(s)−1): both indices end at the same position.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from roofdsl.errors import statements
from roofdsl.ir import size as sz
from roofdsl.ir.expr import Access, Expr, reads
from roofdsl.ir.graph import AxisGuard, Guard, Tensor
from roofdsl.ir.size import Size
from roofdsl.passes.elaborate.affine import Indexing, affine
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.elaborate.index import plain_index
from roofdsl.syntax import ast


def statement_guards(body: Body, indexing: Indexing, node: ast.Assign) -> tuple[Guard, ...]:
    """The guards written on a statement."""
    edges = [_edge(body, indexing, comparison) for comparison in node.guards]
    pairs: dict[frozenset[str], list[_Edge]] = {}
    for edge in edges:
        if edge is not None:
            pairs.setdefault(frozenset((edge.less, edge.more)), []).append(edge)
    return tuple(_orient(group) for group in pairs.values())


@dataclass(frozen=True, slots=True)
class _Edge:
    """less − more <= bound."""

    less: str
    more: str
    bound: Size


def _orient(edges: list[_Edge]) -> Guard:
    """The band of a pair. The upper edge (the causal one) is the edge with the smallest constant bound; the other,
    and any edge whose bound is a size such as a window, is a lower edge.
    """
    constant = [edge for edge in edges if isinstance(edge.bound, sz.Const)]
    upper = min(constant, key=_bound, default=None)
    row, column = (upper.more, upper.less) if upper is not None else (edges[0].less, edges[0].more)
    guard = Guard(row, column, None, None)
    for edge in edges:
        one = (
            Guard(row, column, None, edge.bound)
            if edge.less == column
            else Guard(row, column, sz.add(edge.bound, sz.ONE), None)  # column − row >= −bound
        )
        guard = merge((guard, one))[0]
    return guard


def _bound(edge: _Edge) -> Fraction:
    return abs(edge.bound.value) if isinstance(edge.bound, sz.Const) else Fraction(0)


def _edge(body: Body, indexing: Indexing, comparison: ast.Comparison) -> _Edge | None:
    difference = _difference(body, indexing, comparison)
    if difference is None:
        return None
    less, more, offset, strict = difference
    return _Edge(less, more, sz.add(sz.negate(offset), sz.const(-1 if strict else 0)))


def _difference(body: Body, indexing: Indexing, comparison: ast.Comparison) -> tuple[str, str, Size, bool] | None:
    """`left − right` of the comparison turned to <= or <, as (index, index, offset, strict)."""
    left = affine(body, indexing, comparison.left)
    right = affine(body, indexing, comparison.right)
    if left is None or right is None:
        return None
    if comparison.relation in (">", ">="):
        left, right = right, left
    terms = dict.fromkeys((name for _, name in (*left.terms, *right.terms)), sz.ZERO)
    sums: dict[str, Size] = dict.fromkeys(terms, sz.ZERO)
    for coefficient, name in left.terms:
        sums[name] = sz.add(sums[name], coefficient)
    for coefficient, name in right.terms:
        sums[name] = sz.subtract(sums[name], coefficient)
    plus = [name for name, coefficient in sums.items() if coefficient == sz.ONE]
    minus = [name for name, coefficient in sums.items() if coefficient == sz.const(-1)]
    if comparison.relation == "=" or len(sums) != 2 or len(plus) != 1 or len(minus) != 1:
        body.report(
            statements.BAD_GUARD,
            comparison.span,
            "this domain has no closed form here",
            expected="two indices with coefficient 1 and an offset: t <= s, s - w < t",
        )
        return None
    return plus[0], minus[0], sz.subtract(left.offset, right.offset), comparison.relation in ("<", ">")


def inherited(value: Expr, tensors: dict[str, Tensor]) -> tuple[Guard, ...]:
    """The guards of the tensors a statement reads, on the statement's indices."""
    found: list[Guard] = []
    for access in reads(value):
        for guard in tensors[access.tensor].guards:
            row = plain_index(access.positions[guard.row])
            column = plain_index(access.positions[guard.column])
            if row is not None and column is not None:
                found.append(Guard(row, column, guard.lower, guard.upper))
    return tuple(found)


def merge(guards: tuple[Guard, ...]) -> tuple[Guard, ...]:
    """One guard per pair: the edges of several put together; equal ones once."""
    pairs: dict[tuple[str, str], Guard] = {}
    for guard in guards:
        known = pairs.get((guard.row, guard.column))
        if known is None:
            pairs[guard.row, guard.column] = guard
            continue
        if guard == known:
            continue
        lower = _tightest(known.lower, guard.lower)
        upper = _tightest(known.upper, guard.upper)
        pairs[guard.row, guard.column] = Guard(guard.row, guard.column, lower, upper)
    return tuple(pairs.values())


def _tightest(one: Size | None, other: Size | None) -> Size | None:
    if one is None or other is None or one == other:
        return one if other is None else other
    return sz.Function("min", (one, other))


def axis_guards(target: Access, guards: tuple[Guard, ...]) -> tuple[AxisGuard, ...]:
    """The guards whose both indices stand in the target: they restrict the new tensor's domain."""
    place = {name: k for k, position in enumerate(target.positions) if (name := plain_index(position)) is not None}
    return tuple(
        AxisGuard(place[g.row], place[g.column], g.lower, g.upper)
        for g in guards
        if g.row in place and g.column in place
    )
