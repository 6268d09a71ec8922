"""Bytes of tensors whose formats group elements: partial groups are stored whole (convention `blocks = whole`).

Closed forms spread the bits that a group shares over its elements (`blocks = amortised`), which is exact where the
groups fill; numbers of `eval` count whole groups. Groups run along the rows of a tensor, as in the block formats of
files: all that stands behind its first index is a row, since matrices are packed with their heads joined. The groups of
a `flat` format run over the whole tensor, and its elements are not padded.
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
from roofdsl.passes.formats import FLAT


def stored_bytes(tensor: Tensor, dtype: Dtype) -> Size:
    """Bytes of a whole tensor as it is stored: every row padded to whole groups, what a tensor shares counted once, all
    of it rounded up to a byte.
    """
    declaration = dtype.declaration
    if FLAT in declaration.words:
        return _flat_bytes(elements(tensor), dtype)
    once = Fraction(declaration.per_tensor, 8)
    group = max((size for _, size in declaration.groups), default=1)
    if group == 1 or not tensor.axes:
        whole = product(Const(dtype.bits / 8), elements(tensor))
        return add(
            whole if dtype.bits.denominator == 1 and dtype.bits % 8 == 0 else Function("ceil", (whole,)), const(once)
        )
    extents = [axis.extent for axis in tensor.axes]
    rows, row = (extents[:1], extents[1:]) if len(extents) > 1 else ([], extents)
    groups = Function("ceil", (divide(product(*row), const(group)),))
    whole = product(Const(dtype.bits * group / 8), *rows, groups)
    exact = dtype.bits * group % 8 == 0
    return add(whole if exact else Function("ceil", (whole,)), const(once))


def _flat_bytes(count: Size, dtype: Dtype) -> Size:
    """Elements that are not padded, and beside them what their groups and the tensor share."""
    declaration = dtype.declaration
    shared = (
        product(Const(Fraction(bits, 8)), Function("ceil", (divide(count, const(size)),)))
        for bits, size in declaration.groups
    )
    own = product(Const(Fraction(declaration.bits, 8)), count)
    return Function("ceil", (add(own, *shared, Const(Fraction(declaration.per_tensor, 8))),))


def in_whole_blocks(entries: Iterable[Entry], graph: Graph, library: Library) -> Sheet:
    """Entries of whole tensors with the bytes as stored; what touches a part only keeps its amortised bytes."""
    return tuple(_whole(entry, graph, library) for entry in entries)


def _whole(entry: Entry, graph: Graph, library: Library) -> Entry:
    tensor = graph.tensors.get(entry.what)
    dtype = library.dtypes.get(entry.dtype or "")
    if tensor is None or dtype is None or entry.elements is None or not grouped(dtype):
        return entry
    tensor = graph.resolve(tensor.id)
    if tensor.guards or entry.elements != elements(tensor):
        return replace(entry, because=f"{entry.because}; bits of groups spread over their elements")
    return replace(entry, amount=stored_bytes(tensor, dtype), because=f"{entry.because}; in whole blocks")


def grouped(dtype: Dtype) -> bool:
    """Whether the bytes of a tensor depend on more than how many elements it has: shared bits, or no whole bytes."""
    return bool(dtype.declaration.groups or dtype.declaration.per_tensor or dtype.bits % 8)
