"""Amounts on the command line: `6.2 s`, `2.5 $/hour`, `15T`. Exact; E0823 for what is none."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.units.dimension import Dimension


def read_amount(text: str, option: str, wanted: Dimension) -> Fraction:
    """An amount with its unit, in base units of the dimension wanted."""
    from roofdsl.cli.loading import argument
    from roofdsl.diagnostics import Sink, fail
    from roofdsl.errors.performance import BAD_AMOUNT
    from roofdsl.syntax import ast
    from roofdsl.syntax.parser import parse_quantity
    from roofdsl.units.resolve import check_same, resolve_unit

    span, sink = argument(text, option), Sink()
    parsed = parse_quantity(span.source, sink)
    if not isinstance(parsed, ast.Measured) or not isinstance(parsed.value, ast.Number):
        fail(BAD_AMOUNT, span, "not an amount", expected=f"a number and a unit of {wanted}", found=text)
    unit = resolve_unit(parsed.unit, span, sink)
    sink.stop_on_errors()
    if unit is None or not check_same(wanted, unit.dimension, span, sink, f"`{option}`") or parsed.value.value <= 0:
        fail(BAD_AMOUNT, span, "not an amount of this kind", expected=str(wanted), found=text)
    return parsed.value.value * unit.factor


def read_count(text: str, option: str) -> Fraction:
    """A plain number above zero, prefixes allowed: `1024`, `15T`."""
    from roofdsl.cli.loading import argument
    from roofdsl.diagnostics import Sink, fail
    from roofdsl.errors.performance import BAD_AMOUNT
    from roofdsl.evaluate.settings import read_number

    span, sink = argument(text, option), Sink()
    found = read_number(span, sink)
    if found is None or found <= 0 or sink.errors:
        fail(
            BAD_AMOUNT,
            span,
            "not a number",
            expected="a number above zero, perhaps with a prefix: 1024, 15T",
            found=text,
        )
    return found


def read_share(text: str, option: str) -> Fraction:
    """A share such as `0.4` or `40%`."""
    from roofdsl.cli.loading import argument
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import BAD_AMOUNT

    try:
        value = Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 0 < value <= 1:
        fail(BAD_AMOUNT, argument(text, option), "not a share", expected="0.4 or 40%", found=text)
    return value
