"""Crossovers: per kernel the closed form of every boundary, its number, and what bounds on either side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from textwrap import wrap
from typing import Any

from roofdsl.algebra.asymptotic import Finite, limit
from roofdsl.algebra.evaluation import Value
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known, sign
from roofdsl.algebra.solve import Solution
from roofdsl.diagnostics import Sink, fail
from roofdsl.errors.performance import NEEDS_SIZE, NO_CROSSOVER
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.crossover import (
    RIDGE,
    Boundary,
    Change,
    Contest,
    amounts_of,
    bound_at,
    boundary,
    changes,
    seconds_of,
)
from roofdsl.evaluate.loads import by_kernel, in_order
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import PeakOf, Roof, find_peaks, launch_cost
from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.size import Function
from roofdsl.passes.names import did_you_mean, some
from roofdsl.quantities.conventions import ALL_WORK, Convention
from roofdsl.quantities.session import Session
from roofdsl.report.derived import scope_of, style_of
from roofdsl.report.figures import figure
from roofdsl.report.formula import formula
from roofdsl.report.formula_layout import Style
from roofdsl.report.piecewise import condition_text
from roofdsl.source import Span
from roofdsl.units.dimension import BYTE, FLOP
from roofdsl.units.display import significant

_WIDTH = 110


@dataclass(frozen=True, slots=True)
class Crossing:
    """What happens to some kernels that behave alike when one size grows: `first` bounds at the smallest size, then each
    change; `boundaries` in closed form; `changes` is None where other sizes, `free`, have no value.
    """

    kernels: tuple[str, ...]
    boundaries: tuple[Boundary, ...]
    first: Roof | None = None
    changes: tuple[Change, ...] | None = None
    free: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a crossover is asked under: `name` is the size that varies, `scope` has the lets only, `bound` also the
    values of all other sizes; `convention` says what a time assumes.
    """

    name: str
    scope: Scope
    bound: Scope
    style: Style
    convention: Convention = ALL_WORK

    @property
    def known(self) -> Known:
        return self.scope.known


def find_crossings(
    entries: Sheet, machine: Machine, setting: Setting, order: Mapping[str, int], at: Span
) -> tuple[Crossing, ...]:
    """The crossings of every kernel, those of one form together. E0642 if no time depends on the size."""
    sink = Sink()
    peaks = find_peaks(entries, machine, sink)
    launch = launch_cost(machine, setting.convention, sink)
    sink.stop_on_errors()
    each = launch if setting.convention.overhead == "launch" else Fraction(0)
    groups = in_order(by_kernel(entries), order)
    found = [_crossing(group, machine, peaks, each, setting) for group in groups]
    crossings = [crossing for crossing in found if crossing is not None]
    if not crossings:
        fail(NO_CROSSOVER, at, f"no time here depends on {setting.name}")
    return _merged(crossings)


def _crossing(
    group: tuple[Entry, ...], machine: Machine, peaks: PeakOf, launch: Fraction, setting: Setting
) -> Crossing | None:
    efficiencies = setting.convention.efficiencies
    amounts = amounts_of(group, machine, peaks, setting.scope, efficiencies)
    if not any(setting.name in amount.symbols for amount in amounts.values()):
        return None
    name, kernel = setting.name, (group[0].kernel,)
    numbers = seconds_of(amounts_of(group, machine, peaks, setting.bound, efficiencies))
    count = normal(Function("max", tuple(entry.multiplicity for entry in group)), setting.bound)
    contest = Contest(numbers, count * launch if launch else None, setting.convention.overlap == "full")
    free = frozenset().union(count.symbols, *(form.symbols for form in numbers.values())) - {name}
    if free:
        pairs = [p for p in combinations(amounts, 2) if (p[0].bound == "memory") != (p[1].bound == "memory")]
        made = tuple(boundary(pair, amounts, name, setting.known) for pair in pairs)
        return Crossing(kernel, made, free=tuple(sorted(free)))
    least = setting.scope.least(name)
    found = changes(contest, name, least)
    seen = dict.fromkeys(frozenset((change.before, change.after)) for change in found)
    pairs = [p for p in combinations(amounts, 2) if frozenset(p) in seen]
    made = tuple(boundary(pair, amounts, name, setting.known) for pair in pairs)
    return Crossing(kernel, made, bound_at(contest, name, least), found)


def _merged(crossings: list[Crossing]) -> tuple[Crossing, ...]:
    alike: dict[object, Crossing] = {}
    for crossing in crossings:
        key = (crossing.boundaries, crossing.first, crossing.changes)
        before = alike.get(key)
        kernels = crossing.kernels if before is None else (*before.kernels, *crossing.kernels)
        alike[key] = replace(crossing, kernels=kernels)
    return tuple(alike.values())


