"""A formula given as a Python function: called with SymPy symbols by the names of its parameters, its result is read.

The result is walked node by node over the kinds listed here; nothing is evaluated, and any other kind is an error.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from roofdsl.diagnostics import fail
from roofdsl.errors.usage import NOT_A_FUNCTION
from roofdsl.passes.names import did_you_mean
from roofdsl.source import Span, word
from roofdsl.syntax import ast

if TYPE_CHECKING:
    from roofdsl.algebra.symbols import SymbolTable

CALLS = {"ceiling": "ceil", "floor": "floor", "Abs": "abs", "log": "log", "exp": "exp", "Max": "max", "Min": "min"}
"""SymPy's functions, and ours."""
_EXACT = "write `s/2` or `sympy.Rational(1, 2)*s`: numbers must be exact"


def call_with_symbols(function: Callable[..., Any], table: SymbolTable) -> tuple[str, Any]:
    """How the call is written, and its result. A parameter that is no symbol keeps its default (E0815 if it has none)."""
    name = getattr(function, "__name__", "function")
    shown = name if name.isidentifier() else "f"
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        fail(
            NOT_A_FUNCTION,
            _place(shown),
            "its parameters are not known",
            expected="a function such as `lambda s, b: …`",
        )
    given: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            fail(
                NOT_A_FUNCTION,
                _place(shown),
                f"`{parameter}` has no name to go by",
                expected="parameters named like sizes",
            )
        if parameter.name not in table.names:
            _check_default(parameter, table)
        elif parameter.kind == parameter.KEYWORD_ONLY:
            keywords[parameter.name] = table[parameter.name]
        else:
            given.append(table[parameter.name])
            continue
        if parameter.name not in keywords and parameter.kind == parameter.POSITIONAL_ONLY:
            given.append(parameter.default)
        elif parameter.name not in keywords:
            keywords[parameter.name] = parameter.default
    return f"{shown}({', '.join(map(str, given))})", _called(function, given, keywords)


def _called(function: Callable[..., Any], given: list[Any], keywords: dict[str, Any]) -> Any:
    """The result; what the user's own code raises is the user's to see."""
    return function(*given, **keywords)


def _check_default(parameter: inspect.Parameter, table: SymbolTable) -> None:
    if parameter.default is not parameter.empty:
        return
    helps = did_you_mean(parameter.name, table.names)
    expected = f"one of {', '.join(table.names)}"
    fail(
        NOT_A_FUNCTION, _place(parameter.name), "this parameter is no size of the model", expected=expected, helps=helps
    )


def formula_of(result: Any, table: SymbolTable) -> ast.Expr:
    """A result as a formula; E0815 for what is none: floats, other symbols, unknown functions, sums over an index."""
    from sympy import Basic

    if isinstance(result, bool) or not isinstance(result, (int, Fraction, Basic)):
        helps = (_EXACT,) if isinstance(result, float) else ()
        fail(NOT_A_FUNCTION, _place(repr(result)), "not a formula", expected="a SymPy expression", helps=helps)
    return _number(Fraction(result)) if isinstance(result, (int, Fraction)) else _formula(result, table)


def _formula(expr: Any, table: SymbolTable) -> ast.Expr:
    import sympy

    span = _place(str(expr))
    match expr:
        case sympy.Integer() | sympy.Rational():
            return _number(Fraction(int(expr.p), int(expr.q)))
        case sympy.Symbol():
            _check_symbol(expr, table)
            return ast.Name(expr.name, span)
        case sympy.Add():
            return _joined("+", [_formula(part, table) for part in expr.args], span)
        case sympy.Mul():
            return _joined("*", [_formula(part, table) for part in expr.args], span)
        case sympy.exp():
            return ast.Call("exp", (_formula(expr.args[0], table),), None, span)
        case sympy.Pow():
            base, exponent = expr.args
            if not isinstance(exponent, sympy.Rational):
                fail(NOT_A_FUNCTION, span, "an exponent must be a number", found=str(exponent))
            return ast.Binary("^", _formula(base, table), _number(Fraction(int(exponent.p), int(exponent.q))), span)
        case sympy.Max() | sympy.Min() | sympy.ceiling() | sympy.floor() | sympy.Abs() | sympy.log():
            return ast.Call(CALLS[type(expr).__name__], tuple(_formula(part, table) for part in expr.args), None, span)
        case _:
            helps = (_EXACT,) if isinstance(expr, sympy.Float) else ()
            expected = f"sums, products, powers, {', '.join(CALLS)} of the model's symbols"
            fail(
                NOT_A_FUNCTION, span, f"`{type(expr).__name__}` is no part of a formula", expected=expected, helps=helps
            )


def _check_symbol(symbol: Any, table: SymbolTable) -> None:
    if symbol.name in table.names and table[symbol.name] == symbol:
        return
    known = symbol.name in table.names
    text = "made elsewhere: it is not the symbol of the model" if known else "no size of the model"
    helps = ("take it as a parameter, or from `model.symbols`",) if known else ()
    fail(NOT_A_FUNCTION, _place(symbol.name), text, helps=helps)


def _joined(operator: ast.Operator, parts: list[ast.Expr], span: Span) -> ast.Expr:
    """A sum or product as a balanced tree, however many parts it has."""
    while len(parts) > 1:
        pairs: Iterable[list[ast.Expr]] = (parts[i : i + 2] for i in range(0, len(parts), 2))
        parts = [ast.Binary(operator, pair[0], pair[1], span) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def _number(value: Fraction) -> ast.Expr:
    number = ast.Number(abs(value), str(abs(value)), _place(str(value)))
    return ast.Negate(number, number.span) if value < 0 else number


def _place(text: str) -> Span:
    return word(text, "function")
