"""Numbers count bytes as they are stored: partial groups of number formats whole, unless a convention says otherwise.

Closed forms do not, since they would be full of ceilings that do nothing where the groups fill.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.measures.blocks import grouped
from roofdsl.quantities.conventions import Convention
from roofdsl.quantities.quantity import Quantity
from roofdsl.units.dimension import BYTE


def as_stored(convention: Convention, graph: Graph, library: Library) -> Convention:
    """The convention with `blocks = whole`, if it says nothing about that and a tensor has a format with groups."""
    if convention.blocks != "unsaid" or not any(_in_groups(t.dtype, library) for t in graph.tensors.values()):
        return convention
    return replace(convention, blocks="whole")


def spread(quantities: Iterable[Quantity], library: Library) -> bool:
    """Whether some bytes have bits of groups spread over elements, so that they are exact only where the groups fill."""
    return any(_spread(quantity, library) for quantity in quantities)


def _spread(quantity: Quantity, library: Library) -> bool:
    if quantity.parts:
        return spread(quantity.parts, library)
    amortised = quantity.dimension == BYTE and quantity.convention.blocks != "whole"
    return amortised and any(_in_groups(entry.dtype, library) for entry in quantity.entries)


def _in_groups(dtype: str | None, library: Library) -> bool:
    found = library.dtypes.get(dtype or "")
    return found is not None and grouped(found)
