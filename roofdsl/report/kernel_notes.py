"""What to write in the boxes of a graph: numbers and the bound on a machine, else numbers, else formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from roofdsl.algebra.scope import Causal
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.number import NoValueError
from roofdsl.evaluate.roofline import KernelTime, Roofline
from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.size import Size, add
from roofdsl.report.graph_model import KernelNote
from roofdsl.report.roofline_table import short_bytes
from roofdsl.units.display import format_intensity, format_seconds, format_work


def notes_on_machine(roofline: Roofline, entries: Sheet) -> dict[str, KernelNote]:
    """Per forward kernel its work, traffic, intensity and time for ONE execution, those of its backward and recompute
    (where they were asked for) included, and the bound that most of its time falls under.
    """
    primal = {entry.kernel: entry.primal or entry.kernel for entry in entries}
    groups: dict[str, list[KernelTime]] = {}
    for kernel in roofline.kernels:
        groups.setdefault(primal[kernel.kernel], []).append(kernel)
    return {name: _note_of(group) for name, group in groups.items()}


def _note_of(group: list[KernelTime]) -> KernelNote:
    count = group[0].count
    work, traffic, time = (
        sum(amounts, start=Fraction(0)) / count
        for amounts in zip(*((k.total_work, k.traffic, k.time) for k in group), strict=True)
    )
    second = format_seconds(time) + (f" · {format_intensity(work / traffic)}" if traffic else "")
    by_bound: dict[str, Fraction] = {}
    for kernel in group:
        by_bound[kernel.bound] = by_bound.get(kernel.bound, Fraction(0)) + kernel.time
    bound = max(by_bound, key=lambda name: by_bound[name])
    return KernelNote((f"{format_work(work)} · {short_bytes(traffic)}", second), bound)


def notes_with_numbers(entries: Sheet, binding: Binding, causal: Causal) -> dict[str, KernelNote] | None:
    """Per kernel its work, traffic and intensity for one execution; None where a size has no value."""
    notes: dict[str, KernelNote] = {}
    for kernel, group in _by_kernel(entries).items():
        try:
            work, traffic = (binding.value(_sum(group, measure), causal) for measure in ("work", "traffic"))
        except NoValueError:
            return None
        intensity = (format_intensity(work / traffic),) if traffic else ()
        notes[kernel] = KernelNote((f"{format_work(work)} · {short_bytes(traffic)}", *intensity))
    return notes


def notes_with_formulas(entries: Sheet, show: Callable[[Size], str]) -> dict[str, KernelNote]:
    """Per kernel its work and traffic for one execution as formulas."""
    return {
        kernel: KernelNote((f"{show(_sum(group, 'work'))} FLOP", f"{show(_sum(group, 'traffic'))} B"))
        for kernel, group in _by_kernel(entries).items()
    }


def _by_kernel(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.primal or entry.kernel, []).append(entry)
    return groups


def _sum(group: Iterable[Entry], measure: str) -> Size:
    return add(*(entry.amount for entry in group if entry.measure == measure))
