"""Two changes at once, both of named kinds, with which a symbolic claim holds identically: a multiply-accumulate counted
as one and half of attention's square; all heads cached and a byte for each element.

Tried only where no single change does, and only where the sides differ by more than a number: of a multiple almost any
coefficient is a product of two factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, combinations

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import RoofError
from roofdsl.ir.entry import Sheet
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import ONE, Const, Size, Symbol, add, divide, product, symbols_of
from roofdsl.quantities.divisors import divisors
from roofdsl.quantities.quantity import Quantity, contribution
from roofdsl.quantities.session import Session
from roofdsl.units.dimension import BYTE
from roofdsl.verify.alternatives import plain_readings
from roofdsl.verify.causes import named_parts
from roofdsl.verify.question import Question, comes_to, used_names
from roofdsl.verify.reading import Point, Remedy, Sort, point_of
from roofdsl.verify.recounts import Share, share_of
from roofdsl.verify.ways import Way, counted, ways_of

MOST_GROUPS = 24
OF_PARAMETERS = frozenset(("params", "active_params", "param_bytes", "state"))


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two changes, the value of the quantity with both at a point, and its size, which is made only where that fits."""

    sorts: tuple[Sort, Sort]
    text: str
    value: Fraction
    size: Callable[[], Size | None]


@dataclass(frozen=True, slots=True)
class _Valued:
    """The entries of a quantity with their values at a point, as they are and counted in each way."""

    entries: Sheet
    plain: tuple[Fraction, ...]
    ways: tuple[tuple[Way, Mapping[int, Fraction]], ...]

    def total(self, *factors: Mapping[int, Fraction]) -> Fraction:
        """The sum with entries multiplied by some factors."""
        found = Fraction(0)
        for i, value in enumerate(self.plain):
            for factor in factors:
                if i in factor:
                    value *= factor[i]  # noqa: PLW2901
            found += value
        return found


def paired_remedies(question: Question, session: Session, right: Normal) -> Iterator[Remedy]:
    """Pairs of changes after which the sides are the same."""
    share = share_of(question)
    if share is None:
        return
    quantity, at = share.quantity, point_of(question.scope)
    graph = session.graph(quantity.subject, quantity.mode)
    ways = ways_of(quantity, graph, question, session.library)
    valued = _valued(quantity.entries, ways, at)
    pairs = chain(
        _of_ways(valued),
        _of_readings(question, session, at),
        _of_portions(question, quantity, graph, valued, at),
        _of_groups(question, valued),
    )
    yield from _holding(pairs, share, question, right, question.scope)
    yield from _with_binding(question, share, ways, session.library)


def _valued(entries: Sheet, ways: tuple[Way, ...], at: Point) -> _Valued:
    plain = tuple(at.value(contribution(entry)) or Fraction(0) for entry in entries)
    known: dict[Size, Fraction] = {}
    found: list[tuple[Way, Mapping[int, Fraction]]] = []
    for way in ways:
        factors: dict[int, Fraction] = {}
        for i, entry in enumerate(entries):
            size = way.factor(entry)
            if size is not None:
                factors[i] = known[size] if size in known else known.setdefault(size, at.value(size) or Fraction(1))
        if factors:
            found.append((way, factors))
    return _Valued(entries, plain, tuple(found))


def _holding(pairs: Iterable[_Pair], share: Share, question: Question, right: Normal, scope: Scope) -> Iterator[Remedy]:
    at, other = point_of(scope), point_of(scope, 1)
    scale, goal, second = at.value(share.put(ONE)), at.value(question.right.size), other.value(question.right.size)
    if not scale or goal is None:
        return
    for pair in pairs:
        size = pair.size() if pair.value * scale == goal else None
        left = None if size is None else share.put(size)
        if left is not None and other.value(left) == second and comes_to(left, scope, right):
            yield Remedy(pair.sorts[0], pair.text, second=pair.sorts[1])


def _joined(first: str, second: str) -> str:
    return f"{first}, and {second.removeprefix('holds ')}"


def _of_ways(valued: _Valued) -> Iterator[_Pair]:
    for (one, first), (two, second) in combinations(valued.ways, 2):
        if one.topic != two.topic:
            size = partial(counted, valued.entries, one, two)
            yield _Pair((one.sort, two.sort), _joined(one.text, two.text), valued.total(first, second), size)


