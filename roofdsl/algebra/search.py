"""Points of a domain in the order witnesses are compared: by their largest value, then in the order of declaration.

Symbols that the question does not depend on, and that no condition links to it, keep their smallest admissible values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from roofdsl.algebra.domain import Domain

_COMBINATIONS = 20_000
_LARGE = tuple(2**power for power in (6, 10, 14, 18, 24))
_ROUNDS = 4


@dataclass(slots=True)
class Effort:
    """How many combinations may still be looked at. Used up while a search runs."""

    left: int = _COMBINATIONS


def points(domain: Domain, symbols: Iterable[str], effort: Effort) -> Iterator[dict[str, int]]:
    """Admissible points over the symbols and what is linked to them, smallest first, while the effort lasts."""
    wanted = _linked(domain, frozenset(symbols))
    part = _restricted(domain, wanted)
    names = _ordered(domain, wanted)
    if not names:
        if part.admits({}):
            yield {}
        return
    admits = part.test()
    allowed: list[Sequence[int]] = [[] for _ in names]
    for largest in _levels(part, names):
        allowed = [_extended(v, part, name, largest, effort) for name, v in zip(names, allowed, strict=True)]
        for combination in _reaching(allowed, largest):
            effort.left -= 1
            if effort.left < 0:
                return
            point = dict(zip(names, combination, strict=True))
            if admits(point):
                yield point
        if effort.left < 0:
            return


def _extended(values: Sequence[int], domain: Domain, name: str, largest: int, effort: Effort) -> Sequence[int]:
    """The values up to `largest` that the constraints on this symbol alone allow, of which `values` are the first. Without
    such constraints nothing is tried.
    """
    alone = _restricted(domain, frozenset((name,)))
    end = min(largest, domain.maximum.get(name, largest)) + 1
    if not alone.whole and not alone.conditions:
        return range(domain.least(name), end)
    admits, found = alone.test(), list(values)
    first = found[-1] + 1 if found else domain.least(name)
    for value in range(max(first, largest) if found else first, end):
        effort.left -= 1
        if effort.left < 0:
            break
        if admits({name: value}):
            found.append(value)
    return found


def _reaching(allowed: Sequence[Sequence[int]], largest: int) -> Iterator[tuple[int, ...]]:
    """Combinations that reach `largest` somewhere, in lexicographic order."""
    reaches = [bool(values) and values[-1] == largest for values in allowed]

    def extend(chosen: tuple[int, ...], reached: bool) -> Iterator[tuple[int, ...]]:
        place = len(chosen)
        if place == len(allowed):
            if reached:
                yield chosen
            return
        if not reached and not any(reaches[place:]):
            return
        for value in allowed[place]:
            yield from extend((*chosen, value), reached or value == largest)

    if all(allowed):
        yield from extend((), False)


def spread(domain: Domain, symbols: Iterable[str]) -> Iterator[dict[str, int]]:
    """Admissible points far from the smallest: powers of two, for all symbols, one, or all but one."""
    wanted = _linked(domain, frozenset(symbols))
    part, names = _restricted(domain, wanted), _ordered(domain, wanted)
    if not names:
        return
    admits = part.test()
    starts = {name: max(1, domain.least(name)) for name in names}
    least = {name: min(start, domain.maximum.get(name, start)) for name, start in starts.items()}
    for large in _LARGE:
        up = {name: min(large * starts[name], domain.maximum.get(name, large * starts[name])) for name in names}
        chosen = [up, *({**least, name: up[name]} for name in names), *({**up, name: least[name]} for name in names)]
        yield from (point for point in chosen if admits(point))


def shrunk(domain: Domain, point: Mapping[str, int], fails: Callable[[Mapping[str, int]], bool]) -> dict[str, int]:
    """The point with every symbol halved, then lessened by one, as long as it is admissible and fails."""
    admits = _restricted(domain, frozenset(point)).test()
    found = dict(point)

    def lower(name: str, value: int) -> bool:
        smaller = {**found, name: value}
        if value < domain.least(name) or value >= found[name] or not admits(smaller) or not fails(smaller):
            return False
        found.update(smaller)
        return True

    for _ in range(_ROUNDS):
        before = dict(found)
        for name, value in before.items():
            step = value
            while step:
                if not lower(name, found[name] - step):
                    step //= 2
        if found == before:
            break
    return found


def completed(domain: Domain, point: dict[str, int], symbols: Iterable[str], effort: Effort) -> dict[str, int] | None:
    """The point with the remaining symbols at their smallest admissible values; None if there are none to be found."""
    everything = frozenset(symbols) | _constrained(domain)
    found = dict(point)
    for name in _ordered(domain, everything):
        if name in found:
            continue
        part = next(points(domain, (name,), effort), None)  # with what is linked to it; the rest does not matter to it
        if part is None:
            return None
        found |= {**part, **found}
    return {name: found[name] for name in _ordered(domain, everything)}


def is_finite(domain: Domain, symbols: Iterable[str]) -> bool:
    """Whether the symbols, and what is linked to them, have finitely many admissible values."""
    return all(name in domain.maximum for name in _linked(domain, frozenset(symbols)))


def _constrained(domain: Domain) -> frozenset[str]:
    return reduce(or_, (symbols for symbols in _links(domain)), frozenset())


def _links(domain: Domain) -> list[frozenset[str]]:
    """The symbols of every constraint."""
    found = [form.symbols for form in domain.whole]
    return found + [c.left.symbols | c.right.symbols for c in domain.conditions]


def _linked(domain: Domain, symbols: frozenset[str]) -> frozenset[str]:
    links = _links(domain)
    while True:
        wider = reduce(or_, (link for link in links if link & symbols), symbols)
        if wider == symbols:
            return symbols
        symbols = wider


def _restricted(domain: Domain, symbols: frozenset[str]) -> Domain:
    """The domain with only the constraints on these symbols; constraints without symbols stay."""
    whole = tuple(form for form in domain.whole if form.symbols <= symbols)
    conditions = tuple(c for c in domain.conditions if c.left.symbols | c.right.symbols <= symbols)
    return replace(domain, whole=whole, conditions=conditions)


def _ordered(domain: Domain, symbols: Iterable[str]) -> tuple[str, ...]:
    rank = {name: i for i, name in enumerate(domain.order)}
    return tuple(sorted(symbols, key=lambda name: (rank.get(name, len(rank)), name)))


def _levels(domain: Domain, names: tuple[str, ...]) -> Iterable[int]:
    first = max(domain.least(name) for name in names)
    if all(name in domain.maximum for name in names):
        return range(first, max(domain.maximum[name] for name in names) + 1)
    return range(first, first + _COMBINATIONS)
