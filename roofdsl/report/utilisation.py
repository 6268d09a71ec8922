"""Utilisation as tables: one row for each way of counting FLOP, then plans; kernels against their roofs; decode ceilings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from roofdsl.diagnostics import Sink, fail
from roofdsl.errors.performance import IMPOSSIBLE, NO_CONTRACTIONS, UTILISATION_ABOVE_ONE
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import find_peaks, work_key
from roofdsl.evaluate.utilisation import Counted, Measured, Plan, Step, plan_of, six_per_parameter, step_at
from roofdsl.ir.size import product
from roofdsl.quantities.conventions import Convention, read_convention
from roofdsl.quantities.quantity import Asked, entries_of, quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject
from roofdsl.report.json import exact_number
from roofdsl.report.table import Table, make_table
from roofdsl.source import Span
from roofdsl.units.dimension import BYTE, FLOP
from roofdsl.units.display import format_rate, format_seconds, format_work, significant


@dataclass(frozen=True, slots=True)
class Row:
    """One way of counting: the step, and the plan if tokens are given. `hardware` counts what is computed again."""

    counted: Counted
    step: Step
    plan: Plan | None
    hardware: bool = False

    @property
    def utilisation(self) -> Fraction:
        return self.step.utilisation(self.counted)


def ways_of_counting(
    session: Session, subject: Subject, machine: Machine, binding: Binding, phase: Asked, tokens: Fraction
) -> tuple[Counted, ...]:
    """FLOP of a step under every convention that counts contractions only, and by the rule of six per parameter."""
    library = session.library
    read = [read_convention(declared, library) for declared in library.conventions.values()]
    chosen = [c for c in read if c.work == "contractions" and c.embedding == "lookup" and not c.overrides]
    found = [_counted(session, subject, machine, binding, phase, convention) for convention in chosen]
    if not any(counted.flop for counted in found):
        fail(NO_CONTRACTIONS, subject.span, f"{subject.text} has no contractions")
    if phase != "train":
        return tuple(found)
    parameters = quantity(session, "params", subject, convention=chosen[0])
    flop = six_per_parameter(binding.value(parameters.size), tokens)
    slowest = found[0].flop / found[0].at_peak
    return (*found, Counted("6 per parameter", flop, flop / slowest))


def _counted(
    session: Session, subject: Subject, machine: Machine, binding: Binding, phase: Asked, convention: Convention
) -> Counted:
    entries = entries_of(session, "work", subject, phase, convention)
    sink = Sink()
    peaks = find_peaks(entries, machine, sink)
    sink.stop_on_errors()
    flop = at_peak = Fraction(0)
    for entry in entries:
        amount = binding.value(product(entry.amount, entry.multiplicity), convention.causal)
        flop += amount
        peak = peaks.get(work_key(entry))
        at_peak += amount / peak.rate if peak is not None else 0
    return Counted(convention.name, flop, at_peak)


def hardware_of(
    session: Session, subject: Subject, machine: Machine, binding: Binding, convention: Convention
) -> Counted:
    """What the devices really compute: a step with what is computed again."""
    found = _counted(session, subject, machine, binding, "hardware", convention)
    return Counted(f"{found.name}, hardware", found.flop, found.at_peak)


def check_possible(rows: Iterable[Row], span: Span, sink: Sink) -> None:
    """E0641 if, counted in some way, more was done than the devices can do."""
    above = [row for row in rows if row.utilisation > 1]
    if not above:
        return
    text = ", ".join(f"{percent(row.utilisation)} counted as {row.counted.name}" for row in above)
    helps = (
        "is the peak the dense one, of this dtype and this machine?",
        "are the tokens those of all devices, and the devices all that took part?",
        "is the step time that of the whole step, accumulation and optimizer included?",
        "does attention count a full square that a causal kernel does not do?",
    )
    sink.add(UTILISATION_ABOVE_ONE, span, text, helps=helps)


def rows_of(
    ways: Sequence[Counted],
    hardware: Counted | None,
    step: Step | None,
    expected: Fraction | None,
    tokens: tuple[Fraction, Fraction, Fraction | None],
    price: Fraction | None,
) -> tuple[Row, ...]:
    """Rows at a measured step, or at an expected utilisation. `tokens` are those of a step, the devices, those planned."""
    per_step, devices, planned = tokens
    rows: list[Row] = []
    for counted in ways:
        taken = step if step is not None else step_at(counted, expected or Fraction(1), per_step, devices)
        rows.append(Row(counted, taken, None if planned is None else plan_of(taken, planned, price)))
    if hardware is not None and step is not None:
        rows.append(Row(hardware, step, None, hardware=True))
    return tuple(rows)


def utilisation_table(rows: Sequence[Row], title: str, notes: Iterable[str], *, measured: bool) -> Table:
    """FLOP per token, rate and utilisation by convention; days, hours and money where a run is planned."""
    planned = any(row.plan is not None for row in rows)
    priced = any(row.plan is not None and row.plan.cost is not None for row in rows)
    columns = ["counted as", ">FLOP per token", ">FLOP/s each", ">utilisation", ">step", ">tokens/s"]
    columns += [">days", ">device-hours"] if planned else []
    columns += [">cost", ">per million tokens"] if priced else []
    body = [_cells(row, planned=planned, priced=priced) for row in rows]
    footer = "a measured rate" if measured else "at the utilisation expected"
    return make_table(
        title,
        columns,
        body,
        notes=notes,
        footer=f"{footer}; utilisation (MFU; of the row `hardware`, HFU) of contractions at their dense peaks",
    )


def _cells(row: Row, *, planned: bool, priced: bool) -> tuple[str, ...]:
    share = percent(row.utilisation)
    cells = [
        row.counted.name,
        format_work(row.counted.flop / row.step.tokens),
        format_rate(row.step.achieved(row.counted), FLOP),
        f"{share} impossible" if row.utilisation > 1 else share,
        format_seconds(row.step.seconds),
        significant(row.step.rate),
    ]
    plan = row.plan
    if planned:
        cells += [significant(plan.days), significant(plan.device_hours)] if plan else ["", ""]
    if priced:
        known = plan is not None and plan.cost is not None and plan.cost_per_million is not None
        cells += [money(plan.cost), money(plan.cost_per_million)] if known and plan else ["", ""]
    return tuple(cells)


def kernel_table(measured: Sequence[Measured], title: str) -> Table:
    """What measured kernels reached, and of which roof they are how near."""
    rows = [
        (
            m.kernel.kernel,
            format_seconds(m.seconds),
            format_rate(m.work_rate, FLOP),
            format_rate(m.traffic_rate, BYTE),
            percent(m.shares.get(m.nearest, Fraction(0))),
            m.nearest,
            verdict(m),
        )
        for m in measured
    ]
    columns = ("kernel", ">measured", ">reached", ">moved", ">of its roof", "roof", "verdict")
    return make_table(title, columns, rows, footer="shares of dense peaks and of the bandwidth stated")


NEAR = Fraction(3, 5)
"""From this share of a roof on a kernel is said to be near it."""


def verdict(measured: Measured) -> str:
    """Near its roof, or far from all."""
    share = measured.shares.get(measured.nearest, Fraction(0))
    if share >= NEAR:
        return f"bound by {measured.nearest}"
    return f"far from every roof: {significant(1 / share, 3)}× the ideal time" if share else "nothing to compare"


def check_measured(measured: Measured, span: Span) -> None:
    """E0640 if a kernel claims to exceed a roof; it is refused, not shown."""
    if not measured.impossible:
        return
    name = measured.impossible[0]
    ideal = format_seconds(measured.kernel.roofs[name])
    text = f"{measured.kernel.kernel} would run at {percent(measured.shares[name])} of the {name} roof"
    helps = ("`roofdsl explain-error E0640` lists the usual causes",)
    fail(IMPOSSIBLE, span, text, expected=f"at least {ideal}", found=format_seconds(measured.seconds), helps=helps)


def percent(share: Fraction) -> str:
    """To three digits."""
    return f"{significant(100 * share, 3)} %"


def money(amount: Fraction | None) -> str:
    """Dollars."""
    return "" if amount is None else f"${significant(amount)}"


def row_document(row: Row) -> dict[str, Any]:
    """A row as data."""
    plan = row.plan
    return {
        "counted": row.counted.name,
        "flop": exact_number(row.counted.flop),
        "utilisation": exact_number(row.utilisation),
        "achieved": exact_number(row.step.achieved(row.counted)),
        "step": exact_number(row.step.seconds),
        "tokens_per_second": exact_number(row.step.rate),
        "hardware": row.hardware,
        "plan": None if plan is None else _plan_document(plan),
    }


def _plan_document(plan: Plan) -> dict[str, Any]:
    return {
        "tokens": exact_number(plan.tokens),
        "days": exact_number(plan.days),
        "device_hours": exact_number(plan.device_hours),
        "cost": None if plan.cost is None else exact_number(plan.cost),
    }


def measured_document(measured: Measured) -> dict[str, Any]:
    """A measured kernel as data."""
    return {
        "kernel": measured.kernel.kernel,
        "seconds": exact_number(measured.seconds),
        "work_rate": exact_number(measured.work_rate),
        "traffic_rate": exact_number(measured.traffic_rate),
        "shares": {name: exact_number(share) for name, share in measured.shares.items()},
        "roof": measured.nearest,
        "verdict": verdict(measured),
    }
