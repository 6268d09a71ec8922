"""Activations saved for backward (R6): the union, by tensor identity, of what adjoints read and of what checkpoints
keep, in bytes of each tensor's own dtype.

Parameters, buffers and index inputs are there anyway. What a kernel makes inside is rebuilt (R7). A checkpoint keeps
its inputs and nothing inside; what kernels outside read of it they save themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.graph import Call, DeclaredCost, Graph, Kernel, Loop, Placed, Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, product
from roofdsl.ir.space import elements
from roofdsl.measures.instances import Cell, Instances, inside, needed, times
from roofdsl.measures.plan import KernelAdjoint, Plan, backward_plan
from roofdsl.measures.rebuild import Leaf, describe, shown
from roofdsl.measures.traffic import dtype_bytes
from roofdsl.measures.work import repeats


@dataclass(frozen=True, slots=True)
class Reader:
    """Who needs a saved tensor first: a forward kernel, and why."""

    kernel: Kernel
    call: Call
    because: str


@dataclass(slots=True)
class _Union:
    """The instances saved so far, each under its first reader."""

    tensors: Mapping[str, Tensor]
    taken: dict[str, set[Cell]] = field(default_factory=dict)
    found: list[tuple[str, frozenset[Cell], Reader]] = field(default_factory=list)

    def add(self, wanted: Instances, reader: Reader) -> None:
        if _is_there(self.tensors[wanted.tensor]):
            return
        taken = self.taken.setdefault(wanted.tensor, set())
        new = wanted.cells - taken
        if new:
            taken |= new
            self.found.append((wanted.tensor, new, reader))


def saved(graph: Graph, library: Library, plan: Plan | None = None) -> Sheet:
    """What one forward pass keeps for backward, in bytes; each entry stands where the tensor is first read. In
    inference nothing is kept.
    """
    plan = plan or backward_plan(graph, library)
    union = _Union(plan.tensors)
    checkpoints = _checkpoints(plan)
    declared: list[Entry] = []
    for part in plan.kernels:
        if part.kernel.checkpoints:
            _keep_inputs(part.kernel, checkpoints[part.kernel.checkpoints[0]], union)
        else:
            declared += _declared(part, plan)
            _keep_read(part, union)
    kept = (_entry(tensor, cells, reader, plan, library) for tensor, cells, reader in union.found)
    return (*kept, *declared)


def _is_there(tensor: Tensor) -> bool:
    """Parameters, buffers and index inputs are not saved for backward (R6)."""
    return tensor.role in ("param", "buffer") or (tensor.role == "input" and tensor.integer)


def _keep_read(part: KernelAdjoint, union: _Union) -> None:
    """What the adjoints of a kernel read, and what is rebuilt from, unless the op's cost says what it saves."""
    own = {call.id for call in part.kernel.calls if any(cost.measure == "saved" for cost in call.declared)}
    for leaf in part.needs.leaves:
        call = leaf.adjoint.call
        if call.id not in own:
            union.add(leaf.instances, Reader(part.kernel, call, _because(leaf, union.tensors)))


def _because(leaf: Leaf, tensors: Mapping[str, Tensor]) -> str:
    if leaf.rebuilding is None:
        return f"read by {describe(leaf.adjoint, tensors)}"
    return f"{shown(leaf.rebuilding, tensors)} is rebuilt from it for {describe(leaf.adjoint, tensors)}"


# --------------------------------------------------------------------------- checkpoints


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    """An outermost checkpoint region: the repeats around it, what is made inside, and whether a gradient passes."""

    id: str
    loops: tuple[Loop, ...]
    made: frozenset[str]
    active: bool


def _checkpoints(plan: Plan) -> Mapping[str, _Checkpoint]:
    made: dict[str, set[str]] = {}
    active: set[str] = set()
    placed: dict[str, Placed] = {}
    for part in plan.kernels:
        if not part.kernel.checkpoints:
            continue
        region = part.kernel.checkpoints[0]
        for call in part.kernel.calls:
            made.setdefault(region, set()).update((*call.results, *call.internal))
            placed.update((place.id, place) for place in call.placed)
        if part.adjoints:
            active.add(region)
    return {
        region: _Checkpoint(region, placed[region].loops, frozenset(tensors), region in active)
        for region, tensors in made.items()
    }


def _keep_inputs(kernel: Kernel, checkpoint: _Checkpoint, union: _Union) -> None:
    """What a kernel of a checkpoint reads from outside the region, or from its run in an earlier iteration."""
    if not checkpoint.active:
        return
    around = {loop.id for loop in checkpoint.loops}
    reader = Reader(kernel, kernel.calls[0], f"input of checkpoint {checkpoint.id}, which runs its forward again")
    for operand in kernel.operands:
        for wanted in needed(union.tensors, operand, inside(kernel.loops)):
            if wanted.tensor not in checkpoint.made or wanted.crossed & around:
                union.add(wanted, reader)


# --------------------------------------------------------------------------- entries


def _entry(tensor_id: str, cells: frozenset[Cell], reader: Reader, plan: Plan, library: Library) -> Entry:
    tensor = plan.tensors[tensor_id]
    count = elements(tensor)
    return Entry(
        measure="saved",
        phase="forward",
        amount=product(Const(dtype_bytes(library, tensor.dtype)), count),
        multiplicity=times(cells, tensor.loops),
        what=tensor_id,
        path=reader.call.path,
        kernel=reader.kernel.id,
        rule="R6",
        dtype=tensor.dtype,
        elements=count,
        op=reader.call.op,
        because=reader.because,
        declared=tensor.kept,
        loops=tensor.loops,
        span=tensor.span,
    )


def _declared(part: KernelAdjoint, plan: Plan) -> Iterator[Entry]:
    """The `saved` lines of ops' costs, where a gradient passes through the call."""
    for call in part.kernel.calls:
        costs: list[DeclaredCost] = [cost for cost in call.declared if cost.measure == "saved"]
        if not any(result in plan.live for result in call.results):
            continue
        for cost in costs:
            yield Entry(
                measure="saved",
                phase="forward",
                amount=cost.amount,
                multiplicity=repeats(call.loops),
                what=call.results[0] if call.results else call.id,
                path=call.path,
                kernel=part.kernel.id,
                rule="R6",
                op=call.op,
                because=f"declared in the cost of {call.label}",
                declared=True,
                loops=call.loops,
                span=cost.span,
            )
