"""What a roofline plot shows, as numbers: roofs, ridges, and one point for each group of kernels that coincide.

Knows nothing of drawing; `plot_draw` turns it into a picture.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10
from typing import TypeVar

from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofline import Bound, KernelTime, Roofline
from roofdsl.evaluate.roofs import work_key
from roofdsl.ir.entry import Kind
from roofdsl.quantities.session import Session
from roofdsl.report.rooflines import Scene, entries_for, roofline_of
from roofdsl.units.dimension import BYTE, FLOP
from roofdsl.units.display import format_intensity, format_rate


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A horizontal roof: FLOP/s of a unit in a dtype."""

    label: str
    rate: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Slope:
    """A slanted roof: byte/s of a memory level. `main` for the main memory."""

    label: str
    rate: float
    main: bool


@dataclass(frozen=True, slots=True)
class Point:
    """Kernels at one place: FLOP/byte, FLOP/s reached, share of the time, what bounds them."""

    label: str
    intensity: float
    rate: float
    share: float
    bound: Bound


@dataclass(frozen=True, slots=True)
class Series:
    """One roofline: a subject at some sizes on a machine."""

    title: str
    machine: str
    ceilings: tuple[Ceiling, ...]
    slopes: tuple[Slope, ...]
    points: tuple[Point, ...]
    ridge: tuple[float, float, str]
    hidden: int


_SAME_PLACE = 0.02
_MOST_NAMES = 3


def series_in(session: Session, scene: Scene, machine: Machine, binding: Binding, title: str) -> Series:
    """The series of a scene at some sizes on a machine."""
    used = dict.fromkeys(work_key(entry) for entry in entries_for(session, scene) if entry.measure == "work")
    return series_of(roofline_of(session, scene, machine, binding), title, used)


Named = TypeVar("Named", bound="str | None")


def overlaid(
    machine: Named, configs: tuple[str, ...], also: Iterable[str], known: Container[str]
) -> tuple[tuple[Named | str, tuple[str, ...]], ...]:
    """The machine and configs of every series: those asked for, then each with one other of its `also`, a config where
    one of the `known` is called so and else a machine.
    """
    others = ((machine, (*configs, o)) if o in known else (o, configs) for o in also)
    return ((machine, configs), *others)


def title_of(scene: Scene, series: Sequence[Series]) -> str:
    """What a plot shows; a series alone says where in the title."""
    alone = (series[0].title,) if len(series) == 1 else ()
    return " · ".join((scene.subject.text, scene.phase, *alone))


def series_of(roofline: Roofline, title: str, used: Iterable[tuple[Kind, str | None]]) -> Series:
    """The roofs a roofline's kernels meet and their points; `used` are the kinds and dtypes of work that occur."""
    machine = roofline.machine
    ceilings = _ceilings(machine, used)
    slopes = tuple(
        Slope(f"{level.name} {format_rate(level.bandwidth, BYTE)}", float(level.bandwidth), level is machine.memory)
        for level in machine.levels
        if level.bandwidth is not None
    )
    shown = [kernel for kernel in roofline.kernels if kernel.total_work and kernel.traffic]
    points = _merged(shown, short_names([kernel.kernel for kernel in shown]))
    return Series(
        title, machine.name, ceilings, slopes, points, _ridge(ceilings, machine), len(roofline.kernels) - len(shown)
    )


def _ceilings(machine: Machine, used: Iterable[tuple[Kind, str | None]]) -> tuple[Ceiling, ...]:
    """The peaks that serve the work there is; a special peak that is missing is the vector one, and none is drawn."""
    found: dict[tuple[Kind, str | None], Ceiling] = {}
    for kind, dtype in used:
        for key in ((kind, dtype), (kind, None)):
            if key in machine.peaks and key not in found:
                rate = machine.peaks[key]
                words = " ".join(word for word in key if word)
                found[key] = Ceiling(f"{words} {format_rate(rate, FLOP)}", float(rate), kind)
                break
    return tuple(sorted(found.values(), key=lambda ceiling: -ceiling.rate))


def _ridge(ceilings: tuple[Ceiling, ...], machine: Machine) -> tuple[float, float, str]:
    """Where the highest peak meets the main memory: intensity, rate, and the words for it."""
    bandwidth = machine.memory.bandwidth
    contraction = [c for c in ceilings if c.kind == "contraction"] or list(ceilings)
    if bandwidth is None or not contraction:
        return 0.0, 0.0, ""
    rate = contraction[0].rate
    place = rate / float(bandwidth)
    return place, rate, f"ridge {format_intensity(Fraction(rate) / bandwidth)}"


def _merged(kernels: list[KernelTime], names: Mapping[str, str]) -> tuple[Point, ...]:
    """Points that coincide become one, labelled by all their names; the largest share first."""
    groups: list[list[KernelTime]] = []
    for kernel in kernels:
        place = next((group for group in groups if _coincide(group[0], kernel)), None)
        if place is None:
            groups.append([kernel])
        else:
            place.append(kernel)
    points = [_point(group, names) for group in groups]
    return tuple(sorted(points, key=lambda point: (-point.share, point.label)))


def short_names(kernels: Iterable[str]) -> dict[str, str]:
    """For each kernel the shortest end of its dotted name that no other kernel has."""
    listed = tuple(dict.fromkeys(kernels))
    found: dict[str, str] = {}
    for kernel in listed:
        parts = kernel.split(".")
        ends = (".".join(parts[-length:]) for length in range(1, len(parts) + 1))
        found[kernel] = next((e for e in ends if sum(k == e or k.endswith(f".{e}") for k in listed) == 1), kernel)
    return found


def _coincide(one: KernelTime, other: KernelTime) -> bool:
    if one.bound != other.bound:
        return False
    return all(abs(log10(a / b)) < _SAME_PLACE for a, b in zip(_place(one), _place(other), strict=True))


def _place(kernel: KernelTime) -> tuple[float, float]:
    intensity = float(kernel.total_work / kernel.traffic)
    return intensity, float(kernel.total_work / kernel.time)


def _point(group: list[KernelTime], short: Mapping[str, str]) -> Point:
    names = list(dict.fromkeys(short[kernel.kernel] for kernel in group))
    shown = ", ".join(names[:_MOST_NAMES]) + (f" + {len(names) - _MOST_NAMES}" if len(names) > _MOST_NAMES else "")
    intensity, rate = _place(group[0])
    return Point(shown, intensity, rate, float(sum(kernel.share for kernel in group)), group[0].bound)
