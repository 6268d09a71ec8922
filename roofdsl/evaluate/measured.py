"""Figures of machines as written → exact numbers in base units, each checked once: unit, sign, that it is a number."""

from __future__ import annotations

import re
from fractions import Fraction

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.errors import evaluation as errors
from roofdsl.errors.units import BITS_OF_MEMORY, MISSING_UNIT
from roofdsl.evaluate.machine import Figure
from roofdsl.quantities.amounts import constant
from roofdsl.quantities.formula import Names, resolve
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.units.dimension import BYTE, CYCLE, DOLLAR, FLOP, JOULE, PURE, SECOND, Dimension
from roofdsl.units.display import significant
from roofdsl.units.resolve import ONE, Unit, check_same, note_binary_rate, resolve_unit

FIGURES: dict[str, Dimension] = {
    "sms": PURE,
    "launch": SECOND,
    "price": DOLLAR / SECOND,
    "clock": CYCLE / SECOND,
    "power": JOULE / SECOND,
    "array": PURE,
}
"""What the figures that times and prices are made of must count; others may be stated in any unit."""
WHOLE = ("sms", "array")
"""Figures that count things."""


_TEN = re.compile(r"10+(?:\.0*)?e\+?[0-9]")


def read_figure(name: str, expr: ast.Expr, sink: Sink) -> Figure | None:
    """A named figure; those of `FIGURES` must count what is said there."""
    wanted = FIGURES.get(name)
    read = _read_value(expr, sink)
    if read is None:
        return None
    value, unit = read
    if wanted is not None and not _fits(wanted, unit, expr.span, f"`{name}`", sink):
        return None
    if name in WHOLE and value.denominator != 1:
        sink.add(errors.NOT_WHOLE, expr.span, f"`{name}` counts things", expected="an integer", found=expr.span.text)
        return None
    return Figure(value * unit.factor, unit.dimension)


def read_amount(
    measured: ast.Measured, wanted: Dimension, what: str, sink: Sink, *, memory: bool = False
) -> Fraction | None:
    """A figure in base units, of the dimension wanted; None after a diagnostic."""
    read = _read_value(measured, sink)
    if read is None:
        return None
    value, unit = read
    if not _fits(wanted, unit, measured.span, what, sink):
        return None
    if memory and unit.bits:
        sink.add(BITS_OF_MEMORY, measured.span, f"{what} is in bits; 8 bit are one byte")
    note_binary_rate(unit, measured.span, sink, value)
    return value * unit.factor


def read_bandwidth(given: ast.Measured | ast.Bus, what: str, sink: Sink) -> Fraction | None:
    """A bandwidth in byte/s: as it stands, or the bits a bus is wide times the rate of each line."""
    if isinstance(given, ast.Measured):
        return read_amount(given, BYTE / SECOND, what, sink, memory=True)
    width = read_amount(given.width, BYTE, "the width of a bus", sink)
    rate = read_amount(given.rate, BYTE / SECOND, "the rate of one line of a bus", sink)
    return None if width is None or rate is None else 8 * width * rate


def read_peak_rate(value: ast.Measured, clock: Figure | None, sink: Sink) -> Fraction | None:
    """A peak in FLOP/s: as it stands, or the FLOP of one cycle times the clock (E0628 without one)."""
    read = _read_value(value, sink)
    if read is None:
        return None
    number, unit = read
    if unit.dimension != FLOP / CYCLE:
        return number * unit.factor if _fits(FLOP / SECOND, unit, value.span, "a peak", sink) else None
    if clock is None:
        helps = (f"write `{value.span.text} at … GHz`", "or give the machine a line `clock = … GHz`")
        sink.add(errors.NO_CLOCK, value.span, "this is per cycle, and there is no clock", helps=helps)
        return None
    return number * unit.factor * clock.value


def _fits(wanted: Dimension, unit: Unit, span: Span, what: str, sink: Sink) -> bool:
    if unit is ONE and not wanted.pure:
        sink.add(MISSING_UNIT, span, f"{what} needs a unit", expected=str(wanted), found="a bare number")
        return False
    return check_same(wanted, unit.dimension, span, sink, what)


def _read_value(expr: ast.Expr, sink: Sink) -> tuple[Fraction, Unit] | None:
    """Number and unit of a figure; its number must be positive."""
    number, factors = (expr.value, expr.unit) if isinstance(expr, ast.Measured) else (expr, ())
    if isinstance(number, ast.Number) and _TEN.match(number.text):
        text = f"{number.text} is {significant(number.value)}"
        sink.add(errors.TEN_TO_THE, number.span, text, helps=("write 1e9 for a thousand million",))
    value = _number(number, sink)
    unit = resolve_unit(factors, expr.span, sink) if factors else ONE
    if value is None or unit is None:
        return None
    if value <= 0:
        sink.add(errors.NOT_POSITIVE, expr.span, "this must be greater than zero", found=expr.span.text)
        return None
    return value, unit


def _number(expr: ast.Expr, sink: Sink) -> Fraction | None:
    try:
        found = None if isinstance(expr, ast.Name) else constant(resolve(expr, Names({})).size)
    except RoofError as error:
        sink.found.extend(d for d in error.diagnostics if d not in sink.found)
        return None
    if found is None:
        sink.add(errors.NOT_A_FIGURE, expr.span, "this is not a number", found=expr.span.text)
    return found
