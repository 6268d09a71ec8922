"""From the conditions of a claim to the sizes it speaks about.

Every dim is an integer of at least 1 (or as declared), extents are whole and positive, and `when` holds (design §7).
Equations that can be solved for a dim become bindings, which helps a proof; what no size can fulfil is an error, since
a claim about nothing would always hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from roofdsl.algebra.domain import Condition as FormCondition
from roofdsl.algebra.domain import Domain, domain_of, related
from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.measured import solution
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known, is_integral, nonnegative, sign
from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.ir.graph import Graph
from roofdsl.ir.show import show_size
from roofdsl.ir.size import Const, Size, Symbol, subtract, symbols_of
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.verify.sizes import size_of_form


@dataclass(frozen=True, slots=True)
class Condition:
    """`left relation right`, of a `when` clause; `text` as written."""

    left: Size
    relation: ast.Relation
    right: Size
    text: str


@dataclass(slots=True)
class _Draft:
    """A domain being narrowed: what names stand for, and what is left to check once all equations are solved."""

    scope: Scope
    conditions: list[Condition] = field(default_factory=list)

    def form(self, size: Size) -> Normal:
        return normal(size, self.scope)

    def bind(self, name: str, size: Size) -> None:
        least = self.scope.least(name)
        self.scope = replace(self.scope, bindings={**self.scope.bindings, name: size})
        self.conditions.append(Condition(size, ">=", Const(Fraction(least)), f"{name} >= {least}"))


def narrow(
    scope: Scope, conditions: tuple[Condition, ...], graphs: Iterable[Graph], span: Span
) -> tuple[Scope, Domain, tuple[str, ...]]:
    """Scope and domain of a claim, and what must be whole, for people. Raises E0708 if nothing is admissible."""
    draft = _Draft(scope)
    for condition in sorted(conditions, key=lambda c: c.relation != "="):  # what is bound changes what is left to check
        _narrow(condition, draft, span)
    whole, positive = _extents(graphs, draft.scope)
    least = [FormCondition(form, ">=", number(1)) for form in positive]
    kept = [made for c in draft.conditions if (made := _kept(c, draft, span)) is not None]
    domain = domain_of(draft.scope, (form for _, form in whole), (*kept, *least))
    _check_bounds(domain, span)
    texts = tuple(show_size(size) for size, form in whole if form in domain.whole)
    return replace(draft.scope, minimum=domain.minimum, assumed=domain.known.nonnegative), domain, texts


def _check_bounds(domain: Domain, span: Span) -> None:
    for name, most in domain.maximum.items():
        if most < domain.least(name):
            text = f"{name} is at least {domain.least(name)} and at most {most}"
            fail(errors.EMPTY_DOMAIN, span, text)
    for form in domain.whole:
        if form.constant is not None:
            fail(errors.EMPTY_DOMAIN, span, f"an extent would be {form.constant}, which is not whole")
    for condition in domain.conditions:
        difference = (condition.left - condition.right).constant
        if difference is not None and not related(difference, condition.relation, Fraction(0)):
            fail(errors.EMPTY_DOMAIN, span, f"an extent would be {condition.left.constant}", expected="at least 1")


def _narrow(condition: Condition, draft: _Draft, span: Span) -> None:
    """Solves an equation, or keeps the condition."""
    difference = draft.form(subtract(condition.left, condition.right))
    if _excluded(condition, difference, draft):
        fail(
            errors.EMPTY_DOMAIN, span, f"`{condition.text}` never holds here", helps=_rebinding(condition, draft.scope)
        )
    if condition.relation != "=" or difference.constant is not None or not _solve(condition, difference, draft):
        draft.conditions.append(condition)


def _rebinding(condition: Condition, scope: Scope) -> tuple[str, ...]:
    """`when` is a condition on what a let stands for; who means another let is told how to say so."""
    lets = (
        side.name for side in (condition.left, condition.right) if isinstance(side, Symbol) and side.name in scope.lets
    )
    return tuple(f"`{name}` is a let: `at {name} = …` binds it anew" for name in lets)


def _kept(condition: Condition, draft: _Draft, span: Span) -> FormCondition | None:
    """A condition between forms under the final scope; None if it always holds."""
    left, right = draft.form(condition.left), draft.form(condition.right)
    if _excluded(condition, left - right, draft):
        fail(errors.EMPTY_DOMAIN, span, f"`{condition.text}` never holds here")
    if (left - right).constant is not None:
        return None
    if condition.relation == ">=" and nonnegative(left - right, Known(draft.scope.minimum)):
        return None
    return FormCondition(left, condition.relation, right)


def _excluded(condition: Condition, difference: Normal, draft: _Draft) -> bool:
    """Whether the sign of the difference rules the relation out for all sizes."""
    excluded = {"<": ("+", "0+", "0"), "<=": ("+",), "=": ("+", "-"), ">=": ("-",), ">": ("-", "0-", "0")}
    return sign(difference, Known(draft.scope.minimum)) in excluded[condition.relation]


def _solve(condition: Condition, difference: Normal, draft: _Draft) -> bool:
    """Binds a dim that the equation gives as a formula; a side that is a bare name is preferred."""
    written = [side.name for side in (condition.left, condition.right) if isinstance(side, Symbol)]
    numerator = Normal(difference.numer, difference.ring.one, difference.atoms)
    for name in dict.fromkeys((*written, *draft.scope.symbols)):
        value = solution(numerator, name)
        size = None if value is None or not is_integral(value) else size_of_form(value)
        if size is not None:
            draft.bind(name, size)
            return True
    return False


def _extents(graphs: Iterable[Graph], scope: Scope) -> tuple[list[tuple[Size, Normal]], list[Normal]]:
    """Extents and repeat counts that are not whole, and those that are not positive, for every choice of the symbols."""
    whole: dict[str, tuple[Size, Normal]] = {}
    positive: dict[str, Normal] = {}
    known = Known(scope.minimum)
    asked = tuple(graphs)
    vacant = {name for graph in asked for name in graph.vacant}
    for size in dict.fromkeys(s for graph in asked for s in _sizes_of(graph)):
        if isinstance(size, Const):
            continue
        form = normal(size, scope)
        if not is_integral(form):
            whole.setdefault(form.key, (size, form))
        may_be_zero = not vacant.isdisjoint((*symbols_of(size), *form.symbols))
        if not may_be_zero and not nonnegative(form - 1, known):
            positive.setdefault(form.key, form)
    return list(whole.values()), list(positive.values())


def _sizes_of(graph: Graph) -> Iterable[Size]:
    for tensor in graph.tensors.values():
        yield from (axis.extent for axis in tensor.axes)
        yield from (loop.count for loop in tensor.loops)
