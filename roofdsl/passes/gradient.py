"""Which tensors have an adjoint at all (R5): a trainable parameter is upstream, and a result is downstream.

Both are reachability over the graph's statements, views and repeats, so each is one walk along its edges: a repeat's
carried tensor is simply reachable from its initial and from its leaving tensor. Integer tensors and buffers carry no
gradient, and `stop` cuts it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from roofdsl.ir.graph import Call, DeclaredAdjoint, Graph, Statement, Tensor, resolved
from roofdsl.passes.derivative import differentiable_accesses
from roofdsl.passes.normalise import normalise_all

Edges = Mapping[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Simplified:
    """A graph's calls as simple statements, by call id; their declared adjoints likewise, temporaries among the
    locals; and all tensors with the temporaries.
    """

    calls: Mapping[str, tuple[Statement, ...]]
    adjoints: Mapping[str, DeclaredAdjoint]
    tensors: Mapping[str, Tensor]


def simple_calls(graph: Graph) -> Simplified:
    """Every call's statements taken apart."""
    calls: dict[str, tuple[Statement, ...]] = {}
    adjoints: dict[str, DeclaredAdjoint] = {}
    tensors = dict(graph.tensors)
    for call in graph.calls:
        part = normalise_all(call.statements, graph.tensors)
        calls[call.id] = part.statements
        tensors.update((temporary.id, temporary) for temporary in part.temporaries)
        if call.adjoint is not None:
            tensors.update((local.id, local) for local in call.adjoint.locals)
            part = normalise_all(call.adjoint.statements, tensors)
            tensors.update((temporary.id, temporary) for temporary in part.temporaries)
            hidden = (*call.adjoint.locals, *part.temporaries)
            adjoints[call.id] = replace(call.adjoint, statements=part.statements, locals=hidden)
    return Simplified(calls, adjoints, tensors)


def adjoint_tensors(graph: Graph, simple: Simplified) -> frozenset[str]:
    """Ids of the tensors that have an adjoint: they need a gradient and a floating result depends on them."""
    edges = _edges(graph, simple)
    results = [name for name in graph.results if not simple.tensors[name].integer]
    return _needed(graph, simple, edges) & _reachable(results, _reversed(edges))


def carries_gradient(tensor: Tensor) -> bool:
    """Whether a tensor may have an adjoint: a floating one that is no constant and not frozen."""
    return not tensor.integer and not tensor.frozen and tensor.role != "buffer"


def _needed(graph: Graph, simple: Simplified, edges: Edges) -> frozenset[str]:
    roots = [t.id for t in graph.tensors.values() if t.role == "param" and t.alias is None and carries_gradient(t)]
    if graph.differentiate_inputs:
        roots += [name for name in graph.inputs if carries_gradient(resolved(simple.tensors, name))]
    return _reachable(roots, edges)


def _edges(graph: Graph, simple: Simplified) -> Edges:
    """From each tensor to those computed or made of it, as far as gradients flow."""
    edges: dict[str, list[str]] = defaultdict(list)
    for call in graph.calls:
        for source, target in _call_edges(call, simple):
            edges[source].append(target)
    for tensor in simple.tensors.values():
        for source in (tensor.alias, *tensor.joined, *(tensor.carried or ())):
            if source is not None:
                edges[source].append(tensor.id)
        if tensor.alias is not None and not tensor.joined:
            edges[tensor.id].append(tensor.alias)  # one tensor under two names
    return {
        source: [target for target in targets if carries_gradient(simple.tensors[target])]
        for source, targets in edges.items()
        if carries_gradient(simple.tensors[source])
    }


def _call_edges(call: Call, simple: Simplified) -> Iterable[tuple[str, str]]:
    written: set[str] = set()
    for statement in simple.calls[call.id]:
        written.add(statement.target.tensor)
        for access in differentiable_accesses(statement.value):
            yield access.tensor, statement.target.tensor
    for result in call.results:
        if result not in written:  # computed by what only `cost` declares
            yield from ((operand, result) for operand in call.operands)


def _reversed(edges: Edges) -> Edges:
    turned: dict[str, list[str]] = defaultdict(list)
    for source, targets in edges.items():
        for target in targets:
            turned[target].append(source)
    return turned


def _reachable(roots: Iterable[str], edges: Edges) -> frozenset[str]:
    found = set(roots)
    waiting = list(found)
    while waiting:
        for target in edges.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return frozenset(found)
