"""Builder functions of numerals and powers, with the bounds that keep their values small enough to compute with."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.driver import Build

SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number(build: Build, kids: list[Any], span: Span) -> ast.Number:
    return ast.Number(exact(build, kids[0].text, span), kids[0].text, span)


def exact(build: Build, text: str, span: Span) -> Fraction:
    """The value of a numeral, with its exponent checked before it is expanded."""
    _, _, exponent = text.partition("e")
    if exponent and abs(int(exponent)) > build.limits.decimal_exponent:
        what = f"the decimal exponent is {exponent}; at most {build.limits.decimal_exponent} is read"
        build.sink.add(errors.BAD_NUMERAL, span, what)
        return Fraction(1)
    return Fraction(text)


def whole(build: Build, token: Any, what: str) -> int:
    """The value of a numeral where only a whole number makes sense."""
    span = Span(build.source, token.start, token.end)
    value = exact(build, token.text, span)
    if value.denominator != 1:
        build.sink.add(errors.BAD_NUMERAL, span, f"{what} is a whole number", found=token.text)
    return int(value)


def power(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    base, exponent = kids
    _check_power(build, base, exponent, span)
    return ast.Binary("^", base, exponent, span)


def superscript(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    base, token = kids
    return power(build, [base, _superscript(build, token)], span)


def formula_power(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    """A power in a formula: of a bare name it belongs to its last symbol, of a bracketed one to the whole."""
    return power(build, [_whole_base(kids[0], span), kids[1]], span)


def formula_superscript(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    return superscript(build, [_whole_base(kids[0], span), kids[1]], span)


def _whole_base(base: ast.Expr, span: Span) -> ast.Expr:
    bracketed = isinstance(base, ast.Name) and base.span.start > span.start
    return ast.Juxtaposed((base,), base.span) if bracketed else base


def _superscript(build: Build, token: Any) -> ast.Expr:
    span = Span(build.source, token.start, token.end)
    digits = token.text.translate(SUPERSCRIPTS)
    value = ast.Number(exact(build, digits.lstrip("-"), span), digits.lstrip("-"), span)
    return ast.Negate(value, span) if digits.startswith("-") else value


def _check_power(build: Build, base: ast.Expr, exponent: ast.Expr, span: Span) -> None:
    size = constant(exponent)
    if size is None:
        return
    limits = build.limits
    value = constant(base)
    if value is None:
        if abs(size) > limits.power_exponent:
            text = f"the exponent is {_shown(size)}; at most {limits.power_exponent} is read"
            build.sink.add(errors.LARGE_POWER, span, text)
        return
    digits = min(float(abs(size)), 1e9) * _digits(value)
    if digits > limits.power_digits:
        text = f"a constant of more than {limits.power_digits} digits"
        build.sink.add(errors.LARGE_POWER, span, text)


def _digits(value: Fraction) -> float:
    larger = max(abs(value.numerator), value.denominator)
    return math.log10(larger) if larger > 1 else 0.0


def _shown(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 12 else f"a number of {len(text)} digits"


def constant(expr: ast.Expr) -> Fraction | None:
    """The value of an expression of numbers only, if its powers are within bounds."""
    match expr:
        case ast.Number(value):
            return value
        case ast.Negate(operand):
            inner = constant(operand)
            return None if inner is None else -inner
        case ast.Binary(operator, left, right):
            a, b = constant(left), constant(right)
            return None if a is None or b is None else _combine(operator, a, b)
        case _:
            return None


def _combine(operator: ast.Operator, a: Fraction, b: Fraction) -> Fraction | None:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b if b else None
        case "^":
            small = b.denominator == 1 and abs(b) * _digits(a) <= 400 and (a != 0 or b >= 0)
            return Fraction(a ** int(b)) if small else None
