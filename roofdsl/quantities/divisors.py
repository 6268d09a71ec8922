"""What `per token`, `per layer`, `per step` and `per device` divide by, read off the subject's graph."""

from __future__ import annotations

from collections.abc import Iterator

from roofdsl.diagnostics import RoofError, fail
from roofdsl.errors import claims as errors
from roofdsl.ir.graph import Graph
from roofdsl.ir.size import ONE, Size, product
from roofdsl.measures.params import token_dims
from roofdsl.source import NOWHERE, Span

WORDS = ("token", "layer", "device", "step")


def divisor(graph: Graph, word: str, span: Span) -> Size:
    """The count to divide by: tokens of the first input, iterations of the outermost repeat, or one."""
    match word:
        case "token":
            return _tokens(graph, span)
        case "layer":
            return _layers(graph, span)
        case "device" | "step":
            return ONE  # one device and one step, until layouts and schedules are declared
        case _:
            fail(errors.BAD_PER, span, f"`per {word}` is not known", expected=", ".join(WORDS), found=word)


def divisors(graph: Graph) -> Iterator[tuple[str, Size]]:
    """The words whose count this graph has, other than one, each with it."""
    for word in ("token", "layer"):
        try:
            yield word, divisor(graph, word, NOWHERE)
        except RoofError:
            continue


def _tokens(graph: Graph, span: Span) -> Size:
    counted = token_dims(graph)
    for tensor_id in graph.inputs:
        tensor = graph.resolve(tensor_id)
        extents = [axis.extent for axis in tensor.axes if axis.extent in counted]
        if extents and tensor.role == "input":
            return product(*extents)
    fail(errors.BAD_PER, span, f"`{graph.name}` has no input whose axes enumerate tokens")


def _layers(graph: Graph, span: Span) -> Size:
    outermost = {call.loops[0].id: call.loops[0].count for call in graph.calls if call.loops}
    if len(outermost) == 1:
        return next(iter(outermost.values()))
    found = "none" if not outermost else f"{len(outermost)}"
    fail(errors.BAD_PER, span, f"`{graph.name}` has no single repeat", expected="one outermost repeat", found=found)
