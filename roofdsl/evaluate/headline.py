"""Peaks that look like the 2:4-sparse headline of a data sheet: a note, by comparison with the shipped machines.

A user's machine with the memory bandwidth of a known one and just twice its dense peak has most likely been copied from
the large letters of the data sheet.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.errors.evaluation import SPARSE_HEADLINE
from roofdsl.evaluate.describe import build_machine
from roofdsl.evaluate.machine import Machine, bandwidth
from roofdsl.ir.library import Library
from roofdsl.passes.load import find_machine, machine_names
from roofdsl.syntax import ast
from roofdsl.units.dimension import FLOP
from roofdsl.units.display import format_rate

_TWICE = (Fraction(1995, 1000), Fraction(2005, 1000))
_SAME_BANDWIDTH = (Fraction(95, 100), Fraction(105, 100))


def check_machines(library: Library, sink: Sink) -> tuple[Machine, ...]:
    """All machines a library declares, checked, with a note on peaks that look sparse."""
    machines = tuple(build_machine(declaration, library, sink) for declaration in library.machines.values())
    if not machines or sink.errors:
        return machines
    known = _shipped(library)
    for declaration, machine in zip(library.machines.values(), machines, strict=True):
        note_headlines(declaration, machine, known, sink)
    return machines


def _shipped(library: Library) -> tuple[Machine, ...]:
    empty = Library(dtypes=library.dtypes)
    found = (find_machine(empty, name, Sink()) for name in machine_names(empty))
    return tuple(build_machine(declaration, empty, Sink()) for declaration in found if declaration is not None)


def note_headlines(declaration: ast.Machine, machine: Machine, known: Iterable[Machine], sink: Sink) -> None:
    """N0631 at each peak that is twice that of a known machine of the same memory bandwidth."""
    peaks = [item for item in declaration.items if isinstance(item, ast.Peak)]
    for other in known:
        if not _between(bandwidth(machine) / bandwidth(other), _SAME_BANDWIDTH):
            continue
        for (kind, dtype), dense in other.peaks.items():
            rate = machine.peaks.get((kind, dtype))
            if rate is None or not _between(rate / dense, _TWICE):
                continue
            item = next(i for i in peaks if (i.unit_kind, i.dtype) == (kind, dtype))
            text = f"twice the dense peak of {other.name}, {format_rate(dense, FLOP)}"
            sink.add(SPARSE_HEADLINE, item.value.span, text, helps=("for dense arithmetic, halve it",))


def _between(ratio: Fraction, limits: tuple[Fraction, Fraction]) -> bool:
    return limits[0] <= ratio <= limits[1]
