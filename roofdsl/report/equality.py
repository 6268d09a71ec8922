"""Where two quantities are equal, in one size: the closed form, its domain, and the number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from roofdsl.algebra.evaluation import Value, compiled
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.signs import Known
from roofdsl.algebra.solve import Solution, solutions
from roofdsl.diagnostics import fail
from roofdsl.errors.performance import NO_CROSSOVER
from roofdsl.evaluate.bind import Binding
from roofdsl.quantities.amounts import common_dimension
from roofdsl.quantities.ask import Context
from roofdsl.quantities.session import Session
from roofdsl.report.crossover import Setting, limit_texts, setting_of, solution_text, value_text
from roofdsl.report.derived import ask, causal_of, style_of
from roofdsl.source import Source, Span


@dataclass(frozen=True, slots=True)
class Equality:
    """`found` None: no closed form. `values` are the numbers, if every other size has a value."""

    left: str
    right: str
    setting: Setting
    found: tuple[Solution, ...] | None
    values: tuple[Value, ...] | None


def equality(
    session: Session,
    left: str,
    right: str,
    name: str,
    context: Context,
    bind: Callable[[Iterable[str]], Binding],
) -> Equality:
    """Solves left = right for one size. E0642 if neither side depends on it."""
    asker, one = ask(session, left, context)
    other_asker, other = ask(session, right, context)
    spans = [Span(Source("Q = Q", text), 0, len(text)) for text in (left, right)]
    common_dimension(((one, spans[0]), (other, spans[1])))
    own = tuple(dict.fromkeys((*asker.own, *other_asker.own)))
    order = tuple(dict.fromkeys((*asker.order, *other_asker.order)))
    setting = setting_of(session, order, style_of(session, order), name, bind(own), causal_of(asker))
    difference = normal(one.size, setting.scope) - normal(other.size, setting.scope)
    if name not in difference.symbols:
        fail(NO_CROSSOVER, spans[0], f"the difference does not depend on {name}")
    bound = normal(one.size, setting.bound) - normal(other.size, setting.bound)
    return Equality(left, right, setting, solutions(difference, name, setting.known), _values(bound, name))


def _values(bound: Normal, name: str) -> tuple[Value, ...] | None:
    if bound.symbols - {name}:
        return None
    found = solutions(bound, name, Known())
    return None if found is None else tuple(sorted(compiled(solution.value)({}) for solution in found))


def equality_lines(found: Equality) -> list[str]:
    """For people."""
    lines = [f"{found.left} = {found.right}"]
    name = found.setting.name
    if found.found is None:
        lines.append("    no closed form")
    elif not found.found:
        lines.append(f"    never, for {name} ≥ {found.setting.scope.least(name)}")
    for solution in found.found or ():
        lines.append(f"    {name} = {solution_text(solution, found.setting)}")
        lines += [f"        → {text}" for text in limit_texts(solution.value, found.setting)]
    for value in found.values or ():
        lines.append(f"    {name} = {value_text(value)}")
    return lines


def equality_document(found: Equality) -> dict[str, Any]:
    """As data."""
    return {
        "left": found.left,
        "right": found.right,
        "formulas": None if found.found is None else [solution_text(s, found.setting) for s in found.found],
        "values": None if found.values is None else [float(Fraction(value)) for value in found.values],
    }
