"""Printed numbers: how exact a figure in a paper claims to be (`62.7` to half a tenth, `1.7e9` to half a hundred million)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from roofdsl.syntax import ast

TEN = 10
MOST_SHIFTED = 400


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as printed: half a unit of its last digit, in the unit it was printed in, and its significant digits."""

    half_unit: Fraction
    digits: int


def printed(expr: ast.Expr) -> Printed | None:
    """The printed number an expression is, with its sign and unit aside, or None if it is a formula."""
    match expr:
        case ast.Negate(inner) | ast.Measured(inner) | ast.Quoted(_, inner) | ast.Per(inner):
            return printed(inner)
        case ast.Number(_, text):
            return _read(text)
        case ast.Binary("*", ast.Number(_, text), power) if (shift := _power_of_ten(power)) is not None:
            read = _read(text)
            return Printed(read.half_unit * Fraction(10) ** shift, read.digits)
        case _:
            return None


def bare_number(expr: ast.Expr) -> Fraction:
    """The printed number without its unit, so that half a unit of its last digit can be scaled to base units; 1 for a
    formula.
    """
    match expr:
        case ast.Number(value):
            return value or Fraction(1)
        case ast.Binary("*", ast.Number(value), power) if (shift := _power_of_ten(power)) is not None:
            return (value or Fraction(1)) * Fraction(10) ** shift
        case ast.Negate(inner) | ast.Measured(inner) | ast.Quoted(_, inner) | ast.Per(inner):
            return bare_number(inner)
        case _:
            return Fraction(1)


def _power_of_ten(expr: ast.Expr) -> int | None:
    """The n of `10^n`, as in `3.14 × 10^23`; None for anything else."""
    match expr:
        case ast.Binary("^", ast.Number(base), ast.Number(power)) if base == TEN and power.denominator == 1:
            return int(power) if power <= MOST_SHIFTED else None
        case ast.Binary("^", ast.Number(base), ast.Negate(ast.Number(power))) if base == TEN:
            return -int(power) if power.denominator == 1 and power <= MOST_SHIFTED else None
        case _:
            return None


def _read(text: str) -> Printed:
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, decimals = mantissa.partition(".")
    shift = int(exponent or 0) - len(decimals)
    digits = len((whole + decimals).lstrip("0")) or 1
    return Printed(Fraction(10) ** shift / 2, digits)
