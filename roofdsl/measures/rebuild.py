"""What a kernel's backward has to read, and what it rebuilds first (R7).

An adjoint reads operands, results and kept tensors as they are. Any other tensor made inside the kernel is computed
again from its own statement, and so on until only such tensors are read: the minimal set. A fused region is one
kernel, so all that does not cross its boundary is rebuilt; a mask is then drawn again from its seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from roofdsl.ir.graph import Call, Kernel, Loop, Statement, Tensor
from roofdsl.measures.instances import Instances, inside, needed
from roofdsl.measures.traffic import base_ids, kernel_inner
from roofdsl.passes.adjoint import MARK, AdjointStatement, primal_reads
from roofdsl.passes.normalise import origin


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A simple statement run again in the backward of its own kernel, for the adjoint that first asked for it."""

    call: Call
    statement: Statement
    adjoint: AdjointStatement


@dataclass(frozen=True, slots=True)
class Leaf:
    """Instances of a tensor the backward of a kernel reads as they are; `loops` are the repeats around the reader.
    `rebuilding` names the tensor that is rebuilt from it, where no adjoint reads it itself.
    """

    instances: Instances
    adjoint: AdjointStatement
    loops: tuple[Loop, ...]
    rebuilding: str | None = None


@dataclass(frozen=True, slots=True)
class Needs:
    """`rebuilt` in the order of the forward pass, `leaves` in the order they were found."""

    rebuilt: tuple[Rebuilt, ...]
    leaves: tuple[Leaf, ...]


@dataclass(slots=True)
class _Search:
    """The statements of a kernel by what they write, and what has been found so far."""

    kernel: Kernel
    tensors: Mapping[str, Tensor]
    made: Mapping[str, list[tuple[int, Call, Statement]]]
    rebuilt: dict[int, Rebuilt]
    leaves: dict[Instances, Leaf]


def needs(
    kernel: Kernel,
    calls: Mapping[str, tuple[Statement, ...]],
    adjoints: Iterable[AdjointStatement],
    tensors: Mapping[str, Tensor],
) -> Needs:
    """What the adjoints of a kernel need; `calls` are the simple statements by call id."""
    search = _Search(kernel, tensors, _interior(kernel, calls, tensors), {}, {})
    for adjoint in adjoints:
        for name in adjoint.reads:
            _want(search, name, adjoint)
    return Needs(tuple(search.rebuilt[number] for number in sorted(search.rebuilt)), tuple(search.leaves.values()))


def _interior(
    kernel: Kernel, calls: Mapping[str, tuple[Statement, ...]], tensors: Mapping[str, Tensor]
) -> Mapping[str, list[tuple[int, Call, Statement]]]:
    """Tensors made inside that are there neither afterwards nor kept, with the statements that make them. Of what a
    repeat inside the kernel makes only the last instance leaves it, so that is made inside, too.
    """
    inner = kernel_inner(kernel)
    results = (base for result in kernel.results for base in base_ids(tensors, result))
    crossing = {base for base in results if not any(loop.id in inner for loop in tensors[base].loops)}
    found: dict[str, list[tuple[int, Call, Statement]]] = {}
    number = 0
    for call in kernel.calls:
        for statement in calls[call.id]:
            number += 1
            tensor = tensors[statement.target.tensor]
            if tensor.id not in crossing and not is_kept(tensor, kernel):
                found.setdefault(tensor.id, []).append((number, call, statement))
        for name in call.internal:  # drawn or looked up by the op without a statement
            if not is_kept(tensors[name], kernel) and tensors[name].role == "activation":
                found.setdefault(name, [])
    return found


def is_kept(tensor: Tensor, kernel: Kernel) -> bool:
    """Whether `keeps` counts for a tensor: only where its op is a kernel of its own (R6)."""
    return tensor.kept and kernel.fused is None


def _want(search: _Search, name: str, adjoint: AdjointStatement) -> None:
    """Ask for one tensor and for all that rebuilding it takes."""
    around = {loop.id for loop in search.kernel.loops}
    waiting: list[tuple[str, tuple[Loop, ...], str | None]] = [(name, adjoint.call.loops, None)]
    for asked, where, why in waiting:  # grows while it is walked
        for found in needed(search.tensors, asked, inside(where)):
            if found.tensor not in search.made or found.crossed & around:
                search.leaves.setdefault(found, Leaf(found, adjoint, where, why))
                continue
            for number, call, statement in search.made[found.tensor]:
                if number not in search.rebuilt:
                    search.rebuilt[number] = Rebuilt(call, statement, adjoint)
                    waiting += [(read, call.loops, found.tensor) for read in _reads(statement)]


def _reads(statement: Statement) -> tuple[str, ...]:
    return tuple(read for read in primal_reads(statement) if read != statement.target.tensor)


def describe(adjoint: AdjointStatement, tensors: Mapping[str, Tensor]) -> str:
    """`the adjoint of S with respect to q`."""
    if adjoint.declared:
        return f"the declared adjoint of {adjoint.call.label}"
    return f"the adjoint of {shown(adjoint.primal.target.tensor, tensors)} with respect to {shown(adjoint.wrt.tensor, tensors)}"


def shown(tensor_id: str, tensors: Mapping[str, Tensor]) -> str:
    """What a tensor is called in its body: the end of its path, without the number of a temporary or an instance, and
    the name of a view's own.
    """
    return origin(tensors[tensor_id].id).rsplit(".", 1)[-1].split("#")[0].split("@")[0].removeprefix(MARK)
