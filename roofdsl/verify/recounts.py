"""The left side counted otherwise, entry by entry: other widths, multiply-accumulates as one, 2k − 1, half a square,
one layer, per token. The entries say what they are (R9), so nothing is derived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.diagnostics import RoofError
from roofdsl.ir.entry import Entry
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, Product, Size, Symbol, add, divide, product, symbols_of
from roofdsl.quantities.divisors import divisor
from roofdsl.quantities.quantity import Quantity, contribution
from roofdsl.quantities.session import Session
from roofdsl.source import NOWHERE
from roofdsl.verify.question import Question
from roofdsl.verify.reading import Reading, Sort

WIDTHS = (8, 16, 32)
MASK_TAKEN_FOR = 16
"""Bits of an activation, which a mask is counted as by mistake."""
FEWEST_READERS = 2
"""Parameters read by this many calls or more are tied."""


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
    graph = session.graph(share.quantity.subject, share.quantity.mode)
    made = (
        *_operations(share.quantity, graph, question),
        *_widths(share.quantity, session.library),
        *_portions(share.quantity, graph),
    )
    for sort, text, size in made:
        yield Reading(sort, text, share.put(size), question.scope.causal)


def _changed(entries: Iterable[Entry], change: Callable[[Entry], Size | None]) -> Size | None:
    """The sum with some entries counted otherwise; None if none is."""
    parts: list[Size] = []
    some = False
    for entry in entries:
        other = change(entry)
        some = some or other is not None
        parts.append(contribution(entry) if other is None else other)
    return add(*parts) if some else None


def _operations(quantity: Quantity, graph: Graph, question: Question) -> Iterator[tuple[Sort, str, Size]]:
    if quantity.name != "flops":
        return
    half = Const(Fraction(1, 2))
    pairs = _position_pairs(question)
    ways: tuple[tuple[str, Callable[[Entry], Size | None]], ...] = (
        (
            "holds with a multiply-accumulate counted as one FLOP, not two",
            lambda e: product(half, contribution(e)) if e.kind == "contraction" else None,
        ),
        (
            "holds with half of attention's square counted, as if it were causal",
            lambda e: product(half, contribution(e)) if _over_pairs(e, pairs) else None,
        ),
        (
            "holds with 2k − 1 operations for a sum over k, not 2k",
            lambda e: _one_less(e, graph) if e.kind == "contraction" else None,
        ),
    )
    for text, change in ways:
        size = _changed(quantity.entries, change)
        if size is not None:
            yield "count", text, size


def _position_pairs(question: Question) -> tuple[frozenset[str], ...]:
    """Sizes that are lets for one another: query and key positions."""
    lets = question.scope.lets
    return tuple(frozenset((name, size.name)) for name, size in lets.items() if isinstance(size, Symbol))


def _over_pairs(entry: Entry, pairs: tuple[frozenset[str], ...]) -> bool:
    names = symbols_of(entry.amount)
    return entry.kind == "contraction" and any(pair <= names for pair in pairs)


def _one_less(entry: Entry, graph: Graph) -> Size | None:
    """One operation less for every element of what a contraction writes."""
    tensor = graph.tensors.get(entry.what)
    if tensor is None or entry.phase not in ("forward", "infer"):
        return None
    elements = product(*(axis.extent for axis in graph.resolve(tensor.id).axes))
    return product(add(entry.amount, product(Const(Fraction(-1)), elements)), entry.multiplicity)


def _widths(quantity: Quantity, library: Library) -> Iterator[tuple[Sort, str, Size]]:
    """One number format, or all elements, counted in another width."""
    if any(entry.elements is None for entry in quantity.entries):
        return
    formats = dict.fromkeys(entry.dtype for entry in quantity.entries if entry.dtype is not None)
    names = {bits: _names(library, bits) for bits in WIDTHS}
    for current in formats:
        for bits in WIDTHS:
            size = _changed(quantity.entries, lambda e: _at_width(e, bits) if e.dtype == current else None)  # noqa: B023
            kind = "masks" if any(e.declared for e in quantity.entries if e.dtype == current) else "elements"
            if size is not None and names[bits] != current and (kind != "masks" or bits == MASK_TAKEN_FOR):
                now = "" if kind == "masks" else f" ({names[bits]})"
                before = library.dtypes[current].bits // 8 if kind == "masks" else current
                text = f"holds with {kind} of {bits // 8} byte{'s' if bits > 8 else ''}{now}, not {before}"
                yield "dtype", text, size
    if len(formats) > 1:
        for bits in WIDTHS:
            size = _changed(quantity.entries, lambda e: _at_width(e, bits))  # noqa: B023
            if size is not None:
                yield "dtype", f"holds with {bits // 8} byte{'s' if bits > 8 else ''} for every element", size


def _names(library: Library, bits: int) -> str:
    """The format of a width that the library declares first."""
    return next(
        (name for name, dtype in library.dtypes.items() if dtype.bits == bits and not dtype.integer), f"{bits} bits"
    )


def _at_width(entry: Entry, bits: int) -> Size:
    return product(Const(Fraction(bits, 8)), entry.elements or entry.amount, entry.multiplicity)


def _portions(quantity: Quantity, graph: Graph) -> Iterator[tuple[Sort, str, Size]]:
    """Per token, per layer, one layer of all, tied parameters twice."""
    for word in ("token", "layer"):
        try:
            count = divisor(graph, word, NOWHERE)
        except RoofError:
            continue
        yield "count", f"holds per {word}", divide(quantity.size, count)
    single = _changed(quantity.entries, lambda e: e.amount if e.loops else None)
    if single is not None:
        yield "count", "holds with every repeat counted once", single
    tied = _tied(graph)
    twice = _changed(
        quantity.entries,
        lambda e: product(Const(Fraction(2)), contribution(e)) if e.elements is not None and e.what in tied else None,
    )
    if twice is not None:
        shown = ", ".join(name.rsplit(".", 1)[-1] for name in tied)
        yield "count", f"holds with {shown} counted as if it were not tied", twice
    yield from _blocks(quantity)


def _tied(graph: Graph) -> tuple[str, ...]:
    """Parameters that several calls read at different places."""
    readers: dict[str, int] = {}
    for call in graph.calls:
        for operand in dict.fromkeys(graph.resolve(operand).id for operand in call.operands):
            readers[operand] = readers.get(operand, 0) + 1
    return tuple(n for n, count in readers.items() if count >= FEWEST_READERS and graph.tensors[n].role == "param")


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
        single = _changed(inside, lambda e: e.amount if e.loops else None)
        if single is not None:
            told = f"this is `{quantity.name}({name}{phase})`, one repeat of what is inside `{quantity.subject.text}`"
            yield "subject", told, single
