"""Amounts with a dimension, and their arithmetic: what formulas are resolved to.

A `Formula` is an exact `Size` in base units with the dimension it is counted in. A formula of bare symbols has no
dimension of its own and takes that of whatever it is added to or compared with; a bare number may not do so where
bytes, FLOP or seconds are meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.ir.size import Const, Power, Product, Size, divide, product
from roofdsl.source import Span
from roofdsl.units.dimension import BYTE, COUNTS, FLOP, PURE, SECOND, Dimension

MOST_BITS = 8192
NEED_UNITS = frozenset((BYTE, FLOP, SECOND, BYTE / SECOND, FLOP / SECOND))


@dataclass(frozen=True, slots=True)
class Formula:
    """`dimension` is None for a formula of bare symbols. `numeral`: nothing but numbers. Sizes are in base units."""

    size: Size
    dimension: Dimension | None = None
    numeral: bool = False


def common_dimension(parts: tuple[tuple[Formula, Span], ...]) -> Dimension | None:
    """The dimension of a sum (or minimum, or comparison) of formulas; E0704 or E0705 if they do not agree."""
    stated = [(f.dimension, span) for f, span in parts if f.dimension is not None]
    if not stated:
        return None
    dimension = stated[0][0]
    for other, span in stated[1:]:
        if other != dimension:
            fail(errors.UNITS_DIFFER, span, "not the same kind of amount", expected=str(dimension), found=str(other))
    if dimension in NEED_UNITS:
        for formula, span in parts:
            if formula.numeral and formula.dimension is None and formula.size != Const(Fraction(0)):
                from roofdsl.units.display import unit_symbol

                fail(
                    errors.NUMBER_WITHOUT_UNIT,
                    span,
                    f"this stands for {dimension}",
                    expected=f"{span.text} [{unit_symbol(dimension)}]",
                    found="a bare number",
                )
    return dimension


def comparable(left: tuple[Formula, Span], right: tuple[Formula, Span]) -> Dimension | None:
    """The dimension two sides are compared in. Counts (parameters, tokens) may be left out on either side, as papers
    do: `state(gpt) = 16 params(gpt)`. E0704 or E0705 if the sides do not agree.
    """
    one, two = left[0].dimension, right[0].dimension
    if one is None or two is None or one == two:
        return common_dimension((left, right))
    bare_one, bare_two = one.without(COUNTS), two.without(COUNTS)
    if bare_one == bare_two or (bare_two.pure and not two.pure):
        return one
    if bare_one.pure and not one.pure:
        return two
    return common_dimension((left, right))


def multiply(parts: tuple[Formula, ...]) -> Formula:
    dimension: Dimension | None = None
    for part in parts:
        if part.dimension is not None:
            dimension = part.dimension if dimension is None else dimension * part.dimension
    return Formula(product(*(p.size for p in parts)), dimension, all(p.numeral for p in parts))


def quotient(left: Formula, right: Formula, span: Span) -> Formula:
    if right.size == Const(Fraction(0)):
        fail(errors.DIVISION_BY_ZERO, span, "this is zero")
    dimension = left.dimension
    if right.dimension is not None:
        dimension = (left.dimension or PURE) / right.dimension
    return Formula(divide(left.size, right.size), dimension, left.numeral and right.numeral)


def raised(base: Formula, exponent: Fraction, span: Span) -> Formula:
    dimension = None if base.dimension is None else base.dimension.power(exponent)
    if isinstance(base.size, Const) and exponent.denominator == 1:
        return Formula(_constant_power(base.size.value, int(exponent), span), dimension, base.numeral)
    size = base.size if exponent == 1 else Power(base.size, exponent)
    return Formula(size, dimension, base.numeral)


def _constant_power(base: Fraction, exponent: int, span: Span) -> Const:
    if base == 0 and exponent < 0:
        fail(errors.DIVISION_BY_ZERO, span, "zero to a negative power")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent) > MOST_BITS:
        fail(errors.BAD_EXPONENT, span, "this constant has too many digits")
    return Const(base**exponent)


def constant(size: Size) -> Fraction | None:
    """The value of a size that is a number, else None."""
    match size:
        case Const(value):
            return value
        case Power(Const(value), exponent) if exponent == -1 and value != 0:
            return 1 / value
        case Product(factors):
            values = [constant(f) for f in factors]
            known = [v for v in values if v is not None]
            return prod(known, start=Fraction(1)) if len(known) == len(values) else None
        case _:
            return None
