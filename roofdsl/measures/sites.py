"""What the entries of a backward kernel have in common, and its traffic: shared by backward and recompute (R9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from roofdsl.ir.entry import Entry
from roofdsl.ir.library import Library
from roofdsl.ir.size import ONE, ZERO
from roofdsl.measures.groups import BackwardKernel
from roofdsl.measures.plan import Plan
from roofdsl.measures.rebuild import Rebuilt
from roofdsl.measures.traffic import IndexTiles, Moved, kernel_inner, moved_bytes
from roofdsl.measures.work import repeats
from roofdsl.passes.adjoint import AdjointStatement
from roofdsl.passes.normalise import origin
from roofdsl.passes.place import find_extent

BackwardPhase = Literal["backward", "recompute"]


def backward_site(
    measure: Literal["work", "traffic"], kernel: BackwardKernel, part: AdjointStatement | Rebuilt
) -> Entry:
    """The place of an adjoint or of something rebuilt; `what` is the target of the forward statement."""
    adjoint = part if isinstance(part, AdjointStatement) else None
    call = part.call
    primal = part.primal if isinstance(part, AdjointStatement) else part.statement
    return Entry(
        measure=measure,
        phase="recompute" if adjoint is None else "backward",
        amount=ZERO,
        multiplicity=repeats(call.loops),
        what=origin(primal.target.tensor),
        path=call.path,
        kernel=kernel.id,
        rule="R7" if adjoint is None else "R5",
        primal=kernel.kernel.id,
        op=call.op,
        declared=adjoint is not None and adjoint.declared,
        loops=call.loops,
        span=primal.span,
    )


def moved_by(
    kernel: BackwardKernel,
    operands: tuple[str, ...],
    results: tuple[str, ...],
    plan: Plan,
    library: Library,
    phase: BackwardPhase,
    inner: IndexTiles = (),
) -> Iterator[Entry]:
    """The bytes of some of a backward kernel's operands and results. An adjoint runs over the space of its statement, so
    the forward's tiles are its tiles too; `inner` are those of a memory level further in.
    """
    forward = kernel.kernel
    tiled = (*forward.tiles, *inner)
    tiles = tuple((name, find_extent(forward, plan.graph, name) or ONE, tile) for name, tile in tiled)
    site = Entry(
        measure="traffic",
        phase=phase,
        amount=ZERO,
        multiplicity=repeats(forward.loops),
        what=kernel.id,
        path=forward.path,
        kernel=kernel.id,
        rule="R4",
        primal=forward.id,
        op=forward.calls[0].op if len(forward.calls) == 1 else None,
        loops=forward.loops,
        span=forward.calls[0].span,
    )
    moved = Moved(kernel.statements, operands, results, tiles, kernel_inner(forward))
    yield from moved_bytes(moved, plan.tensors, library, site)
