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
from roofdsl.evaluate.machine import Machine, Peak, bandwidth, peak_for
from roofdsl.evaluate.number import NoValueError
from roofdsl.ir.entry import Entry, Kind, Phase
from roofdsl.ir.graph import Kernel
from roofdsl.ir.size import ZERO, Size
from roofdsl.quantities.conventions import Overhead

Bound = Literal["compute", "vector", "special", "memory", "communication", "overhead"]

BOUND_OF: Mapping[Kind, Bound] = {"contraction": "compute", "vector": "vector", "special": "special"}
PeakOf = Mapping[tuple[Kind, str | None], Peak]
BOUNDS: tuple[Bound, ...] = ("compute", "vector", "special", "memory", "communication", "overhead")


@dataclass(frozen=True, slots=True)
class KernelTime:
    """One kernel, all its executions together: `count` executions, `work` in FLOP by kind, `traffic` in byte, `time` in
    seconds with launches included, `share` of the whole. `parts` is the time each unit and the memory would need alone.
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
    """What of a convention matters here (how guards count, what a launch costs), and the graph's kernels, for their
    labels and their order.
    """

    causal: Causal = "full"
    overhead: Overhead = "none"
    kernels: tuple[Kernel, ...] = ()


@dataclass(frozen=True, slots=True)
class _Load:
    """A kernel's summed work and traffic before they meet a machine."""

    first: Entry
    phase: Phase
    count: Fraction
    work: Mapping[tuple[Kind, str | None], Fraction]
    traffic: Fraction


def roofline(
    entries: Iterable[Entry], machine: Machine, binding: Binding, sink: Sink, options: Options | None = None
) -> Roofline:
    """The roofline of some entries. Errors (no value, no peak) go to the sink; call `stop_on_errors` before printing."""
    chosen = options or Options()
    place = {kernel.id: number for number, kernel in enumerate(chosen.kernels)}
    groups = sorted(by_kernel(entries), key=lambda group: _order(group, place))
    loads = [_load(group, binding, chosen.causal, sink) for group in groups]
    launch = machine.figures["launch"].value if "launch" in machine.figures else Fraction(0)
    each = launch if chosen.overhead == "launch" else Fraction(0)
    once = launch if chosen.overhead == "graph" and loads else Fraction(0)
    peaks = find_peaks((entry for group in groups for entry in group), machine, sink)
    timed = [_time(load, machine, peaks, each) for load in loads]
    total = sum((time for _, time, _ in timed), start=once)
    known = {kernel.id: kernel for kernel in chosen.kernels}
    kernels = tuple(_kernel(load, found, total, known) for load, found in zip(loads, timed, strict=True))
    return Roofline(machine, kernels, total, _by_bound(kernels, once), once)


def _order(group: tuple[Entry, ...], place: Mapping[str, int]) -> tuple[int, int]:
    """Forward kernels as in the graph, then what a checkpoint runs again, then backward from the last to the first."""
    number = place.get(_primal(group[0]), 0)
    match _phase(group):
        case "forward" | "infer":
            return 0, number
        case "recompute":
            return 1, number
        case "backward":
            return 2, -number


def _phase(group: tuple[Entry, ...]) -> Phase:
    """A backward kernel that rebuilds what it needs (R7) is a backward kernel."""
    return "backward" if any(entry.phase == "backward" for entry in group) else group[0].phase


def _primal(entry: Entry) -> str:
    return entry.primal or entry.kernel


def by_kernel(entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """Work and traffic entries of each kernel, in order of first appearance; a backward kernel with what it rebuilds."""
    groups: dict[tuple[bool, str], list[Entry]] = {}
    for entry in entries:
        if entry.measure in ("work", "traffic"):
            groups.setdefault((entry.phase in ("backward", "recompute"), entry.kernel), []).append(entry)
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
            work[work_key(entry)] = work.get(work_key(entry), Fraction(0)) + amount
    return _Load(group[0], _phase(group), count, work, traffic)


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


def find_peaks(entries: Iterable[Entry], machine: Machine, sink: Sink) -> PeakOf:
    """The peak of each kind of work and dtype that occurs; one that is missing is reported once, where first needed."""
    first: dict[tuple[Kind, str | None], Entry] = {}
    for entry in entries:
        if entry.measure == "work" and entry.amount != ZERO:
            first.setdefault(work_key(entry), entry)
    found = {key: peak_for(machine, *key, entry.span, sink) for key, entry in first.items()}
    return {key: peak for key, peak in found.items() if peak is not None}


def work_key(entry: Entry) -> tuple[Kind, str | None]:
    """What decides the peak that serves an entry of work."""
    return entry.kind or "vector", entry.dtype


def _time(
    load: _Load, machine: Machine, peaks: PeakOf, launch: Fraction
) -> tuple[dict[Bound, Fraction], Fraction, Bound]:
    """Seconds each unit and the memory need alone, the time of the kernel, and what bounds it (ties: the unit first)."""
    parts: dict[Bound, Fraction] = {}
    for key, amount in load.work.items():
        if key in peaks:
            bound = BOUND_OF[peaks[key].unit]
            parts[bound] = parts.get(bound, Fraction(0)) + amount / peaks[key].rate
    if load.traffic:
        parts["memory"] = load.traffic / bandwidth(machine)
    overhead = launch * load.count
    busy = max(parts.values(), default=Fraction(0))
    longest: Bound = max(parts, key=lambda part: parts[part], default="memory")
    if overhead:
        parts["overhead"] = overhead
    return parts, busy + overhead, "overhead" if overhead > busy else longest


def _kernel(
    load: _Load, timed: tuple[dict[Bound, Fraction], Fraction, Bound], total: Fraction, known: Mapping[str, Kernel]
) -> KernelTime:
    by_kind: dict[Kind, Fraction] = {}
    for (kind, _), amount in load.work.items():
        by_kind[kind] = by_kind.get(kind, Fraction(0)) + amount
    parts, time, bound = timed
    first = load.first
    primal = known.get(_primal(first))
    return KernelTime(
        kernel=first.kernel,
        primal=_primal(first),
        label=_label(first, primal),
        path=first.path if primal is None else primal.path,
        phase=load.phase,
        count=load.count,
        work=by_kind,
        traffic=load.traffic,
        parts=parts,
        time=time,
        bound=bound,
        share=time / total if total else Fraction(0),
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
