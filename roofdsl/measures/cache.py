"""Caches: bytes of the tensors that inference keeps between steps (R8's counterpart for `cache`).

A cache is there once for every repeat around it: weights may be shared between iterations, what was computed is not.
"""

from __future__ import annotations

from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.graph import Graph, Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, Function, Size, product
from roofdsl.ir.space import elements
from roofdsl.measures.traffic import dtype_bytes
from roofdsl.measures.work import repeats


def cache(graph: Graph, library: Library) -> Sheet:
    """Bytes of every cache, one entry each; a graph elaborated for training has none."""
    held = (tensor for tensor in graph.tensors.values() if tensor.role == "cache" and tensor.alias is None)
    return tuple(_entry(tensor, library) for tensor in held)


def held_elements(tensor: Tensor) -> Size:
    """The elements a cache keeps room for: `keep w` caps the positions, whatever the statements that read it run over."""
    if tensor.held is None:
        return elements(tensor)
    positions = Function("min", (tensor.axes[0].extent, tensor.held))
    return product(positions, *(axis.extent for axis in tensor.axes[1:]))


def _entry(tensor: Tensor, library: Library) -> Entry:
    count = held_elements(tensor)
    source = f" from {tensor.cached_from}" if tensor.cached_from else ""
    return Entry(
        measure="cache",
        phase="infer",
        amount=product(Const(dtype_bytes(library, tensor.dtype)), count),
        multiplicity=repeats(tensor.loops),
        what=tensor.id,
        path=tensor.path,
        kernel="",
        rule="R8",
        dtype=tensor.dtype,
        elements=count,
        because=f"{'all' if tensor.held is None else 'the last'} positions kept{source}",
        loops=tensor.loops,
        span=tensor.span,
    )
