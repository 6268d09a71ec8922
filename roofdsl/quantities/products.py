"""The matrix products among the kernels of a subject, in all phases asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roofdsl.ir.entry import Phase
from roofdsl.ir.graph import Mode
from roofdsl.measures.products import MatrixProduct, backward_products, forward_products, rerun_products
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject


def products_in(session: Session, subject: Subject, mode: Mode, phases: Iterable[Phase]) -> tuple[MatrixProduct, ...]:
    """The kernels of a subject that are one matrix product each."""
    found = tuple(product for phase in phases for product in _products(session, subject, mode, phase))
    chosen = session.selection(subject, mode)
    return tuple(p for p in found if chosen.whole or p.kernel.split(":")[0] in chosen.kernels)


def _products(session: Session, subject: Subject, mode: Mode, phase: Phase) -> Iterator[MatrixProduct]:
    match phase:
        case "forward" | "infer":
            yield from forward_products(session.graph(subject, mode))
        case "backward":
            yield from backward_products(session.plan(subject, mode))
        case "recompute":
            yield from rerun_products(session.graph(subject, mode))
