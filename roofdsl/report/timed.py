"""From a quantity that is a time to the form it is printed in: its kernels' needs, and names for the rates it uses."""

from __future__ import annotations

from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import InternalError, Sink
from roofdsl.evaluate.closed_time import time_of
from roofdsl.evaluate.figures import machine_of
from roofdsl.quantities.quantity import Quantity, timed
from roofdsl.quantities.session import Session
from roofdsl.report.formula_layout import Style
from roofdsl.report.rates import rates_of
from roofdsl.report.time_form import TimeForm, time_form
from roofdsl.report.time_sum import sum_of_kernels


def form_of_time(session: Session, quantity: Quantity, scope: Scope, style: Style, *, cases: bool) -> TimeForm:
    """The printed form of `time(x, machine)`."""
    if quantity.machine is None:
        raise InternalError("a time without a machine")
    machine = machine_of(session, quantity.machine, quantity.subject.span)
    asked = timed(session, quantity.subject, quantity.phase or "forward", quantity.convention)
    needs = time_of((*asked.work, *asked.traffic), machine, Sink(), asked.convention, asked.products)
    terms = sum_of_kernels(needs, scope, scope.known)
    taken = style.names | frozenset(style.renamed.values())
    return time_form(terms, rates_of(terms.roofs, machine, taken), style, scope.known, cases=cases)
