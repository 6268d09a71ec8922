"""Machine figures in formulas: `peak(m, bf16)`, `ridge(m, bf16)`, `bandwidth(m)`, `capacity(m)`,
`price(m)`, and `time(x, m)`.

Answers what `quantities/ask` asks of machines; figures are exact numbers in base units, a time is a closed form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from roofdsl.diagnostics import Sink, fail
from roofdsl.errors import claims as errors
from roofdsl.evaluate.closed_time import time_formula, time_of
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.machine import Machine, bandwidth, find_peak, peak_for, ridge
from roofdsl.ir.entry import Kind
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, Size
from roofdsl.quantities.amounts import Formula
from roofdsl.quantities.session import Session, Timed
from roofdsl.source import Span
from roofdsl.units.dimension import BYTE, FLOP, SECOND

T = TypeVar("T")
SPECIAL: Kind = "special"
"""Where a dtype is expected, the unit of exp and the like: `peak(m, special)`; it serves all formats."""


@dataclass(slots=True)
class MachineFigures:
    """The machines of a library, each read once."""

    library: Library
    machines: dict[str, Machine] = field(default_factory=dict)

    def machine(self, name: str, span: Span) -> Machine:
        """The machine of a name, of the library or shipped; raises `RoofError`."""
        if name not in self.machines:
            self.machines[name] = named_machine(name, self.library, Sink(), span)
        return self.machines[name]

    def figure(self, name: str, machine: str, dtype: str | None, span: Span) -> Formula:
        """A figure in base units; E0718 if the machine does not state it, E0620 if it has no such peak."""
        found = self.machine(machine, span)
        match name:
            case "bandwidth":
                return Formula(Const(bandwidth(found)), BYTE / SECOND)
            case "capacity":
                return Formula(Const(_capacity(found, span)), BYTE)
            case "peak" if dtype == SPECIAL and find_peak(found, SPECIAL, None) is not None:
                return Formula(
                    Const(_known(lambda sink: peak_for(found, SPECIAL, None, span, sink)).rate), FLOP / SECOND
                )
            case "peak":
                rate = _known(lambda sink: peak_for(found, "contraction", dtype, span, sink))
                return Formula(Const(rate.rate), FLOP / SECOND)
            case "ridge":
                return Formula(Const(_known(lambda sink: ridge(found, dtype or "", span, sink))), FLOP / BYTE)
            case _:
                return _stated(found, name, span)

    def time(self, timed: Timed, machine: str, span: Span, sink: Sink) -> Size:
        """Seconds, as a formula: the sum over kernels of the slowest unit."""
        entries = (*timed.work, *timed.traffic)
        return time_formula(time_of(entries, self.machine(machine, span), sink, timed.convention, timed.products))


def open_session(library: Library) -> Session:
    """A session over a library that also knows machines."""
    return Session(library, MachineFigures(library))


def machine_of(session: Session, name: str, span: Span) -> Machine:
    """The machine of a name, read once in a session that knows machines; raises `RoofError`."""
    figures = session.figures
    if isinstance(figures, MachineFigures):
        return figures.machine(name, span)
    return named_machine(name, session.library, Sink(), span)


def _known(ask: Callable[[Sink], T | None]) -> T:
    sink = Sink()
    answer = ask(sink)
    sink.stop_on_errors()
    assert answer is not None, "None comes with an error"  # noqa: S101 - narrows for the type checker
    return answer


def _capacity(machine: Machine, span: Span) -> Fraction:
    """The bytes of the main memory that a program can use, else those of the label."""
    found = machine.memory.capacity
    if found is None:
        fail(errors.NO_SUCH_FIGURE, span, f"{machine.name} does not state how much its memory holds")
    return found


def _stated(machine: Machine, name: str, span: Span) -> Formula:
    figure = machine.figures.get(name)
    if figure is None:
        known = ", ".join(machine.figures) or "none"
        fail(errors.NO_SUCH_FIGURE, span, f"{machine.name} does not state its {name}", expected=f"one of {known}")
    return Formula(Const(figure.value), figure.dimension)
