"""Which sizes may be 0: new positions of what is cached already, as the encoder's in a decode step (design §3).

A dim says so itself (`dim un >= 0`). A let (`let un = u`, which a config rebinds to 0) is one of them if a cache of
other positions is filled from it. What is made of such a size may be 0 as well.
"""

from __future__ import annotations

from collections.abc import Mapping

from roofdsl.ir.graph import Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.size import Symbol
from roofdsl.passes.sizes import names_in


def vacant_sizes(tensors: Mapping[str, Tensor], library: Library) -> frozenset[str]:
    """Names of the dims and lets that may be 0 in a graph of these tensors."""
    found = {name for name, dim in library.dims.items() if dim.minimum == 0}
    for tensor in tensors.values():
        if tensor.cached_from is not None:
            found.update(_filling(tensor, tensors[tensor.cached_from], library))
    pending = [name for name in library.lets if name not in found] if found else []
    known = frozenset(library.symbols) if found else frozenset()
    while found:
        made = [name for name in pending if found & frozenset(names_in(library.lets[name].value, known))]
        if not made:
            break
        found.update(made)
        pending = [name for name in pending if name not in made]
    return frozenset(found)


def _filling(cache: Tensor, source: Tensor, library: Library) -> list[str]:
    """The lets that are extents of what fills a cache, and not of the cache."""
    pairs = zip(cache.axes, source.axes, strict=False)
    sizes = (theirs.extent for mine, theirs in pairs if mine.extent != theirs.extent)
    return [size.name for size in sizes if isinstance(size, Symbol) and size.name in library.lets]
