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
from roofdsl.algebra.solve import Solution, coefficients_in, holds, solutions_by_case
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import Bound, PeakOf, Roof, roof_of
from roofdsl.ir.entry import Entry
from roofdsl.ir.size import product
from roofdsl.quantities.conventions import Efficiency

RIDGE = "I*"
"""How the ridge of a machine is written in a closed form: peak ÷ bandwidth, FLOP/byte."""

LARGEST = 2**50
LAUNCH = Roof("overhead", "launch", Fraction(1))
"""What a kernel takes before it starts."""
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
        return Boundary(pair, solutions_by_case(difference, name, known), None)
    unit, memory = (other, one) if one.bound == "memory" else (one, other)
    difference = amounts[unit] - symbol(RIDGE) * amounts[memory]
    return Boundary(pair, solutions_by_case(difference, name, known), unit.rate / memory.rate)


@dataclass(frozen=True, slots=True)
class Contest:
    """The seconds that the roofs of a kernel need, and its launches where these count; without `overlap` the roofs add
    up, and a launch bounds only if it takes longer than all of them together.
    """

    seconds: Seconds
    launch: Normal | None = None
    overlap: bool = True

    def rivals(self) -> tuple[tuple[Roof, Roof, Normal], ...]:
        """What is compared: two roofs and what one needs more than the other."""
        pairs = tuple((one, two, self.seconds[one] - self.seconds[two]) for one, two in combinations(self.seconds, 2))
        return (*pairs, *((LAUNCH, roof, self.gap(LAUNCH, roof)) for roof in self.seconds if self.launch is not None))

    def gap(self, one: Roof, other: Roof) -> Normal:
        """Zero where one roof takes over from the other."""
        return self._needs(one, other) - self._needs(other, one)

    def _needs(self, roof: Roof, against: Roof) -> Normal:
        if roof == LAUNCH:
            return self.launch or number(0)
        if against == LAUNCH and not self.overlap:
            return sum(self.seconds.values(), start=number(0))
        return self.seconds[roof]


def changes(contest: Contest, name: str, least: int = 1) -> tuple[Change, ...]:
    """All changes of what bounds over the integers from `least` on; every other size must be a number."""
    bounding = _bounding(contest, name)
    found: list[Change] = []
    for low, high in pairwise(_marks((gap for _, _, gap in contest.rivals()), name, least)):
        found += _between(bounding, low, high)
    return tuple(_exact(change, contest, name) for change in found)


def _bounding(contest: Contest, name: str) -> Callable[[int], Roof]:
    """What bounds at a size (ties: units first, as in a roofline; a launch only if it takes longer)."""
    times = {roof: compiled(form) for roof, form in contest.seconds.items()}
    launch = compiled(contest.launch or number(0))

    def at(size: int) -> Roof:
        values = {roof: time({name: size}) for roof, time in times.items()}
        busy = max(values.values()) if contest.overlap else sum(values.values())
        if launch({name: size}) > busy:
            return LAUNCH
        return max(values, key=lambda roof: (values[roof], roof.bound != "memory"))

    return at


def bound_at(contest: Contest, name: str, at: int) -> Roof:
    """What bounds at one size."""
    return _bounding(contest, name)(at)


def _marks(differences: Iterable[Normal], name: str, least: int) -> list[int]:
    """Integers between which, one step aside, no difference changes its sign twice: those next to its roots; a fine net
    where these are not known.
    """
    marks = {least, LARGEST}
    for difference in differences:
        roots = _positive_roots(difference, name)
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


def _between(bounding: Callable[[int], Roof], low: int, high: int) -> list[Change]:
    before, after = bounding(low), bounding(high)
    if before == after:
        return []
    last = _last(bounding, low, high)
    return [Change(before, bounding(last + 1), last, None)]


def _exact(change: Change, contest: Contest, name: str) -> Change:
    """The change with the real number at which both take equally long."""
    found = solutions_by_case(contest.gap(change.before, change.after), name, Known()) or ()
    values = [compiled(solution.value)({}) for solution in found if holds(solution, name)]
    near = [value for value in values if change.last <= value <= change.last + 1]
    return Change(change.before, change.after, change.last, near[0] if near else None)


def turns(difference: Normal, name: str, least: int) -> tuple[tuple[int, int], ...]:
    """The first integers from which on a form has another sign, each with that sign (−1, 0, 1); the first is the least size.
    Every other size must be a number.
    """
    value = compiled(difference)

    def side(at: int) -> int:
        found = value({name: at})
        return (found > 0) - (found < 0)

    found = [(least, side(least))]
    for low, high in pairwise(_marks((difference,), name, least)):
        if side(low) != side(high):
            first = _last(side, low, high) + 1
            found.append((first, side(first)))
    return tuple(found)


def _last(found: Callable[[int], object], low: int, high: int) -> int:
    """The last integer up to which what is found stays as at `low`, where it changes once before `high`."""
    before = found(low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if found(middle) == before else (low, middle)
    return low
