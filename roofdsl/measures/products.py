"""The matrix product a kernel is: rows × inner × columns, and how many of them, read off its one contraction (R2).

An index of the result that only the first factor has counts rows, one that only the second has columns, one that both
have makes a batch; what is summed is the inner size. Kernels with several contractions (fused attention) are none, nor
are those that choose a weight by an index (experts): their rows depend on the choice.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from roofdsl.ir.expr import Access, Reduce, gathered, indices_of_access, reads
from roofdsl.ir.graph import Graph, Statement, Tensor
from roofdsl.ir.size import Size, product
from roofdsl.measures.groups import backward_kernels
from roofdsl.measures.plan import Plan
from roofdsl.measures.scalars import is_contraction
from roofdsl.passes.normalise import normalise_all


@dataclass(frozen=True, slots=True)
class MatrixProduct:
    """One execution of a kernel: `batch` products of rows × inner by inner × columns."""

    kernel: str
    batch: Size
    rows: Size
    columns: Size
    inner: Size


def forward_products(graph: Graph) -> tuple[MatrixProduct, ...]:
    """The kernels of a forward pass that are one matrix product each."""
    found: list[MatrixProduct] = []
    for kernel in graph.kernels:
        simple = normalise_all((s for call in kernel.calls for s in call.statements), graph.tensors)
        tensors = ChainMap({tensor.id: tensor for tensor in simple.temporaries}, graph.tensors)
        found += _products(kernel.id, simple.statements, tensors)
    return tuple(found)


def rerun_products(graph: Graph) -> tuple[MatrixProduct, ...]:
    """Those of a forward pass that checkpoints run again, under the names of their second runs."""
    again = {kernel.id for kernel in graph.kernels if kernel.checkpoints}
    return tuple(replace(p, kernel=f"{p.kernel}:again") for p in forward_products(graph) if p.kernel in again)


def backward_products(plan: Plan) -> tuple[MatrixProduct, ...]:
    """The kernels of a backward pass that are one matrix product each."""
    kernels = (kernel for part in plan.kernels for kernel in backward_kernels(part, plan.tensors))
    return tuple(found for kernel in kernels for found in _products(kernel.id, kernel.statements, plan.tensors))


def _products(kernel: str, statements: Iterable[Statement], tensors: Mapping[str, Tensor]) -> tuple[MatrixProduct, ...]:
    contractions = [s for s in statements if is_contraction(s.value, tensors)]
    if len(contractions) != 1:
        return ()
    found = _product(kernel, contractions[0])
    return () if found is None else (found,)


def _product(kernel: str, statement: Statement) -> MatrixProduct | None:
    factors = _factors(statement)
    if len(factors) != 2 or not isinstance(statement.value, Reduce) or any(gathered(access) for access in factors):
        return None
    left, right = (frozenset(indices_of_access(access)) for access in factors)
    kept = indices_of_access(statement.target)
    extents = dict(statement.extents)
    return MatrixProduct(
        kernel,
        product(*(extents[index] for index in kept if index in left & right)),
        product(*(extents[index] for index in kept if index in left - right)),
        product(*(extents[index] for index in kept if index in right - left)),
        product(*(extents[index] for index in statement.value.indices)),
    )


def _factors(statement: Statement) -> tuple[Access, ...]:
    """The tensors multiplied, each once; what has no index of the sum is an epilogue."""
    summed = frozenset(statement.value.indices) if isinstance(statement.value, Reduce) else frozenset()
    found = {a.tensor: a for a in reads(statement.value) if summed & frozenset(indices_of_access(a))}
    return tuple(found.values())
