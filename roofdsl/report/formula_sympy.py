"""Formulas as one line that SymPy parses back. Names SymPy or Python use themselves (E, I, S, lambda) are spelled out."""

from __future__ import annotations

import builtins
import keyword
from typing import assert_never

from roofdsl.report.formula_layout import Factor, FunctionFactor, GroupFactor, Layout, SymbolFactor, Term

_FUNCTIONS = {
    "O": "Function('O')",
    "min": "Min",
    "max": "Max",
    "ceil": "ceiling",
    "floor": "floor",
    "abs": "Abs",
    "log": "log",
    "exp": "exp",
}


def sympy_line(layout: Layout) -> str:
    """The formula in Python notation."""
    if not layout.terms:
        return "0"
    shown = ""
    for i, term in enumerate(layout.terms):
        sign = "-" if term.coefficient < 0 else "+"
        shown += (f" {sign} " if i else "-" if sign == "-" else "") + _term(term)
    return shown


def _term(term: Term) -> str:
    size = abs(term.coefficient)
    upper = _product(size.numerator, term.above)
    if size.denominator == 1 and not term.below:
        return upper
    lower = _product(size.denominator, term.below)
    single = len(term.below) == 1 and size.denominator == 1 and term.below[0].exponent == 1
    return f"{upper}/{lower}" if single or not term.below else f"{upper}/({lower})"


def _product(size: int, factors: tuple[Factor, ...]) -> str:
    shown = [_factor(factor) for factor in factors]
    return "*".join(shown if size == 1 and shown else (str(size), *shown))


def _factor(factor: Factor) -> str:
    match factor:
        case SymbolFactor(name, exponent):
            return _name(name) + _power(exponent)
        case GroupFactor(inside, exponent):
            return f"({sympy_line(inside)}){_power(exponent)}"
        case FunctionFactor():
            return _function(factor)
        case _:
            assert_never(factor)


def _function(factor: FunctionFactor) -> str:
    inside = ", ".join(sympy_line(argument) for argument in factor.arguments)
    if factor.function != "root":
        return f"{_FUNCTIONS[factor.function]}({inside}){_power(factor.exponent)}"
    if factor.index == 2:
        return f"sqrt({inside}){_power(factor.exponent)}"
    return f"({inside})**({factor.exponent}/{factor.index})"


def _name(name: str) -> str:
    import sympy

    taken = keyword.iskeyword(name) or hasattr(builtins, name) or hasattr(sympy, name)
    return f"Symbol('{name}')" if taken else name


def _power(exponent: int) -> str:
    return "" if exponent == 1 else f"**{exponent}"
