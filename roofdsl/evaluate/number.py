"""Size trees → exact numbers, fast and without algebra: what a table of ten thousand kernels is computed with.

Integers stay integers and quotients are fractions; only an irrational root, logarithm or exponential is rounded, to 50
digits. `Band` is counted by its closed form under the convention `causal` (R1).
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from roofdsl.algebra.scope import Causal
from roofdsl.ir import size as sz
from roofdsl.ir.pairs import pairs

Number = int | Fraction
Values = Mapping[str, Number]

MOST_BITS = 66_000  # about 20,000 digits
_DIGITS = decimal.Context(prec=50)


class NoValueError(Exception):
    """A size that has no value: `name` is the symbol without one, or None where the formula itself has none."""

    def __init__(self, text: str, name: str | None = None, *, too_large: bool = False) -> None:
        super().__init__(text)
        self.name = name
        self.too_large = too_large


def evaluate_size(size: sz.Size, values: Values, causal: Causal = "full") -> Fraction:
    """The value of a size at exact values of its symbols; `NoValueError` if a symbol has none or it is undefined."""
    return Fraction(_value(size, values, causal))


def _value(size: sz.Size, values: Values, causal: Causal) -> Number:
    match size:
        case sz.Const(value):
            return value.numerator if value.denominator == 1 else value
        case sz.Symbol(name):
            if name not in values:
                raise NoValueError(f"{name} has no value", name)
            return values[name]
        case sz.Sum(terms):
            return sum(_value(term, values, causal) for term in terms)
        case sz.Product(factors):
            return _product([_value(factor, values, causal) for factor in factors])
        case sz.Power(base, exponent):
            return _power(_value(base, values, causal), exponent)
        case sz.Function(name, arguments):
            return _function(name, [_value(argument, values, causal) for argument in arguments])
        case sz.Band():
            return _value(pairs(size, causal), values, causal)
        case _:
            assert_never(size)


def _product(factors: list[Number]) -> Number:
    if sum(_bits(factor) for factor in factors) > MOST_BITS:
        raise NoValueError("the product has more than 20,000 digits", too_large=True)
    result: Number = 1
    for factor in factors:
        result *= factor
    return result


def _bits(value: Number) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _power(base: Number, exponent: Fraction) -> Number:
    if base == 0 and exponent < 0:
        raise NoValueError("division by zero")
    if exponent.denominator != 1:
        return _root(base, exponent)
    power = exponent.numerator
    if _bits(base) * abs(power) > MOST_BITS and abs(base) != 1:
        raise NoValueError("the power has more than 20,000 digits", too_large=True)
    result: Number = Fraction(base) ** power if power < 0 else base**power
    return result


def _root(base: Number, exponent: Fraction) -> Number:
    """A rational power: exact where the root is, else rounded."""
    if base < 0:
        raise NoValueError(f"a root of the negative number {base}")
    above = _exact_root(base.numerator, exponent.denominator)
    below = _exact_root(base.denominator, exponent.denominator)
    if above is not None and below is not None:
        return _power(Fraction(above, below), Fraction(exponent.numerator))
    return Fraction(_DIGITS.power(_decimal(base), _decimal(exponent)))


def _exact_root(value: int, index: int) -> int | None:
    """The integer root, or None if there is none."""
    low, high = 0, 1 << (value.bit_length() // index + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**index <= value else (low, middle - 1)
    return low if low**index == value else None


def _decimal(value: Number) -> decimal.Decimal:
    return _DIGITS.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator))


def _function(name: sz.FunctionName, arguments: list[Number]) -> Number:
    match name:
        case "min":
            return min(arguments)
        case "max":
            return max(arguments)
        case "ceil":
            return math.ceil(arguments[0])
        case "floor":
            return math.floor(arguments[0])
        case "abs":
            return max(arguments[0], -arguments[0])
        case "log":
            return _logarithm(arguments[0])
        case "exp":
            return _exponential(arguments[0])
        case _:
            assert_never(name)


def _logarithm(value: Number) -> Number:
    if value <= 0:
        raise NoValueError(f"the logarithm of {value}, which is not positive")
    return 0 if value == 1 else Fraction(_DIGITS.ln(_decimal(value)))


def _exponential(value: Number) -> Number:
    if not -MOST_BITS < 2 * value < MOST_BITS:
        raise NoValueError("the exponential has more than 20,000 digits", too_large=True)
    return 1 if value == 0 else Fraction(_DIGITS.exp(_decimal(value)))
