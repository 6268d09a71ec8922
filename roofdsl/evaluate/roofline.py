"""The roofline of a machine, kernel by kernel: time, bound, intensity, share, and totals (design §6).

Takes the work and traffic entries of some phases, already selected under a convention, groups them by kernel (R3), and
gives the time of each as the maximum over the units it uses of work ÷ peak and over the memory levels of traffic ÷
bandwidth. Units of one machine run at the same time unless the convention says `overlap = none`; what one unit does
adds up. Traffic of inner levels is known where a tile is declared for them, and else left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.loads import Load, by_kernel, in_order, load_of
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import (
    BOUNDS,
    Bound,
    PeakOf,
    find_peaks,
    launch_cost,
    levels_without_tiles,
    note_efficiencies,
    note_levels,
    roof_of,
)
from roofdsl.ir.entry import Entry, Kind, Phase
from roofdsl.ir.graph import Kernel
from roofdsl.quantities.conventions import ALL_WORK, Convention

__all__ = ["BOUNDS", "Bound", "KernelTime", "Options", "Roofline", "roofline"]


@dataclass(frozen=True, slots=True)
class KernelTime:
    """One kernel, all its executions together: `count` executions, `work` in FLOP by kind, `traffic` in byte of the main
    memory and `levels` of inner ones, `time` in seconds with launches included, `share` of the whole. `parts` is the
    time each kind of roof would need alone, `roofs` that of each by its name, `roof` the one that takes longest.
    `primal` is the kernel of the graph it belongs to: itself in the forward pass, else the one it is the adjoint of.
    """

    kernel: str
    primal: str
    label: str
    path: tuple[str, ...]
    phase: Phase
    count: Fraction
    work: Mapping[Kind, Fraction]
    traffic: Fraction
    parts: Mapping[Bound, Fraction]
    time: Fraction
    bound: Bound
    share: Fraction
    levels: Mapping[str, Fraction] = field(default_factory=dict)
    roofs: Mapping[str, Fraction] = field(default_factory=dict)
    roof: str = ""

    @property
    def total_work(self) -> Fraction:
        return sum(self.work.values(), start=Fraction(0))

    @property
    def intensity(self) -> Fraction | None:
        """FLOP/byte over all kinds of work; None where nothing is moved."""
        return self.total_work / self.traffic if self.traffic else None


@dataclass(frozen=True, slots=True)
class Roofline:
    """The kernels in the order of their entries, the time of the whole in seconds, and time by bound. `step_overhead` is
    the one launch of the whole step under `overhead = graph`, part of `time`. `left_out` names memory levels with a
    bandwidth whose traffic is not known for some kernel, since no tile is declared.
    """

    machine: Machine
    kernels: tuple[KernelTime, ...]
    time: Fraction
    by_bound: Mapping[Bound, Fraction]
    step_overhead: Fraction
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """The convention (how guards count, what a launch costs, what overlaps, what share of a roof is reached), the graph's
    kernels, for their labels and their order, and by kernel how much longer its contractions take for tiles that are
    not full.
    """

    convention: Convention = ALL_WORK
    kernels: tuple[Kernel, ...] = ()
    padding: Mapping[str, Fraction] = field(default_factory=dict)


def roofline(
    entries: Iterable[Entry], machine: Machine, binding: Binding, sink: Sink, options: Options | None = None
) -> Roofline:
    """The roofline of some entries. Errors (no value, no peak) go to the sink; call `stop_on_errors` before printing."""
    chosen = options or Options()
    convention = chosen.convention
    place = {kernel.id: number for number, kernel in enumerate(chosen.kernels)}
    groups = in_order(by_kernel(entries), place)
    every = tuple(entry for group in groups for entry in group)
    loads = [load_of(group, binding, convention.causal, sink) for group in groups]
    launch = launch_cost(machine, convention, sink)
    each = launch if convention.overhead == "launch" else Fraction(0)
    once = launch if convention.overhead == "graph" and loads else Fraction(0)
    peaks = find_peaks(every, machine, sink)
    note_levels(every, machine, sink)
    note_efficiencies(every, machine, convention, sink)
    timed = [_time(load, machine, peaks, each, chosen) for load in loads]
    total = sum((found.time for found in timed), start=once)
    known = {kernel.id: kernel for kernel in chosen.kernels}
    kernels = tuple(_kernel(load, found, total, known) for load, found in zip(loads, timed, strict=True))
    return Roofline(machine, kernels, total, _by_bound(kernels, once), once, levels_without_tiles(every, machine))


@dataclass(frozen=True, slots=True)
class _Time:
    """What one kernel's load takes: each roof alone, by kind and by name, and the whole."""

    parts: Mapping[Bound, Fraction]
    roofs: Mapping[str, Fraction]
    time: Fraction
    bound: Bound
    roof: str


