"""Amounts somebody states beside a model: `6.2 s`, `2.5 $/hour`, `15T`, `40%`. Exact; E0823 for what is none.

Text is read with its unit; a number handed in from Python is in base units. `what` is the option or argument it is from.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from roofdsl.diagnostics import Sink, fail
from roofdsl.errors.performance import BAD_AMOUNT
from roofdsl.source import Span, word

if TYPE_CHECKING:
    from roofdsl.units.dimension import Dimension

_BILLIONS = re.compile(r"[0-9]+(\.[0-9]+)?B\Z")

Stated = int | float | Fraction | str


def read_amount(stated: Stated, what: str, wanted: Dimension) -> Fraction:
    """An amount above zero in base units of the dimension wanted."""
    from roofdsl.syntax import ast
    from roofdsl.syntax.parser import parse_quantity
    from roofdsl.units.resolve import check_same, resolve_unit

    span, sink = place(stated, what), Sink()
    if not isinstance(stated, str):
        return _positive(stated, span, f"a number above zero, in {wanted}")
    parsed = parse_quantity(span.source, sink)
    if not isinstance(parsed, ast.Measured) or not isinstance(parsed.value, ast.Number):
        fail(BAD_AMOUNT, span, "not an amount", expected=f"a number and a unit of {wanted}", found=stated)
    unit = resolve_unit(parsed.unit, span, sink)
    sink.stop_on_errors()
    if unit is None or not check_same(wanted, unit.dimension, span, sink, f"`{what}`") or parsed.value.value <= 0:
        fail(BAD_AMOUNT, span, "not an amount of this kind", expected=str(wanted), found=stated)
    return parsed.value.value * unit.factor


def read_count(stated: Stated, what: str) -> Fraction:
    """A plain number above zero, prefixes allowed: `1024`, `15T`; `300B` is 300 thousand million, as the field counts."""
    from roofdsl.evaluate.settings import read_number

    span, sink = place(stated, what), Sink()
    if isinstance(stated, str) and _BILLIONS.match(stated):
        return _positive(Fraction(stated[:-1]) * 10**9, span, "a number above zero")
    expected = "a number above zero, perhaps with a prefix: 1024, 15T"
    if not isinstance(stated, str):
        return _positive(stated, span, expected)
    found = read_number(span, sink)
    if found is None or found <= 0 or sink.errors:
        fail(BAD_AMOUNT, span, "not a number", expected=expected, found=stated)
    return found


def read_share(stated: Stated, what: str) -> Fraction:
    """A share such as `0.4` or `40%`."""
    text = str(stated)
    try:
        value = Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 0 < value <= 1:
        fail(BAD_AMOUNT, place(stated, what), "not a share", expected="0.4 or 40%", found=text)
    return value


def place(stated: Stated, what: str) -> Span:
    """Where an amount was stated."""
    return word(str(stated), what)


def _positive(number: float | Fraction, span: Span, expected: str) -> Fraction:
    """A number from Python; a float is the decimal it prints as."""
    try:
        value = Fraction(str(number)) if isinstance(number, float) else Fraction(number)
    except (ValueError, OverflowError):  # nan, inf
        value = Fraction(0)
    if value <= 0:
        fail(BAD_AMOUNT, span, "not a number above zero", expected=expected, found=str(number))
    return value
