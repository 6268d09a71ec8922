"""Training state: bytes of weights, gradients and optimizer slots (R8).

Every trainable parameter has one element of each slot of the optimizer; a frozen one has its weights only. A master
copy exists only where the weights are narrower than it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.graph import Graph, Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, product
from roofdsl.measures.params import param_bytes
from roofdsl.measures.traffic import dtype_bytes
from roofdsl.syntax import ast

MASTER = "master"
"""The slot that repeats the weights in a wider format."""


def state(graph: Graph, library: Library, optimizer: ast.Optimizer) -> Sheet:
    """Bytes of the training state, one entry per parameter and slot. Source: R8."""
    return tuple(
        entry for weights in param_bytes(graph, library) for entry in _states(weights, graph, library, optimizer)
    )


def _states(weights: Entry, graph: Graph, library: Library, optimizer: ast.Optimizer) -> Iterator[Entry]:
    tensor = graph.tensors[weights.what]
    yield replace(weights, measure="state", because=f"weights: {weights.because}")
    if tensor.frozen:
        return
    for slot, dtype in optimizer.slots:
        if _is_held(slot, dtype, tensor, library):
            yield _slot(weights, slot, dtype, library, optimizer)


def _is_held(slot: str, dtype: str, tensor: Tensor, library: Library) -> bool:
    return slot != MASTER or library.dtypes[tensor.dtype].bits < library.dtypes[dtype].bits


def _slot(weights: Entry, slot: str, dtype: str, library: Library, optimizer: ast.Optimizer) -> Entry:
    count = weights.elements
    return replace(
        weights,
        measure="state",
        amount=weights.amount if count is None else product(Const(dtype_bytes(library, dtype)), count),
        dtype=dtype,
        because=f"{slot} of {optimizer.name}, one {dtype} per element",
    )
