"""Putting arguments into the definition of a user's quantity: `quantity per_token(x) = flops(x)/(s b)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from roofdsl.syntax import ast


def substitute(expr: ast.Expr, arguments: Mapping[str, ast.Expr]) -> ast.Expr:
    """The expression with names replaced by the arguments of that name; `x.S` becomes the argument's `S`."""
    match expr:
        case ast.Number() | ast.Access():
            return expr
        case ast.Name(text):
            return arguments.get(text, expr)
        case ast.Path(parts, braces, _):
            return _path(expr, parts, braces, arguments)
        case ast.Negate(operand):
            return replace(expr, operand=substitute(operand, arguments))
        case ast.Binary(_, left, right):
            return replace(expr, left=substitute(left, arguments), right=substitute(right, arguments))
        case ast.Juxtaposed(factors):
            return replace(expr, factors=tuple(substitute(f, arguments) for f in factors))
        case ast.Call(_, given):
            return replace(expr, arguments=tuple(substitute(a, arguments) for a in given))
        case ast.Measured(value) | ast.Per(value) | ast.Quoted(_, value):
            return replace(expr, value=substitute(value, arguments))
        case _:
            assert_never(expr)


def _path(
    expr: ast.Path, parts: tuple[str, ...], braces: ast.Braces | None, arguments: Mapping[str, ast.Expr]
) -> ast.Expr:
    match arguments.get(parts[0]):
        case ast.Name(text):
            return replace(expr, parts=(text, *parts[1:]))
        case ast.Path(inner, inner_braces):
            return replace(expr, parts=(*inner, *parts[1:]), braces=joined(inner_braces, braces))
        case _:
            return expr


def joined(inner: ast.Braces | None, outer: ast.Braces | None) -> ast.Braces | None:
    """Braces written one after the other: `gpt{…}{…}`; of two bindings of one name the outer one counts, and what inner ones
    are bound to follows it: with `square = gemm{M = n}`, M is 8 in `square{n = 8}`.
    """
    if inner is None or outer is None:
        return inner or outer
    rebound = {item.name: item.value for item in outer.items if isinstance(item, ast.Binding)}
    kept = tuple(
        _following(item, rebound)
        for item in inner.items
        if not (isinstance(item, ast.Binding) and item.name in rebound)
    )
    return ast.Braces((*kept, *outer.items), outer.span)


def _following(item: ast.Binding | ast.Placement, rebound: Mapping[str, ast.Expr]) -> ast.Binding | ast.Placement:
    return replace(item, value=substitute(item.value, rebound)) if isinstance(item, ast.Binding) else item
