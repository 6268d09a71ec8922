"""Work: points of the iteration space times operations as written (R1), by kind (R2).

`statement_work` measures one simple statement (see `passes/normalise`) and serves the adjoints too; `forward_work`
gives the entries of a whole graph. Amounts are FLOP for one execution; repeats stand in the multiplicity.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from roofdsl.ir.entry import Entry, Kind, Phase, Sheet
from roofdsl.ir.expr import Access, Gather, indices_of_access, reads
from roofdsl.ir.graph import Call, DeclaredCost, Graph, Loop, Statement, Tensor, resolved
from roofdsl.ir.library import Library
from roofdsl.ir.size import ZERO, Size, const, product
from roofdsl.ir.space import points, points_over, statement_indices
from roofdsl.measures.scalars import Operations, is_contraction, operations
from roofdsl.passes.normalise import normalise_all, origin
from roofdsl.syntax import ast

_KINDS: tuple[Kind, ...] = ("contraction", "vector", "special")
_SCATTER = "scatter add"


def statement_work(
    simple: Statement, tensors: Mapping[str, Tensor], scalars: Mapping[str, ast.Scalar]
) -> tuple[tuple[Kind, Size], ...]:
    """FLOP of one simple statement by kind, kinds without work left out. Source: R1, R2."""
    space = points(simple)
    per_point = _by_kind(statement_operations(simple, tensors, scalars))
    return tuple((kind, product(const(per_point[kind]), space)) for kind in _KINDS if per_point[kind])


def statement_operations(
    simple: Statement, tensors: Mapping[str, Tensor], scalars: Mapping[str, ast.Scalar]
) -> Operations:
    """Operations per point of a simple statement: in a contraction all but the special ones are of that kind."""
    found = operations(simple.value, scalars)
    if simple.accumulate:
        found["vector", _SCATTER] += 1
    if not is_contraction(simple.value, tensors):
        return found
    turned: Operations = Counter()
    for (kind, name), count in found.items():
        turned["special" if kind == "special" else "contraction", name] += count
    return turned


def lookup_work(simple: Statement, tensors: Mapping[str, Tensor]) -> tuple[tuple[str, Size], ...]:
    """For each gather of a param table: its id, and the FLOP of the matmul with one-hot rows that would do the same
    (2 × points × gathered extents). Weights multiplied in a contraction are no look-up.
    """
    if is_contraction(simple.value, tensors):
        return ()
    found: dict[str, Size] = {}
    for access in reads(simple.value):
        gathered = tuple(axis for axis, position in enumerate(access.positions) if isinstance(position, Gather))
        table = resolved(tensors, access.tensor)
        if gathered and table.role == "param":
            found[table.id] = _one_hot(simple, access, gathered, table)
    return tuple(found.items())


def forward_work(graph: Graph, library: Library) -> Sheet:
    """All work of one forward pass (phase `forward`, in inference `infer`), call by call, declared costs included."""
    kernels = {call.id: kernel.id for kernel in graph.kernels for call in kernel.calls}
    return tuple(
        entry for call in graph.calls for entry in call_work(call, graph, library, kernels.get(call.id, call.id))
    )


def call_work(call: Call, graph: Graph, library: Library, kernel: str) -> Sheet:
    """The forward work of one call. Work declared in the op's `cost` replaces what its statements would give."""
    site = _site(call, graph, kernel)
    declared = [cost for cost in call.declared if cost.measure == "work" and cost.phase == "forward"]
    if declared:
        return tuple(_declared(cost, call, site, library) for cost in declared)
    simple = normalise_all(call.statements, graph.tensors)
    tensors = ChainMap({tensor.id: tensor for tensor in simple.temporaries}, graph.tensors)
    return tuple(
        entry for statement in simple.statements for entry in _statement_entries(statement, tensors, library, site)
    )


def forward_phase(graph: Graph) -> Phase:
    """The phase a graph's forward pass counts under."""
    return "forward" if graph.mode == "train" else "infer"


def repeats(loops: Iterable[Loop]) -> Size:
    """How often something inside these loops runs in one pass; shared weights run as often as others."""
    return product(*(loop.count for loop in loops))


def compute_dtype(simple: Statement, kind: Kind, tensors: Mapping[str, Tensor], library: Library) -> str | None:
    """The number format work of a kind runs in: the stated default of that kind, else the widest operand's."""
    if kind in library.defaults:
        return library.defaults[kind]
    operands = [resolved(tensors, access.tensor) for access in reads(simple.value)]
    formats = [library.dtypes[t.dtype] for t in operands if not t.integer and t.dtype in library.dtypes]
    if not formats:
        return tensors[simple.target.tensor].dtype if simple.target.tensor in tensors else None
    return max(formats, key=lambda dtype: dtype.bits).name


def explain_work(
    simple: Statement, kind: Kind, tensors: Mapping[str, Tensor], scalars: Mapping[str, ast.Scalar]
) -> str:
    """`per point of (s, b, o, i): 1 mul, 1 sum`: what an entry of work counts, for people."""
    found = statement_operations(simple, tensors, scalars)
    counts = ", ".join(f"{count} {name}" for (of, name), count in found.items() if of == kind and count)
    where = ", ".join(statement_indices(simple)) or "one point"
    guards = "".join(f", {guard.column} guarded by {guard.row}" for guard in simple.guards)
    return f"per point of ({where}{guards}): {counts}"


def _by_kind(found: Operations) -> dict[Kind, int]:
    totals: dict[Kind, int] = dict.fromkeys(_KINDS, 0)
    for (kind, _), count in found.items():
        totals[kind] += count
    return totals


def _one_hot(simple: Statement, access: Access, gathered: tuple[int, ...], table: Tensor) -> Size:
    rows = product(*(table.axes[axis].extent for axis in gathered))
    return product(const(2), points_over(simple, indices_of_access(access)), rows)


def _statement_entries(
    simple: Statement, tensors: Mapping[str, Tensor], library: Library, site: Entry
) -> Iterable[Entry]:
    here = replace(site, what=origin(simple.target.tensor), span=simple.span)
    for kind, amount in statement_work(simple, tensors, library.scalars):
        yield replace(
            here,
            amount=amount,
            rule="R2" if kind == "contraction" else "R1",
            kind=kind,
            dtype=compute_dtype(simple, kind, tensors, library),
            because=explain_work(simple, kind, tensors, library.scalars),
        )
    for table, amount in lookup_work(simple, tensors):
        yield replace(
            here,
            amount=amount,
            rule="R2",
            kind="contraction",
            dtype=compute_dtype(simple, "contraction", tensors, library),
            because=f"the look-up in {table} done as a matmul with one-hot rows",
            lookup=True,
        )


def _site(call: Call, graph: Graph, kernel: str) -> Entry:
    """What all work entries of a call have in common."""
    return Entry(
        measure="work",
        phase=forward_phase(graph),
        amount=ZERO,
        multiplicity=repeats(call.loops),
        what=call.results[0] if call.results else call.id,
        path=call.path,
        kernel=kernel,
        rule="R1",
        op=call.op,
        loops=call.loops,
        span=call.span,
    )


def _declared(cost: DeclaredCost, call: Call, site: Entry, library: Library) -> Entry:
    because = f"declared in the cost of {call.label}"
    kind = _known_kind(cost.kind)
    dtype = library.defaults.get(kind, site.dtype)
    return replace(site, amount=cost.amount, kind=kind, dtype=dtype, because=because, declared=True, span=cost.span)


def _known_kind(word: str | None) -> Kind:
    """The kind a `cost` names; plain work is vector work."""
    return next((kind for kind in _KINDS if kind == word), "vector")
