"""Recompute (R7): what backward runs of the forward pass again, as work and traffic of a phase of its own.

Inside its own kernel a backward rebuilds the minimal set it needs from what is kept; a checkpoint runs its whole
forward again, once for each checkpoint around a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.graph import Graph, Kernel
from roofdsl.ir.library import Library
from roofdsl.measures.groups import BackwardKernel, backward_kernels
from roofdsl.measures.plan import KernelAdjoint, Plan, backward_plan
from roofdsl.measures.rebuild import Rebuilt, describe, shown
from roofdsl.measures.sites import backward_site, moved_by
from roofdsl.measures.traffic import IndexTiles, kernel_level_traffic, kernel_traffic, tiles_by_level
from roofdsl.measures.work import call_work, compute_dtype, statement_work

Forward = Callable[[Kernel], Sheet]


def recompute_work(graph: Graph, library: Library, plan: Plan | None = None) -> Sheet:
    """The work of one pass that backward repeats, in FLOP."""
    plan = plan or backward_plan(graph, library)

    def forward(kernel: Kernel) -> Sheet:
        return tuple(entry for call in kernel.calls for entry in call_work(call, graph, library, kernel.id))

    rebuilt = (entry for part in plan.kernels for entry in _rebuilt_work(part, plan, library))
    return (*rebuilt, *_reruns(plan, forward))


def recompute_traffic(graph: Graph, library: Library, plan: Plan | None = None) -> Sheet:
    """The bytes of one pass moved because something is computed again."""
    plan = plan or backward_plan(graph, library)

    def forward(kernel: Kernel) -> Sheet:
        return kernel_traffic(kernel, graph, library)

    rebuilt = (entry for part in plan.kernels for entry in _rebuilt_traffic(part, plan, library))
    return (*rebuilt, *_reruns(plan, forward))


def recompute_level_traffic(graph: Graph, library: Library, plan: Plan | None = None) -> Sheet:
    """What is moved at inner memory levels because something is computed again, where tiles are declared."""
    plan = plan or backward_plan(graph, library)

    def forward(kernel: Kernel) -> Sheet:
        return kernel_level_traffic(kernel, graph, library)

    rebuilt = (
        replace(entry, measure="level_traffic", level=level)
        for part in plan.kernels
        for level, tiles in tiles_by_level(part.kernel).items()
        for entry in _rebuilt_traffic(part, plan, library, tiles)
    )
    return (*rebuilt, *_reruns(plan, forward))


def _rebuilt_work(part: KernelAdjoint, plan: Plan, library: Library) -> Iterator[Entry]:
    for kernel in backward_kernels(part, plan.tensors):
        for rebuilt in kernel.rebuilt:
            yield from _statement_entries(rebuilt, kernel, plan, library)


def _statement_entries(rebuilt: Rebuilt, kernel: BackwardKernel, plan: Plan, library: Library) -> Iterator[Entry]:
    site = backward_site("work", kernel, rebuilt)
    name = shown(rebuilt.statement.target.tensor, plan.tensors)
    because = f"{name} is rebuilt for {describe(rebuilt.adjoint, plan.tensors)}"
    for kind, amount in statement_work(rebuilt.statement, plan.tensors, library.scalars):
        dtype = compute_dtype(rebuilt.statement, kind, plan.tensors, library)
        yield replace(site, amount=amount, kind=kind, dtype=dtype, because=because)


def _rebuilt_traffic(part: KernelAdjoint, plan: Plan, library: Library, inner: IndexTiles = ()) -> Iterator[Entry]:
    """Operands read, and results handed to other backward kernels, only because something is rebuilt."""
    for kernel in backward_kernels(part, plan.tensors):
        if kernel.rebuilt:
            yield from moved_by(kernel, kernel.rebuilding, kernel.handed_on, plan, library, "recompute", inner)


def _reruns(plan: Plan, forward: Forward) -> Iterator[Entry]:
    """The forward of every checkpoint in which a gradient passes."""
    active = {region for part in plan.kernels if part.adjoints for region in part.kernel.checkpoints}
    for part in plan.kernels:
        for region in part.kernel.checkpoints:
            if region in active:
                yield from _rerun(part.kernel, region, forward(part.kernel))


def _rerun(kernel: Kernel, region: str, entries: Sheet) -> Iterator[Entry]:
    for entry in entries:
        yield replace(
            entry,
            phase="recompute",
            kernel=f"{kernel.id}:again",
            primal=kernel.id,
            rule="R7",
            because=f"checkpoint {region} runs its forward again: {entry.because}",
        )
