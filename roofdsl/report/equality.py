"""Where two quantities are equal, in one size: the closed form, its domain, and the number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from roofdsl.algebra.evaluation import Value, compiled
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.signs import Known
from roofdsl.algebra.solve import Solution, holds, solutions_by_case
from roofdsl.diagnostics import fail
from roofdsl.errors.performance import NO_CROSSOVER
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.crossover import turns
from roofdsl.quantities.amounts import common_dimension
from roofdsl.quantities.ask import Context
from roofdsl.quantities.conventions import ALL_WORK
from roofdsl.quantities.session import Session
from roofdsl.report.crossover import Setting, setting_of, solution_text, value_text, wrapped
from roofdsl.report.derived import ask, causal_of
from roofdsl.source import Span, word
from roofdsl.units.dimension import PURE, Dimension
from roofdsl.units.display import unit_symbol

_SIDES = {-1: "below", 0: "equal", 1: "above"}


@dataclass(frozen=True, slots=True)
class Equality:
    """`found` None: no closed form. `values` are the numbers and `turns` the first integers from which on the left side
    stands otherwise to the right one (−1: below), the least size among them, if every other size has a value. `dimension`
    is that of both sides.
    """

    left: str
    right: str
    setting: Setting
    found: tuple[Solution, ...] | None
    values: tuple[Value, ...] | None
    turns: tuple[tuple[int, int], ...] | None = None
    free: frozenset[str] = frozenset()
    dimension: Dimension | None = None


def equality(
    session: Session,
    left: str,
    right: str,
    size: Span,
    context: Context,
    bind: Callable[[Iterable[str]], Binding],
) -> Equality:
    """Solves left = right for the size that stands at a place. E0822 if it is none, E0642 if neither side depends on it."""
    asker, one = ask(session, left, context)
    other_asker, other = ask(session, right, context)
    spans = [word(text, "Q = Q") for text in (left, right)]
    dimension = common_dimension(((one, spans[0]), (other, spans[1])))
    own = tuple(dict.fromkeys((*asker.own, *other_asker.own)))
    setting = setting_of(session, own, size, bind(own), replace(ALL_WORK, causal=causal_of(asker)))
    name = setting.name
    difference = normal(one.size, setting.scope) - normal(other.size, setting.scope)
    if name not in difference.symbols:
        sizes = [other for other in setting.style.order if other in difference.symbols]
        helps = (f"it depends on {', '.join(sizes)}",) if sizes else ()
        fail(NO_CROSSOVER, spans[0], f"the difference does not depend on {name}", helps=helps)
    bound = normal(one.size, setting.bound) - normal(other.size, setting.bound)
    found = solutions_by_case(difference, name, setting.known)
    changing = None if bound.symbols - {name} else turns(bound, name, setting.scope.least(name))
    return Equality(left, right, setting, found, _values(bound, name), changing, bound.symbols - {name}, dimension)


def _values(bound: Normal, name: str) -> tuple[Value, ...] | None:
    if bound.symbols - {name}:
        return None
    found = solutions_by_case(bound, name, Known())
    return None if found is None else tuple(sorted(compiled(s.value)({}) for s in found if holds(s, name)))


def equality_lines(found: Equality) -> list[str]:
    """For people."""
    lines = [f"{found.left} = {found.right}"]
    name = found.setting.name
    if found.found is None:
        lines.append("    no closed form" if found.turns is not None else _unbound_text(found))
    elif not found.found and found.turns is None:
        lines.append(f"    never, for {name} ≥ {found.setting.scope.least(name)}")
    for solution in found.found or ():
        lines += wrapped(f"{name} = {solution_text(solution, found.setting)}", "    ")
    lines += [f"    {name} = {value_text(value)}" for value in found.values or ()]
    return [*lines, *(line for text in _turn_texts(found) for line in wrapped(text, "    "))]


def _turn_texts(found: Equality) -> list[str]:
    """How the sides stand at all integers: `Q1 is below up to s = 14, above from 15 on`."""
    if found.turns is None:
        return []
    name, least = found.setting.name, found.setting.scope.least(found.setting.name)
    (_, side), *others = found.turns
    if not others:
        return [f"{found.left} is {_SIDES[side]} for every {name} ≥ {least}"]
    texts = [f"{_SIDES[side]} up to {name} = {others[0][0] - 1:,}"]
    for (first, side), (after, _) in pairwise(others):
        where = f"at {first:,}" if after - first == 1 else f"from {first:,} to {after - 1:,}"
        texts.append(f"{_SIDES[side]} {where}")
    first, side = others[-1]
    return [f"{found.left} is {', '.join(texts)}, {_SIDES[side]} from {first:,} on"]


def _unbound_text(found: Equality) -> str:
    free = ", ".join(n for n in found.setting.style.order if n in found.free)
    return f"    no closed form; bind {free} for a number"


def equality_document(found: Equality) -> dict[str, Any]:
    """As data."""
    return {
        "left": found.left,
        "right": found.right,
        "unit": unit_symbol(found.dimension or PURE),
        "formulas": None if found.found is None else [solution_text(s, found.setting) for s in found.found],
        "values": None if found.values is None else [float(Fraction(value)) for value in found.values],
        "turns": None
        if found.turns is None
        else [{"from": first, "left": _SIDES[side]} for first, side in found.turns],
    }
