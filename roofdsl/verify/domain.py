"""The sizes a claim speaks about: every dim an integer at least 1 (or as declared), extents whole and positive, and what
`when` says (design §7). A point is admissible or not, exactly; `narrow` makes a domain from conditions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known
from roofdsl.evaluate.number import NoValueError, evaluate_size
from roofdsl.ir.size import ONE, Size, subtract, symbols_of
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Condition:
    """`left relation right`, of a `when` clause; `text` as written."""

    left: Size
    relation: ast.Relation
    right: Size
    text: str


@dataclass(frozen=True, slots=True)
class Domain:
    """`scope` holds minima and solved equations. `maximum` are upper bounds. `whole` must be integers, `positive` at
    least 1; `conditions` are those that are left to check; `texts` says all of it for people.
    """

    scope: Scope
    maximum: Mapping[str, int] = field(default_factory=dict)
    whole: tuple[Size, ...] = ()
    positive: tuple[Size, ...] = ()
    conditions: tuple[Condition, ...] = ()
    texts: tuple[str, ...] = ()

    def value(self, size: Size, values: Mapping[str, Fraction]) -> Fraction:
        """The value of a size; `NoValueError` if it has none."""
        return evaluate_size(size, values, self.scope.causal)

    def values(self, point: Mapping[str, int]) -> dict[str, Fraction]:
        """Values of all names at a point of the symbols: bindings and lets evaluated as far as they can be."""
        found = {name: Fraction(value) for name, value in point.items()}
        for name in definition_order(self.scope):
            size = self.scope.definition(name)
            if size is None or name in point:
                continue
            try:
                found[name] = self.value(size, found)
            except NoValueError:
                continue
        return found

    def admits(self, point: Mapping[str, int]) -> bool:
        """Whether a point is one of the sizes the claim speaks about."""
        values = self.values(point)
        try:
            return self._within_bounds(values) and all(self._holds(c, values) for c in self.conditions)
        except NoValueError:
            return False

    def _within_bounds(self, values: Mapping[str, Fraction]) -> bool:
        if not all(self._is_size(name, value) for name, value in values.items()):
            return False
        if any(self.value(size, values).denominator != 1 for size in self.whole):
            return False
        return all(self.value(size, values) >= 1 for size in self.positive)

    def _is_size(self, name: str, value: Fraction) -> bool:
        if name in self.scope.lets and name not in self.scope.free:
            return True  # what a let must be follows from the extents it stands in
        return value.denominator == 1 and self.scope.least(name) <= value <= self.maximum.get(name, value)

    def _holds(self, condition: Condition, values: Mapping[str, Fraction]) -> bool:
        left = self.value(condition.left, values)
        return related(left, condition.relation, self.value(condition.right, values))

    @property
    def linked(self) -> frozenset[str]:
        """Symbols that something beyond their own bounds speaks about."""
        bound = (size for name, size in self.scope.bindings.items() if name not in self.scope.lets)
        sides = (side for c in self.conditions for side in (c.left, c.right))
        forms = (normal(size, self.scope) for size in (*self.whole, *self.positive, *sides, *bound))
        return frozenset().union(*(form.symbols for form in forms))

    @property
    def known(self) -> Known:
        """What a proof may assume: minima, positive extents, and conditions."""
        least = (subtract(size, ONE) for size in self.positive)
        above = (subtract(c.left, c.right) for c in self.conditions if c.relation in (">", ">=", "="))
        below = (subtract(c.right, c.left) for c in self.conditions if c.relation in ("<", "<=", "="))
        assumed = tuple(normal(size, self.scope) for size in (*least, *above, *below))
        return Known(self.scope.minimum, assumed)


def definition_order(scope: Scope) -> tuple[str, ...]:
    """Names that stand for something, each after what it depends on; none if they go in a circle."""
    names = dict.fromkeys((*scope.bindings, *(name for name in scope.lets if name not in scope.free)))
    depends = {name: symbols_of(size) for name in names if (size := scope.definition(name)) is not None}
    try:
        return tuple(TopologicalSorter(depends).static_order())
    except CycleError:
        return ()


def related(left: Fraction, relation: ast.Relation, right: Fraction) -> bool:
    """Whether two numbers stand in a relation."""
    match relation:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case "=":
            return left == right
        case ">=":
            return left >= right
        case ">":
            return left > right
