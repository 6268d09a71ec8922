"""Size formulas: syntax to `ir.size` trees, names looked up by the caller.

Serves lets, braces, repeat counts, tiles and guards. Names without a blank are split into known symbols by
`syntax/split`; what is not a size gives None, and the caller says what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Protocol, assert_never

from roofdsl.ir import size as sz
from roofdsl.ir.size import Size
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.split import split_name

Lookup = Callable[[str, Span], Size | None]


class Names(Protocol):
    """Names that can be asked for one by one, and listed."""

    def __contains__(self, name: object, /) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...


_MAX_EXPONENT = 64
_FUNCTIONS: dict[str, sz.FunctionName] = {
    "min": "min",
    "max": "max",
    "ceil": "ceil",
    "floor": "floor",
    "abs": "abs",
    "log": "log",
    "exp": "exp",
}


def size_of(expr: ast.Expr, lookup: Lookup, known: Iterable[str]) -> Size | None:
    """The size an expression stands for, or None where it is not one (or a name in it is unknown)."""
    match expr:
        case ast.Number(value):
            return sz.Const(value)
        case ast.Name(text):
            return _name(text, expr.span, lookup, known)
        case ast.Negate(operand):
            inner = size_of(operand, lookup, known)
            return None if inner is None else sz.negate(inner)
        case ast.Binary():
            return _binary(expr, lookup, known)
        case ast.Juxtaposed(factors):
            return _juxtaposed(factors, lookup, known)
        case ast.Call(function, arguments):
            return _call(expr, function, arguments, lookup, known)
        case ast.Quoted(_, value):
            return size_of(value, lookup, known)
        case ast.Access() | ast.Path() | ast.Measured() | ast.Per():
            return None
        case _:
            assert_never(expr)


def _name(text: str, span: Span, lookup: Lookup, known: Iterable[str]) -> Size | None:
    whole = lookup(text, span)
    if whole is not None:
        return whole
    readings = split_name(text, known)
    if len(readings) != 1:
        return None
    parts = [lookup(part, span) for part in readings[0]]
    found = [part for part in parts if part is not None]
    return sz.product(*found) if len(found) == len(parts) else None


def _juxtaposed(factors: tuple[ast.Expr, ...], lookup: Lookup, known: Iterable[str]) -> Size | None:
    parts = [size_of(factor, lookup, known) for factor in factors]
    found = [part for part in parts if part is not None]
    return sz.product(*found) if len(found) == len(parts) else None


def _power_of_last(base: ast.Name, exponent: Fraction, lookup: Lookup, known: Iterable[str]) -> Size | None:
    """`as²` is a·s²: a power belongs to the last symbol of its name."""
    whole = lookup(base.text, base.span)
    if whole is not None:
        return sz.Power(whole, exponent)
    readings = split_name(base.text, known)
    if len(readings) != 1:
        return None
    *front, last = readings[0]
    parts = [lookup(part, base.span) for part in (*front, last)]
    found = [part for part in parts if part is not None]
    if len(found) != len(parts):
        return None
    return sz.product(*found[:-1], sz.Power(found[-1], exponent))


def _binary(expr: ast.Binary, lookup: Lookup, known: Iterable[str]) -> Size | None:
    right = size_of(expr.right, lookup, known)
    if expr.operator == "^" and isinstance(expr.left, ast.Name) and isinstance(right, sz.Const):
        return None if abs(right.value) > _MAX_EXPONENT else _power_of_last(expr.left, right.value, lookup, known)
    left = size_of(expr.left, lookup, known)
    if left is None or right is None:
        return None
    match expr.operator:
        case "+":
            return sz.add(left, right)
        case "-":
            return sz.subtract(left, right)
        case "*":
            return sz.product(left, right)
        case "/":
            return None if right == sz.ZERO else sz.divide(left, right)
        case "^":
            if not isinstance(right, sz.Const) or abs(right.value) > _MAX_EXPONENT:
                return None
            return sz.Power(left, right.value)


def _call(
    expr: ast.Call, function: str, arguments: tuple[ast.Expr, ...], lookup: Lookup, known: Iterable[str]
) -> Size | None:
    parts = [size_of(argument, lookup, known) for argument in arguments]
    found = [part for part in parts if part is not None]
    if expr.braces is not None or len(found) != len(parts) or not found:
        return None
    if function == "size" and len(found) == 1:
        return found[0]
    if function == "sqrt" and len(found) == 1:
        return sz.Power(found[0], Fraction(1, 2))
    if function in _FUNCTIONS:
        return sz.Function(_FUNCTIONS[function], tuple(found))
    symbol = lookup(function, expr.span)  # `a(b + c)` is a product where a is a symbol
    return sz.product(symbol, *found) if symbol is not None and len(found) == 1 else None


def names_in(expr: ast.Expr, known: Names) -> tuple[str, ...]:
    """Every known name a size formula mentions, juxtaposed names split."""
    found: dict[str, None] = {}

    def lookup(name: str, _span: Span) -> Size | None:
        if name not in known:
            return None
        found[name] = None
        return sz.Symbol(name)

    size_of(expr, lookup, known)
    return tuple(found)
