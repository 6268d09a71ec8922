"""Opening a session that knows machines. What reads them is imported when a formula first asks for one, since most
formulas ask for none and are wanted at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from roofdsl.diagnostics import Sink
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size
from roofdsl.quantities.amounts import Formula
from roofdsl.quantities.assumptions import NONE, Assumptions
from roofdsl.quantities.session import Session, Timed
from roofdsl.source import Span

if TYPE_CHECKING:
    from roofdsl.evaluate.figures import MachineFigures


@dataclass(slots=True)
class LateFigures:
    """The figures of a library's machines, made when first asked for."""

    library: Library
    made: MachineFigures | None = None

    def figures(self) -> MachineFigures:
        """The figures; the same ones each time."""
        if self.made is None:
            from roofdsl.evaluate.figures import MachineFigures

            self.made = MachineFigures(self.library)
        return self.made

    def figure(self, name: str, machine: str, dtype: str | None, span: Span) -> Formula:
        """See `MachineFigures.figure`."""
        return self.figures().figure(name, machine, dtype, span)

    def time(self, timed: Timed, machine: str, span: Span, sink: Sink) -> Size:
        """See `MachineFigures.time`."""
        return self.figures().time(timed, machine, span, sink)


def open_session(library: Library, assumptions: Assumptions | None = None) -> Session:
    """A session over a library that also knows machines; `assumptions` are those of its times."""
    return Session(library, LateFigures(library), assumptions=assumptions or NONE)
