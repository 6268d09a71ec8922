"""Where the bound changes: for one size, the values at which another roof of a kernel becomes the slowest (design §6).

The roofs' seconds are polynomials of the size almost always, so the place is found exactly: real roots of differences,
then the integers next to them. The closed form comes from the same difference, with the machine's ridge I* as a symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from roofdsl.algebra.evaluation import Value, compiled
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.algebra.normal import total
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known
from roofdsl.algebra.solve import Solution, coefficients_in, solutions
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import Bound, PeakOf, Roof, roof_of
from roofdsl.ir.entry import Entry
from roofdsl.ir.size import product
from roofdsl.quantities.conventions import Efficiency

RIDGE = "I*"
"""How the ridge of a machine is written in a closed form: peak ÷ bandwidth, FLOP/byte."""

LARGEST = 2**50
IN_SECONDS = Fraction(1)
"""The rate of a roof whose amount is in seconds already."""

Seconds = Mapping[Roof, Normal]
"""Of one kernel: the seconds each roof needs."""


@dataclass(frozen=True, slots=True)
class Change:
    """Up to `last` the first roof bounds, from `last` + 1 on the second; they take equally long at `value`, which is
    None where no closed form gives it.
    """

    before: Roof
    after: Roof
    last: int
    value: Value | None


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where two roofs take equally long, in closed form; None if there is none. `ridge` is what I* stands for in it."""

    pair: tuple[Roof, Roof]
    found: tuple[Solution, ...] | None
    ridge: Fraction | None


def amounts_of(
    group: Iterable[Entry], machine: Machine, peaks: PeakOf, scope: Scope, efficiencies: tuple[Efficiency, ...] = ()
) -> dict[Roof, Normal]:
    """What a kernel asks of each roof, in FLOP or byte, all its executions together."""
    parts: dict[Roof, list[Entry]] = {}
    for entry in group:
        roof = roof_of(entry, machine, peaks, efficiencies)
        if roof is not None:
            parts.setdefault(roof, []).append(entry)
    summed = {r: total((product(e.amount, e.multiplicity) for e in entries), scope) for r, entries in parts.items()}
    return _by_unit({roof: amount for roof, amount in summed.items() if not amount.is_zero})


def _by_unit(amounts: Mapping[Roof, Normal]) -> dict[Roof, Normal]:
    """One roof for each unit: what one does at several rates (two dtypes) adds up, in seconds."""
    units: dict[tuple[Bound, str], list[Roof]] = {}
    for roof in amounts:
        units.setdefault((roof.bound, roof.name), []).append(roof)
    found: dict[Roof, Normal] = {}
    for (bound, name), roofs in units.items():
        if len(roofs) == 1:
            found[roofs[0]] = amounts[roofs[0]]
        else:
            seconds = seconds_of({roof: amounts[roof] for roof in roofs})
            found[Roof(bound, name, IN_SECONDS)] = sum(seconds.values(), start=number(0))
    return found


def seconds_of(amounts: Mapping[Roof, Normal]) -> dict[Roof, Normal]:
    """Work ÷ peak and traffic ÷ bandwidth."""
    return {roof: amount * (1 / roof.rate) for roof, amount in amounts.items()}


def boundary(pair: tuple[Roof, Roof], amounts: Mapping[Roof, Normal], name: str, known: Known) -> Boundary:
    """The closed form of the size at which two roofs take equally long."""
    one, other = pair
    if (one.bound == "memory") == (other.bound == "memory") or IN_SECONDS in (one.rate, other.rate):
        difference = amounts[one] * (1 / one.rate) - amounts[other] * (1 / other.rate)
        return Boundary(pair, solutions(difference, name, known), None)
    unit, memory = (other, one) if one.bound == "memory" else (one, other)
    difference = amounts[unit] - symbol(RIDGE) * amounts[memory]
    return Boundary(pair, solutions(difference, name, known), unit.rate / memory.rate)


def changes(seconds: Seconds, name: str, least: int = 1) -> tuple[Change, ...]:
    """All changes of the slowest roof over the integers from `least` on; every other size must be a number."""
    times = {roof: compiled(form) for roof, form in seconds.items()}
    marks = _marks(seconds, name, least)
    found: list[Change] = []
    for low, high in pairwise(marks):
        found += _between(times, name, low, high)
    return tuple(_exact(change, seconds, name) for change in found)


def slowest(times: Mapping[Roof, Callable[[Mapping[str, int]], Value]], name: str, at: int) -> Roof:
    """The roof that bounds at a size (ties: units first, as in a roofline)."""
    return max(times, key=lambda roof: (times[roof]({name: at}), roof.bound != "memory"))


def bound_at(seconds: Seconds, name: str, at: int) -> Roof:
    """The roof that bounds at one size."""
    return slowest({roof: compiled(form) for roof, form in seconds.items()}, name, at)


def _marks(seconds: Seconds, name: str, least: int) -> list[int]:
    """Integers between which, one step aside, the slowest roof does not change twice: those next to where two roofs take
    equally long; a fine net where that is not known.
    """
    marks = {least, LARGEST}
    for one, other in combinations(seconds.values(), 2):
        roots = _positive_roots(one - other, name)
        marks.update(_net(least) if roots is None else (n for r in roots for n in (int(r), int(r) + 1)))
    return sorted(mark for mark in marks if least <= mark <= LARGEST)


def _net(least: int) -> list[int]:
    net = [least]
    while net[-1] < LARGEST:
        net.append(net[-1] + max(1, net[-1] // 16))
    return net


def _positive_roots(form: Normal, name: str) -> list[Fraction] | None:
    """Real roots, each to less than a thousandth; None where the form is no polynomial in the symbol."""
    coefficients = coefficients_in(form, name)
    if coefficients is None:
        return None
    numbers = {degree: value.constant for degree, value in coefficients.items()}
    if any(value is None for value in numbers.values()):
        return None
    if not any(numbers.values()) or max(numbers) == 0:
        return []
    return _isolated([numbers.get(degree) or Fraction(0) for degree in range(max(numbers), -1, -1)])


def _isolated(coefficients: list[Fraction]) -> list[Fraction]:
    """The lower ends of intervals around the positive real roots; the highest power comes first."""
    from sympy import QQ
    from sympy.polys.rootisolation import dup_isolate_real_roots

    exact = [QQ(c.numerator, c.denominator) for c in coefficients]
    found = dup_isolate_real_roots(exact, QQ, eps=QQ(1, 1000), inf=QQ(0))
    return [Fraction(int(low.numerator), int(low.denominator)) for (low, _), _ in found]


def _between(
    times: Mapping[Roof, Callable[[Mapping[str, int]], Value]], name: str, low: int, high: int
) -> list[Change]:
    before, after = slowest(times, name, low), slowest(times, name, high)
    if before == after:
        return []
    while high - low > 1:
        middle = (low + high) // 2
        if slowest(times, name, middle) == before:
            low = middle
        else:
            high = middle
    return [Change(before, slowest(times, name, high), low, None)]


def _exact(change: Change, seconds: Seconds, name: str) -> Change:
    """The change with the real number at which both take equally long."""
    found = solutions(seconds[change.before] - seconds[change.after], name, Known()) or ()
    values = [compiled(solution.value)({}) for solution in found]
    near = [value for value in values if change.last <= value <= change.last + 1]
    return Change(change.before, change.after, change.last, near[0] if near else None)


def equal_sizes(left: Normal, right: Normal, name: str, known: Known) -> tuple[Solution, ...] | None:
    """Where two formulas are equal, in closed form."""
    return solutions(left - right, name, known)
