"""Work and traffic of the backward pass (R5). Recompute is never part of it (`measures/recompute`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from roofdsl.ir.entry import Entry, Kind, Sheet
from roofdsl.ir.expr import Reduce, indices_of_access
from roofdsl.ir.graph import Call, DeclaredCost, Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import ZERO, Size, const, product
from roofdsl.ir.space import points, points_over
from roofdsl.measures.groups import BackwardKernel, backward_kernels
from roofdsl.measures.plan import KernelAdjoint, Plan, backward_plan
from roofdsl.measures.rebuild import describe
from roofdsl.measures.scalars import operations
from roofdsl.measures.sites import backward_site, moved_by
from roofdsl.measures.traffic import IndexTiles, base_ids, tiles_by_level
from roofdsl.measures.work import compute_dtype, lookup_work, repeats, statement_work
from roofdsl.passes.adjoint import AdjointStatement

_KINDS: tuple[Kind, ...] = ("contraction", "vector", "special")


def backward_work(graph: Graph, library: Library, plan: Plan | None = None) -> Sheet:
    """The work of one backward pass in FLOP, adjoint by adjoint."""
    plan = plan or backward_plan(graph, library)
    return tuple(entry for part in plan.kernels for entry in _kernel_work(part, plan, library))


def backward_traffic(graph: Graph, library: Library, plan: Plan | None = None) -> Sheet:
    """The bytes moved by one backward pass, backward kernel by backward kernel."""
    plan = plan or backward_plan(graph, library)
    return tuple(entry for part in plan.kernels for entry in _kernel_traffic(part, plan, library))


def backward_level_traffic(graph: Graph, library: Library, plan: Plan | None = None) -> Sheet:
    """What backward kernels move at inner memory levels: those whose forward kernel declares tiles of them."""
    plan = plan or backward_plan(graph, library)
    return tuple(
        replace(entry, measure="level_traffic", level=level)
        for part in plan.kernels
        for level, tiles in tiles_by_level(part.kernel).items()
        for entry in _kernel_traffic(part, plan, library, tiles)
    )


def _kernel_work(part: KernelAdjoint, plan: Plan, library: Library) -> Iterator[Entry]:
    for call in part.kernel.calls:
        for cost in _declared(call, "work", plan):
            yield _declared_entry(cost, call, part, "work")
    replaced = {call.id for call in part.kernel.calls if _declared(call, "work", plan)}
    for kernel in backward_kernels(part, plan.tensors):
        for adjoint in kernel.adjoints:
            if adjoint.call.id not in replaced:
                yield from _adjoint_work(adjoint, kernel, plan, library)


def _adjoint_work(adjoint: AdjointStatement, kernel: BackwardKernel, plan: Plan, library: Library) -> Iterator[Entry]:
    site = backward_site("work", kernel, adjoint)
    because = describe(adjoint, plan.tensors)
    for kind, amount in adjoint_work(adjoint, plan, library):
        judged = adjoint.primal if kind == "contraction" and not adjoint.declared else adjoint.statement
        dtype = compute_dtype(judged, kind, plan.tensors, library)
        yield replace(site, amount=amount, kind=kind, dtype=dtype, because=because)
    if adjoint.accumulates and not adjoint.statement.accumulate:
        yield replace(
            site,
            amount=points_over(adjoint.statement, indices_of_access(adjoint.statement.target)),
            multiplicity=adjoint.additions,
            kind="vector",
            dtype=compute_dtype(adjoint.statement, "vector", plan.tensors, library),
            because=f"{because}, added to an adjoint that is there already",
        )
    yield from _lookups(adjoint, site, plan, library)


def adjoint_work(adjoint: AdjointStatement, plan: Plan, library: Library) -> tuple[tuple[Kind, Size], ...]:
    """FLOP of one execution by kind, its addition to other contributions apart. In an adjoint of a contraction all but
    special functions is contraction; one of anything else never is (R2).
    """
    if adjoint.identity:
        return ()
    statement = adjoint.statement
    if adjoint.declared:
        return statement_work(statement, plan.tensors, library.scalars)
    per_point: dict[Kind, int] = dict.fromkeys(_KINDS, 0)
    for (kind, _), count in operations(statement.value, library.scalars).items():
        per_point[kind if kind == "special" else (adjoint.kind or "vector")] += count
    if statement.accumulate and not isinstance(statement.value, Reduce):  # else one sum takes in both
        per_point[adjoint.kind or "vector"] += 1
    return tuple((kind, product(const(per_point[kind]), points(statement))) for kind in _KINDS if per_point[kind])


def _lookups(adjoint: AdjointStatement, site: Entry, plan: Plan, library: Library) -> Iterator[Entry]:
    """A table looked up by a matmul with one-hot rows would have a matmul's backward: twice its forward."""
    wanted = set(base_ids(plan.tensors, adjoint.wrt.tensor))
    for table, amount in lookup_work(adjoint.primal, plan.tensors):
        if table in wanted:
            yield replace(
                site,
                amount=product(const(2), amount),
                rule="R2",
                kind="contraction",
                dtype=compute_dtype(adjoint.primal, "contraction", plan.tensors, library),
                because=f"the backward of the look-up in {table} done as a matmul with one-hot rows",
                lookup=True,
            )


