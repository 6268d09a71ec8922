"""Two changes at once, both of named kinds, with which a symbolic claim holds identically: a multiply-accumulate counted
as one and half of attention's square; all heads cached and a byte for each element.

Tried only where no single change does, and only where the sides differ by more than a number: of a multiple almost any
coefficient is a product of two factors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import RoofError
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, Size, Symbol, add, divide, product
from roofdsl.quantities.divisors import divisor
from roofdsl.quantities.quantity import Quantity, contribution
from roofdsl.quantities.session import Session
from roofdsl.source import NOWHERE
from roofdsl.units.dimension import BYTE
from roofdsl.verify.alternatives import plain_readings
from roofdsl.verify.causes import named_parts
from roofdsl.verify.question import Question
from roofdsl.verify.reading import Remedy, Sort, point_of
from roofdsl.verify.recounts import Share, share_of
from roofdsl.verify.ways import Way, counted, ways_of

MOST_GROUPS = 24


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two changes, and the left side with both; a binding is one of the scope instead."""

    sorts: tuple[Sort, Sort]
    text: str
    left: Size


def paired_remedies(question: Question, session: Session, right: Normal) -> Iterator[Remedy]:
    """Pairs of changes after which the sides are the same."""
    share = share_of(question)
    if share is None:
        return
    quantity = share.quantity
    graph = session.graph(quantity.subject, quantity.mode)
    ways = ways_of(quantity, graph, question, session.library)
    pairs = chain(
        _of_ways(quantity, ways),
        _of_readings(question, session),
        _of_portions(question, quantity, graph, ways),
        _of_groups(question, quantity),
    )
    made = (replace(pair, left=share.put(pair.left)) for pair in pairs)
    yield from _holding(made, question.right.size, right, question.scope)
    yield from _with_binding(question, share, ways, session.library)


def _holding(pairs: Iterable[_Pair], claimed: Size, right: Normal, scope: Scope) -> Iterator[Remedy]:
    at, other = point_of(scope), point_of(scope, 1)
    goals = at.value(claimed), other.value(claimed)
    for pair in pairs:
        if at.value(pair.left) == goals[0] and other.value(pair.left) == goals[1] and _same(pair.left, right, scope):
            yield Remedy(pair.sorts[0], pair.text, second=pair.sorts[1])


def _same(size: Size, wanted: Normal, scope: Scope) -> bool:
    try:
        return normal(size, scope) == wanted
    except RoofError:
        return False


def _joined(first: str, second: str) -> str:
    return f"{first}, and {second.removeprefix('holds ')}"


def _of_ways(quantity: Quantity, ways: tuple[Way, ...]) -> Iterator[_Pair]:
    for one, two in combinations(ways, 2):
        size = counted(quantity.entries, one, two) if one.topic != two.topic else None
        if size is not None:
            yield _Pair((one.sort, two.sort), _joined(one.text, two.text), size)


def _of_readings(question: Question, session: Session) -> Iterator[_Pair]:
    """A way of counting under another convention, phase or placement."""
    for reading in plain_readings(question, session):
        quantity = reading.quantity
        if quantity is None or not quantity.entries or reading.causal != question.scope.causal:
            continue
        graph = session.graph(quantity.subject, quantity.mode)
        for way in ways_of(quantity, graph, question, session.library):
            size = counted(quantity.entries, way)
            if size is not None:
                yield _Pair((reading.sort, way.sort), _joined(reading.text, way.text), size)


def _of_portions(question: Question, quantity: Quantity, graph: Graph, ways: tuple[Way, ...]) -> Iterator[_Pair]:
    """A way of counting, of a token or a layer; in bits."""
    divisors: list[tuple[str, Size]] = []
    for word in ("token", "layer"):
        try:
            divisors.append((f"per {word}", divisor(graph, word, NOWHERE)))
        except RoofError:
            continue
    if question.dimension == BYTE:
        divisors.append(("with bits, not bytes", Const(Fraction(1, 8))))
    for text, count in divisors:
        for way in ways:
            size = counted(quantity.entries, way)
            if size is not None and way.topic != "repeat":
                yield _Pair((way.sort, "count"), f"{way.text}, and {text}", divide(size, count))
    for (one, first), (two, second) in combinations(divisors, 2):
        yield _Pair(("count", "count"), f"holds {one}, and {two}", divide(quantity.size, product(first, second)))


def _of_groups(question: Question, quantity: Quantity) -> Iterator[_Pair]:
    """Two named groups of contributions left out, as biases and embeddings of a parameter count."""
    if len(quantity.entries) < 2 or quantity.name not in ("params", "active_params", "param_bytes", "state"):
        return
    groups = named_parts(question)[:MOST_GROUPS]
    for (one, first), (two, second) in combinations(groups, 2):
        out = {id(entry) for entry in (*first, *second)}
        rest = [entry for entry in quantity.entries if id(entry) not in out]
        if rest and len(out) > max(len(first), len(second)):
            text = f"holds without {one}, and without {two}"
            yield _Pair(("count", "count"), text, add(*(contribution(entry) for entry in rest)))


def _with_binding(question: Question, share: Share, ways: tuple[Way, ...], library: Library) -> Iterator[Remedy]:
    """A way of counting, where two sizes are taken for one another: key heads for heads."""
    sides = [(way, size) for way in ways if (size := counted(share.quantity.entries, way)) is not None]
    for later, earlier in ((two, one) for one, two in combinations(question.scope.symbols, 2)):
        scope = replace(question.scope, bindings={**question.scope.bindings, later: Symbol(earlier)})
        try:
            right = normal(question.right.size, scope)
        except RoofError:
            continue
        text = f"where {later} = {earlier}{_told(later, earlier, library)}"
        pairs = (_Pair((way.sort, "binding"), _joined(way.text, text), share.put(size)) for way, size in sides)
        yield from _holding(pairs, question.right.size, right, scope)


def _told(later: str, earlier: str, library: Library) -> str:
    docs = [library.dims[name].doc for name in (later, earlier) if name in library.dims]
    return f" ({' = '.join(doc for doc in docs if doc)})" if len(docs) == 2 and all(docs) else ""
