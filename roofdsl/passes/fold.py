"""Arithmetic of index-statement expressions with trivial folding only: 0·e, 1·e, 0+e, e^1, and constants.

Work is counted on these trees, so nothing here may reorder or factor; arithmetic between constants is free anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from roofdsl.ir.expr import Apply, Constant, Expr
from roofdsl.ir.size import ONE, ZERO, Const, Power, add, const, divide, negate, product, subtract
from roofdsl.syntax import ast

_OPERATORS: Mapping[str, ast.Operator] = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "^"}
NOTHING = Constant(ZERO)
UNIT = Constant(ONE)


def number(value: Fraction) -> Constant:
    return Constant(const(value))


def times(left: Expr, right: Expr) -> Expr:
    if NOTHING in (left, right):
        return NOTHING
    if left == UNIT:
        return right
    if right == UNIT:
        return left
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(product(left.value, right.value))
    return Apply("mul", (left, right))


def plus(left: Expr, right: Expr) -> Expr:
    if left == NOTHING:
        return right
    if right == NOTHING:
        return left
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(add(left.value, right.value))
    return Apply("add", (left, right))


def minus(left: Expr, right: Expr) -> Expr:
    if right == NOTHING:
        return left
    if left == NOTHING:
        return negated(right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(subtract(left.value, right.value))
    return Apply("sub", (left, right))


def negated(operand: Expr) -> Expr:
    return Constant(negate(operand.value)) if isinstance(operand, Constant) else Apply("neg", (operand,))


def over(left: Expr, right: Expr) -> Expr:
    if left == NOTHING:
        return NOTHING
    if right == UNIT:
        return left
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(divide(left.value, right.value))
    return Apply("div", (left, right))


def power(base: Expr, exponent: Expr) -> Expr:
    if exponent == NOTHING:
        return UNIT
    if exponent == UNIT:
        return base
    if isinstance(base, Constant) and isinstance(exponent, Constant) and isinstance(exponent.value, Const):
        return Constant(Power(base.value, exponent.value.value))
    return Apply("pow", (base, exponent))


def operate(operator: ast.Operator, left: Expr, right: Expr) -> Expr:
    """The expression `left operator right`, folded."""
    match operator:
        case "+":
            return plus(left, right)
        case "-":
            return minus(left, right)
        case "*":
            return times(left, right)
        case "/":
            return over(left, right)
        case "^":
            return power(left, right)


def apply(function: str, arguments: tuple[Expr, ...]) -> Expr:
    """A scalar function applied; what the signs + - * / ^ stand for is folded as they are."""
    if function in _OPERATORS and len(arguments) == 2:
        return operate(_OPERATORS[function], *arguments)
    return Apply(function, arguments)
