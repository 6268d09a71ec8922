"""The sizes a statement speaks about: integer symbols from a minimum up, what must be whole, side conditions.

Bounds by numbers (`s >= 128`) are read off the conditions and become minima and maxima; the rest is checked point by
point, and used as assumptions in proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Literal, assert_never

from roofdsl.algebra.enclosure import surely_sign
from roofdsl.algebra.evaluation import Value, compiled, is_rational
from roofdsl.algebra.finite import tightened
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known, is_integral, sign
from roofdsl.diagnostics import RoofError
from roofdsl.ir.size import Size

Relation = Literal["<", "<=", "=", ">=", ">"]


@dataclass(frozen=True, slots=True)
class Condition:
    """`left relation right`, between forms."""

    left: Normal
    relation: Relation
    right: Normal


@dataclass(frozen=True, slots=True)
class Domain:
    """`order` is the order of declaration, in which witnesses are compared. `whole` forms must be integers."""

    order: tuple[str, ...] = ()
    minimum: Mapping[str, int] = field(default_factory=dict)
    maximum: Mapping[str, int] = field(default_factory=dict)
    whole: tuple[Normal, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def least(self, name: str) -> int:
        return self.minimum.get(name, 1)

    @property
    def known(self) -> Known:
        """What proofs may assume: minima, and the conditions as forms that are not negative."""
        assumed: list[Normal] = []
        for condition in self.conditions:
            assumed += _nonnegative_forms(condition)
        assumed += [number(most) - symbol_form for most, symbol_form in self._maxima()]
        return Known(self.minimum, tuple(assumed))

    def _maxima(self) -> list[tuple[int, Normal]]:
        return [(most, symbol(name)) for name, most in self.maximum.items()]

    @property
    def contradicts_itself(self) -> bool:
        """Whether some condition is plainly impossible beside the others."""
        if any(self.least(name) > most for name, most in self.maximum.items()):
            return True
        assumed = self.known.nonnegative
        return any(
            sign(form, Known(self.minimum, assumed[:i] + assumed[i + 1 :])) == "-" for i, form in enumerate(assumed)
        )

    def admits(self, point: Mapping[str, int]) -> bool:
        """Whether every size and condition is fulfilled at a point that binds all symbols concerned."""
        return self.test()(point)

    def test(self) -> Callable[[Mapping[str, int]], bool]:
        """`admits` for many points. Where a side is irrational and the comparison cannot be told, not."""
        whole = [compiled(form) for form in self.whole]
        sides = [(compiled(c.left), compiled(c.right), c) for c in self.conditions]

        def within(name: str, value: int) -> bool:
            return self.least(name) <= value <= self.maximum.get(name, value)

        def fulfilled(left: Value, right: Value, condition: Condition, point: Mapping[str, int]) -> bool:
            if isinstance(left, Fraction) and isinstance(right, Fraction):
                return related(left, condition.relation, right)
            side = surely_sign(condition.left - condition.right, point)
            return side is not None and related(Fraction(side), condition.relation, Fraction(0))

        def admitted(point: Mapping[str, int]) -> bool:
            try:
                return (
                    all(within(name, value) for name, value in point.items())
                    and all(_is_whole(value(point)) for value in whole)
                    and all(fulfilled(left(point), right(point), c, point) for left, right, c in sides)
                )
            except RoofError:  # a side is not defined there
                return False

        return admitted

    @property
    def is_rational(self) -> bool:
        """Whether no constraint has a value that is rounded, so that every point is told to be admissible or not."""
        forms = (*self.whole, *(side for c in self.conditions for side in (c.left, c.right)))
        return all(is_rational(form) for form in forms)


def domain_of(
    scope: Scope,
    whole: Iterable[Normal] = (),
    conditions: Iterable[Condition] = (),
    maximum: Mapping[str, int] | None = None,
) -> Domain:
    """The domain of a scope's symbols, bounds by numbers taken out of the conditions."""
    lower, upper = dict(scope.minimum), dict(maximum or {})
    kept: list[Condition] = []
    for condition in conditions:
        bound = _bound(condition)
        if bound is None:
            kept.append(condition)
            continue
        name, least, most = bound
        if least is not None:
            lower[name] = max(least, lower.get(name, 1))
        if most is not None:
            upper[name] = min(most, upper.get(name, most))
    lower, upper = tightened((form for condition in kept for form in _nonnegative_forms(condition)), lower, upper)
    forms = tuple(dict.fromkeys(form for form in whole if not is_integral(form)))
    return Domain(scope.order, lower, upper, forms, tuple(kept))


def whole_lets(scope: Scope, names: Iterable[str]) -> tuple[Normal, ...]:
    """Forms of these lets that are not integers by themselves (`d = h/a`): where they are extents they must be whole."""
    found: list[Normal] = []
    for name in names:
        size: Size | None = scope.definition(name)
        if size is not None:
            form = normal(size, scope)
            found += [] if is_integral(form) else [form]
    return tuple(found)


def _is_whole(value: Value) -> bool:
    return isinstance(value, Fraction) and value.denominator == 1


def related(left: Value, relation: Relation, right: Value) -> bool:
    """Whether two values stand in a relation."""
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
        case _:
            assert_never(relation)


def _bound(condition: Condition) -> tuple[str, int | None, int | None] | None:
    """Symbol, least and greatest value, of a condition that compares one symbol with a number."""
    difference = condition.left - condition.right
    if not difference.is_polynomial or len(difference.symbols) != 1 or difference.atoms:
        return None
    (name,) = difference.symbols
    if difference.degree(name) != 1 or len(difference.numer) > 2:
        return None
    slope, offset = difference.numer.LC, difference.numer.coeff(1)
    limit = -Fraction(int(offset.numerator), int(offset.denominator)) / Fraction(
        int(slope.numerator), int(slope.denominator)
    )
    relation = condition.relation if slope > 0 else _mirrored(condition.relation)
    match relation:
        case "<":
            return name, None, ceil(limit) - 1
        case "<=":
            return name, None, floor(limit)
        case ">=":
            return name, ceil(limit), None
        case ">":
            return name, floor(limit) + 1, None
        case "=":
            return (name, int(limit), int(limit)) if limit.denominator == 1 else None
        case _:
            assert_never(relation)


def _mirrored(relation: Relation) -> Relation:
    turned: Mapping[Relation, Relation] = {"<": ">", "<=": ">=", "=": "=", ">=": "<=", ">": "<"}
    return turned[relation]


def _nonnegative_forms(condition: Condition) -> list[Normal]:
    """The condition as forms that are not negative; between integers `<` leaves a distance of 1."""
    difference = condition.right - condition.left
    step = number(1 if is_integral(difference) else 0)
    match condition.relation:
        case "<":
            return [difference - step]
        case "<=":
            return [difference]
        case "=":
            return [difference, -difference]
        case ">=":
            return [-difference]
        case ">":
            return [-difference - step]
        case _:
            assert_never(condition.relation)
