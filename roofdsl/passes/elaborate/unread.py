"""Notes on what is written and then does nothing: results that nobody reads, products that sum nothing. Parameters
that nobody reads are no slip: papers count some that take no part in what they describe.
"""

from __future__ import annotations

from roofdsl.diagnostics import Sink
from roofdsl.errors import shapes, statements
from roofdsl.ir.expr import Apply, Expr, Stop, free_indices
from roofdsl.ir.graph import Call, Graph, Tensor
from roofdsl.passes.elaborate.build import Body
from roofdsl.source import Source, Span
from roofdsl.syntax import ast


def note_unread(graph: Graph, source: Source, sink: Sink) -> None:
    """N0416 for calls of the user's own text whose results no other reads and that are no result."""
    read = _read(graph)
    for call in graph.calls:
        results = [graph.resolve(result) for result in call.results]
        if call.span.source is source and not any(tensor.id in read for tensor in results):
            place, name = _target(call, results[0]), results[0].name
            sink.add(shapes.UNREAD, place, f"nothing reads `{name}`", helps=("it is counted all the same",))


def _read(graph: Graph) -> frozenset[str]:
    """Tensors that a statement reads, or that leave the graph, stay in a cache, or enter the next iteration."""
    names = [*graph.results]
    for call in graph.calls:
        names += call.operands
    for tensor in graph.tensors.values():
        names += [*tensor.joined, *(tensor.carried or ())]
        names += [name for name in (tensor.cached_from, tensor.state_of) if name is not None]
    return frozenset(graph.resolve(name).id for name in names)


def _target(call: Call, made: Tensor) -> Span:
    return made.span if made.span.source is call.span.source else call.span


def note_outer_product(body: Body, node: ast.Assign, value: Expr, names: tuple[str, ...]) -> None:
    """N0302 where a target without indices gets those of two factors that each have some of their own."""
    if node.span.source is not body.builder.root_source:
        return
    for left, right in _products(value):
        one, two = free_indices(left), free_indices(right)
        shared = [name for name in one if name in two]
        if shared and set(one) - set(two) and set(two) - set(one):
            target = node.targets[0].name
            kept = ",".join(name for name in names if name not in shared)
            body.report(
                statements.OUTER_PRODUCT,
                node.targets[0].span,
                f"`{target}` gets the indices {', '.join(names)}: nothing is summed",
                helps=(f"to sum over {', '.join(shared)} write `{target}[{kept}] = sum({node.value.span.text})`",),
            )
            return


def _products(value: Expr) -> list[tuple[Expr, Expr]]:
    match value:
        case Apply("mul", (left, right)):
            return [(left, right), *_products(left), *_products(right)]
        case Apply(_, arguments):
            return [found for argument in arguments for found in _products(argument)]
        case Stop(inner):
            return _products(inner)
        case _:
            return []
