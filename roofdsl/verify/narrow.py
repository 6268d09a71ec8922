"""From conditions to a domain: bounds become minima and maxima, equations that can be solved become bindings.

Both help a proof; what is neither is kept and checked point by point. Conditions that no size can fulfil are an error,
since a claim about nothing would always hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor

from roofdsl.algebra.form import Normal, number, replace_generators
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known, is_integral, sign
from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.ir.graph import Graph
from roofdsl.ir.show import show_size
from roofdsl.ir.size import ONE, Const, Size, Symbol, subtract
from roofdsl.source import Span
from roofdsl.verify.domain import Condition, Domain, related
from roofdsl.verify.sizes import size_of_form


@dataclass(slots=True)
class _Draft:
    """A domain being narrowed."""

    scope: Scope
    maximum: dict[str, int] = field(default_factory=dict)
    conditions: list[Condition] = field(default_factory=list)

    def bind(self, name: str, size: Size) -> None:
        self.scope = replace(self.scope, bindings={**self.scope.bindings, name: size})

    def at_least(self, name: str, value: int) -> None:
        least = max(self.scope.least(name), value)
        self.scope = replace(self.scope, minimum={**self.scope.minimum, name: least})


def make_domain(scope: Scope, conditions: tuple[Condition, ...], graphs: Iterable[Graph], span: Span) -> Domain:
    """The domain of a claim. Raises E0708 if nothing is admissible."""
    draft = _Draft(scope)
    for condition in conditions:
        _narrow(condition, draft, span)
    for name, most in draft.maximum.items():
        if most < draft.scope.least(name):
            fail(errors.EMPTY_DOMAIN, span, f"{name} is at least {draft.scope.least(name)} and at most {most}")
    whole, positive = _extents(graphs, draft.scope)
    texts = (*(c.text for c in conditions), *(f"{show_size(size)} whole" for size in whole))
    return Domain(draft.scope, draft.maximum, whole, positive, tuple(draft.conditions), texts)


def _narrow(condition: Condition, draft: _Draft, span: Span) -> None:
    difference = normal(subtract(condition.left, condition.right), draft.scope)
    value = difference.constant
    if value is not None:
        if not related(value, condition.relation, Fraction(0)):
            fail(errors.EMPTY_DOMAIN, span, f"`{condition.text}` never holds here")
        return
    if condition.relation == "=" and _solve(condition, difference, draft):
        return
    if _bound(condition, difference, draft):
        return
    _check_possible(condition, difference, draft, span)
    draft.conditions.append(condition)


def _check_possible(condition: Condition, difference: Normal, draft: _Draft, span: Span) -> None:
    """A relation that the sign of its difference rules out for all sizes."""
    excluded = {"<": ("+", "0+", "0"), "<=": ("+",), "=": ("+", "-"), ">=": ("-",), ">": ("-", "0-", "0")}
    if sign(difference, Known(draft.scope.minimum)) in excluded[condition.relation]:
        fail(errors.EMPTY_DOMAIN, span, f"`{condition.text}` never holds here")


def _solve(condition: Condition, difference: Normal, draft: _Draft) -> bool:
    """Binds a dim that the equation gives as a formula; the side that is a bare name is preferred."""
    written = [side.name for side in (condition.left, condition.right) if isinstance(side, Symbol)]
    names = [name for name in (*written, *draft.scope.symbols) if name in difference.generators]
    if not difference.is_polynomial or difference.atoms.keys() & set(difference.generators):
        difference = Normal(difference.numer, difference.ring.one, difference.atoms)
    for name in dict.fromkeys(names):
        slope, rest = _linear(difference, name)
        if slope is None or slope == 0:
            continue
        solution = rest / number(-slope)
        size = size_of_form(solution)
        if size is not None and is_integral(solution):
            draft.bind(name, size)
            return True
    return False


def _bound(condition: Condition, difference: Normal, draft: _Draft) -> bool:
    """`s >= 128` and the like: one symbol, compared with a number."""
    if len(difference.generators) != 1 or difference.generators[0] in difference.atoms:
        return False
    name = difference.generators[0]
    slope, rest = _linear(difference, name)
    offset = rest.constant
    if slope is None or slope == 0 or offset is None or condition.relation == "=":
        return False
    edge = -offset / slope
    rising = (condition.relation in (">", ">=")) == (slope > 0)
    strict = condition.relation in ("<", ">")
    if rising:
        draft.at_least(name, floor(edge) + 1 if strict else ceil(edge))
    else:
        most = ceil(edge) - 1 if strict else floor(edge)
        draft.maximum[name] = min(draft.maximum.get(name, most), most)
    return True


def _linear(form: Normal, name: str) -> tuple[Fraction | None, Normal]:
    """The constant slope of a form in a symbol (None if it is not linear with one) and what is left at zero."""
    rest = replace_generators(form, lambda _: number(0), (name,))
    step = replace_generators(form, lambda _: number(1), (name,)) - rest
    linear = form.degree(name) == 1 and name not in step.symbols and form.is_polynomial
    return (step.constant if linear else None), rest


def _extents(graphs: Iterable[Graph], scope: Scope) -> tuple[tuple[Size, ...], tuple[Size, ...]]:
    """Extents and repeat counts that are not whole, or not positive, for every choice of the symbols."""
    whole: dict[str, Size] = {}
    positive: dict[str, Size] = {}
    for size in dict.fromkeys(s for graph in graphs for s in _sizes_of(graph)):
        if isinstance(size, Const):
            continue
        form = normal(size, scope)
        if not is_integral(form):
            whole.setdefault(form.key, size)
        if sign(form - 1, Known(scope.minimum)) not in ("+", "0+", "0") and not _may_be_zero(form, scope):
            positive.setdefault(form.key, size)
    return tuple(whole.values()), tuple(positive.values())


def _may_be_zero(form: Normal, scope: Scope) -> bool:
    """Extents of dims declared `>= 0` may be empty."""
    return any(scope.least(name) < ONE.value for name in form.symbols)


def _sizes_of(graph: Graph) -> Iterable[Size]:
    for tensor in graph.tensors.values():
        yield from (axis.extent for axis in tensor.axes)
        yield from (loop.count for loop in tensor.loops)
