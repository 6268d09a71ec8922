"""Units as written → an exact factor to base units and a dimension, or a diagnostic.

The grammar is ours (prefix and unit, exponents -9 to 9, names of at most 64 characters); the meaning of a name comes
from the registry. Checked once on the tree; numbers then are bare and in base units.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.errors.units import AMBIGUOUS_UNIT, BINARY_RATE, UNIT_BOUNDS, UNIT_CLASH, UNKNOWN_UNIT
from roofdsl.source import Span
from roofdsl.syntax.ast import UnitFactor
from roofdsl.units.dimension import PURE, SECOND, Dimension
from roofdsl.units.display import format_amount, significant
from roofdsl.units.registry import LONGEST_NAME, find_unit
from roofdsl.units.table import find_hint, unit_table

LARGEST_EXPONENT = 9
MOST_FACTORS = 16


@dataclass(frozen=True, slots=True)
class Unit:
    """`factor` base units make one of it; `text` is as written; `binary` if a prefix such as Gi stands in it; `bits`
    if one of its units is a fraction of its base unit (bit of byte).
    """

    factor: Fraction
    dimension: Dimension
    text: str
    binary: bool = False
    bits: bool = False


ONE = Unit(Fraction(1), PURE, "")


def resolve_unit(factors: tuple[UnitFactor, ...], span: Span, sink: Sink) -> Unit | None:
    """The unit of a product of factors; None, with diagnostics, if one is unknown. No factors: the number one."""
    if len(factors) > MOST_FACTORS:
        sink.add(UNIT_BOUNDS, span, f"a unit has at most {MOST_FACTORS} factors", found=f"{len(factors)} factors")
        return None
    resolved = [unit for factor in factors if (unit := _resolve_factor(factor, sink)) is not None]
    if len(resolved) < len(factors):
        return None
    amount, dimension = Fraction(1), PURE
    for unit in resolved:
        amount *= unit.factor
        dimension *= unit.dimension
    return Unit(amount, dimension, unit_text(factors), any(u.binary for u in resolved), any(u.bits for u in resolved))


def _resolve_factor(factor: UnitFactor, sink: Sink) -> Unit | None:
    if len(factor.name) > LONGEST_NAME:
        sink.add(UNIT_BOUNDS, factor.span, f"a unit's name has at most {LONGEST_NAME} characters")
        return None
    if factor.exponent == 0 or abs(factor.exponent) > LARGEST_EXPONENT:
        sink.add(UNIT_BOUNDS, factor.span, "this exponent is out of bounds", found=f"exponent {factor.exponent}")
        return None
    hint = find_hint(factor.name)
    if hint is not None:
        meant = " or ".join(hint.meant)
        sink.add(AMBIGUOUS_UNIT, factor.span, f"{meant}?", found=factor.name, helps=(hint.why,))
        return None
    unit = find_unit(factor.name)
    if unit is None:
        sink.add(UNKNOWN_UNIT, factor.span, f"there is no unit `{factor.name}`", helps=_suggestions(factor.name))
        return None
    dimension = unit.dimension.power(Fraction(factor.exponent))
    return Unit(unit.factor**factor.exponent, dimension, factor.name, unit.binary, unit.fractional)


def _suggestions(name: str) -> tuple[str, ...]:
    near = difflib.get_close_matches(name, _spellings(), n=3, cutoff=0.6)
    folded = {spelling for spelling in _spellings() if spelling.casefold() == name.casefold()}
    found = sorted(folded) or near
    return (f"did you mean {' or '.join(found)}?",) if found else ()


def _spellings() -> list[str]:
    table = unit_table()
    prefixes = ("", *(p.symbols[-1] for p in table.prefixes))
    return [prefix + name for name in table.names for prefix in prefixes]


def unit_text(factors: tuple[UnitFactor, ...]) -> str:
    """The unit as a person writes it: `TB/s`, `GB·s^2`."""
    above = [_power_text(f.name, f.exponent) for f in factors if f.exponent > 0]
    below = [_power_text(f.name, -f.exponent) for f in factors if f.exponent < 0]
    return "/".join(("·".join(above) or "1", *below))


def _power_text(name: str, exponent: int) -> str:
    return name if exponent == 1 else f"{name}^{exponent}"


def check_same(expected: Dimension, found: Dimension, span: Span, sink: Sink, what: str = "this") -> bool:
    """Whether two dimensions agree; if not, a diagnostic that names both."""
    if expected == found:
        return True
    helps = _clash_helps(expected, found)
    text = f"{what} is {found}" if found.pure else f"{what} is in {found}"
    sink.add(UNIT_CLASH, span, text, expected=str(expected), found=str(found), helps=helps)
    return False


def _clash_helps(expected: Dimension, found: Dimension) -> tuple[str, ...]:
    if expected == found / SECOND:
        return ("a rate is wanted here: write the unit with `/s`",)
    if found == expected / SECOND:
        return ("an amount is wanted here, not a rate: leave out `/s`",)
    if expected.pure:
        return ("a pure number is wanted here",)
    if found.pure:
        return (f"write the unit after the number, one of {expected}",)
    return ()


def note_binary_rate(unit: Unit, span: Span, sink: Sink, value: Fraction = Fraction(1)) -> None:
    """A note where a rate has a binary prefix (GiB/s): the same in decimal ones, which data sheets mean."""
    is_rate = any(name == "second" and exponent < 0 for name, exponent in unit.dimension.factors)
    if unit.binary and is_rate:
        decimal = format_amount(value * unit.factor, unit.dimension)
        sink.add(BINARY_RATE, span, f"{significant(value)} {unit.text} is {decimal}")