def _kernel_traffic(part: KernelAdjoint, plan: Plan, library: Library, inner: IndexTiles = ()) -> Iterator[Entry]:
    for call in part.kernel.calls:
        for cost in _declared(call, "traffic", plan):
            yield _declared_entry(cost, call, part, "traffic")
    if any(_declared(call, "traffic", plan) for call in part.kernel.calls):
        return
    for kernel in backward_kernels(part, plan.tensors):
        yield from moved_by(kernel, kernel.operands, kernel.results, plan, library, "backward", inner)
        yield from _updates(kernel, plan, library)


def _updates(kernel: BackwardKernel, plan: Plan, library: Library) -> Iterator[Entry]:
    """Adjoints read because the kernel adds to what earlier kernels gave (R5)."""
    seen: set[str] = set()
    for adjoint in kernel.adjoints:
        for base in base_ids(plan.tensors, adjoint.statement.target.tensor):
            if base in seen or base not in kernel.results or base in kernel.operands:
                continue
            seen.add(base)
            if not adjoint.accumulates:
                continue
            times = repeats(kernel.kernel.loops) if kernel.kernel.fused else adjoint.additions
            for entry in moved_by(kernel, (), (base,), plan, library, "backward"):
                because = f"{kernel.id} adds to {plan.tensors[base].name}, which it reads for that"
                yield replace(entry, access="read", multiplicity=times, because=because, rule="R5")


def _declared(call: Call, measure: str, plan: Plan) -> tuple[DeclaredCost, ...]:
    """The backward lines of a call's `cost`, where a gradient passes through the call."""
    if not any(result in plan.live for result in call.results):
        return ()
    return tuple(cost for cost in call.declared if cost.measure == measure and cost.phase == "backward")


def _declared_entry(cost: DeclaredCost, call: Call, part: KernelAdjoint, measure: str) -> Entry:
    kind: Kind | None = next((kind for kind in _KINDS if kind == cost.kind), "vector") if measure == "work" else None
    return Entry(
        measure="work" if measure == "work" else "traffic",
        phase="backward",
        amount=cost.amount,
        multiplicity=repeats(call.loops),
        what=call.results[0] if call.results else call.id,
        path=call.path,
        kernel=f"{part.kernel.id}:backward",
        rule="R5",
        kind=kind,
        elements=ZERO if measure == "traffic" else None,
        access="read" if measure == "traffic" else None,
        primal=part.kernel.id,
        op=call.op,
        because=f"declared in the cost of {call.label}",
        declared=True,
        loops=call.loops,
        span=cost.span,
    )
