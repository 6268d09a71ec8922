"""Which instances of a tensor a reader needs, where repeats make many of it (R6).

A tensor of a repeat has one instance per iteration. For each repeat around it a reader needs either every iteration
(it stands in the same body), the last one (it stands after the repeat) or all but the last (it reads the tensor as
what the next iteration is given). So instances are counted in cells, a cell saying for each repeat whether it is its
last iteration, and unions over repeats are exact: a repeat that carries x saves x_0 … x_L, each once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product as cartesian

from roofdsl.ir.graph import Loop, Tensor, resolved
from roofdsl.ir.size import ONE, Size, add, product, subtract

Cell = tuple[bool, ...]
"""For each repeat around a tensor, outermost first: the last iteration, or all others."""

Allowed = Mapping[str, frozenset[bool]]
"""For each repeat (by id) the halves of its iterations that are meant; one that is missing means the last iteration."""

ALL = frozenset((False, True))
EARLIER = frozenset((False,))
LAST = frozenset((True,))


@dataclass(frozen=True, slots=True)
class Instances:
    """Instances of one tensor, views resolved. `crossed` are the repeats whose boundary between two iterations lies
    between the reader and what it needs.
    """

    tensor: str
    cells: frozenset[Cell]
    crossed: frozenset[str] = frozenset()


def inside(loops: Iterable[Loop]) -> Allowed:
    """What stands inside these repeats runs in all their iterations."""
    return {loop.id: ALL for loop in loops}


def needed(
    tensors: Mapping[str, Tensor], tensor_id: str, allowed: Allowed, crossed: frozenset[str] = frozenset()
) -> tuple[Instances, ...]:
    """What a reader in the given iterations needs when it reads a tensor: views followed, joins taken apart, and the
    tensor a repeat carries taken as what it is, the initial tensor first and the leaving one afterwards.
    """
    tensor = resolved(tensors, tensor_id)
    if tensor.joined:
        return tuple(found for part in tensor.joined for found in needed(tensors, part, allowed, crossed))
    if tensor.carried is None:
        return (Instances(tensor.id, _cells(tensor, allowed), crossed),)
    loop = tensor.loops[-1].id
    if loop in crossed:  # carried through unchanged
        return ()
    initial, leaving = tensor.carried
    outside = {name: halves for name, halves in allowed.items() if name != loop}
    return (
        *needed(tensors, initial, outside, crossed | {loop}),
        *needed(tensors, leaving, {**outside, loop: EARLIER}, crossed | {loop}),
    )


def written(tensors: Mapping[str, Tensor], tensor_id: str, allowed: Allowed) -> tuple[Instances, ...]:
    """The tensors an adjoint of this one is an adjoint of: as `needed`, but what a repeat carries stands for itself."""
    tensor = resolved(tensors, tensor_id)
    if tensor.joined:
        return tuple(found for part in tensor.joined for found in written(tensors, part, allowed))
    return (Instances(tensor.id, _cells(tensor, allowed)),)


def _cells(tensor: Tensor, allowed: Allowed) -> frozenset[Cell]:
    return frozenset(cartesian(*(sorted(allowed.get(loop.id, LAST)) for loop in tensor.loops)))


def times(cells: Iterable[Cell], loops: tuple[Loop, ...]) -> Size:
    """How many instances the cells hold, over all iterations of the repeats around the tensor."""
    found = frozenset(cells)
    if not loops:
        return ONE if found else add()
    rest = loops[1:]
    last = times((cell[1:] for cell in found if cell[0]), rest)
    earlier = times((cell[1:] for cell in found if not cell[0]), rest)
    count = loops[0].count
    if last == earlier:
        return product(count, last)
    return add(product(subtract(count, ONE), earlier), last)


def repeated(loops: Iterable[Loop], tensor: Tensor) -> Size:
    """How often something inside `loops` runs for one instance of a tensor."""
    own = {loop.id for loop in tensor.loops}
    return product(*(loop.count for loop in loops if loop.id not in own))
