"""The left side counted otherwise: in one of the ways of `ways`, per token or layer, or one block of it alone. The
entries say what they are (R9), so nothing is derived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from roofdsl.ir.graph import Graph
from roofdsl.ir.size import Product, Size, add, divide, product
from roofdsl.quantities.divisors import divisors
from roofdsl.quantities.quantity import Quantity, contribution
from roofdsl.quantities.session import Session
from roofdsl.verify.question import Question
from roofdsl.verify.reading import Reading, Sort
from roofdsl.verify.ways import counted, ways_of


@dataclass(frozen=True, slots=True)
class Share:
    """A left side that is one quantity times something: `put` gives the side with another amount of it."""

    quantity: Quantity
    put: Callable[[Size], Size]


def share_of(question: Question) -> Share | None:
    """The only quantity of the left side, where the side is a multiple of it."""
    if len(question.left_quantities) != 1 or not question.left_quantities[0].entries:
        return None
    (quantity,) = question.left_quantities
    side = question.left.size
    if side == quantity.size:
        return Share(quantity, lambda size: size)
    if isinstance(side, Product) and quantity.size in side.factors:
        others = list(side.factors)
        others.remove(quantity.size)
        return Share(quantity, lambda size: product(*others, size))
    return None


def recounts(question: Question, session: Session) -> Iterator[Reading]:
    """The left side under other ways of counting, the likeliest first."""
    share = share_of(question)
    if share is None:
        return
    quantity, causal = share.quantity, question.scope.causal
    graph = session.graph(quantity.subject, quantity.mode)
    ways = ways_of(quantity, graph, question, session.library)
    for way in ways:
        size = counted(quantity.entries, way) if way.topic != "tied" else None
        if size is not None:
            yield Reading(way.sort, way.text, share.put(size), causal)
    for sort, text, size in portions(quantity, graph):
        yield Reading(sort, text, share.put(size), causal)
    for way in ways:
        size = counted(quantity.entries, way) if way.topic == "tied" else None
        if size is not None:
            yield Reading(way.sort, way.text, share.put(size), causal)
    for sort, text, size in _blocks(quantity):
        yield Reading(sort, text, share.put(size), causal)


def portions(quantity: Quantity, graph: Graph) -> Iterator[tuple[Sort, str, Size]]:
    """Per token, per layer."""
    for word, count in divisors(graph):
        yield "count", f"holds per {word}", divide(quantity.size, count)


def _blocks(quantity: Quantity) -> Iterator[tuple[Sort, str, Size]]:
    """The same quantity of one block inside, in one of its repeats."""
    paths = dict.fromkeys(e.path[:depth] for e in quantity.entries for depth in range(2, len(e.path) + 1))
    phase = "" if quantity.phase in (None, "forward") else f", {quantity.phase}"
    for path in paths:
        inside = [entry for entry in quantity.entries if entry.path[: len(path)] == path]
        name = ".".join(part.split("#")[0] for part in path[1:])
        if len(inside) < len(quantity.entries):
            text = f"this is `{quantity.name}({quantity.subject.text}.{name}{phase})`"
            yield "subject", text, add(*(contribution(entry) for entry in inside))
        if any(entry.loops for entry in inside):
            single = add(*(entry.amount if entry.loops else contribution(entry) for entry in inside))
            told = f"this is `{quantity.name}({name}{phase})`, one repeat of what is inside `{quantity.subject.text}`"
            yield "subject", told, single
