"""Amounts in base units → text with a unit, at the last moment: until here every number is an exact fraction.

Bytes are shown with decimal prefixes and, beside them, with binary ones, since the two differ by 7 % at giga. Needs no
pint: prefixes and symbols are read from the lines of `specs/units.txt`.
"""

from __future__ import annotations

from fractions import Fraction

from roofdsl.units.dimension import BYTE, FLOP, PURE, SECOND, Dimension
from roofdsl.units.table import Prefix, unit_table

DIGITS = 4
BINARY_DIGITS = 3
_PLAIN_UP_TO = 15  # integers of more digits are printed with an exponent


def significant(value: Fraction, digits: int = DIGITS) -> str:
    """`value` rounded half to even at `digits` significant digits, without trailing zeros; an integer part keeps all
    its digits. The rounding is done on integers, never on floats.
    """
    if value == 0:
        return "0"
    sign, size = ("-" if value < 0 else ""), abs(value)
    exponent = _exponent(size)
    if exponent >= _PLAIN_UP_TO or exponent < -digits:
        return sign + _scientific(size, exponent, digits)
    places = max(digits - 1 - exponent, 0)
    return sign + _fixed(size, places)


def _exponent(size: Fraction) -> int:
    """The power of ten of the first digit."""
    guess = len(str(size.numerator)) - len(str(size.denominator))
    return guess if size >= Fraction(10) ** guess else guess - 1


def _fixed(size: Fraction, places: int) -> str:
    scaled = round(size * 10**places)
    whole, rest = divmod(scaled, 10**places)
    decimals = str(rest).rjust(places, "0").rstrip("0") if places else ""
    return f"{whole:,}.{decimals}" if decimals else f"{whole:,}"


def _scientific(size: Fraction, exponent: int, digits: int) -> str:
    mantissa = _fixed(size / Fraction(10) ** exponent, digits - 1)
    if mantissa == "10":
        return f"1e{exponent + 1}"
    return f"{mantissa}e{exponent}"


def format_amount(value: Fraction, dimension: Dimension, digits: int = DIGITS) -> str:
    """An amount in base units with its unit: `41.3 µs`, `989.4 TFLOP/s`, `80 GB (74.5 GiB)`, `1,638 FLOP/B`, `0.5`."""
    if dimension.pure:
        return significant(value, digits)
    text = _with_prefix(value, dimension, digits, unit_table().decimal())
    if dimension != BYTE or abs(value) < unit_table().binary()[-1].factor:
        return text
    return f"{text} ({_with_prefix(value, dimension, BINARY_DIGITS, unit_table().binary())})"


def _with_prefix(value: Fraction, dimension: Dimension, digits: int, prefixes: tuple[Prefix, ...]) -> str:
    unit = unit_symbol(dimension)
    if not _takes_prefix(dimension):
        return f"{significant(value, digits)} {unit}"
    scaled, symbol = _scaled(value, digits, _allowed(dimension, prefixes))
    return f"{significant(scaled, digits)} {symbol}{unit}"


def _takes_prefix(dimension: Dimension) -> bool:
    """An amount or a rate of one thing (`TB`, `GFLOP/s`, `ms`), not a ratio (`FLOP/B`) or a power."""
    above = [exponent for _, exponent in dimension.factors if exponent > 0]
    below = [name for name, exponent in dimension.factors if exponent < 0]
    return above == [1] and set(below) <= {"second"}


def _allowed(dimension: Dimension, prefixes: tuple[Prefix, ...]) -> tuple[Prefix, ...]:
    """Seconds take only the small prefixes (nobody writes ks), what is counted only the large ones (nobody mB)."""
    if dimension == SECOND:
        return tuple(p for p in prefixes if p.factor < 1)
    return tuple(p for p in prefixes if p.factor > 1)


def _scaled(value: Fraction, digits: int, prefixes: tuple[Prefix, ...]) -> tuple[Fraction, str]:
    """The value in the largest prefix that leaves at least 1 after rounding (else the smallest there is, or none)."""
    one_rounded = 1 - Fraction(1, 2 * 10**digits)
    choices = [(p.factor, p.symbols[-1]) for p in prefixes] + [(Fraction(1), "")]
    choices.sort(key=lambda choice: -choice[0])
    fitting = [choice for choice in choices if abs(value) / choice[0] >= one_rounded]
    factor, symbol = fitting[0] if fitting and value else (choices[-1] if value else (Fraction(1), ""))
    return value / factor, symbol


def unit_symbol(dimension: Dimension) -> str:
    """`B`, `FLOP/s`, `FLOP/B`, `$/s`."""
    symbols = unit_table().symbols
    above = [_power(symbols.get(name, name), e) for name, e in dimension.factors if e > 0]
    below = [_power(symbols.get(name, name), -e) for name, e in dimension.factors if e < 0]
    return "/".join(("·".join(above) or "1", *below))


def _power(symbol: str, exponent: Fraction) -> str:
    return symbol if exponent == 1 else f"{symbol}^{exponent}"


def format_bytes(value: Fraction) -> str:
    """`80 GB (74.5 GiB)`."""
    return format_amount(value, BYTE)


def format_work(value: Fraction) -> str:
    """`8.59 GFLOP`."""
    return format_amount(value, FLOP)


def format_seconds(value: Fraction) -> str:
    """`41.3 µs`."""
    return format_amount(value, SECOND)


def format_rate(value: Fraction, of: Dimension) -> str:
    """`989.4 TFLOP/s` for FLOP, `3.35 TB/s` for byte."""
    return format_amount(value, of / SECOND)


def format_intensity(value: Fraction) -> str:
    """`62.7 FLOP/B`."""
    return format_amount(value, FLOP / BYTE)


def format_number(value: Fraction) -> str:
    """A pure number."""
    return format_amount(value, PURE)