def _of_readings(question: Question, session: Session, at: Point) -> Iterator[_Pair]:
    """A way of counting under another convention, phase or placement."""
    for reading in plain_readings(question, session):
        quantity = reading.quantity
        if quantity is None or not quantity.entries or reading.causal != question.scope.causal:
            continue
        graph = session.graph(quantity.subject, quantity.mode)
        valued = _valued(quantity.entries, ways_of(quantity, graph, question, session.library), at)
        for way, factors in valued.ways:
            size = partial(counted, quantity.entries, way)
            yield _Pair((reading.sort, way.sort), _joined(reading.text, way.text), valued.total(factors), size)


def _of_portions(question: Question, quantity: Quantity, graph: Graph, valued: _Valued, at: Point) -> Iterator[_Pair]:
    """A way of counting, of a token or a layer; in bits."""
    for text, count in _divisors(question, graph):
        value = at.value(count)
        for way, factors in valued.ways if value else ():
            if value and way.topic != "repeat":
                size = partial(_divided, quantity.entries, way, count)
                yield _Pair((way.sort, "count"), f"{way.text}, and {text}", valued.total(factors) / value, size)
    for (one, first), (two, second) in combinations(_divisors(question, graph), 2):
        whole = product(first, second)
        value = at.value(whole)
        if value:
            text = f"holds {one}, and {two}"
            yield _Pair(("count", "count"), text, valued.total() / value, partial(divide, quantity.size, whole))


def _divided(entries: Sheet, way: Way, count: Size) -> Size | None:
    size = counted(entries, way)
    return None if size is None else divide(size, count)


def _divisors(question: Question, graph: Graph) -> list[tuple[str, Size]]:
    found = [(f"per {word}", count) for word, count in divisors(graph)]
    if question.dimension == BYTE:
        found.append(("with bits, not bytes", Const(Fraction(1, 8))))
    return found


def _of_groups(question: Question, valued: _Valued) -> Iterator[_Pair]:
    """Two named groups of contributions left out, as biases and embeddings of a parameter count."""
    if any(entry.measure not in OF_PARAMETERS for entry in valued.entries):
        return
    place = {id(entry): i for i, entry in enumerate(valued.entries)}
    groups = [(name, {place[id(e)] for e in group}) for name, group in named_parts(question)[:MOST_GROUPS]]
    for (one, first), (two, second) in combinations(groups, 2):
        out = first | second
        if max(len(first), len(second)) < len(out) < len(valued.entries):
            text = f"holds without {one}, and without {two}"
            value = sum((v for i, v in enumerate(valued.plain) if i not in out), Fraction(0))
            yield _Pair(("count", "count"), text, value, partial(_without, valued.entries, frozenset(out)))


def _without(entries: Sheet, out: frozenset[int]) -> Size:
    return add(*(contribution(entry) for i, entry in enumerate(entries) if i not in out))


def _with_binding(question: Question, share: Share, ways: tuple[Way, ...], library: Library) -> Iterator[Remedy]:
    """A way of counting, where two sizes are taken for one another: key heads for heads. Who takes them for one writes
    one of them: a formula with both would only have its terms fall together.
    """
    entries = share.quantity.entries
    used = used_names(question.scope, (share.quantity.size,))
    names = [name for name in question.scope.symbols if name in used]
    written = symbols_of(question.right.size)
    for later, earlier in ((two, one) for one, two in combinations(names, 2) if not {one, two} <= written):
        scope = replace(question.scope, bindings={**question.scope.bindings, later: Symbol(earlier)})
        try:
            right = normal(question.right.size, scope)
        except RoofError:
            continue
        text = f"where {later} = {earlier}{_told(later, earlier, library)}"
        valued = _valued(entries, ways, point_of(scope))
        pairs = (
            _Pair((way.sort, "binding"), _joined(way.text, text), valued.total(factors), partial(counted, entries, way))
            for way, factors in valued.ways
        )
        yield from _holding(pairs, share, question, right, scope)


def _told(later: str, earlier: str, library: Library) -> str:
    docs = [library.dims[name].doc for name in (later, earlier) if name in library.dims]
    return f" ({' = '.join(doc for doc in docs if doc)})" if len(docs) == 2 and all(docs) else ""
