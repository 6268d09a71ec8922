"""What numbers of a format are like: range and spacing, from the bits of exponent and mantissa its text declares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Specials = Literal["ieee", "nan", "finite"]


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A sign, `exponent` bits with the usual bias, `mantissa` bits behind an implied one. `specials` says which codes are
    no numbers: the whole top exponent (ieee), its last code only (nan), none (finite).
    """

    exponent: int
    mantissa: int
    specials: Specials = "ieee"

    @property
    def bias(self) -> int:
        return int(2 ** (self.exponent - 1)) - 1

    @property
    def largest(self) -> Fraction:
        """The largest finite number."""
        top = self.bias if self.specials == "ieee" else self.bias + 1
        steps = 2 if self.specials == "nan" else 1
        return (2 - steps * self.epsilon) * Fraction(2) ** top

    @property
    def smallest_normal(self) -> Fraction:
        return Fraction(2) ** (1 - self.bias)

    @property
    def smallest(self) -> Fraction:
        """The smallest positive number, with leading zeros in the mantissa."""
        return self.smallest_normal * self.epsilon

    @property
    def epsilon(self) -> Fraction:
        """The step from 1 to the next number."""
        return Fraction(1, 2**self.mantissa)


@dataclass(frozen=True, slots=True)
class IntegerFormat:
    """Whole numbers of `bits` bits, in two's complement if `signed`."""

    bits: int
    signed: bool = True

    @property
    def largest(self) -> int:
        return int(2 ** (self.bits - 1 if self.signed else self.bits)) - 1

    @property
    def least(self) -> int:
        return -int(2 ** (self.bits - 1)) if self.signed else 0


NumberFormat = FloatFormat | IntegerFormat
