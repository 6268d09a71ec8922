"""Calls to kernels (R3): one call is one kernel, and all calls of an outermost fused region are one together.

Gives the graph with its `kernels`, each with the tensors that cross its boundary, aliases followed. What a fused
region makes and nothing outside reads is internal and moves nothing (R4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from roofdsl.diagnostics import InternalError, Sink
from roofdsl.errors.kernels import UNKNOWN_TILE
from roofdsl.errors.statements import BAD_GUARD
from roofdsl.ir.graph import Call, Graph, Kernel, Placed
from roofdsl.ir.size import Size
from roofdsl.ir.space import PAIRS, shared_index


def place(graph: Graph) -> Graph:
    """The graph with its kernels in the order of their first calls. Raises E0511 for a tile that
    tiles nothing, E0305 for guards without a closed form.
    """
    groups = [tuple(calls) for _, calls in groupby(graph.calls, key=_kernel_key)]
    sink = Sink()
    _check_contiguous(groups)
    _check_guards(graph, sink)
    readers = _readers(graph, groups)
    kernels = tuple(_kernel(number, calls, graph, readers) for number, calls in enumerate(groups))
    for kernel in kernels:
        _check_tiles(kernel, graph, sink)
    sink.stop_on_errors()
    return replace(graph, kernels=kernels)


def fused_region(call: Call) -> Placed | None:
    """The outermost fused region a call stands in."""
    return next((placed for placed in call.placed if placed.kind == "fused"), None)


def parts(graph: Graph, tensor_id: str) -> tuple[str, ...]:
    """The tensors an id stands for: aliases followed, a joining view taken apart."""
    tensor = graph.resolve(tensor_id)
    if not tensor.joined:
        return (tensor.id,)
    return tuple(dict.fromkeys(part for joined in tensor.joined for part in parts(graph, joined)))


def _kernel_key(call: Call) -> tuple[str, str]:
    region = fused_region(call)
    return ("call", call.id) if region is None else ("fused", region.id)


def _check_contiguous(groups: list[tuple[Call, ...]]) -> None:
    """A region's calls follow each other, as its statements do in the text; anything else is a fault of ours."""
    regions = [region.id for calls in groups if (region := fused_region(calls[0])) is not None]
    if len(set(regions)) != len(regions):
        raise InternalError(f"calls of a fused region stand apart: {', '.join(regions)}")


def _check_guards(graph: Graph, sink: Sink) -> None:
    """Guards on pairs of indices that share one have no closed form; found here, before anything is measured."""
    for call in graph.calls:
        for statement in call.statements:
            shared = shared_index(statement.guards)
            if shared is not None:
                sink.add(
                    BAD_GUARD, statement.span, f"the index `{shared}` is guarded against two others", expected=PAIRS
                )


def _readers(graph: Graph, groups: list[tuple[Call, ...]]) -> dict[str, frozenset[int]]:
    """For each tensor the numbers of the kernels that read it. What a repeat carries, a cache keeps or the graph
    gives is also read from outside, which is kernel −1.
    """
    found: dict[str, set[int]] = {}
    for number, calls in enumerate(groups):
        for operand in _ids(graph, (operand for call in calls for operand in call.operands)):
            found.setdefault(operand, set()).add(number)
    for tensor in graph.tensors.values():
        kept = (*(tensor.carried or ()), *((tensor.cached_from,) if tensor.cached_from else ()))
        kept = (*kept, *((tensor.id,) if tensor.state_of else ()))
        for outside in _ids(graph, kept):
            found.setdefault(outside, set()).add(-1)
    for result in _ids(graph, graph.results):
        found.setdefault(result, set()).add(-1)
    return {tensor: frozenset(numbers) for tensor, numbers in found.items()}


def _ids(graph: Graph, tensor_ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for tensor_id in tensor_ids for part in parts(graph, tensor_id)))


def _kernel(number: int, calls: tuple[Call, ...], graph: Graph, readers: dict[str, frozenset[int]]) -> Kernel:
    first, region = calls[0], fused_region(calls[0])
    written = _ids(graph, (result for call in calls for result in call.results))
    read = _ids(graph, (operand for call in calls for operand in call.operands))
    if region is None:
        crossing = written
    else:
        crossing = tuple(tensor for tensor in written if readers.get(tensor, frozenset()) - {number})
    # A state is read before it is written, and is not written twice: its tensor's last position is it (R4).
    crossing = tuple(tensor for tensor in crossing if graph.tensors[tensor].state_of not in crossing)
    made = frozenset(tensor for tensor in written if graph.tensors[tensor].state_of is None)
    return Kernel(
        id=first.id if region is None else region.id,
        label=first.label if region is None else region.id.rsplit(".", 1)[-1],
        path=first.path if region is None else _common_path(calls),
        calls=calls,
        operands=tuple(tensor for tensor in read if tensor not in made),
        results=crossing,
        loops=first.loops if region is None else region.loops,
        checkpoints=_checkpoints(first),
        fused=None if region is None else region.id,
        tiles=() if region is None else region.tiles,
        level_tiles=() if region is None else region.level_tiles,
    )


def _checkpoints(call: Call) -> tuple[str, ...]:
    """The checkpoint regions around the call's kernel; one inside a fused region has nothing left to say."""
    found: list[str] = []
    for placed in call.placed:
        if placed.kind == "fused":
            break
        found.append(placed.id)
    return tuple(found)


def _common_path(calls: tuple[Call, ...]) -> tuple[str, ...]:
    path = calls[0].path
    for call in calls[1:]:
        length = next((k for k, (a, b) in enumerate(zip(path, call.path, strict=False)) if a != b), None)
        path = path[: min(len(path), len(call.path)) if length is None else length]
    return path


def _check_tiles(kernel: Kernel, graph: Graph, sink: Sink) -> None:
    for name in (*(name for name, _ in kernel.tiles), *(tile.index for tile in kernel.level_tiles)):
        if find_extent(kernel, graph, name) is None:
            sink.add(
                UNKNOWN_TILE,
                kernel.calls[0].span,
                f"no tensor of {kernel.id} has an index {name}",
                expected="an index of a tensor the region reads or writes",
                found=name,
            )


def find_extent(kernel: Kernel, graph: Graph, index: str) -> Size | None:
    """The extent of the axis of that name among the kernel's tensors, operands first."""
    tensors = (*kernel.operands, *kernel.results, *(result for call in kernel.calls for result in call.results))
    return next(
        (axis.extent for tensor in tensors for axis in graph.resolve(tensor).axes if axis.name == index),
        None,
    )
