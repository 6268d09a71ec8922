"""The roofline of a machine, kernel by kernel: time, bound, intensity, share, and totals (design §6).

Takes the work and traffic entries of some phases, already selected under a convention, groups them by kernel (R3), and
gives the time of each as the maximum over the units it uses of work ÷ peak and of traffic ÷ bandwidth of the main
memory. Units of one machine run at the same time; what one unit does adds up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from roofdsl.algebra.scope import Causal
from roofdsl.diagnostics import Sink
from roofdsl.errors.evaluation import NO_VALUE, TOO_LARGE, UNBOUND_SIZE
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.machine import Machine, bandwidth, peak_for
from roofdsl.evaluate.number import NoValueError
from roofdsl.ir.entry import Entry, Kind, Phase
from roofdsl.ir.size import Size
from roofdsl.quantities.conventions import Overhead

Bound = Literal["compute", "vector", "special", "memory", "communication", "overhead"]

BOUND_OF: Mapping[Kind, Bound] = {"contraction": "compute", "vector": "vector", "special": "special"}
BOUNDS: tuple[Bound, ...] = ("compute", "vector", "special", "memory", "communication", "overhead")


@dataclass(frozen=True, slots=True)
class KernelTime:
    """One kernel, all its executions together: `count` executions, `work` in FLOP by kind, `traffic` in byte, `time` in
    seconds with launches included, `share` of the whole. `parts` is the time each unit and the memory would need alone.
    """

    kernel: str
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
    the one launch of the whole step under `overhead = graph`, part of `time`.
    """

    machine: Machine
    kernels: tuple[KernelTime, ...]
    time: Fraction
    by_bound: Mapping[Bound, Fraction]
    step_overhead: Fraction


@dataclass(frozen=True, slots=True)
class Options:
    """What of a convention matters here: how guards count, and what a launch costs."""

    causal: Causal = "full"
    overhead: Overhead = "none"


@dataclass(frozen=True, slots=True)
class _Load:
    """A kernel's summed work and traffic before they meet a machine."""

    first: Entry
    count: Fraction
    work: Mapping[tuple[Kind, str | None], Fraction]
    traffic: Fraction


def roofline(
    entries: Iterable[Entry], machine: Machine, binding: Binding, sink: Sink, options: Options | None = None
) -> Roofline:
    """The roofline of some entries. Errors (no value, no peak) go to the sink; call `stop_on_errors` before printing."""
    chosen = options or Options()
    loads = [_load(group, binding, chosen.causal, sink) for group in by_kernel(entries)]
    launch = machine.figures["launch"].value if "launch" in machine.figures else Fraction(0)
    each = launch if chosen.overhead == "launch" else Fraction(0)
    once = launch if chosen.overhead == "graph" and loads else Fraction(0)
    timed = [_time(load, machine, each, sink) for load in loads]
    total = sum((time for _, time, _ in timed), start=once)
    kernels = tuple(
        _kernel(load, parts, time, bound, total) for load, (parts, time, bound) in zip(loads, timed, strict=True)
    )
    return Roofline(machine, kernels, total, _by_bound(kernels, once), once)


def by_kernel(entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """Work and traffic entries of each kernel and phase, in order of first appearance."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if entry.measure in ("work", "traffic"):
            groups.setdefault((entry.phase, entry.kernel), []).append(entry)
    return tuple(tuple(group) for group in groups.values())


def _load(group: tuple[Entry, ...], binding: Binding, causal: Causal, sink: Sink) -> _Load:
    work: dict[tuple[Kind, str | None], Fraction] = {}
    traffic, count = Fraction(0), Fraction(1)
    for entry in group:
        times = _amount(entry.multiplicity, entry, binding, causal, sink)
        amount = _amount(entry.amount, entry, binding, causal, sink) * times
        count = max(count, times)
        if entry.measure == "traffic":
            traffic += amount
        elif amount:
            key = (entry.kind or "vector", entry.dtype)
            work[key] = work.get(key, Fraction(0)) + amount
    return _Load(group[0], count, work, traffic)


def _amount(size: Size, entry: Entry, binding: Binding, causal: Causal, sink: Sink) -> Fraction:
    """The value of a size; zero after a diagnostic."""
    try:
        return binding.value(size, causal)
    except NoValueError as error:
        what = f"{entry.measure} of {entry.what}"
        if error.name is not None:
            helps = (f"bind it: `--set {error.name}=…`",)
            sink.add(UNBOUND_SIZE, entry.span, f"{error.name} has no value, needed for {what}", helps=helps)
        else:
            sink.add(TOO_LARGE if error.too_large else NO_VALUE, entry.span, f"{what}: {error}")
        return Fraction(0)


def _time(load: _Load, machine: Machine, launch: Fraction, sink: Sink) -> tuple[dict[Bound, Fraction], Fraction, Bound]:
    """Seconds each unit and the memory need alone, the time of the kernel, and what bounds it (ties: the unit first)."""
    parts: dict[Bound, Fraction] = {}
    for (kind, dtype), amount in load.work.items():
        peak = peak_for(machine, kind, dtype, load.first.span, sink)
        if peak is not None:
            bound = BOUND_OF[peak.unit]
            parts[bound] = parts.get(bound, Fraction(0)) + amount / peak.rate
    if load.traffic:
        parts["memory"] = load.traffic / bandwidth(machine)
    overhead = launch * load.count
    busy = max(parts.values(), default=Fraction(0))
    longest: Bound = max(parts, key=lambda part: parts[part], default="memory")
    if overhead:
        parts["overhead"] = overhead
    return parts, busy + overhead, "overhead" if overhead > busy else longest


def _kernel(load: _Load, parts: dict[Bound, Fraction], time: Fraction, bound: Bound, total: Fraction) -> KernelTime:
    by_kind: dict[Kind, Fraction] = {}
    for (kind, _), amount in load.work.items():
        by_kind[kind] = by_kind.get(kind, Fraction(0)) + amount
    first = load.first
    share = time / total if total else Fraction(0)
    return KernelTime(
        first.kernel,
        first.op or first.kernel.rsplit(".", 1)[-1],
        first.path,
        first.phase,
        load.count,
        by_kind,
        load.traffic,
        parts,
        time,
        bound,
        share,
    )


def _by_bound(kernels: tuple[KernelTime, ...], once: Fraction) -> dict[Bound, Fraction]:
    totals = {bound: sum((k.time for k in kernels if k.bound == bound), start=Fraction(0)) for bound in BOUNDS}
    totals["overhead"] += once
    return {bound: time for bound, time in totals.items() if time}
