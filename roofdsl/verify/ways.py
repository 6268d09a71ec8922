"""Ways to count the entries of a quantity otherwise: multiply-accumulates as one, half a square, other widths, tied
parameters twice. Each is a factor for every entry it touches, so that two of them can be put together.

The entries say what they are (R9); nothing is derived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from roofdsl.ir.entry import Entry
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, Size, Symbol, add, divide, product, subtract, symbols_of
from roofdsl.quantities.quantity import Quantity, contribution
from roofdsl.verify.question import Question
from roofdsl.verify.reading import Sort

WIDTHS = (8, 16, 32)
MASK_TAKEN_FOR = 16
"""Bits of an activation, which a mask is counted as by mistake."""
FEWEST_READERS = 2
"""Parameters read by this many calls or more are tied."""
Topic = Literal["operations", "square", "width", "tied", "repeat"]
WEIGHTS = "weights"
HALF = Const(Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class Way:
    """`factor` is what an entry's contribution is multiplied by, None where it stays. Ways of one topic exclude each
    other.
    """

    topic: Topic
    sort: Sort
    text: str
    factor: Callable[[Entry], Size | None]


def counted(entries: Iterable[Entry], *ways: Way) -> Size | None:
    """The sum of the entries counted in some ways at once; None if one of them touches nothing."""
    parts: list[Size] = []
    touched: set[int] = set()
    for entry in entries:
        factors = [(i, factor) for i, way in enumerate(ways) if (factor := way.factor(entry)) is not None]
        touched |= {i for i, _ in factors}
        parts.append(product(contribution(entry), *(factor for _, factor in factors)))
    return add(*parts) if len(touched) == len(ways) else None


def ways_of(quantity: Quantity, graph: Graph, question: Question, library: Library) -> tuple[Way, ...]:
    """The ways that fit a quantity, the likeliest first."""
    return (
        *_operations(quantity, graph, question),
        *_widths(quantity, library),
        *_tied(graph),
        *_repeats(quantity),
    )


def _operations(quantity: Quantity, graph: Graph, question: Question) -> Iterator[Way]:
    if quantity.name != "flops":
        return
    pairs = _position_pairs(question)
    yield Way(
        "operations",
        "count",
        "holds with a multiply-accumulate counted as one FLOP, not two",
        lambda e: HALF if e.kind == "contraction" else None,
    )
    yield Way(
        "square",
        "count",
        "holds with half of attention's square counted, as if it were causal",
        lambda e: HALF if _over_pairs(e, pairs) else None,
    )
    less = {id(e): _one_less(e, graph) for e in quantity.entries if e.kind == "contraction"}
    if None not in less.values():
        text = "holds with 2k − 1 operations for a sum over k, not 2k"
        yield Way("operations", "count", text, lambda e: less.get(id(e)))


def _position_pairs(question: Question) -> tuple[frozenset[str], ...]:
    """Sizes that are lets for one another: query and key positions."""
    lets = question.scope.lets
    return tuple(frozenset((name, size.name)) for name, size in lets.items() if isinstance(size, Symbol))


def _over_pairs(entry: Entry, pairs: tuple[frozenset[str], ...]) -> bool:
    names = symbols_of(entry.amount)
    return entry.kind == "contraction" and any(pair <= names for pair in pairs)


def _one_less(entry: Entry, graph: Graph) -> Size | None:
    """The share that is left with one operation less for every element of what a contraction writes."""
    written = _written(entry, graph)
    if written is None:
        return None
    elements = product(*(axis.extent for axis in graph.resolve(written).axes))
    return divide(subtract(entry.amount, elements), entry.amount)


def _written(entry: Entry, graph: Graph) -> str | None:
    """The tensor whose elements, or whose adjoint's, a contraction writes."""
    if entry.phase != "backward":
        return entry.what if entry.what in graph.tensors else None
    wanted = entry.kernel.rpartition(":d")[2]
    operands = [o for call in graph.calls if call.id == entry.primal for o in call.operands]
    named = {_last(name) for name in (wanted,)}
    found = [o for o in operands if _last(o) in named or _last(graph.resolve(o).id) in named]
    return found[0] if len(set(found)) == 1 else None


