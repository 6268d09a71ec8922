"""Backward kernels (R5): each adjoint of a contraction is one, the other adjoints of a forward kernel together are
one, and a fused region's backward is one. What is rebuilt (R7) runs in the kernel that needs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from roofdsl.ir.expr import gathered, reads
from roofdsl.ir.graph import Kernel, Statement, Tensor
from roofdsl.measures.plan import KernelAdjoint
from roofdsl.measures.rebuild import Rebuilt, shown
from roofdsl.measures.scalars import is_contraction
from roofdsl.measures.traffic import base_ids
from roofdsl.passes.adjoint import MARK, AdjointStatement, adjoint_id


@dataclass(frozen=True, slots=True)
class BackwardKernel:
    """What runs as one kernel in backward. `operands` and `results` cross its boundary (aliases followed);
    `rebuilding` are the operands read, and `handed_on` the results written, only for what is rebuilt.
    """

    id: str
    kernel: Kernel
    adjoints: tuple[AdjointStatement, ...]
    rebuilt: tuple[Rebuilt, ...]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    rebuilding: tuple[str, ...]
    handed_on: tuple[str, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (*(r.statement for r in self.rebuilt), *(a.statement for a in self.adjoints if runs(a)))


@dataclass(slots=True)
class _Draft:
    """A backward kernel being put together."""

    id: str
    adjoints: list[AdjointStatement]
    rebuilt: tuple[Rebuilt, ...] = ()


def runs(adjoint: AdjointStatement) -> bool:
    """Whether an adjoint does anything: one that is the incoming adjoint itself only does where it is added."""
    return not adjoint.identity or adjoint.accumulates


def backward_kernels(part: KernelAdjoint, tensors: Mapping[str, Tensor]) -> tuple[BackwardKernel, ...]:
    """The backward kernels of a forward kernel, in the order of their first adjoints."""
    drafts = _drafts(part, tensors)
    _place_rebuilt(part, drafts, tensors)
    wanted = [_read(draft, tensors) for draft in drafts]
    found = [
        _kernel(part, draft, tensors, frozenset().union(*(wanted[:number] + wanted[number + 1 :])))
        for number, draft in enumerate(drafts)
    ]
    return tuple(kernel for kernel in found if kernel.statements)


def _drafts(part: KernelAdjoint, tensors: Mapping[str, Tensor]) -> list[_Draft]:
    kernel = part.kernel
    rest = _Draft(f"{kernel.id}:backward", [])
    if kernel.fused is not None:
        rest.adjoints = list(part.adjoints)
        return [rest]
    drafts: list[_Draft] = []
    taken: dict[str, int] = {}
    for adjoint in part.adjoints:
        if not _is_contraction(adjoint, tensors):
            if not rest.adjoints:
                drafts.append(rest)
            rest.adjoints.append(adjoint)
            continue
        name = f"{kernel.id}:d{shown(adjoint.wrt.tensor, tensors)}"
        taken[name] = taken.get(name, 0) + 1
        drafts.append(_Draft(name if taken[name] == 1 else f"{name}#{taken[name]}", [adjoint]))
    return drafts


def _is_contraction(adjoint: AdjointStatement, tensors: Mapping[str, Tensor]) -> bool:
    if adjoint.declared:
        return is_contraction(adjoint.statement.value, tensors)
    return adjoint.kind == "contraction"


def _place_rebuilt(part: KernelAdjoint, drafts: list[_Draft], tensors: Mapping[str, Tensor]) -> None:
    """Rebuilding joins the kernel that is not a contraction, if that needs it, or the only kernel; else it is a kernel
    of its own and hands on what it makes.
    """
    rebuilt = part.needs.rebuilt
    if not rebuilt:
        return
    made = {base for r in rebuilt for base in base_ids(tensors, r.statement.target.tensor)}
    rest = [draft for draft in drafts if draft.id == f"{part.kernel.id}:backward" and _read(draft, tensors) & made]
    if rest or len(drafts) == 1:
        (rest or drafts)[0].rebuilt = rebuilt
    else:
        drafts.insert(0, _Draft(f"{part.kernel.id}:rebuild", [], rebuilt))


def _read(draft: _Draft, tensors: Mapping[str, Tensor]) -> frozenset[str]:
    """All a draft's adjoints read, aliases followed."""
    return frozenset(_bases((a.statement for a in draft.adjoints if runs(a)), tensors))


def _bases(statements: Iterable[Statement], tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    accesses = (a for s in statements for a in (*reads(s.value), *gathered(s.target)))
    return tuple(dict.fromkeys(base for access in accesses for base in base_ids(tensors, access.tensor)))


def _kernel(
    part: KernelAdjoint, draft: _Draft, tensors: Mapping[str, Tensor], elsewhere: frozenset[str]
) -> BackwardKernel:
    """`elsewhere` is what the other backward kernels of the forward kernel read."""
    rebuilt = _targets((r.statement for r in draft.rebuilt), tensors)
    made = _made(draft, rebuilt, tensors)
    incoming = _adjoint_bases(part.kernel.results, tensors)
    outside = _adjoint_bases(part.kernel.operands, tensors)
    reading = _bases((a.statement for a in draft.adjoints if runs(a)), tensors)
    operands = tuple(base for base in reading if base not in made or base in incoming)
    from_kept = _bases((r.statement for r in draft.rebuilt), tensors)
    return BackwardKernel(
        id=draft.id,
        kernel=part.kernel,
        adjoints=tuple(draft.adjoints),
        rebuilt=draft.rebuilt,
        operands=operands,
        results=tuple(dict.fromkeys(made[b] for b in made if b not in rebuilt and (b in outside or b in elsewhere))),
        rebuilding=tuple(base for base in from_kept if base not in made and base not in operands),
        handed_on=tuple(base for base in rebuilt if base in elsewhere),
    )


def _made(draft: _Draft, rebuilt: tuple[str, ...], tensors: Mapping[str, Tensor]) -> Mapping[str, str]:
    """What a draft computes, each with what holds it: a view of something computed is computed, and is that."""
    found = {base: base for base in rebuilt}
    for adjoint in draft.adjoints:
        targets = base_ids(tensors, adjoint.statement.target.tensor)
        if runs(adjoint):
            found.update((base, base) for base in targets)
            continue
        sources = base_ids(tensors, adjoint_id(adjoint.primal.target.tensor))
        if all(source in found for source in sources):
            found.update((base, found[sources[0]]) for base in targets)
    return found


def _targets(statements: Iterable[Statement], tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(base for s in statements for base in base_ids(tensors, s.target.tensor)))


def _adjoint_bases(names: Iterable[str], tensors: Mapping[str, Tensor]) -> frozenset[str]:
    """The adjoints of tensors that cross the forward kernel's boundary, as far as there are any."""
    known = (MARK + name for name in names if MARK + name in tensors)
    return frozenset(base for name in known for base in base_ids(tensors, name))
