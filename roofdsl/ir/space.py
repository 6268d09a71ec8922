"""Iteration spaces: how many points a statement has over some of its indices, guards included (R1).

A guarded pair of indices counts as one `Band`; where only one index of the pair is asked for, it counts the rows or
columns the band touches. Guards on the same pair are joined; pairs that share an index have no closed form here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from roofdsl.diagnostics import fail
from roofdsl.errors.statements import BAD_GUARD
from roofdsl.ir.band import columns_touched, rows_touched
from roofdsl.ir.graph import Guard, Statement, Tensor
from roofdsl.ir.size import ONE, Band, Function, Size, add, product, subtract
from roofdsl.source import Span

PAIRS = "guards on pairs of indices that share none"
"""What has a closed form."""


def statement_indices(statement: Statement) -> tuple[str, ...]:
    """Every index a statement runs over, those it reduces included, in the order of its extents."""
    return tuple(index for index, _ in statement.extents)


def points(statement: Statement) -> Size:
    """The points of the whole iteration space."""
    return points_over(statement, statement_indices(statement))


def points_over(statement: Statement, indices: Iterable[str]) -> Size:
    """The points of the projection of the iteration space on some of its indices."""
    wanted = frozenset(indices)
    extents = dict(statement.extents)
    guards = joined_guards(statement.guards, statement.span)
    guarded = {index for guard in guards for index in (guard.row, guard.column)}
    factors = [_guarded_points(guard, extents, wanted) for guard in guards]
    factors += [extent for index, extent in statement.extents if index in wanted and index not in guarded]
    return product(*factors)


def elements(tensor: Tensor) -> Size:
    """The elements of a tensor inside its domain: guarded pairs of axes count by their band."""
    guarded = {axis for guard in tensor.guards for axis in (guard.row, guard.column)}
    bands = [
        Band(tensor.axes[guard.row].extent, tensor.axes[guard.column].extent, guard.lower, guard.upper)
        for guard in tensor.guards
    ]
    return product(*bands, *(axis.extent for number, axis in enumerate(tensor.axes) if number not in guarded))


def _guarded_points(guard: Guard, extents: Mapping[str, Size], wanted: frozenset[str]) -> Size:
    band = Band(extents[guard.row], extents[guard.column], guard.lower, guard.upper)
    match (guard.row in wanted, guard.column in wanted):
        case (True, True):
            return band
        case (True, False):
            return rows_touched(band)
        case (False, True):
            return columns_touched(band)
        case _:
            return ONE


def joined_guards(guards: Iterable[Guard], span: Span) -> tuple[Guard, ...]:
    """One guard per pair of indices; of several edges on one side the tighter one holds. Raises E0305 where pairs
    share an index.
    """
    found = _by_pair(guards)
    shared = shared_index(found)
    if shared is not None:
        fail(BAD_GUARD, span, f"the index `{shared}` is guarded against two others", expected=PAIRS)
    return found


def shared_index(guards: Iterable[Guard]) -> str | None:
    """The first index that stands in guards with two different others."""
    names = [index for guard in _by_pair(guards) for index in (guard.row, guard.column)]
    return next((name for name in names if names.count(name) > 1), None)


def _by_pair(guards: Iterable[Guard]) -> tuple[Guard, ...]:
    found: dict[tuple[str, str], Guard] = {}
    for guard in guards:
        pair, turned = (guard.row, guard.column), (guard.column, guard.row)
        if turned in found:
            found[turned] = _both(found[turned], _turned(guard))
        elif pair in found:
            found[pair] = _both(found[pair], guard)
        else:
            found[pair] = guard
    return tuple(found.values())


def _turned(guard: Guard) -> Guard:
    """The same guard with row and column exchanged: −lower < e <= upper is −upper − 1 < −e <= lower − 1."""
    return Guard(
        row=guard.column,
        column=guard.row,
        lower=None if guard.upper is None else add(guard.upper, ONE),
        upper=None if guard.lower is None else subtract(guard.lower, ONE),
    )


def _both(first: Guard, second: Guard) -> Guard:
    return replace(first, lower=_tighter(first.lower, second.lower), upper=_tighter(first.upper, second.upper))


def _tighter(first: Size | None, second: Size | None) -> Size | None:
    if first is None or first == second:
        return second
    return first if second is None else Function("min", (first, second))
