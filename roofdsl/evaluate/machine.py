"""Machines as values: peaks, memory levels, links and figures in base units, exact.

`evaluate/describe` makes them from declarations; here is what is asked of them. A peak belongs to a unit of the machine
(contraction, vector, special), a dtype and dense arithmetic, and none is guessed from another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from roofdsl.diagnostics import InternalError, Sink
from roofdsl.errors.evaluation import MISSING_PEAK, NOT_CHARGED, SPECIAL_ON_VECTOR
from roofdsl.ir.entry import Kind
from roofdsl.source import NOWHERE, Span
from roofdsl.units.dimension import FLOP, Dimension
from roofdsl.units.display import format_rate


@dataclass(frozen=True, slots=True)
class Level:
    """A memory or cache: size and usable size in byte, bandwidth in byte/s; None where not stated."""

    role: Literal["memory", "cache"]
    name: str
    size: Fraction | None
    bandwidth: Fraction | None
    usable: Fraction | None = None

    @property
    def capacity(self) -> Fraction | None:
        """What a program can use: the usable size, else the size."""
        return self.size if self.usable is None else self.usable


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in base units and what it counts: `launch` in seconds, `sms` a pure number, `price` in dollar/second."""

    value: Fraction
    dimension: Dimension


Peaks = dict[tuple[Kind, str | None], Fraction]


@dataclass(frozen=True, slots=True)
class Machine:
    """Peaks in FLOP/s by kind of work and dtype (None: serves all), dense; links in byte/s per direction. `sparse` peaks
    are the headlines with structured sparsity: shown, never used.
    """

    name: str
    title: str | None
    sources: tuple[str, ...]
    peaks: Peaks
    levels: tuple[Level, ...]
    links: dict[str, Fraction] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    sparse: Peaks = field(default_factory=dict)

    @property
    def memory(self) -> Level:
        """The main memory: the first level declared as `memory`."""
        for level in self.levels:
            if level.role == "memory" and level.bandwidth is not None:
                return level
        raise InternalError(f"machine {self.name} was used though it has no memory")


@dataclass(frozen=True, slots=True)
class Peak:
    """The peak that serves some work: the unit that does it, and its rate in FLOP/s."""

    unit: Kind
    rate: Fraction


def bandwidth(machine: Machine) -> Fraction:
    """Bandwidth of the main memory in byte/s."""
    found = machine.memory.bandwidth
    if found is None:
        raise InternalError(f"machine {machine.name} was used though its memory has no bandwidth")
    return found


def find_peak(machine: Machine, kind: Kind, dtype: str | None) -> Peak | None:
    """The peak that serves work of a kind in a dtype, if there is one.

    The dtype's own peak, else the one declared without a dtype; special work falls to the vector unit only where the
    machine has no special peak at all. Work whose dtype is not known is served only by the kind's sole peak.
    """
    for wanted in ((kind, dtype), (kind, None)):
        if wanted in machine.peaks:
            return Peak(kind, machine.peaks[wanted])
    of_kind = [rate for (other, _), rate in machine.peaks.items() if other == kind]
    if dtype is None and len(of_kind) == 1:
        return Peak(kind, of_kind[0])
    if kind == "special" and not of_kind:
        return find_peak(machine, "vector", dtype)
    return None


def peak_for(machine: Machine, kind: Kind, dtype: str | None, span: Span, sink: Sink) -> Peak | None:
    """As `find_peak`, with an error (E0620) naming the peaks there are, or a note where special work falls to the vector
    unit (N0630) or vector and special work have no roof at all (N0636).
    """
    peak = find_peak(machine, kind, dtype)
    if peak is None and kind in _units_left_out(machine):
        sink.add(NOT_CHARGED, machine.span, f"{machine.name} has no {kind} peak: {kind} work costs its traffic only")
        return None
    if peak is None:
        _report_missing(machine, kind, dtype, span, sink)
        return None
    if peak.unit != kind:
        at = format_rate(peak.rate, FLOP)
        sink.add(SPECIAL_ON_VECTOR, machine.span, f"{machine.name} has no special peak: exp and the like run at {at}")
    return peak


def _units_left_out(machine: Machine) -> tuple[Kind, ...]:
    """Kinds of work a machine says nothing about; contractions are never among them."""
    stated = {kind for kind, _ in machine.peaks}
    if "vector" in stated:
        return ()
    return ("vector",) if "special" in stated else ("vector", "special")


def _report_missing(machine: Machine, kind: Kind, dtype: str | None, span: Span, sink: Sink) -> None:
    wanted = f"{kind} {dtype}" if dtype else kind
    known = [f"{k} {d}" if d else k for k, d in machine.peaks]
    of_kind = [name for name in known if name.split()[0] == kind]
    sink.add(
        MISSING_PEAK,
        span,
        f"{machine.name} has no peak for {wanted}",
        expected=f"one of {', '.join(known)}" if known else "a peak; it has none",
        found=wanted,
        helps=(
            f"add `peak {wanted} = … TFLOP/s` to the machine, or compute in a dtype it has",
            *((f"for {kind} it has {', '.join(of_kind)}",) if of_kind else ()),
        ),
    )


def ridge(machine: Machine, dtype: str, span: Span, sink: Sink) -> Fraction | None:
    """The ridge point in FLOP/byte: intensity above which contractions of a dtype are bound by compute."""
    peak = peak_for(machine, "contraction", dtype, span, sink)
    return None if peak is None else peak.rate / bandwidth(machine)
