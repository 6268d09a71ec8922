"""Footprints: how many elements of a tensor an access touches, and several accesses together (R4).

The footprint is the projection of the guarded iteration space on the access. Plain indices count by their points,
affine positions by what they reach (`reach`), gathers by the smaller of the table and the index elements. Accesses of
one tensor are united: the whole tensor if one covers it, the sum of parts that cannot meet, else the largest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from roofdsl.ir.expr import Access, Affine, Gather, indices_of_access
from roofdsl.ir.graph import Statement, Tensor
from roofdsl.ir.size import ONE, ZERO, Size, add, product
from roofdsl.ir.space import elements, points_over
from roofdsl.measures.reach import Interval, apart, larger, reach, same, smaller

Use = tuple[Access, Statement]
"""An access and the simple statement it stands in."""


@dataclass(frozen=True, slots=True)
class Union:
    """Elements touched by several accesses of one tensor, and how they were put together, for people."""

    elements: Size
    because: str


def footprint(access: Access, statement: Statement, tensors: Mapping[str, Tensor]) -> Size:
    """Distinct elements of its tensor that an access touches over a statement's iteration space. Source: R4."""
    return _touched(access, statement, tensors, frozenset())


def united(uses: Iterable[Use], tensors: Mapping[str, Tensor]) -> Union:
    """Distinct elements that several accesses of one tensor (or of one view of it) touch together."""
    listed = tuple(uses)
    whole = elements(tensors[listed[0][0].tensor])
    counts = [footprint(*use, tensors) for use in listed]
    if any(same(count, whole) for count in counts):
        return Union(whole, "all of it")
    found = (_Part(count, _intervals(*use, tensors)) for count, use in zip(counts, listed, strict=True))
    parts = tuple(dict.fromkeys(found))
    groups: list[list[_Part]] = []
    for part in parts:
        meeting = next((group for group in groups if not all(_disjoint(part, other) for other in group)), None)
        if meeting is None:
            groups.append([part])
        else:
            meeting.append(part)
    return _summed(groups)


@dataclass(frozen=True, slots=True)
class _Part:
    """What one access touches: how many elements, and where along each axis if that is known."""

    elements: Size
    intervals: tuple[Interval | None, ...]


def _summed(groups: list[list[_Part]]) -> Union:
    total = add(*(_largest(group) for group in groups))
    if len(groups) > 1:
        return Union(total, f"{len(groups)} parts that do not meet")
    if len({part.elements for part in groups[0]}) > 1:
        return Union(total, f"the largest of {len(groups[0])} overlapping parts")
    return Union(total, "the part that is touched")


def _largest(group: list[_Part]) -> Size:
    found = group[0].elements
    for part in group[1:]:
        found = larger(found, part.elements)
    return found


def _disjoint(one: _Part, other: _Part) -> bool:
    return any(
        left is not None and right is not None and apart(left, right)
        for left, right in zip(one.intervals, other.intervals, strict=True)
    )


def _intervals(access: Access, statement: Statement, tensors: Mapping[str, Tensor]) -> tuple[Interval | None, ...]:
    """What each position reaches on its axis by itself; None where it gathers."""
    extents = dict(statement.extents)
    axes = tensors[access.tensor].axes
    return tuple(
        reach(position, extents, axis.extent) if isinstance(position, Affine) else None
        for position, axis in zip(access.positions, axes, strict=True)
    )


def _touched(access: Access, statement: Statement, tensors: Mapping[str, Tensor], fixed: frozenset[str]) -> Size:
    """Elements touched while the indices in `fixed` stand still."""
    plain = frozenset(index for position in access.positions for index in _plain_index(position)) - fixed
    known = fixed | plain
    affine = [
        _affine_count(position, axis.extent, statement, known)
        for position, axis in zip(access.positions, tensors[access.tensor].axes, strict=True)
        if isinstance(position, Affine) and not _plain_index(position)
    ]
    gathered = [
        (position.access, axis.extent)
        for position, axis in zip(access.positions, tensors[access.tensor].axes, strict=True)
        if isinstance(position, Gather)
    ]
    return product(points_over(statement, plain), *affine, *_gather_counts(gathered, statement, tensors, known))


def _plain_index(position: Affine | Gather) -> tuple[str, ...]:
    """The index of a position that is that index and nothing else."""
    if isinstance(position, Affine) and len(position.terms) == 1 and position.offset == ZERO:
        coefficient, index = position.terms[0]
        return (index,) if coefficient == ONE else ()
    return ()


def _affine_count(position: Affine, axis: Size, statement: Statement, known: frozenset[str]) -> Size:
    """Positions reached by the terms whose indices no other axis fixes."""
    free = tuple(term for term in position.terms if term[1] not in known)
    if not free:
        return ONE
    within = {index: points_over(statement, (index,)) for _, index in free}
    if len(free) < len(position.terms):
        return reach(Affine(free, ZERO), within, axis).count
    return reach(position, within, axis).count


def _gather_counts(
    gathered: list[tuple[Access, Size]], statement: Statement, tensors: Mapping[str, Tensor], known: frozenset[str]
) -> list[Size]:
    """Per gathered axis min(table extent, index elements); axes whose indices hang together count their pairs once."""
    groups: list[list[tuple[Access, Size]]] = []
    for access, extent in gathered:
        indices = set(indices_of_access(access)) - known
        joined = [group for group in groups if any(indices & set(indices_of_access(other)) for other, _ in group)]
        for group in joined:
            groups.remove(group)
        groups.append([*(item for group in joined for item in group), (access, extent)])
    return [_gather_count(group, statement, tensors, known) for group in groups]


def _gather_count(
    group: list[tuple[Access, Size]], statement: Statement, tensors: Mapping[str, Tensor], known: frozenset[str]
) -> Size:
    table = product(*(extent for _, extent in group))
    if len(group) == 1:
        return smaller(table, _touched(group[0][0], statement, tensors, known))
    indices = {index for access, _ in group for index in indices_of_access(access)} - known
    return smaller(table, points_over(statement, indices))
