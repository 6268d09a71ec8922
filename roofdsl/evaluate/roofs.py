"""The roofs of a machine that an entry of work or traffic runs under: which unit or memory level, at which rate.

Shared by times as numbers (`roofline`) and as formulas (`closed_time`). The rate a user says is reached (an efficiency)
is part of it; what a launch costs is here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from roofdsl.diagnostics import Sink
from roofdsl.errors.evaluation import NO_LAUNCH, UNKNOWN_LEVEL, USELESS_EFFICIENCY
from roofdsl.evaluate.machine import Machine, Peak, bandwidth, peak_for
from roofdsl.ir.entry import Entry, Kind
from roofdsl.ir.size import ZERO
from roofdsl.quantities.conventions import Convention, Efficiency
from roofdsl.source import NOWHERE

Bound = Literal["compute", "vector", "special", "memory", "communication", "overhead"]

BOUND_OF: Mapping[Kind, Bound] = {"contraction": "compute", "vector": "vector", "special": "special"}
BOUNDS: tuple[Bound, ...] = ("compute", "vector", "special", "memory", "communication", "overhead")
PeakOf = Mapping[tuple[Kind, str | None], Peak]
TIMED = ("work", "traffic", "level_traffic")
"""The measures that take time."""


@dataclass(frozen=True, slots=True)
class Roof:
    """A unit or memory level: `name` is the kind of its work or the level's, `rate` FLOP/s or byte/s as reached, a `share`
    of what the machine states. `dtype` is that of the work; two dtypes of one rate have one roof.
    """

    bound: Bound
    name: str
    rate: Fraction
    share: Fraction = field(default=Fraction(1), compare=False)
    dtype: str | None = field(default=None, compare=False)


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


def roof_of(entry: Entry, machine: Machine, peaks: PeakOf, efficiencies: tuple[Efficiency, ...]) -> Roof | None:
    """The roof an entry runs under; None where the machine states none."""
    found = _roof(entry, machine, peaks)
    if found is None or not efficiencies:
        return found
    names = names_of(entry) | {found.bound, found.name}
    share = Fraction(1)
    for efficiency in efficiencies:
        if efficiency.name in names:
            share *= efficiency.share
    return replace(found, rate=found.rate * share, share=share)


def _roof(entry: Entry, machine: Machine, peaks: PeakOf) -> Roof | None:
    if entry.measure == "work":
        peak = peaks.get(work_key(entry))
        return None if peak is None else Roof(BOUND_OF[peak.unit], peak.unit, peak.rate, dtype=entry.dtype)
    if entry.level in (None, machine.memory.name):
        return Roof("memory", machine.memory.name, bandwidth(machine))
    level = next((found for found in machine.levels if found.name == entry.level), None)
    if level is None or level.bandwidth is None:
        return None
    return Roof("memory", level.name, level.bandwidth)


def names_of(entry: Entry) -> frozenset[str]:
    """How a user may call the kernel of an entry: its id, the end of it, the op."""
    kernels = [name for name in (entry.kernel, entry.primal) if name]
    ends = [name.rsplit(".", 1)[-1] for name in kernels]
    return frozenset((*kernels, *ends, *((entry.op,) if entry.op else ())))


def note_efficiencies(entries: Iterable[Entry], machine: Machine, convention: Convention, sink: Sink) -> None:
    """N0638 for an efficiency that no entry has."""
    if not convention.efficiencies:
        return
    names = {name for entry in entries for name in names_of(entry)}
    names |= {*BOUNDS, "contraction", *(level.name for level in machine.levels)}
    for efficiency in convention.efficiencies:
        if efficiency.name not in names:
            text = f"no kernel, op, unit or memory level is called `{efficiency.name}`"
            sink.add(USELESS_EFFICIENCY, machine.span if efficiency.span == NOWHERE else efficiency.span, text)


def note_levels(entries: Iterable[Entry], machine: Machine, sink: Sink) -> None:
    """N0637 for each level that a tile names and the machine gives no bandwidth of."""
    stated = {level.name for level in machine.levels if level.bandwidth is not None}
    lacking = {e.level: e for e in entries if e.level is not None and e.level not in stated}
    for level, entry in lacking.items():
        text = f"{machine.name} has no bandwidth of `{level}`: what is moved there takes no time"
        known = ", ".join(sorted(stated))
        sink.add(UNKNOWN_LEVEL, entry.span, text, expected=f"a tile at one of {known}", found=level)


def levels_without_tiles(entries: Iterable[Entry], machine: Machine) -> tuple[str, ...]:
    """Inner levels with a bandwidth that some kernel declares no tile for: its traffic there is left out."""
    listed = tuple(entries)
    kernels = {entry.kernel for entry in listed if entry.measure == "traffic"}
    inner = [v.name for v in machine.levels if v.bandwidth is not None and v.name != machine.memory.name]
    tiled = {level: {entry.kernel for entry in listed if entry.level == level} for level in inner}
    return tuple(level for level in inner if kernels - tiled[level])


def launch_cost(machine: Machine, convention: Convention, sink: Sink) -> Fraction:
    """Seconds of one launch; 0 where the convention counts none. E0629 if the machine states none."""
    if convention.overhead == "none":
        return Fraction(0)
    launch = machine.figures.get("launch")
    if launch is None:
        helps = ("give the machine a line such as `launch = 5 us`",)
        sink.add(NO_LAUNCH, machine.span, f"{machine.name} does not state what a launch costs", helps=helps)
        return Fraction(0)
    return launch.value
