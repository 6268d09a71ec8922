"""A subject evaluated: sizes bound and checked against its graph, then the roofline of its kernels on a machine.

Where the pieces of this package meet; what verbs and the Python API call.
"""

from __future__ import annotations

from collections.abc import Iterable

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.bind import Binding, bind
from roofdsl.evaluate.extents import check_graph
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofline import Options, Roofline, roofline
from roofdsl.evaluate.tiling import Tiling, padding, tiling_of
from roofdsl.ir.graph import Mode
from roofdsl.measures.products import MatrixProduct
from roofdsl.quantities.conventions import ALL_WORK, Convention
from roofdsl.quantities.products import products_in
from roofdsl.quantities.quantity import Asked, entries_of, phases_of
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject
from roofdsl.source import Span
from roofdsl.syntax import ast


def mode_of(phase: Asked) -> Mode:
    """The mode a phase is elaborated in."""
    return "infer" if phase == "infer" else "train"


def bind_subject(
    session: Session,
    subject: Subject,
    configs: Iterable[tuple[str, Span]] = (),
    settings: Iterable[ast.Binding] = (),
    phase: Asked = "forward",
) -> Binding:
    """Values of all sizes a subject uses, checked: bound, integral where extents, large enough. Raises `RoofError`."""
    sink = Sink()
    binding = bind(session.library, sink, configs, settings, session.graph(subject, mode_of(phase)).symbols)
    _finish(session, sink)
    check_subject(session, subject, binding, phase)
    return binding


def check_subject(session: Session, subject: Subject, binding: Binding, phase: Asked = "forward") -> None:
    """Every extent of a subject's graph has a value that is an integer and large enough. Raises `RoofError`."""
    sink = Sink()
    check_graph(session.graph(subject, mode_of(phase)), binding, session.library, sink)
    _finish(session, sink)


def evaluate_subject(
    session: Session,
    subject: Subject,
    machine: Machine,
    binding: Binding,
    *,
    phase: Asked = "forward",
    convention: Convention = ALL_WORK,
    tiling: Tiling | None = None,
) -> Roofline:
    """The roofline of a subject's kernels under a convention, its extents checked first; with a tiling (else that of the
    convention's tile) matrix products take whole tiles and waves. Raises `RoofError`; notes go to the session.
    """
    tiling = tiling or tiling_of(convention, machine)
    check_subject(session, subject, binding, phase)
    work = entries_of(session, "work", subject, phase, convention)
    traffic = entries_of(session, "traffic", subject, phase, convention)
    sink = Sink()
    levels = entries_of(session, "level_traffic", subject, phase, convention)
    kernels = session.graph(subject, mode_of(phase)).kernels
    padded = {} if tiling is None else padding(products_of(session, subject, phase), tiling, binding, convention.causal)
    options = Options(convention, kernels, padded)
    result = roofline((*work, *traffic, *levels), machine, binding, sink, options)
    _finish(session, sink)
    return result


def products_of(session: Session, subject: Subject, phase: Asked) -> tuple[MatrixProduct, ...]:
    """The kernels of a subject that are one matrix product each, in all phases that are asked for."""
    return products_in(session, subject, mode_of(phase), phases_of(phase))


def _finish(session: Session, sink: Sink) -> None:
    """Errors are raised, notes kept with the session."""
    sink.stop_on_errors()
    session.notes += (note for note in sink.notes if note not in session.notes)
