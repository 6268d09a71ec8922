"""In which order adjoints are contributed to, and which contribution is added to earlier ones (R5).

Backward runs the calls from the last to the first. The first contribution to an instance of an adjoint is written, a
later one added. An incoming adjoint is a contribution, and so is what the next iteration of a repeat hands back; a
tensor outside a repeat that is read inside (a shared parameter) is contributed to in every iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from roofdsl.ir.expr import Affine
from roofdsl.ir.graph import Call, Graph, Loop, Tensor, resolved
from roofdsl.ir.size import ONE, ZERO, Size, add, product, subtract
from roofdsl.ir.space import elements
from roofdsl.measures.instances import (
    ALL,
    EARLIER,
    Allowed,
    Cell,
    Instances,
    inside,
    needed,
    repeated,
    times,
    written,
)
from roofdsl.measures.reach import apart, reach, same
from roofdsl.passes.adjoint import AdjointStatement, is_adjoint, is_plain


@dataclass(frozen=True, slots=True)
class Contributions:
    """All adjoints in the order they run, with their additions; and the adjoints that are another one, as a view."""

    adjoints: tuple[AdjointStatement, ...]
    same_as: Mapping[str, str]


@dataclass(slots=True)
class _Ledger:
    """What has been contributed so far: per tensor the instances wholly written, the parts written, how many
    contributions there were, and the last of them.
    """

    graph: Graph
    tensors: Mapping[str, Tensor]
    live: frozenset[str]
    found: list[AdjointStatement] = field(default_factory=list)
    whole: dict[str, set[Cell]] = field(default_factory=dict)
    parts: dict[str, list[tuple[AdjointStatement, frozenset[Cell]]]] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)


def contributions(
    graph: Graph,
    tensors: Mapping[str, Tensor],
    live: frozenset[str],
    adjoints: Mapping[str, tuple[AdjointStatement, ...]],
) -> Contributions:
    """The adjoints of all calls (by call id) put in order. `live` are the tensors that have an adjoint."""
    ledger = _Ledger(graph, tensors, live)
    for result in graph.results:
        if result in live:
            _cover(ledger, needed(tensors, result, {}))
    carried = _carried(tensors, live)
    loops: tuple[Loop, ...] = ()
    for call in reversed(graph.calls):
        loops = _move(ledger, loops, call.loops, carried)
        for adjoint in adjoints[call.id]:
            _contribute(ledger, call, adjoint)
    _move(ledger, loops, (), carried)
    return Contributions(tuple(ledger.found), _same(ledger))


def _contribute(ledger: _Ledger, call: Call, adjoint: AdjointStatement) -> None:
    if not is_adjoint(adjoint.statement.target.tensor):
        ledger.found.append(adjoint)
        return
    additions: Size = ZERO
    for target in written(ledger.tensors, adjoint.wrt.tensor, inside(call.loops)):
        tensor = ledger.tensors[target.tensor]
        covered = frozenset(cell for cell in target.cells if _is_covered(ledger, target.tensor, cell, adjoint))
        runs = repeated(call.loops, tensor)
        again = times(covered, tensor.loops)
        if runs == ONE:
            counted = again
        else:
            first = times(target.cells - covered, tensor.loops)
            counted = add(product(runs, again), product(subtract(runs, ONE), first))
        additions = counted if additions == ZERO else additions
        _note(ledger, target, adjoint)
    ledger.found.append(replace(adjoint, additions=additions))


def _note(ledger: _Ledger, target: Instances, adjoint: AdjointStatement) -> None:
    if _is_whole(ledger, target.tensor, adjoint):
        ledger.whole.setdefault(target.tensor, set()).update(target.cells)
    else:
        ledger.parts.setdefault(target.tensor, []).append((adjoint, target.cells))
    ledger.count[target.tensor] = ledger.count.get(target.tensor, 0) + 1
    ledger.last[target.tensor] = len(ledger.found)


def _cover(ledger: _Ledger, targets: Iterable[Instances]) -> None:
    """A contribution that is there without a statement: an incoming adjoint."""
    for target in targets:
        ledger.whole.setdefault(target.tensor, set()).update(target.cells)
        ledger.count[target.tensor] = ledger.count.get(target.tensor, 0) + 1


def _is_whole(ledger: _Ledger, base: str, adjoint: AdjointStatement) -> bool:
    """Whether a contribution is to all of a tensor: its plain indices run over it, and gathers may go anywhere."""
    affine = tuple(position for position in adjoint.wrt.positions if isinstance(position, Affine))
    seen = ledger.tensors[adjoint.wrt.tensor]
    whole = bool(resolved(ledger.tensors, seen.id).joined) or same(elements(seen), elements(ledger.tensors[base]))
    return whole and is_plain(replace(adjoint.wrt, positions=affine))


def _is_covered(ledger: _Ledger, base: str, cell: Cell, adjoint: AdjointStatement) -> bool:
    if cell in ledger.whole.get(base, ()):
        return True
    earlier = ledger.parts.get(base, ())
    return any(cell in cells and _meet(other, adjoint, ledger.tensors) for other, cells in earlier)


def _meet(one: AdjointStatement, other: AdjointStatement, tensors: Mapping[str, Tensor]) -> bool:
    """Whether two parts of one adjoint may share an element; parts through different views do not."""
    if one.wrt.tensor != other.wrt.tensor:
        return False
    for mine, theirs, axis in zip(one.wrt.positions, other.wrt.positions, tensors[one.wrt.tensor].axes, strict=True):
        if not isinstance(mine, Affine) or not isinstance(theirs, Affine):
            continue
        left = reach(mine, dict(one.statement.extents), axis.extent)
        right = reach(theirs, dict(other.statement.extents), axis.extent)
        if apart(left, right):
            return False
    return True


# --------------------------------------------------------------------------- repeats


def _carried(tensors: Mapping[str, Tensor], live: frozenset[str]) -> Mapping[str, list[Tensor]]:
    """The carried tensors that have an adjoint, by the repeat that carries them."""
    found: dict[str, list[Tensor]] = {}
    for tensor in tensors.values():
        if tensor.carried is not None and tensor.alias is None and tensor.id in live:
            found.setdefault(tensor.loops[-1].id, []).append(tensor)
    return found


def _move(
    ledger: _Ledger, here: tuple[Loop, ...], there: tuple[Loop, ...], carried: Mapping[str, list[Tensor]]
) -> tuple[Loop, ...]:
    """Going backwards from a call inside some repeats to one inside others: leave the former, enter the latter."""
    common = 0
    while common < min(len(here), len(there)) and here[common].id == there[common].id:
        common += 1
    for depth in range(len(here), common, -1):
        for tensor in carried.get(here[depth - 1].id, ()):
            _hand_out(ledger, tensor)
    for depth in range(common, len(there)):
        for tensor in carried.get(there[depth].id, ()):
            _cover(ledger, _leaving(ledger, tensor))
    return there


def _leaving(ledger: _Ledger, tensor: Tensor) -> tuple[Instances, ...]:
    """All but the last instance of the leaving tensor get their adjoint from the next iteration."""
    initial_leaving = tensor.carried or ("", "")
    return written(ledger.tensors, initial_leaving[1], _iterations(tensor, frozenset(EARLIER)))


def _hand_out(ledger: _Ledger, tensor: Tensor) -> None:
    """The first iteration's carried adjoint is the initial tensor's: added, by whoever contributed last, if that has
    one already.
    """
    initial = (tensor.carried or ("", ""))[0]
    last = ledger.last.get(tensor.id)
    outside = {loop.id: ALL for loop in tensor.loops[:-1]}
    for target in written(ledger.tensors, initial, outside):
        covered = target.cells & frozenset(ledger.whole.get(target.tensor, ()))
        again = times(covered, ledger.tensors[target.tensor].loops)
        if last is not None and again != ZERO:
            adjoint = ledger.found[last]
            ledger.found[last] = replace(adjoint, additions=add(adjoint.additions, again))
        _cover(ledger, (target,))


def _iterations(tensor: Tensor, halves: frozenset[bool]) -> Allowed:
    return {**{loop.id: ALL for loop in tensor.loops[:-1]}, tensor.loops[-1].id: halves}


def _same(ledger: _Ledger) -> Mapping[str, str]:
    """Adjoints whose only contribution is an identity, and the adjoint each of them is."""
    found: dict[str, str] = {}
    for adjoint in ledger.found:
        if not adjoint.identity or adjoint.accumulates:
            continue
        source, target = ledger.tensors[adjoint.primal.target.tensor], ledger.tensors[adjoint.wrt.tensor]
        bases = written(ledger.tensors, target.id, {})
        whole = is_plain(adjoint.primal.target) and source.loops == target.loops
        if whole and len(bases) == 1 and ledger.count[bases[0].tensor] == 1:
            found[bases[0].tensor] = source.id
    return found
