"""Sizes as exact numbers by plain arithmetic, a guarded pair counted by trying all pairs: the oracle's own reading."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from roofdsl.ir import size as sz

Environment = Mapping[str, int]


def number(size: sz.Size, env: Environment, causal: str = "exact") -> Fraction:
    """The exact value of a size (`causal`: exact, or full, where a band's upper edge is ignored)."""
    match size:
        case sz.Const(value):
            return value
        case sz.Symbol(name):
            return Fraction(env[name])
        case sz.Sum(terms):
            return sum((number(term, env, causal) for term in terms), Fraction(0))
        case sz.Product(factors):
            return math.prod((number(factor, env, causal) for factor in factors), start=Fraction(1))
        case sz.Power(base, exponent):
            if exponent.denominator != 1:
                return Fraction(float(number(base, env, causal)) ** float(exponent))
            return number(base, env, causal) ** int(exponent)
        case sz.Function(name, arguments):
            return _function(name, [number(argument, env, causal) for argument in arguments])
        case sz.Band(rows, columns, lower, upper):
            edges = [None if edge is None else number(edge, env, causal) for edge in (lower, upper)]
            return Fraction(
                sum(
                    inside(row, column, int(number(rows, env)), int(number(columns, env)), edges[0], edges[1], causal)
                    for row in range(int(number(rows, env)))
                    for column in range(int(number(columns, env)))
                )
            )
        case _:
            assert_never(size)


def _function(name: sz.FunctionName, values: list[Fraction]) -> Fraction:
    match name:
        case "min":
            return min(values)
        case "max":
            return max(values)
        case "ceil":
            return Fraction(math.ceil(values[0]))
        case "floor":
            return Fraction(math.floor(values[0]))
        case "abs":
            return abs(values[0])
        case "log":
            return Fraction(math.log(values[0]))
        case "exp":
            return Fraction(math.exp(values[0]))


def inside(
    row: int,
    column: int,
    rows: int,
    columns: int,
    lower: Fraction | None,
    upper: Fraction | None,
    causal: str = "exact",
) -> bool:
    """Whether a pair fulfils −lower < e <= upper, with e counted from the common end."""
    e = (column - (columns - 1)) - (row - (rows - 1))
    over = upper is not None and causal == "exact" and e > upper
    return not over and (lower is None or e > -lower)
