"""The unit registry: pint over our own `specs/units.txt`, made when a unit is first looked up.

Gives the exact factor and dimension of one unit name. pint sees checked names only and its string parser is never
called; what is not a plain prefix + unit is left to the caller as unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from roofdsl.paths import specs_folder
from roofdsl.units.dimension import PURE, Dimension, base
from roofdsl.units.table import unit_table

if TYPE_CHECKING:
    import pint

LONGEST_NAME = 64
_NAME = re.compile(r"(?:[A-Za-zµμ]+|\$)\Z")
_PLURAL = re.compile(r"[a-z]{3,}s\Z")


@dataclass(frozen=True, slots=True)
class NamedUnit:
    """One unit with its prefix: how many base units it is, exactly; whether its prefix is binary; whether without the
    prefix it is a fraction of its base unit (a bit is, of a byte).
    """

    factor: Fraction
    dimension: Dimension
    binary: bool
    fractional: bool


@cache
def _registry() -> pint.UnitRegistry[Any]:
    """Give pint's registry of our text only (importing pint takes 150 ms, so this is the one place that does)."""
    import pint

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(None, non_int_type=Fraction)
    registry.load_definitions(specs_folder() / "units.txt")
    return registry


def find_unit(text: str) -> NamedUnit | None:
    """The unit of a name such as `GiB`; None if there is none."""
    if len(text) > LONGEST_NAME or not _NAME.match(text):
        return None
    readings = _registry().parse_unit_name(text, case_sensitive=True)
    if not readings or not _plural_is_meant(text):
        return None
    prefix, name, _ = readings[0]
    root = _registry().Quantity(Fraction(1), prefix + name).to_root_units()
    dimension = PURE
    for base_name, exponent in root.unit_items():
        dimension *= base(base_name).power(Fraction(str(exponent)))
    factor = Fraction(str(root.magnitude))
    before = next((p for p in unit_table().prefixes if p.name == prefix), None)
    plain = factor / before.factor if before else factor
    return NamedUnit(factor, dimension, binary=before is not None and before.binary, fractional=plain < 1)


def _plural_is_meant(text: str) -> bool:
    """False for an s that pint would drop as a plural though a symbol has none (`GBs`); `tokens` has one."""
    if not text.endswith("s") or _PLURAL.search(text):
        return True
    readings = _registry().parse_unit_name(text[:-1], case_sensitive=True)
    return not readings