def _time(load: Load, machine: Machine, peaks: PeakOf, launch: Fraction, options: Options) -> _Time:
    """The longest roof bounds (ties: the unit first), or a launch that takes longer."""
    roofs, bounds = _alone(load, machine, peaks, options)
    parts: dict[Bound, Fraction] = {}
    for name, seconds in roofs.items():
        parts[bounds[name]] = max(parts.get(bounds[name], Fraction(0)), seconds)
    overlapping = options.convention.overlap == "full"
    busy = max(roofs.values(), default=Fraction(0)) if overlapping else sum(roofs.values(), start=Fraction(0))
    roof = max(roofs, key=lambda name: roofs[name], default="")
    overhead = launch * load.count
    if overhead:
        parts["overhead"] = overhead
    bound: Bound = "overhead" if overhead > busy else bounds.get(roof, "memory")
    return _Time(parts, roofs, busy + overhead, bound, "launch" if overhead > busy else roof)


def _alone(
    load: Load, machine: Machine, peaks: PeakOf, options: Options
) -> tuple[dict[str, Fraction], dict[str, Bound]]:
    """Seconds that each roof needs, by its name, units first; and what kind of roof each is."""
    roofs: dict[str, Fraction] = {}
    bounds: dict[str, Bound] = {}
    for entry, amount in sorted(load.amounts, key=lambda pair: pair[0].measure != "work"):
        roof = roof_of(entry, machine, peaks, options.convention.efficiencies)
        if roof is None or not amount:
            continue
        seconds = amount / roof.rate
        if roof.bound == "compute":
            seconds *= options.padding.get(load.first.kernel, Fraction(1))
        roofs[roof.name] = roofs.get(roof.name, Fraction(0)) + seconds
        bounds[roof.name] = roof.bound
    return roofs, bounds


def _kernel(load: Load, timed: _Time, total: Fraction, known: Mapping[str, Kernel]) -> KernelTime:
    first = load.first
    primal = known.get(load.primal)
    return KernelTime(
        kernel=first.kernel,
        primal=load.primal,
        label=_label(first, primal),
        path=first.path if primal is None else primal.path,
        phase=load.phase,
        count=load.count,
        work=load.work,
        traffic=load.traffic,
        parts=timed.parts,
        time=timed.time,
        bound=timed.bound,
        share=timed.time / total if total else Fraction(0),
        levels=load.levels,
        roofs=timed.roofs,
        roof=timed.roof,
    )


def _label(first: Entry, primal: Kernel | None) -> str:
    """A region's name, the op's, or the target of an inline statement."""
    if primal is None:
        return first.op or first.kernel.rsplit(".", 1)[-1]
    return primal.label if primal.fused else primal.calls[0].op or primal.label


def _by_bound(kernels: tuple[KernelTime, ...], once: Fraction) -> dict[Bound, Fraction]:
    totals = {bound: sum((k.time for k in kernels if k.bound == bound), start=Fraction(0)) for bound in BOUNDS}
    totals["overhead"] += once
    return {bound: time for bound, time in totals.items() if time}
