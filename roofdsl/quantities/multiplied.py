"""Which parameters multiply: those that a contraction reads. Biases, gains and tables that are looked up do not."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass

from roofdsl.ir.expr import reads
from roofdsl.ir.graph import Graph, resolved
from roofdsl.measures.scalars import is_contraction
from roofdsl.passes.normalise import normalise_all


@dataclass(frozen=True, slots=True)
class Multiplied:
    """Parameters that a contraction multiplies by, and the targets of calls that hold such a contraction."""

    weights: frozenset[str]
    targets: frozenset[str]


def multiplied(graph: Graph) -> Multiplied:
    """The parameters of a graph that multiply, and what is computed with them. Source: R2."""
    weights: set[str] = set()
    targets: set[str] = set()
    for call in graph.calls:
        simple = normalise_all(call.statements, graph.tensors)
        tensors = ChainMap({tensor.id: tensor for tensor in simple.temporaries}, graph.tensors)
        contractions = [s for s in simple.statements if is_contraction(s.value, tensors)]
        read = {resolved(tensors, access.tensor) for s in contractions for access in reads(s.value)}
        found = {tensor.id for tensor in read if tensor.role == "param"}
        weights |= found
        targets |= {*call.results, *call.internal} if found else set()
    return Multiplied(frozenset(weights), frozenset(targets))
