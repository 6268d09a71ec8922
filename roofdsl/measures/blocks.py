"""Bytes of tensors whose formats group elements: partial groups are stored whole (convention `blocks = whole`).

Closed forms spread the bits that a group shares over its elements (`blocks = amortised`), which is exact where the
groups fill. Groups run along the last index of a tensor, as in all block formats in use.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.graph import Graph, Tensor
from roofdsl.ir.library import Dtype, Library
from roofdsl.ir.size import Const, Function, Size, add, const, divide, product
from roofdsl.ir.space import elements


def stored_bytes(tensor: Tensor, dtype: Dtype) -> Size:
    """Bytes of a whole tensor as it is stored: every row padded to whole groups, what a tensor shares counted once, all
    of it rounded up to a byte.
    """
    declaration = dtype.declaration
    once = Fraction(declaration.per_tensor, 8)
    group = max((size for _, size in declaration.groups), default=1)
    if group == 1 or not tensor.axes:
        whole = product(Const(dtype.bits / 8), elements(tensor))
        return add(
            whole if dtype.bits.denominator == 1 and dtype.bits % 8 == 0 else Function("ceil", (whole,)), const(once)
        )
    *rows, row = tensor.axes
    groups = Function("ceil", (divide(row.extent, const(group)),))
    return add(product(Const(dtype.bits * group / 8), *(axis.extent for axis in rows), groups), const(once))


def in_whole_blocks(entries: Iterable[Entry], graph: Graph, library: Library) -> Sheet:
    """Entries of whole tensors with the bytes as stored; what touches a part only keeps its amortised bytes."""
    return tuple(_whole(entry, graph, library) for entry in entries)


def _whole(entry: Entry, graph: Graph, library: Library) -> Entry:
    tensor = graph.tensors.get(entry.what)
    dtype = library.dtypes.get(entry.dtype or "")
    if tensor is None or dtype is None or entry.elements is None or not _grouped(dtype):
        return entry
    tensor = graph.resolve(tensor.id)
    if tensor.guards or entry.elements != elements(tensor):
        return replace(entry, because=f"{entry.because}; bits of groups spread over their elements")
    return replace(entry, amount=stored_bytes(tensor, dtype), because=f"{entry.because}; in whole blocks")


def _grouped(dtype: Dtype) -> bool:
    return bool(dtype.declaration.groups or dtype.declaration.per_tensor or dtype.bits % 8)
