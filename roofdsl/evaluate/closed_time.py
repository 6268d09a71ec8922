"""Time on a machine as a formula: per kernel the maximum of work ÷ peak and traffic ÷ bandwidth, summed (design §6).

The symbolic twin of `evaluate/roofline`: it honours the same assumptions. `time_of` keeps apart which kernel needs which
roof, for who prints it; `time_formula` is the sum as a `Size` in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.loads import by_kernel
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import (
    PeakOf,
    Roof,
    find_peaks,
    launch_cost,
    levels_without_tiles,
    note_efficiencies,
    note_levels,
    roof_of,
)
from roofdsl.evaluate.tiling import slower_formula, tiling_of
from roofdsl.ir.entry import Entry
from roofdsl.ir.size import ONE, ZERO, Const, Function, Size, add, const, product
from roofdsl.measures.products import MatrixProduct
from roofdsl.quantities.conventions import ALL_WORK, Convention


@dataclass(frozen=True, slots=True)
class KernelNeeds:
    """A kernel: its executions, and for one of them what it needs of each roof, in FLOP and byte. Where its entries are
    not executed equally often, `count` is how often it is launched, and `amounts` are of all executions together.
    """

    kernel: str
    count: Size
    amounts: Mapping[Roof, Size]
    each: bool = True


@dataclass(frozen=True, slots=True)
class ClosedTime:
    """What kernels need, in the order of their entries; `launch` is what one costs, `once` what the whole step does, in
    seconds; without `overlap` a kernel's roofs add up. `left_out` as of a roofline.
    """

    kernels: tuple[KernelNeeds, ...]
    launch: Fraction
    once: Fraction
    overlap: bool
    left_out: tuple[str, ...] = ()


def time_of(
    entries: Iterable[Entry],
    machine: Machine,
    sink: Sink,
    convention: Convention = ALL_WORK,
    products: Iterable[MatrixProduct] = (),
) -> ClosedTime:
    """The time of some entries, kernel by kernel; `products` are those kernels that a tile makes slower. A missing peak or
    launch cost goes to the sink.
    """
    groups = by_kernel(entries)
    every = tuple(entry for group in groups for entry in group)
    peaks = find_peaks(every, machine, sink)
    note_levels(every, machine, sink)
    note_efficiencies(every, machine, convention, sink)
    launch = launch_cost(machine, convention, sink)
    tiling = tiling_of(convention, machine)
    slower = {} if tiling is None else {p.kernel: slower_formula(p, tiling) for p in products}
    return ClosedTime(
        tuple(_needs(group, machine, peaks, convention, slower.get(group[0].kernel, ONE)) for group in groups),
        launch if convention.overhead == "launch" else Fraction(0),
        launch if convention.overhead == "graph" and groups else Fraction(0),
        convention.overlap == "full",
        levels_without_tiles(every, machine),
    )


def time_formula(found: ClosedTime) -> Size:
    """The sum in seconds: Σ over kernels of executions × max(…), or of the sum where nothing overlaps."""
    kernels = (_seconds(kernel, Const(found.launch), overlap=found.overlap) for kernel in found.kernels)
    return add(*kernels, Const(found.once))


def _needs(
    group: tuple[Entry, ...], machine: Machine, peaks: PeakOf, convention: Convention, slower: Size
) -> KernelNeeds:
    counts = tuple(dict.fromkeys(entry.multiplicity for entry in group))
    each = len(counts) == 1
    amounts: dict[Roof, list[Size]] = {}
    for entry in group:
        roof = roof_of(entry, machine, peaks, convention.efficiencies)
        if roof is not None:
            times = slower if roof.bound == "compute" else ONE
            amounts.setdefault(roof, []).append(product(entry.amount, times, ONE if each else entry.multiplicity))
    summed = {roof: add(*parts) for roof, parts in amounts.items()}
    return KernelNeeds(group[0].kernel, counts[0] if each else Function("max", counts), summed, each)


def _seconds(kernel: KernelNeeds, launch: Size, *, overlap: bool) -> Size:
    units: dict[tuple[str, str], list[Size]] = {}
    for roof, amount in kernel.amounts.items():
        units.setdefault((roof.bound, roof.name), []).append(product(const(1 / roof.rate), amount))
    sums = tuple(add(*parts) for parts in units.values())
    busy = Function("max", sums) if len(sums) > 1 and overlap else add(*sums)
    if kernel.each:
        return product(kernel.count, add(busy, launch))
    return add(busy, ZERO if launch == ZERO else product(kernel.count, launch))
