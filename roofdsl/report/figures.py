"""Numbers of `--json` with their unit beside them: the schema's `number`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from roofdsl.report.json import exact_number
from roofdsl.units.dimension import Dimension
from roofdsl.units.display import unit_symbol


def figure(value: Fraction, unit: Dimension | str) -> dict[str, Any]:
    """A number and its unit: the base unit of a dimension (`B`, `FLOP/s`, `1` for a pure number), or the unit named."""
    return {**exact_number(value), "unit": unit if isinstance(unit, str) else unit_symbol(unit)}
