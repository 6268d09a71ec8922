"""What looks wrong in a machine somebody wrote, seen by its own figures alone: notes, since a machine may be odd.

What looks copied from a data sheet's headlines is found by comparison with the shipped machines (`headline.py`).
"""

from __future__ import annotations

import re
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.errors.evaluation import ODD_FIGURE
from roofdsl.evaluate.machine import Level, Machine, bandwidth
from roofdsl.evaluate.measured import FIGURES
from roofdsl.passes.names import did_you_mean, some
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.units.dimension import BYTE
from roofdsl.units.display import format_rate

_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_MOST_ABOVE_LABEL = Fraction(1024, 1000) ** 3
"""A label in GB may mean GiB."""


def note_oddities(declaration: ast.Machine, machine: Machine, sink: Sink) -> None:
    """N0641 at each thing that looks odd. The machine must have been built without errors."""
    levels = {level.name: level for level in machine.levels}
    for item in declaration.items:
        match item:
            case ast.Figure(name, _, span) if name not in FIGURES and (meant := did_you_mean(name, FIGURES)):
                sink.add(ODD_FIGURE, span, f"no formula uses `{name}`", expected=f"one of {some(FIGURES)}", helps=meant)
            case ast.Note(_, text) if not _YEAR.search(text):
                sink.add(ODD_FIGURE, item.span, "this source has no date", helps=("add the year, or when it was read",))
            case ast.MemoryLevel(role="cache"):
                _note_cache(levels[item.name], machine, item.span, sink)
            case ast.MemoryLevel():
                _note_usable(levels[item.name], item.span, sink)
            case _:
                continue
    if not any(kind == "contraction" for kind, _ in machine.peaks):
        helps = ("add a line such as `peak contraction DTYPE = … TFLOP/s`",)
        sink.add(ODD_FIGURE, machine.span, "no contraction peak: no matrix product has a time on it", helps=helps)


def _note_usable(level: Level, span: Span, sink: Sink) -> None:
    if level.size is not None and level.usable is not None and level.usable > level.size * _MOST_ABOVE_LABEL:
        sink.add(ODD_FIGURE, span, f"{level.name} has more usable bytes than bytes, even if its label means GiB")


def _note_cache(level: Level, machine: Machine, span: Span, sink: Sink) -> None:
    main = machine.memory
    if level.size is not None and main.size is not None and level.size >= main.size:
        sink.add(ODD_FIGURE, span, f"the cache {level.name} holds as much as the memory {main.name}")
    if level.bandwidth is not None and level.bandwidth < bandwidth(machine):
        text = f"the cache {level.name} is slower than the memory {main.name}, {format_rate(bandwidth(machine), BYTE)}"
        sink.add(ODD_FIGURE, span, text)
