"""The roofline of a subject: which entries, under which convention, on which machine, at which sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofdsl.diagnostics import InternalError, Sink, fail
from roofdsl.errors.usage import NEEDS_SUBJECT
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.model import evaluate_subject
from roofdsl.evaluate.roofline import Roofline
from roofdsl.ir.entry import Measure, Sheet
from roofdsl.ir.graph import Graph, Mode
from roofdsl.quantities.conventions import ALL_WORK, Convention
from roofdsl.quantities.quantity import Asked, entries_of
from roofdsl.quantities.session import Session
from roofdsl.quantities.stored import as_stored
from roofdsl.quantities.subject import Subject, resolve_subject
from roofdsl.source import Source, Span
from roofdsl.syntax.parser import parse_subject


@dataclass(frozen=True, slots=True)
class Scene:
    """A subject in a phase under a convention: what a roofline or a graph is made of."""

    subject: Subject
    phase: Asked = "forward"
    convention: Convention = ALL_WORK

    @property
    def mode(self) -> Mode:
        """Inference elaborates otherwise than training."""
        return "infer" if self.phase == "infer" else "train"


def make_scene(session: Session, source: Source, of: str | None, phase: Asked, convention: Convention | None) -> Scene:
    """A scene of the subject named `of`, or of the file's first model, or of its last block (E0812 if it has none)."""
    return Scene(_subject(session, source, of), phase, convention or ALL_WORK)


def _subject(session: Session, source: Source, of: str | None) -> Subject:
    text = of if of is not None else _main_subject(session, source)
    if text is None:
        span = Span(source, 0, 0)
        fail(NEEDS_SUBJECT, span, "nothing to show", helps=("say what is meant: --of NAME",))
    sink = Sink()
    expr = parse_subject(Source("subject", text), sink)
    sink.stop_on_errors()
    if expr is None:
        raise InternalError("no subject was parsed, and nothing was said about it")
    return resolve_subject(expr, session.library)


def _main_subject(session: Session, source: Source) -> str | None:
    """The first model the file itself declares, an instance of another's too; else the first there is, else its last block."""
    library = session.library
    models = {name: d.span for name, d in library.definitions.items() if d.kind == "model"}
    declared = models | {name: alias.span for name, alias in library.aliases.items() if alias.kind == "model"}
    own = [name for name, span in declared.items() if span.source is source]
    if own:
        return min(own, key=lambda name: declared[name].start)
    blocks = [n for n, d in library.definitions.items() if d.kind == "block" and d.span.source is source]
    return next(iter(models), None) or (blocks[-1] if blocks else None)


def graph_of(session: Session, scene: Scene) -> Graph:
    """The elaborated graph of a scene's root."""
    return session.graph(scene.subject, scene.mode)


def part_of(session: Session, scene: Scene) -> Graph:
    """The part of the graph that the subject's path means; what leaves it becomes its results."""
    graph = graph_of(session, scene)
    if not scene.subject.path:
        return graph
    selection = session.selection(scene.subject, scene.mode)
    chosen = selection.kernels | selection.shared
    inside = tuple(kernel for kernel in graph.kernels if kernel.id in chosen)
    outside = {name for kernel in graph.kernels if kernel.id not in chosen for name in kernel.operands}
    outside |= set(graph.results)
    results = tuple(name for kernel in inside for name in kernel.results if name in outside)
    return replace(graph, kernels=inside, results=results)


def entries_for(session: Session, scene: Scene) -> Sheet:
    """Work and traffic of a scene, of all memory levels."""
    measures: tuple[Measure, ...] = ("work", "traffic", "level_traffic")
    asked = (scene.subject, scene.phase, scene.convention)
    return tuple(entry for measure in measures for entry in entries_of(session, measure, *asked))


def roofline_of(session: Session, scene: Scene, machine: Machine, binding: Binding) -> Roofline:
    """The roofline of a scene; raises `RoofError` for a size without value or not integral, or a dtype without peak."""
    convention = stored_convention(session, scene)
    return evaluate_subject(session, scene.subject, machine, binding, phase=scene.phase, convention=convention)


def stored_convention(session: Session, scene: Scene) -> Convention:
    """The convention of a scene's numbers: bytes as they are stored."""
    return as_stored(scene.convention, graph_of(session, scene), session.library)
