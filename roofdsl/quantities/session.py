"""One session over a library: graphs and sheets of the subjects asked about, each derived once.

The only mutable value is the cache of the session itself. What a quantity sums is `quantity.py`; which pass derives a
sheet is `sheets.py`. Machine figures come from the layer above and are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from roofdsl.diagnostics import Diagnostic, InternalError, Sink
from roofdsl.ir.entry import Measure, Phase, Sheet
from roofdsl.ir.graph import Graph, Mode
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size
from roofdsl.measures.plan import Plan, backward_plan
from roofdsl.measures.products import MatrixProduct
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.place import place
from roofdsl.quantities.amounts import Formula
from roofdsl.quantities.assumptions import NONE, Assumptions
from roofdsl.quantities.conventions import Convention
from roofdsl.quantities.lets import let_sizes
from roofdsl.quantities.selection import Selection, select
from roofdsl.quantities.sheets import derive_sheet
from roofdsl.quantities.subject import Subject
from roofdsl.source import Span
from roofdsl.syntax import ast

T = TypeVar("T")
GraphKey = tuple[str, ast.Braces | None, Mode]


@dataclass(frozen=True, slots=True)
class Timed:
    """What a time is asked of: entries of work and traffic (of all memory levels), the convention, and the matrix
    products among the kernels, which a tile makes slower.
    """

    graph: Graph
    work: Sheet
    traffic: Sheet
    convention: Convention
    products: tuple[MatrixProduct, ...] = ()


class Figures(Protocol):
    """What formulas ask of machines; `evaluate/figures.py` answers. Raises `RoofError` for what is not declared."""

    def figure(self, name: str, machine: str, dtype: str | None, span: Span) -> Formula:
        """`peak`, `ridge`, `bandwidth` or `price` of a machine, in base units."""

    def time(self, timed: Timed, machine: str, span: Span, sink: Sink) -> Size:
        """Seconds the kernels take, one after the other (design §6). Errors and notes go to the sink."""


def derive_graph(library: Library, root: str, braces: ast.Braces | None, mode: Mode, sink: Sink) -> Graph:
    """The elaborated and placed graph of a root; errors go to the sink."""
    graph = elaborate(library, root, braces, mode, sink)
    sink.stop_on_errors()
    if graph is None:
        raise InternalError(f"{root} was not elaborated, and nothing was said about it")
    return place(graph)


@dataclass(slots=True)
class Session:
    """Answers questions about one library. `notes` are those of all graphs elaborated so far; every time is asked for
    under the `assumptions`.
    """

    library: Library
    figures: Figures | None = None
    make_graph: Callable[[Library, str, ast.Braces | None, Mode, Sink], Graph] = derive_graph
    notes: list[Diagnostic] = field(default_factory=list)
    assumptions: Assumptions = NONE
    _lets: dict[str, Size] | None = None
    _graphs: dict[GraphKey, Graph] = field(default_factory=dict)
    _plans: dict[GraphKey, Plan] = field(default_factory=dict)
    _sheets: dict[tuple[GraphKey, Measure, Phase], Sheet] = field(default_factory=dict)
    _memory: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def lets(self) -> dict[str, Size]:
        """Lets and measured facts as sizes; raises `RoofError` if one is wrong."""
        if self._lets is None:
            self._lets = let_sizes(self.library)
        return self._lets

    def graph(self, subject: Subject, mode: Mode) -> Graph:
        """The graph of a subject's root; raises `RoofError` with all that is wrong in it."""
        key = (subject.root, subject.braces, mode)
        if key not in self._graphs:
            sink = Sink()
            self._graphs[key] = self.make_graph(self.library, subject.root, subject.braces, mode, sink)
            self.notes += (note for note in sink.notes if note not in self.notes)
        return self._graphs[key]

    def sheet(self, subject: Subject, measure: Measure, phase: Phase) -> Sheet:
        """All entries of one measure and phase of a subject's root, not filtered by its path."""
        mode: Mode = "infer" if phase == "infer" else "train"
        key = ((subject.root, subject.braces, mode), measure, phase)
        if key not in self._sheets:
            graph = self.graph(subject, mode)
            self._sheets[key] = derive_sheet(graph, self.library, measure, phase, lambda: self.plan(subject, mode))
        return self._sheets[key]

    def plan(self, subject: Subject, mode: Mode) -> Plan:
        """The backward plan of a subject's root."""
        key = (subject.root, subject.braces, mode)
        if key not in self._plans:
            self._plans[key] = backward_plan(self.graph(subject, mode), self.library)
        return self._plans[key]

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made once for a key."""
        if key not in self._memory:
            self._memory[key] = make()
        found: T = self._memory[key]
        return found

    def selection(self, subject: Subject, mode: Mode) -> Selection:
        """Which calls, kernels and tensors of the root's graph a subject means; E0703 if its path names nothing."""
        return select(self.graph(subject, mode), subject)
