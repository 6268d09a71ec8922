"""The backward pass of a graph: per forward kernel its adjoints in the order they run, and what they need (R5–R7).

Backward work and traffic, saved tensors and recompute are all read off this one value, so that they agree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from roofdsl.diagnostics import Sink
from roofdsl.ir.expr import reads
from roofdsl.ir.graph import Graph, Kernel, Statement, Tensor
from roofdsl.ir.library import Library
from roofdsl.measures.contributions import contributions
from roofdsl.measures.rebuild import Needs, needs
from roofdsl.measures.scalars import is_contraction
from roofdsl.passes.adjoint import MARK, AdjointStatement, Scope, adjoint_id, adjoint_tensor
from roofdsl.passes.declared import call_adjoints
from roofdsl.passes.gradient import Simplified, adjoint_tensors, simple_calls


@dataclass(frozen=True, slots=True)
class KernelAdjoint:
    """A forward kernel with its adjoints; no adjoints where no gradient passes."""

    kernel: Kernel
    adjoints: tuple[AdjointStatement, ...]
    needs: Needs


@dataclass(frozen=True, slots=True)
class Plan:
    """`kernels` in forward order; `tensors` holds the graph's, temporaries and adjoints; `live` are the ids of the
    tensors that have an adjoint.
    """

    graph: Graph
    simple: Simplified
    tensors: Mapping[str, Tensor]
    live: frozenset[str]
    kernels: tuple[KernelAdjoint, ...]


def backward_plan(graph: Graph, library: Library) -> Plan:
    """The backward pass of a placed graph; empty in inference. Raises `RoofError` (E0521–E0524) where something that
    needs an adjoint has none.
    """
    if graph.mode == "infer":
        return Plan(graph, Simplified({}, {}, {}), graph.tensors, frozenset(), ())
    simple = simple_calls(graph)
    live = adjoint_tensors(graph, simple)

    def contraction(statement: Statement) -> bool:
        return is_contraction(statement.value, simple.tensors)

    scope = Scope(live, simple.tensors, library, contraction, Sink())
    derived = {call.id: call_adjoints(call, simple, scope) for call in graph.calls}
    scope.sink.stop_on_errors()
    ordered = contributions(graph, simple.tensors, live, derived)
    tensors = _with_adjoints(simple.tensors, live, ordered.adjoints, ordered.same_as)
    of_call: dict[str, list[AdjointStatement]] = {}
    for adjoint in ordered.adjoints:
        of_call.setdefault(adjoint.call.id, []).append(adjoint)
    return Plan(graph, simple, tensors, live, _of_kernels(graph, simple, tensors, of_call))


def _of_kernels(
    graph: Graph,
    simple: Simplified,
    tensors: Mapping[str, Tensor],
    of_call: Mapping[str, list[AdjointStatement]],
) -> tuple[KernelAdjoint, ...]:
    found: list[KernelAdjoint] = []
    for kernel in graph.kernels:
        adjoints = tuple(a for call in reversed(kernel.calls) for a in of_call.get(call.id, ()))
        found.append(KernelAdjoint(kernel, adjoints, needs(kernel, simple.calls, adjoints, tensors)))
    return tuple(found)


def _with_adjoints(
    tensors: Mapping[str, Tensor],
    live: Collection[str],
    adjoints: Iterable[AdjointStatement],
    same_as: Mapping[str, str],
) -> Mapping[str, Tensor]:
    """The tensors with an adjoint for each that has one or is named in an adjoint, and for what those are views of."""
    waiting = [name for name in tensors if name in live]
    for adjoint in adjoints:
        waiting += [name.removeprefix(MARK) for name in _named(adjoint.statement) if name.startswith(MARK)]
    found = dict(tensors)
    for name in waiting:  # grows while it is walked
        if adjoint_id(name) in found:
            continue
        tensor = tensors[name]
        made = adjoint_tensor(tensor)
        if name in same_as:
            made = replace(made, alias=adjoint_id(same_as[name]), joined=())
            waiting.append(same_as[name])
        found[made.id] = made
        waiting += [part for part in (tensor.alias, *tensor.joined) if part is not None]
    return _shortened(found)


def _shortened(tensors: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    """The same tensors, each alias leading at once to what it stands for. Along a chain of additions every adjoint is
    the next one's, and whoever followed that chain link by link would take the square of its length.
    """
    ends: dict[str, str] = {}
    for name in tensors:
        chain: list[str] = []
        here = name
        while here not in ends and (further := tensors[here].alias) is not None:
            chain.append(here)
            here = further
        end = ends.get(here, here)
        ends.update(dict.fromkeys(chain, end))
    return {name: replace(tensor, alias=ends[name]) if name in ends else tensor for name, tensor in tensors.items()}


def _named(statement: Statement) -> tuple[str, ...]:
    return (statement.target.tensor, *(access.tensor for access in reads(statement.value)))
