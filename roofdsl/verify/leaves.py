"""The numbers and names of a formula's text, each with the formula that has another in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from roofdsl.source import Span
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number or name of the text, and the formula with another expression in its place."""

    node: ast.Number | ast.Name
    put: Callable[[ast.Expr], ast.Expr]
    raised: bool


def numeral(value: Fraction, span: Span) -> ast.Expr:
    """A number in the place of another."""
    return ast.Number(value, str(value), span)


def leaves(expr: ast.Expr, *, raised: bool = False) -> Iterator[Leaf]:
    """All numbers and names of a formula, in order."""
    match expr:
        case ast.Number() | ast.Name():
            yield Leaf(expr, lambda new: new, raised)
        case ast.Negate(inner):
            yield from _within(inner, lambda new: replace(expr, operand=new), raised)
        case ast.Binary(operator, left, right):
            yield from _within(left, lambda new: replace(expr, left=new), raised)
            yield from _within(right, lambda new: replace(expr, right=new), raised or operator == "^")
        case ast.Juxtaposed(parts):
            for i, part in enumerate(parts):
                yield from _within(part, partial(_with_factor, expr, i), raised)
        case ast.Call(_, arguments):
            for i, part in enumerate(arguments):
                yield from _within(part, partial(_with_argument, expr, i), raised)
        case ast.Quoted(_, inner) | ast.Measured(inner) | ast.Per(inner):
            yield from _within(inner, lambda new: replace(expr, value=new), raised)
        case _:
            return


def _within(expr: ast.Expr, build: Callable[[ast.Expr], ast.Expr], raised: bool) -> Iterator[Leaf]:
    for leaf in leaves(expr, raised=raised):
        yield Leaf(leaf.node, partial(_nested, build, leaf.put), leaf.raised)


def _nested(outer: Callable[[ast.Expr], ast.Expr], inner: Callable[[ast.Expr], ast.Expr], new: ast.Expr) -> ast.Expr:
    return outer(inner(new))


def _with_factor(whole: ast.Juxtaposed, i: int, new: ast.Expr) -> ast.Expr:
    return replace(whole, factors=_put(whole.factors, i, new))


def _with_argument(whole: ast.Call, i: int, new: ast.Expr) -> ast.Expr:
    return replace(whole, arguments=_put(whole.arguments, i, new))


def _put(parts: tuple[ast.Expr, ...], i: int, new: ast.Expr) -> tuple[ast.Expr, ...]:
    return (*parts[:i], new, *parts[i + 1 :])
