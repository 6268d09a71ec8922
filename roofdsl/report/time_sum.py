"""A time taken apart for people: kernels with the same needs together, and of the roofs only those that can decide.

What one roof decides at all sizes is one amount over that roof's rate; for the other kernels the choice stays open. Amounts
are FLOP and bytes as normal forms; the rates stay names (`report/rates`), so that a formula reads work ÷ peak.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known, sign
from roofdsl.evaluate.closed_time import ClosedTime, KernelNeeds
from roofdsl.evaluate.roofs import Roof

Amounts = Mapping[Roof, Normal]
"""What is needed of each roof, in FLOP and byte."""


@dataclass(frozen=True, slots=True)
class Part:
    """Time under one unit or memory level: amounts over the rates of its roofs (several where it runs two dtypes)."""

    amounts: tuple[tuple[Roof, Normal], ...]

    @property
    def seconds(self) -> Normal:
        return sum((amount * (1 / roof.rate) for roof, amount in self.amounts), start=number(0))

    def times(self, count: Normal) -> Part:
        """The same for several executions."""
        return Part(tuple((roof, amount * count) for roof, amount in self.amounts))


@dataclass(frozen=True, slots=True)
class Open:
    """`count` executions of kernels of which each takes as long as the longest of some parts."""

    count: Normal
    parts: tuple[Part, ...]
    kernels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """Kernels that one unit or level bounds at all sizes, all their executions together."""

    part: Part
    kernels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TimeSum:
    """Σ decided + Σ open + `launches` launches, each of `launch` seconds."""

    decided: tuple[Decided, ...]
    opened: tuple[Open, ...]
    launches: Normal
    launch: Fraction
    left_out: tuple[str, ...] = ()

    @property
    def roofs(self) -> tuple[Roof, ...]:
        """All that take part."""
        parts = (*(d.part for d in self.decided), *(part for found in self.opened for part in found.parts))
        return tuple(dict.fromkeys(roof for part in parts for roof, _ in part.amounts))


def sum_of_kernels(found: ClosedTime, scope: Scope, known: Known) -> TimeSum:
    """The time of kernels, merged and as far decided as signs tell."""
    decided: dict[tuple[str, str], list[tuple[Part, str]]] = {}
    opened: dict[tuple[Part, ...], list[tuple[Normal, str]]] = {}
    launches = number(0) if found.once == 0 else number(1)
    for kernel in found.kernels:
        count = normal(kernel.count, scope)
        launches = launches + count if found.launch else launches
        parts = _parts(kernel, scope)
        times = count if kernel.each else number(1)
        if found.overlap:
            parts = _longest(parts, known)
        if len(parts) > 1 and found.overlap:
            opened.setdefault(parts, []).append((times, kernel.kernel))
            continue
        for part in parts:
            roof = part.amounts[0][0]
            decided.setdefault((roof.bound, roof.name), []).append((part.times(times), kernel.kernel))
    return TimeSum(
        tuple(_together(group) for group in decided.values()),
        tuple(
            Open(sum((count for count, _ in group), start=number(0)), parts, tuple(name for _, name in group))
            for parts, group in opened.items()
        ),
        launches,
        found.launch or found.once,
        found.left_out,
    )


def _parts(kernel: KernelNeeds, scope: Scope) -> tuple[Part, ...]:
    units: dict[tuple[str, str], dict[Roof, Normal]] = {}
    for roof, size in kernel.amounts.items():
        amount = normal(size, scope)
        if not amount.is_zero:
            units.setdefault((roof.bound, roof.name), {})[roof] = amount
    return tuple(Part(tuple(amounts.items())) for amounts in units.values())


def _longest(parts: tuple[Part, ...], known: Known) -> tuple[Part, ...]:
    """Without the parts that another one is never below; of two that are always alike the first stays."""
    left = list(parts)
    for part in parts:
        others = [other for other in left if other is not part]
        if any(sign(other.seconds - part.seconds, known) in ("+", "0+", "0") for other in others):
            left = others
    return tuple(left)


def _together(group: Iterable[tuple[Part, str]]) -> Decided:
    amounts: dict[Roof, Normal] = {}
    kernels: dict[str, None] = {}
    for part, kernel in group:
        kernels[kernel] = None
        for roof, amount in part.amounts:
            amounts[roof] = amounts.get(roof, number(0)) + amount
    return Decided(Part(tuple(amounts.items())), tuple(kernels))
