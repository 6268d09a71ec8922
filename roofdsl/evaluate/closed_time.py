"""Time on a machine as a formula: per kernel the maximum of work ÷ peak and traffic ÷ bandwidth, summed (design §6).

The symbolic twin of `evaluate/roofline`, for claims about `time(x, machine)`; it gives a `Size` in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.loads import by_kernel
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import PeakOf, find_peaks, launch_cost, roof_of
from roofdsl.ir.entry import Entry
from roofdsl.ir.size import ZERO, Const, Function, Size, add, const, product
from roofdsl.quantities.conventions import ALL_WORK, Convention


def time_formula(entries: Iterable[Entry], machine: Machine, sink: Sink, convention: Convention = ALL_WORK) -> Size:
    """The time of some entries in seconds: Σ over kernels of executions × max(…), or of the sum where nothing overlaps.
    A missing peak goes to the sink.
    """
    groups = by_kernel(entries)
    peaks = find_peaks((entry for group in groups for entry in group), machine, sink)
    launch = Const(launch_cost(machine, convention, sink))
    each = launch if convention.overhead == "launch" else ZERO
    once = launch if convention.overhead == "graph" and groups else ZERO
    return add(*(_kernel_time(group, machine, peaks, each, convention) for group in groups), once)


def _kernel_time(
    group: tuple[Entry, ...], machine: Machine, peaks: PeakOf, launch: Size, convention: Convention
) -> Size:
    """One kernel. Where all its entries are executed equally often, that count stands outside the maximum."""
    counts = tuple(dict.fromkeys(entry.multiplicity for entry in group))
    count = counts[0] if len(counts) == 1 else Function("max", counts)
    parts: dict[tuple[str, str], list[Size]] = {}
    for entry in group:
        amount = entry.amount if len(counts) == 1 else product(entry.amount, entry.multiplicity)
        _add_part(entry, amount, parts, machine, peaks, convention)
    sums = tuple(add(*terms) for terms in parts.values())
    longest = Function("max", sums) if len(sums) > 1 and convention.overlap == "full" else add(*sums)
    if len(counts) == 1:
        return product(count, add(longest, launch))
    return add(longest, product(count, launch))


def _add_part(
    entry: Entry,
    amount: Size,
    parts: dict[tuple[str, str], list[Size]],
    machine: Machine,
    peaks: PeakOf,
    convention: Convention,
) -> None:
    """Adds an entry's seconds to the roof it runs under."""
    roof = roof_of(entry, machine, peaks, convention.efficiencies)
    if roof is not None:
        parts.setdefault((roof.bound, roof.name), []).append(product(const(1 / roof.rate), amount))