def _last(name: str) -> str:
    return name.rsplit(".", 1)[-1].partition("#")[0]


def _widths(quantity: Quantity, library: Library) -> Iterator[Way]:
    """One number format, or all elements, counted in another width; of a training state each of its parts."""
    if any(entry.elements is None for entry in quantity.entries):
        return
    formats = dict.fromkeys(entry.dtype for entry in quantity.entries if entry.dtype is not None)
    slots = dict.fromkeys(slot_of(entry) for entry in quantity.entries if entry.measure == "state")
    for slot in sorted(slots, key=lambda slot: slot == WEIGHTS):  # what the optimizer adds varies most
        yield from _slot_widths(slot, library)
    for current in formats if all(entry.measure != "state" for entry in quantity.entries) else ():
        yield from _format_widths(quantity, current, library)
    if len(formats) > 1:
        for bits in WIDTHS:
            text = f"holds with {_bytes(bits)} for every element"
            yield Way("width", "dtype", text, _at_width(bits, lambda _: True))


def _slot_widths(slot: str, library: Library) -> Iterator[Way]:
    for bits in WIDTHS:
        text = f"holds with {_bytes(bits)} ({_format(library, bits)}) for each of `{slot}`"
        yield Way("width", "dtype", text, _at_width(bits, lambda e, slot=slot: slot_of(e) == slot))  # type: ignore[misc]


def _format_widths(quantity: Quantity, current: str, library: Library) -> Iterator[Way]:
    masks = any(e.declared for e in quantity.entries if e.dtype == current)
    for bits in WIDTHS:
        if _format(library, bits) == current or (masks and bits != MASK_TAKEN_FOR):
            continue
        now = "" if masks else f" ({_format(library, bits)})"
        before = library.dtypes[current].bits // 8 if masks else current
        text = f"holds with {'masks' if masks else 'elements'} of {_bytes(bits)}{now}, not {before}"
        yield Way("width", "dtype", text, _at_width(bits, lambda e: e.dtype == current))


def _at_width(bits: int, touches: Callable[[Entry], bool]) -> Callable[[Entry], Size | None]:
    def factor(entry: Entry) -> Size | None:
        if not touches(entry):
            return None
        wanted = product(Const(Fraction(bits, 8)), entry.elements or entry.amount)
        return None if wanted == entry.amount else divide(wanted, entry.amount)

    return factor


def slot_of(entry: Entry) -> str:
    """Which part of a training state an entry is: weights, or the optimizer's own word (grad, master, …)."""
    return entry.because.partition(":")[0].partition(" of ")[0]


def _bytes(bits: int) -> str:
    return f"{bits // 8} byte{'s' if bits > 8 else ''}"


def _format(library: Library, bits: int) -> str:
    """The format of a width that the library declares first."""
    return next(
        (name for name, dtype in library.dtypes.items() if dtype.bits == bits and not dtype.integer), f"{bits} bits"
    )


def _tied(graph: Graph) -> Iterator[Way]:
    tied = _tied_parameters(graph)
    if tied:
        shown = ", ".join(name.rsplit(".", 1)[-1] for name in tied)
        text = f"holds with {shown} counted as if it were not tied"
        two = Const(Fraction(2))
        yield Way("tied", "count", text, lambda e: two if e.elements is not None and e.what in tied else None)


def _tied_parameters(graph: Graph) -> tuple[str, ...]:
    """Parameters that several calls read at different places."""
    readers: dict[str, int] = {}
    for call in graph.calls:
        for operand in dict.fromkeys(graph.resolve(operand).id for operand in call.operands):
            readers[operand] = readers.get(operand, 0) + 1
    return tuple(n for n, count in readers.items() if count >= FEWEST_READERS and graph.tensors[n].role == "param")


def _repeats(quantity: Quantity) -> Iterator[Way]:
    if any(entry.loops for entry in quantity.entries):
        text = "holds with every repeat counted once"
        yield Way("repeat", "count", text, lambda e: divide(Const(Fraction(1)), e.multiplicity) if e.loops else None)
