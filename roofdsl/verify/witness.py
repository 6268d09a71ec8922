"""Counterexamples: the smallest admissible sizes at which two sides differ.

Points are tried in the order of their largest value, then as declared (design §7); values are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from math import lcm

from roofdsl.algebra.form import fraction
from roofdsl.algebra.normal import normal
from roofdsl.evaluate.number import NoValueError
from roofdsl.ir.size import Size
from roofdsl.verify.domain import Domain

SMALL_POINTS = 6_000
SPREAD_POINTS = 3_000


@dataclass(frozen=True, slots=True)
class Witness:
    """Sizes and the value of both sides there, exact."""

    sizes: tuple[tuple[str, int], ...]
    left: Fraction
    right: Fraction


def find_witness(
    left: Size, right: Size, domain: Domain, differs: Callable[[Fraction, Fraction], bool], names: frozenset[str]
) -> Witness | None:
    """The first admissible point where the sides differ; `names` are the symbols that matter."""
    order = symbol_order(domain, names)
    for point in points(domain, names):
        sizes = dict(zip(order, point, strict=True))
        if not domain.admits(sizes):
            continue
        values = domain.values(sizes)
        try:
            one, two = domain.value(left, values), domain.value(right, values)
        except NoValueError:
            continue
        if differs(one, two):
            shown = tuple((name, value) for name, value in sizes.items() if name in names)
            return Witness(shown or tuple(sizes.items()), one, two)
    return None


def symbol_order(domain: Domain, names: frozenset[str]) -> tuple[str, ...]:
    """All symbols a point gives values to, as declared."""
    known = domain.scope.symbols
    return (*known, *sorted(name for name in names | domain.linked if name not in known))


def points(domain: Domain, names: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """Points of all symbols: those that matter vary, the others stay at their minimum."""
    order = symbol_order(domain, names)
    varying = names | domain.linked
    yield from islice(_by_maximum(domain, order, varying), SMALL_POINTS)
    yield from islice(_spread(domain, order, varying), SPREAD_POINTS)


def _by_maximum(domain: Domain, order: tuple[str, ...], varying: frozenset[str]) -> Iterator[tuple[int, ...]]:
    least = {name: domain.scope.least(name) for name in order}
    most = {name: domain.maximum.get(name) for name in order}
    free = [name for name in order if name in varying]
    start = max((least[name] for name in free), default=1)
    for largest in range(start, start + SMALL_POINTS):
        ranges = [_range(least[n], most[n], largest) if n in varying else range(least[n], least[n] + 1) for n in order]
        met = False
        for point in product(*ranges):
            inside = [value for name, value in zip(order, point, strict=True) if name in varying]
            if max(inside, default=start) == largest or largest == start:
                met = True
                yield point
        if not met:
            return


def _range(least: int, most: int | None, largest: int) -> range:
    return range(least, (largest if most is None else min(most, largest)) + 1)


def _spread(domain: Domain, order: tuple[str, ...], varying: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """Multiples of what the conditions divide by, and a few larger numbers: where small points are all excluded."""
    step = lcm(*(_denominator(size, domain) for size in domain.whole), 1)
    wanted = sorted({1, 2, 3, step, 2 * step, 3 * step, 4 * step, 64, 128, 4096})
    choices: list[list[int]] = []
    for name in order:
        low, high = domain.scope.least(name), domain.maximum.get(name)
        kept = [v for v in dict.fromkeys((low, *wanted)) if v >= low and (high is None or v <= high)]
        choices.append(kept if name in varying else [low])
    yield from product(*choices)


def _denominator(size: Size, domain: Domain) -> int:
    form = normal(size, domain.scope)
    return lcm(*(fraction(c).denominator for c in form.numer.values()), *(abs(int(c)) for c in form.denom.values()), 1)
