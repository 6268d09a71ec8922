"""Units at evaluation: the public names of `roofdsl/units`, in one place.

The work is done below (formulas carry units too, and are read before anything is evaluated): `units/resolve` reads
units as written, `units/display` prints amounts, `units/registry` alone imports pint.
"""

from __future__ import annotations

from roofdsl.units.dimension import Dimension
from roofdsl.units.display import (
    format_amount,
    format_bytes,
    format_intensity,
    format_number,
    format_rate,
    format_seconds,
    format_work,
    significant,
)
from roofdsl.units.resolve import Unit, check_same, note_binary_rate, resolve_unit, unit_text

__all__ = [
    "Dimension",
    "Unit",
    "check_same",
    "format_amount",
    "format_bytes",
    "format_intensity",
    "format_number",
    "format_rate",
    "format_seconds",
    "format_work",
    "note_binary_rate",
    "resolve_unit",
    "significant",
    "unit_text",
]
