"""What a step of decoding is, read off a model's caches: one new position of each, all others held.

A cache `K[t, …] from k` holds t positions, of which a step writes those of k. Decoding writes as few as the declared
sizes allow, and the cache keeps what it held. No size is known by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from roofdsl.evaluate.bind import Binding
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size, Symbol, product
from roofdsl.measures.params import token_dims


@dataclass(frozen=True, slots=True)
class Growth:
    """The sizes of one kind of cache: `new` positions are written in a step, `held` there are after it. `least` is the
    smallest number of new ones that is declared: 0 where a step may write none (keys of an encoder).
    """

    new: str
    held: str
    least: int

    @property
    def written(self) -> Size:
        return Symbol(self.new)

    @property
    def size(self) -> Size:
        return Symbol(self.held)


def growths(graph: Graph, library: Library) -> tuple[Growth, ...]:
    """How the caches of a graph elaborated for inference grow, each kind once."""
    found: dict[Growth, None] = {}
    for tensor in graph.tensors.values():
        if tensor.role != "cache" or tensor.alias is not None or tensor.cached_from is None:
            continue
        written, held = graph.tensors[tensor.cached_from].axes[0].extent, tensor.axes[0].extent
        if isinstance(written, Symbol) and isinstance(held, Symbol) and written != held:
            declared = library.dims.get(written.name)
            least = 0 if written.name in graph.vacant else 1 if declared is None else declared.minimum
            found[Growth(written.name, held.name, least)] = None
    return tuple(found)


def decode_sizes(kinds: tuple[Growth, ...], binding: Binding) -> dict[str, Fraction]:
    """The sizes of a step of decoding after what a binding says is held. Raises `NoValueError` where it does not say."""
    found: dict[str, Fraction] = {}
    for kind in kinds:
        found[kind.held] = binding.value(kind.size)
        found[kind.new] = Fraction(kind.least)
    return found


def written_tokens(graph: Graph, kinds: tuple[Growth, ...]) -> Size | None:
    """How many tokens a step writes: what enumerates tokens in the first input that has new positions; None if none has."""
    new = {kind.written for kind in kinds if kind.least}
    counted = token_dims(graph) | new
    for tensor_id in graph.inputs:
        tensor = graph.resolve(tensor_id)
        extents = [axis.extent for axis in tensor.axes]
        if tensor.role == "input" and new.intersection(extents):
            return product(*(extent for extent in extents if tensor.integer or extent in counted))
    return None
