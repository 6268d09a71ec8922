"""The line that goes with every figure: unit, convention, dtypes, and whether it is derived or declared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roofdsl.ir.entry import Entry, Sheet
from roofdsl.quantities.conventions import Convention
from roofdsl.quantities.quantity import Quantity
from roofdsl.units.dimension import Dimension

COUNTED = frozenset(("flops", "bytes", "intensity", "time"))
"""Quantities that a convention changes."""
_MOST_NAMES = 4


@dataclass(frozen=True, slots=True)
class Basis:
    """What figures rest on: the conventions that matter to them and to which of them, their dtypes, and names of what
    was declared.
    """

    conventions: tuple[tuple[Convention, tuple[str, ...]], ...]
    dtypes: tuple[str, ...]
    declared: tuple[str, ...]
    wholly_declared: bool = False
    whole_groups: bool = False

    @property
    def provenance(self) -> str:
        """`derived`, `declared`, or both."""
        if not self.declared:
            return "derived"
        return "declared" if self.wholly_declared else "derived and declared"


def basis_of(quantities: Iterable[Quantity]) -> Basis:
    """What some quantities rest on, parts included."""
    asked = tuple(quantities)
    flat = tuple(leaf for quantity in asked for leaf in _leaves(quantity))
    entries = tuple(entry for quantity in flat for entry in quantity.entries)
    conventions: dict[Convention, dict[str, None]] = {}
    for quantity in asked:
        if quantity.name in COUNTED:
            conventions.setdefault(quantity.convention, {})[quantity.name] = None
    dtypes = dict.fromkeys(entry.dtype for entry in entries if entry.dtype is not None)
    declared = dict.fromkeys(_declared_name(entry) for entry in entries if entry.declared)
    every = bool(entries) and all(entry.declared for entry in entries)
    named = tuple((convention, tuple(names)) for convention, names in conventions.items())
    whole = any(quantity.convention.blocks == "whole" and quantity.name not in COUNTED for quantity in asked)
    return Basis(named, tuple(dtypes), tuple(declared), every, whole)


def convention_text(basis: Basis) -> str:
    """Each convention with the quantities it is of: `flops under paper: work = contractions, …`."""
    return "; ".join(f"{', '.join(names)} under {c.name}: {c}" for c, names in basis.conventions)


def footer_text(basis: Basis, dimensions: Iterable[Dimension]) -> str:
    """The basis as one line."""
    units = tuple(dict.fromkeys(str(dimension) for dimension in dimensions))
    parts = [f"unit: {', '.join(units)}"] if units else []
    if basis.conventions:
        parts.append(convention_text(basis))
    if basis.dtypes:
        parts.append(f"dtypes: {', '.join(basis.dtypes)}{', in whole groups' if basis.whole_groups else ''}")
    parts.append(_provenance_text(basis))
    return "; ".join(parts)


def roofline_footer(convention: Convention, entries: Sheet) -> str:
    """What a roofline rests on, as one line."""
    dtypes = tuple(dict.fromkeys(entry.dtype for entry in entries if entry.dtype is not None))
    declared = tuple(dict.fromkeys(_declared_name(entry) for entry in entries if entry.declared))
    return footer_text(Basis(((convention, ("work, bytes, time",)),), dtypes, declared), ())


def _provenance_text(basis: Basis) -> str:
    if not basis.declared:
        return basis.provenance
    shown = ", ".join(basis.declared[:_MOST_NAMES])
    more = len(basis.declared) - _MOST_NAMES
    return f"{basis.provenance} ({shown}{f' and {more} more' if more > 0 else ''})"


def _leaves(quantity: Quantity) -> Iterable[Quantity]:
    if not quantity.parts:
        return (quantity,)
    return (leaf for part in quantity.parts for leaf in _leaves(part))


def _declared_name(entry: Entry) -> str:
    return entry.op or entry.what.rsplit(".", 1)[-1]
