"""What an amount is counted in: a product of base dimensions with exact exponents, such as FLOP/byte.

A light value that formulas and quantities carry, with no knowledge of unit names or prefixes (`evaluate/units.py` reads
those from `specs/units.txt`). Sizes are always in base units: byte, FLOP, second, joule, dollar, token, parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Dimension:
    """Base dimensions with their exponents, sorted by name, none zero. No factors: a pure number."""

    factors: tuple[tuple[str, Fraction], ...] = ()

    def __mul__(self, other: Dimension) -> Dimension:
        exponents = dict(self.factors)
        for name, exponent in other.factors:
            exponents[name] = exponents.get(name, Fraction(0)) + exponent
        return Dimension(tuple(sorted((n, e) for n, e in exponents.items() if e)))

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other.power(Fraction(-1))

    def power(self, exponent: Fraction) -> Dimension:
        return Dimension(tuple((name, e * exponent) for name, e in self.factors if exponent))

    @property
    def pure(self) -> bool:
        return not self.factors

    def without(self, names: frozenset[str]) -> Dimension:
        """The same without some base dimensions (counts such as tokens are often left out in papers)."""
        return Dimension(tuple((name, e) for name, e in self.factors if name not in names))

    def __str__(self) -> str:
        above = [_factor(name, e) for name, e in self.factors if e > 0]
        below = [_factor(name, -e) for name, e in self.factors if e < 0]
        if not above and not below:
            return "a pure number"
        return "/".join(("·".join(above) or "1", *below))


def _factor(name: str, exponent: Fraction) -> str:
    return name if exponent == 1 else f"{name}^{exponent}"


def base(name: str) -> Dimension:
    """The dimension of one base unit."""
    return Dimension(((name, Fraction(1)),))


PURE = Dimension()
BYTE = base("byte")
FLOP = base("FLOP")
SECOND = base("second")
PARAMETER = base("parameter")
TOKEN = base("token")
DOLLAR = base("dollar")
CYCLE = base("cycle")
JOULE = base("joule")
COUNTS = frozenset(("parameter", "token"))
