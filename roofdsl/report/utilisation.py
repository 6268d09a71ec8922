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
from roofdsl.evaluate.utilisation import Counted, Measured, Plan, Step
from roofdsl.ir.size import product
from roofdsl.quantities.conventions import ALL_WORK, Convention, read_convention
from roofdsl.quantities.quantity import Asked, entries_of, quantity
from roofdsl.quantities.rule_of_thumb import flop_per_parameter
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject
from roofdsl.report.figures import figure
from roofdsl.report.table import Column, Table, make_table
from roofdsl.source import Span
from roofdsl.units.dimension import BYTE, DOLLAR, FLOP, PURE, SECOND, TOKEN
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
    """FLOP of a step under every convention that counts contractions only, and of training by the rule of thumb, so many per parameter."""
    library = session.library
    read = [read_convention(declared, library) for declared in library.conventions.values()]
    chosen = [c for c in read if c.work == "contractions" and c.embedding == "lookup" and not c.overrides]
    found = [_counted(session, subject, machine, binding, phase, convention) for convention in chosen]
    if not any(counted.flop for counted in found):
        fail(NO_CONTRACTIONS, subject.span, f"{subject.text} has no contractions")
    if phase != "train":
        return tuple(found)
    return (*found, *_rules(session, subject, binding, tokens, found[0]))


def _rules(
    session: Session, subject: Subject, binding: Binding, tokens: Fraction, first: Counted
) -> tuple[Counted, ...]:
    """So many FLOP per parameter and token, and per parameter that a token meets where that are fewer (rows of a table that
    is looked up, experts not chosen); at the mean rate of the first way.
    """
    sizes = (quantity(session, name, subject, convention=ALL_WORK).size for name in ("params", "active_params"))
    every, active = (binding.value(size) for size in sizes)
    each = flop_per_parameter("train")
    rules = {f"{each} per parameter": every}
    if active != every:
        rules[f"{each} per active parameter"] = active
    counted = ((name, each * parameters * tokens) for name, parameters in rules.items())
    return tuple(Counted(name, flop, flop * first.at_peak / first.flop) for name, flop in counted)


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


def utilisation_table(rows: Sequence[Row], title: str, notes: Iterable[str], *, measured: bool) -> Table:
    """FLOP per token, rate and utilisation by convention; days, hours and money where a run is planned."""
    planned = any(row.plan is not None for row in rows)
    priced = any(row.plan is not None and row.plan.cost is not None for row in rows)
    various = len({row.step.devices for row in rows}) > 1
    columns = ["counted as", ">FLOP per token", ">FLOP/s each", ">utilisation", ">step", ">tokens/s"]
    columns += [">devices"] if various else []
    columns += [">days", ">device-hours"] if planned else []
    columns += [">cost", ">per million tokens"] if priced else []
    body = [_cells(row, various=various, planned=planned, priced=priced) for row in rows]
    footer = "a measured rate" if measured else "at the rate expected"
    return make_table(
        title,
        columns,
        body,
        notes=notes,
        footer=f"{footer}; utilisation (MFU; of the row `hardware`, HFU) of contractions at their dense peaks",
    )


def step_notes(rows: Sequence[Row]) -> tuple[str, ...]:
    """How many tokens a step has, and for each device where there are several."""
    step = rows[0].step
    whole = f"{significant(step.tokens)} tokens a step"
    if len({row.step.devices for row in rows}) > 1:
        return (whole,)
    return (whole if step.devices == 1 else f"{whole}, {significant(step.tokens / step.devices)} for each device",)


def _cells(row: Row, *, various: bool, planned: bool, priced: bool) -> tuple[str, ...]:
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
    if various:
        cells.append(significant(row.step.devices))
    if planned:
        cells += [significant(plan.days), significant(plan.device_hours)] if plan else ["", ""]
    if priced:
        cells += [money(plan.cost), money(plan.cost_per_million)] if plan else ["", ""]
    return tuple(cells)


def kernel_table(measured: Sequence[Measured], title: str) -> Table:
    """What measured kernels reached, and of which roof they are how near."""
    rows = [
        (
            m.kernel.kernel,
            significant(m.kernel.count),
            format_seconds(m.seconds / m.kernel.count),
            format_rate(m.work_rate, FLOP),
            format_rate(m.traffic_rate, BYTE),
            percent(m.shares.get(m.nearest, Fraction(0))),
            m.nearest,
            verdict(m),
        )
        for m in measured
    ]
    columns = ("kernel", ">×", ">measured", ">reached", ">moved", ">of its roof", "roof", Column("verdict", wide=True))
    return make_table(
        title, columns, rows, footer="times of one execution; shares of dense peaks and of the bandwidth stated"
    )


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
    count = measured.kernel.count
    ideal = format_seconds(measured.kernel.roofs[name] / count)
    text = f"{measured.kernel.kernel} would run at {percent(measured.shares[name])} of the {name} roof"
    helps = ("`roofdsl explain-error E0640` lists the usual causes",)
    fail(
        IMPOSSIBLE,
        span,
        text,
        expected=f"at least {ideal}",
        found=format_seconds(measured.seconds / count),
        helps=helps,
    )


def percent(share: Fraction) -> str:
    """To three digits."""
    return f"{significant(100 * share, 3)} %"


def money(amount: Fraction | None) -> str:
    """Dollars."""
    return "" if amount is None else f"${significant(amount)}"


def row_document(row: Row) -> dict[str, Any]:
    """A row as data, every figure with its unit."""
    plan, step = row.plan, row.step
    return {
        "counted": row.counted.name,
        "hardware": row.hardware,
        "flop": figure(row.counted.flop, FLOP),
        "flop_per_token": figure(row.counted.flop / step.tokens, FLOP / TOKEN),
        "utilisation": figure(row.utilisation, PURE),
        "achieved": figure(step.achieved(row.counted), FLOP / SECOND),
        "step": figure(step.seconds, SECOND),
        "tokens": figure(step.tokens, TOKEN),
        "devices": figure(step.devices, PURE),
        "tokens_per_second": figure(step.rate, TOKEN / SECOND),
        "plan": None if plan is None else _plan_document(plan, step),
    }


def _plan_document(plan: Plan, step: Step) -> dict[str, Any]:
    cost, each = plan.cost, plan.cost_per_million
    return {
        "tokens": figure(plan.tokens, TOKEN),
        "steps": figure(plan.tokens / step.tokens, PURE),
        "days": figure(plan.days, "day"),
        "device_hours": figure(plan.device_hours, "hour"),
        "cost": None if cost is None else figure(cost, DOLLAR),
        "cost_per_million_tokens": None if each is None else figure(each, DOLLAR),
    }


def measured_document(measured: Measured) -> dict[str, Any]:
    """A measured kernel as data, every figure with its unit; work, traffic and times are those of one execution."""
    count = measured.kernel.count
    return {
        "kernel": measured.kernel.kernel,
        "count": figure(count, PURE),
        "seconds": figure(measured.seconds / count, SECOND),
        "work": figure(measured.kernel.total_work / count, FLOP),
        "traffic": figure(measured.kernel.traffic / count, BYTE),
        "work_rate": figure(measured.work_rate, FLOP / SECOND),
        "traffic_rate": figure(measured.traffic_rate, BYTE / SECOND),
        "ideal": figure(max(measured.kernel.roofs.values(), default=Fraction(0)) / count, SECOND),
        "shares": {name: figure(share, PURE) for name, share in measured.shares.items()},
        "roof": measured.nearest,
        "verdict": verdict(measured),
    }
