"""Printed numbers: how exact a figure in a paper claims to be (`62.7` to half a tenth, `1.7e9` to half a hundred million)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from roofdsl.syntax import ast


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
        case _:
            return None


def bare_number(expr: ast.Expr) -> Fraction:
    """The printed number without its unit, so that half a unit of its last digit can be scaled to base units; 1 for a
    formula.
    """
    match expr:
        case ast.Number(value):
            return value or Fraction(1)
        case ast.Negate(inner) | ast.Measured(inner) | ast.Quoted(_, inner) | ast.Per(inner):
            return bare_number(inner)
        case _:
            return Fraction(1)


def _read(text: str) -> Printed:
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, decimals = mantissa.partition(".")
    shift = int(exponent or 0) - len(decimals)
    digits = len((whole + decimals).lstrip("0")) or 1
    return Printed(Fraction(10) ** shift / 2, digits)
