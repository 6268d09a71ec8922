"""Parameters (R8): elements of `param` tensors times the repeats they stand in, shared and passed ones once.

`active_params` is what one token touches: the footprint where the dimensions that enumerate tokens are one.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import replace

from roofdsl.ir.entry import Entry, Measure, Sheet
from roofdsl.ir.graph import Graph, Loop, Statement, Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.show import show_size
from roofdsl.ir.size import ONE, Const, Size, product
from roofdsl.ir.space import elements
from roofdsl.measures.traffic import Uses, dtype_bytes, touched_union, uses_of
from roofdsl.measures.work import forward_phase, repeats
from roofdsl.passes.normalise import normalise_all


def params(graph: Graph) -> Sheet:
    """Elements of every parameter, one entry each. Source: R8."""
    return tuple(_entry(tensor, graph, "params", elements(tensor), "its elements") for tensor in own_params(graph))


def param_bytes(graph: Graph, library: Library) -> Sheet:
    """Bytes of every parameter in its own dtype, one entry each. Source: R8."""
    return tuple(
        replace(
            _entry(tensor, graph, "param_bytes", elements(tensor), f"its elements in {tensor.dtype}"),
            amount=product(Const(dtype_bytes(library, tensor.dtype)), elements(tensor)),
        )
        for tensor in own_params(graph)
    )


def active_params(graph: Graph) -> Sheet:
    """Elements of every parameter that one token touches, one entry each. Source: R8."""
    tokens = token_dims(graph)
    found: list[Entry] = []
    uses, tensors = _uses_of_params(graph)
    for tensor in own_params(graph):
        touched = touched_union(tensor.id, _at_one_token(uses, tensor.id, tokens), tensors).elements
        found.append(_entry(tensor, graph, "active_params", touched, "what one token touches of it"))
    return tuple(found)


def own_params(graph: Graph) -> tuple[Tensor, ...]:
    """The parameters of a graph; a tied or passed one is the tensor it was declared as."""
    return tuple(t for t in graph.tensors.values() if t.role == "param" and t.alias is None and not t.joined)


def param_repeats(loops: Iterable[Loop]) -> Size:
    """How many instances of a parameter there are: repeats that share their weights have it once."""
    return repeats(loop for loop in loops if not loop.shared)


def token_dims(graph: Graph) -> frozenset[Size]:
    """The extents that enumerate tokens: what inputs have and no parameter has, or where all inputs are indices (token
    ids, positions), whatever these have.
    """
    inputs = [tensor for tensor in map(graph.resolve, graph.inputs) if tensor.role == "input"]
    computed = [tensor for tensor in inputs if not tensor.integer]
    of_params = {axis.extent for tensor in own_params(graph) for axis in tensor.axes} if computed else set()
    found = {axis.extent for tensor in computed or inputs for axis in tensor.axes}
    return frozenset(found - of_params)


def _uses_of_params(graph: Graph) -> tuple[Uses, Mapping[str, Tensor]]:
    """The simple statements' reads of parameters, and the tensors they speak of."""
    simple = normalise_all((s for call in graph.calls for s in call.statements), graph.tensors)
    tensors = ChainMap({tensor.id: tensor for tensor in simple.temporaries}, graph.tensors)
    read, _ = uses_of(simple.statements, tensors)
    names = {tensor.id for tensor in own_params(graph)}
    return {tensor_id: uses for tensor_id, uses in read.items() if tensor_id in names}, tensors


def _at_one_token(uses: Uses, tensor_id: str, tokens: frozenset[Size]) -> Uses:
    """The uses of one parameter with every token index running over one position."""
    views = uses.get(tensor_id, {})
    return {tensor_id: {view: [(a, _one_token(s, tokens)) for a, s in found] for view, found in views.items()}}


def _one_token(statement: Statement, tokens: frozenset[Size]) -> Statement:
    extents = tuple((index, ONE if extent in tokens else extent) for index, extent in statement.extents)
    alone = {index for index, extent in extents if extent == ONE}
    guards = tuple(guard for guard in statement.guards if not {guard.row, guard.column} & alone)
    return replace(statement, extents=extents, guards=guards)


def _entry(tensor: Tensor, graph: Graph, measure: Measure, amount: Size, because: str) -> Entry:
    multiplicity = param_repeats(tensor.loops)
    times = " · ".join(show_size(loop.count) for loop in tensor.loops if not loop.shared)
    return Entry(
        measure=measure,
        phase=forward_phase(graph),
        amount=amount,
        multiplicity=multiplicity,
        what=tensor.id,
        path=tensor.path,
        kernel="",
        rule="R8",
        dtype=tensor.dtype,
        elements=amount,
        because=f"{because}, for each of {times} repeats" if times else because,
        loops=tensor.loops,
        span=tensor.span,
    )
