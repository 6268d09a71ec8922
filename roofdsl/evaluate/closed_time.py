"""Time on a machine as a formula: per kernel the maximum of work ÷ peak and traffic ÷ bandwidth, summed (design §6).

The symbolic twin of `evaluate/roofline`, for claims about `time(x, machine)`; it gives a `Size` in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.machine import Machine, bandwidth
from roofdsl.evaluate.roofline import PeakOf, by_kernel, find_peaks, work_key
from roofdsl.ir.entry import Entry, Kind
from roofdsl.ir.size import Function, Size, add, const, product
from roofdsl.quantities.conventions import Overhead


def time_formula(entries: Iterable[Entry], machine: Machine, sink: Sink, overhead: Overhead = "none") -> Size:
    """The time of some entries in seconds: Σ over kernels of executions × max(…). A missing peak goes to the sink."""
    groups = by_kernel(entries)
    peaks = find_peaks((entry for group in groups for entry in group), machine, sink)
    launch = machine.figures["launch"].value if "launch" in machine.figures else Fraction(0)
    each = const(launch if overhead == "launch" else 0)
    once = const(launch if overhead == "graph" and groups else 0)
    return add(*(_kernel_time(group, machine, peaks, each) for group in groups), once)


def _kernel_time(group: tuple[Entry, ...], machine: Machine, peaks: PeakOf, launch: Size) -> Size:
    """One kernel. Where all its entries are executed equally often, that count stands outside the maximum."""
    counts = tuple(dict.fromkeys(entry.multiplicity for entry in group))
    count = counts[0] if len(counts) == 1 else Function("max", counts)
    parts: dict[Kind | None, list[Size]] = {}
    for entry in group:
        amount = entry.amount if len(counts) == 1 else product(entry.amount, entry.multiplicity)
        _add_part(entry, amount, parts, machine, peaks)
    sums = tuple(add(*terms) for terms in parts.values())
    longest = Function("max", sums) if len(sums) > 1 else add(*sums)
    if len(counts) == 1:
        return product(count, add(longest, launch))
    return add(longest, product(count, launch))


def _add_part(
    entry: Entry, amount: Size, parts: dict[Kind | None, list[Size]], machine: Machine, peaks: PeakOf
) -> None:
    """Adds an entry's seconds to the unit that does it; memory is None."""
    if entry.measure == "traffic":
        parts.setdefault(None, []).append(product(const(1 / bandwidth(machine)), amount))
        return
    peak = peaks.get(work_key(entry))
    if peak is not None:
        parts.setdefault(peak.unit, []).append(product(const(1 / peak.rate), amount))
