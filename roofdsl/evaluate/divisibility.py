"""What to say of a quotient that is not whole: the remainder, the next multiple, and whether two sizes look exchanged.

Takes the size that should have been whole and the values in force; gives words.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.number import NoValueError
from roofdsl.ir.library import Library
from roofdsl.ir.show import show_size
from roofdsl.ir.size import Const, Power, Product, Size, Symbol, product, symbols_of

ALIKE = 8
"""Sizes that are taken for one another lie within this factor."""
LANES = 128
"""Shares are padded to multiples of this, where that adds little."""
MOST_ADDED = Fraction(1, 50)


@dataclass(frozen=True, slots=True)
class Quotient:
    """Both sides of a division, as sizes and values."""

    above: Size
    below: Size
    whole: int
    parts: int

    @property
    def text(self) -> str:
        """`h = 1024 is not divisible by a = 12 (remainder 4)`."""
        left, right = (_shown(size, value) for size, value in ((self.above, self.whole), (self.below, self.parts)))
        return f"{left} is not divisible by {right} (remainder {self.whole % self.parts})"


def quotient_of(size: Size, binding: Binding) -> Quotient | None:
    """The division a size is, where both sides are whole; None where it is something else."""
    if not isinstance(size, Product):
        return None
    below = [f.base for f in size.factors if isinstance(f, Power) and f.exponent == -1]
    above = [f for f in size.factors if not (isinstance(f, Power) and f.exponent == -1)]
    constants = [f.value for f in above if isinstance(f, Const) and f.value.denominator > 1]
    if constants:  # V/6 is kept as V times a sixth
        above = [f for f in above if not isinstance(f, Const)]
        above += [Const(Fraction(value.numerator)) for value in constants if value.numerator != 1]
        below += [Const(Fraction(value.denominator)) for value in constants]
    if len(below) != 1 or not above:
        return None
    try:
        values = Fraction(binding.value(product(*above))), Fraction(binding.value(below[0]))
    except NoValueError:
        return None
    if any(value.denominator != 1 for value in values) or values[1] < 1:
        return None
    return Quotient(product(*above), below[0], int(values[0]), int(values[1]))


def quotient_helps(found: Quotient, binding: Binding, library: Library) -> tuple[str, ...]:
    """What it would be padded to; and whether another size would divide it, so that two look exchanged."""
    padded = _next(found.whole, found.parts)
    lanes = _next(found.whole, found.parts * LANES)
    more = f", and of {found.parts} × {LANES}, {lanes}" if lanes - found.whole <= MOST_ADDED * found.whole else ""
    helps = (f"the next multiple of {found.parts} is {padded}{more}",)
    other = _exchanged(found, binding, library)
    if other is None or not isinstance(found.below, Symbol):
        return helps
    value = _shown(Symbol(other), int(Fraction(binding.values[other])))
    names = f"{titled(found.below.name, library)} and {titled(other, library)}"
    return (f"it is divisible by {value}: are {names} exchanged?", *helps)


def _exchanged(found: Quotient, binding: Binding, library: Library) -> str | None:
    """A size of about the same value that divides what the given one does not."""
    for name in library.dims:
        value = binding.values.get(name)
        if (
            name in symbols_of(found.above) | symbols_of(found.below)
            or value is None
            or Fraction(value).denominator != 1
        ):
            continue
        near = 1 < value < found.whole and Fraction(1, ALIKE) <= Fraction(value) / found.parts <= ALIKE
        if near and found.whole % int(Fraction(value)) == 0:
            return name
    return None


def _next(whole: int, parts: int) -> int:
    return -(-whole // parts) * parts


def _shown(size: Size, value: int) -> str:
    return str(value) if isinstance(size, Const) else f"{show_size(size)} = {value}"


def titled(name: str, library: Library) -> str:
    """A size with what its declaration says of it: `h (hidden size)`."""
    declared = library.dims.get(name)
    return f"{name} ({declared.doc})" if declared is not None and declared.doc else name