def crossing_lines(crossing: Crossing, setting: Setting) -> list[str]:
    """A crossing for people."""
    name = setting.name
    lines = wrapped(", ".join(crossing.kernels))
    for found in crossing.boundaries:
        lines += [line for text in boundary_lines(found, setting) for line in wrapped(text, "    ")]
    if crossing.changes is None:
        lines.append(f"    no number: {', '.join(crossing.free)} without a value")
    elif not crossing.changes:
        lines.append(f"    {bound_name(crossing.first)} bounds for every {name} ≥ {setting.scope.least(name)}")
    for change in crossing.changes or ():
        at = f"    {name} = {value_text(change.value)}: " if change.value is not None else f"    in {name}: "
        last, next_ = f"{change.last:,}", f"{change.last + 1:,}"
        lines.append(f"{at}{bound_name(change.before)} up to {last}, {bound_name(change.after)} from {next_} on")
    return lines


def wrapped(text: str, indent: str = "") -> list[str]:
    """Lines of at most 110 columns; what goes on is indented further."""
    return wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}    ",
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def boundary_lines(found: Boundary, setting: Setting) -> list[str]:
    """The closed form, the domain it needs, what I* is, and what it tends to."""
    left, right = (bound_name(roof) for roof in found.pair)
    if found.found is None:
        return [f"{left} = {right}: no closed form"]
    lines: list[str] = []
    for solution in found.found:
        lines.append(f"{setting.name} = {solution_text(solution, setting)}")
        lines += [f"    → {text}" for text in limit_texts(solution.value, setting)]
    if found.ridge is not None and lines:
        lines[0] += f"    [I* = {significant(found.ridge)} FLOP/B]"
    return lines


def solution_text(solution: Solution, setting: Setting) -> str:
    """`dI*/(d − 2I*)   if d − 2I* > 0`."""
    style = Style(
        (*setting.style.order, RIDGE), setting.style.written, setting.style.names | {RIDGE}, setting.style.reserved
    )
    needs = [f"{formula(form, style)} > 0" for form in solution.needs]
    if solution.where:
        needs.append(condition_text(solution.where, style))
    return quotient_text(solution.value, setting.known, style) + (f"    if {' and '.join(needs)}" if needs else "")


def quotient_text(value: Normal, known: Known, style: Style) -> str:
    """The formula, with signs turned so that what stands above the line is positive if that is known."""
    upper = Normal(value.numer, value.ring.one, value.atoms)
    if value.is_polynomial or sign(upper, known) not in ("-", "0-"):
        return formula(value, style)
    lower = -Normal(value.denom, value.ring.one, value.atoms)
    above, below = formula(-upper, style), formula(lower, style)
    above = f"({above})" if len(upper.numer) > 1 else above
    return f"{above}/({below})" if len(lower.numer) > 1 or len(below) > 1 else f"{above}/{below}"


def limit_texts(value: Normal, setting: Setting) -> list[str]:
    """What a boundary tends to while another size grows, where that is finite and not zero."""
    texts: list[str] = []
    style = Style((*setting.style.order, RIDGE), {}, setting.style.names | {RIDGE}, setting.style.reserved)
    for name in setting.style.order:
        if name not in value.symbols:
            continue
        found = limit(value, name, setting.scope)
        if isinstance(found, Finite) and not found.value.is_zero:
            texts.append(f"{formula(found.value, style)} for {name} → ∞")
    return texts


def value_text(value: Value) -> str:
    """To five digits; integers as they are."""
    return significant(Fraction(value), 5)


def bound_name(roof: Roof | None) -> str:
    """What a roof is called: the bound, and an inner memory level by name."""
    return "nothing" if roof is None else roof.bound if roof.bound != "memory" else f"memory ({roof.name})"


def crossing_document(crossing: Crossing, setting: Setting) -> dict[str, Any]:
    """A crossing as data."""
    return {
        "kernels": list(crossing.kernels),
        "boundaries": [_boundary_document(found, setting) for found in crossing.boundaries],
        "first": None if crossing.first is None else bound_name(crossing.first),
        "changes": None if crossing.changes is None else [_change_document(change) for change in crossing.changes],
    }


def _boundary_document(found: Boundary, setting: Setting) -> dict[str, Any]:
    return {
        "between": [bound_name(roof) for roof in found.pair],
        "formulas": None if found.found is None else [solution_text(s, setting) for s in found.found],
        "ridge": None if found.ridge is None else figure(found.ridge, FLOP / BYTE),
    }


def _change_document(change: Change) -> dict[str, Any]:
    return {
        "before": bound_name(change.before),
        "after": bound_name(change.after),
        "last": change.last,
        "value": None if change.value is None else float(change.value),
    }


def setting_of(
    session: Session, own: Iterable[str], size: Span, binding: Binding, convention: Convention = ALL_WORK
) -> Setting:
    """The setting of a crossover in the size that stands at a place (E0822 if it is none), of subjects with some names of
    their `own`: every size that has a value is put in, but for the one that varies (a let stands for itself then).
    """
    name, own = size.text, tuple(own)
    order = tuple(dict.fromkeys((*session.library.symbols, *own)))
    if name not in order:
        expected, helps = f"one of {some(order)}", did_you_mean(name, order)
        fail(NEEDS_SIZE, size, f"`{name}` is no size here", expected=expected, helps=helps)
    scope = replace(scope_of(session, order, convention.causal, own), free=frozenset((name,)))
    given = {other: form for other, form in binding.given.items() if other != name}
    return Setting(name, scope, replace(scope, bindings=given), style_of(session, order), convention)
