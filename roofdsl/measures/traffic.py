"""Traffic: bytes a kernel moves, each operand read once and each result written once (R4).

What is internal to a kernel moves nothing. A tiled fused region reads an operand that lacks the tiled index once per
tile. Amounts are bytes for one execution in each tensor's own dtype; repeats stand in the multiplicity.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from roofdsl.ir.entry import Entry, Sheet
from roofdsl.ir.expr import Access, gathered, indices_of_access, reads
from roofdsl.ir.graph import Call, Graph, Kernel, Statement, Tensor, resolved
from roofdsl.ir.library import Library
from roofdsl.ir.size import ONE, ZERO, Const, Function, Size, add, divide, product, symbols_of
from roofdsl.ir.space import elements
from roofdsl.measures.footprint import Union, Use, united
from roofdsl.measures.work import forward_phase, repeats
from roofdsl.passes.normalise import normalise_all
from roofdsl.passes.place import find_extent

Tiles = tuple[tuple[str, Size, Size], ...]
"""Tiled indices: name, extent and tile."""
IndexTiles = tuple[tuple[str, Size], ...]
"""Tiled indices of a kernel as declared: name and tile."""


def dtype_bytes(library: Library, dtype: str) -> Fraction:
    """Bytes of one element, group overhead included (exact, perhaps below one)."""
    return library.dtypes[dtype].bits / 8


def forward_traffic(graph: Graph, library: Library) -> Sheet:
    """The traffic of all kernels of one forward pass."""
    return tuple(entry for kernel in graph.kernels for entry in kernel_traffic(kernel, graph, library))


def kernel_traffic(kernel: Kernel, graph: Graph, library: Library) -> Sheet:
    """Bytes one kernel reads and writes. Traffic declared in an op's `cost` replaces what is derived, where that op is
    the whole kernel. Source: R4.
    """
    site = _site(kernel, graph)
    declared = [c for call in kernel.calls for c in call.declared if c.measure == "traffic" and c.phase == "forward"]
    if declared and len(kernel.calls) == 1:
        because = f"declared in the cost of {kernel.label}"
        return tuple(replace(site, amount=c.amount, because=because, declared=True, span=c.span) for c in declared)
    simple = normalise_all((s for call in kernel.calls for s in call.statements), graph.tensors)
    tensors = ChainMap(_as_cached(kernel, graph), {tensor.id: tensor for tensor in simple.temporaries}, graph.tensors)
    tiles = tuple((name, find_extent(kernel, graph, name) or ONE, tile) for name, tile in kernel.tiles)
    vacant = graph.vacant if graph.mode == "infer" else frozenset()
    moved = Moved(simple.statements, kernel.operands, kernel.results, tiles, kernel_inner(kernel), vacant)
    return tuple(moved_bytes(moved, tensors, library, site))


def _as_cached(kernel: Kernel, graph: Graph) -> dict[str, Tensor]:
    """Results that only a cache keeps are written as the cache stores them, in its dtype."""
    cached = {graph.resolve(t.cached_from).id: t.dtype for t in graph.tensors.values() if t.cached_from is not None}
    kept = [result for result in kernel.results if result in cached]
    if not kept:
        return {}
    read = {operand for other in graph.kernels for operand in other.operands}
    return {name: replace(graph.tensors[name], dtype=cached[name]) for name in kept if name not in read}


def level_traffic(graph: Graph, library: Library) -> Sheet:
    """What kernels with tiles of an inner memory level move there, one level after the other. A level that no tile of a
    kernel names has no entry. Source: R4 with the tiles.
    """
    return tuple(entry for kernel in graph.kernels for entry in kernel_level_traffic(kernel, graph, library))


def kernel_level_traffic(kernel: Kernel, graph: Graph, library: Library) -> Sheet:
    """What one kernel moves at each inner memory level it has tiles of."""
    return tuple(
        replace(entry, measure="level_traffic", level=level)
        for level, own in tiles_by_level(kernel).items()
        for entry in kernel_traffic(replace(kernel, tiles=(*kernel.tiles, *own)), graph, library)
    )


def tiles_by_level(kernel: Kernel) -> Mapping[str, IndexTiles]:
    """The tiles of each inner memory level that a kernel declares."""
    levels = dict.fromkeys(tile.level for tile in kernel.level_tiles)
    return {
        level: tuple((tile.index, tile.size) for tile in kernel.level_tiles if tile.level == level) for level in levels
    }


@dataclass(frozen=True, slots=True)
class Moved:
    """What one kernel runs and which tensors cross its boundary (ids with aliases followed). `inner` are the ids of
    repeats inside the kernel: a tensor of such a repeat is there once per iteration. `vacant` are sizes that may be 0.
    """

    statements: tuple[Statement, ...]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    tiles: Tiles = ()
    inner: frozenset[str] = frozenset()
    vacant: frozenset[str] = frozenset()


def moved_bytes(moved: Moved, tensors: Mapping[str, Tensor], library: Library, site: Entry) -> Iterator[Entry]:
    """Entries for every tensor that crosses: one read per operand, one write per result. Serves backward kernels too."""
    read, written = uses_of(moved.statements, tensors)
    for operand in moved.operands:
        touched = _iterated(operand, touched_union(operand, read, tensors), moved, tensors)
        touched = _if_run(touched, read.get(operand, {}), moved.vacant)
        repeated = _tiled(operand, moved, tensors, read.get(operand, {}))
        yield _entry(touched, repeated, tensors[operand], library, replace(site, access="read"))
    for result in moved.results:
        touched = _iterated(result, touched_union(result, written, tensors), moved, tensors)
        yield _entry(touched, (ONE, ""), tensors[result], library, replace(site, access="write"))


def kernel_inner(kernel: Kernel) -> frozenset[str]:
    """Ids of the repeats inside a fused region."""
    outer = {loop.id for loop in kernel.loops}
    return frozenset(loop.id for call in kernel.calls for loop in call.loops) - outer


Uses = dict[str, dict[str, list[Use]]]
"""For each tensor its uses, by the name it is accessed through: its own id, or that of a view of it."""


def uses_of(statements: Iterable[Statement], tensors: Mapping[str, Tensor]) -> tuple[Uses, Uses]:
    """What statements read and what they write; index tensors of gathers and scatters are read."""
    read: Uses = {}
    written: Uses = {}
    for statement in statements:
        for access in (*reads(statement.value), *gathered(statement.target)):
            _note(read, access, statement, tensors)
        _note(written, statement.target, statement, tensors)
    return read, written


def _note(found: Uses, access: Access, statement: Statement, tensors: Mapping[str, Tensor]) -> None:
    for base in base_ids(tensors, access.tensor):
        found.setdefault(base, {}).setdefault(access.tensor, []).append((access, statement))


def base_ids(tensors: Mapping[str, Tensor], tensor_id: str) -> tuple[str, ...]:
    """The tensors an id stands for: aliases followed, a joining view taken apart."""
    tensor = resolved(tensors, tensor_id)
    if not tensor.joined:
        return (tensor.id,)
    return tuple(dict.fromkeys(base for part in tensor.joined for base in base_ids(tensors, part)))


def touched_union(tensor_id: str, uses: Uses, tensors: Mapping[str, Tensor]) -> Union:
    """What all uses touch of a tensor. A view of the whole, read in full, is the whole tensor (it is the same one);
    views of parts are taken as different parts.
    """
    whole = Union(elements(tensors[tensor_id]), "all of it")
    found = {view: united(of_view, tensors) for view, of_view in uses.get(tensor_id, {}).items()}
    if not found or any(_shows_all(view, union, tensors) for view, union in found.items()):
        return whole
    if len(found) == 1:
        return next(iter(found.values()))
    return Union(add(*(union.elements for union in found.values())), "parts through different views")


def _shows_all(view: str, union: Union, tensors: Mapping[str, Tensor]) -> bool:
    """Whether what is read through a view is all of what it shows; a joining view is taken to be read in full."""
    tensor = tensors[view]
    if resolved(tensors, view).joined:
        return True
    return not tensor.part and union.elements == elements(tensor)


def _iterated(tensor_id: str, touched: Union, moved: Moved, tensors: Mapping[str, Tensor]) -> Union:
    """The same for all iterations of a repeat inside the kernel; shared parameters are there once."""
    inside = tuple(loop for loop in tensors[tensor_id].loops if loop.id in moved.inner and not loop.shared)
    return replace(touched, elements=product(touched.elements, repeats(inside))) if inside else touched


def _if_run(touched: Union, uses: Mapping[str, list[Use]], vacant: frozenset[str]) -> Union:
    """Nothing is read where no statement that reads it has a point: min(1, n) for every extent n that may be 0."""
    missing = [_vacant_extents(access, statement, vacant) for found in uses.values() for access, statement in found]
    shared = [extent for extent in missing[0] if all(extent in other for other in missing)] if missing else []
    present = (Function("min", (ONE, extent)) for extent in shared)
    return replace(touched, elements=product(touched.elements, *present)) if shared else touched


def _vacant_extents(access: Access, statement: Statement, vacant: frozenset[str]) -> tuple[Size, ...]:
    """Extents of a statement that may be 0, of indices that an access lacks; those it has make its footprint 0 anyway."""
    may_be = {index: extent for index, extent in statement.extents if symbols_of(extent) & vacant} if vacant else {}
    own = {may_be.get(index) for index in indices_of_access(access)}
    return tuple(dict.fromkeys(extent for extent in may_be.values() if extent not in own))


def _tiled(
    tensor_id: str, moved: Moved, tensors: Mapping[str, Tensor], uses: Mapping[str, list[Use]]
) -> tuple[Size, str]:
    """How often an operand is read: ceil(extent / tile) per tiled index that it lacks."""
    times: Size = ONE
    why = ""
    for name, extent, tile in moved.tiles:
        if _lacks(name, tensor_id, tensors, uses):
            times = product(times, Function("ceil", (divide(extent, tile),)))
            why += f", once per tile of {name}"
    return times, why


def _lacks(index: str, tensor_id: str, tensors: Mapping[str, Tensor], uses: Mapping[str, list[Use]]) -> bool:
    """Whether a tile of an index needs more of an operand than its own part: no axis is called so, or some statement
    that runs over the index reads the axis at another one (`x[t, h]` of `x[s, h]`).
    """
    if index not in {axis.name for view in (uses or (tensor_id,)) for axis in tensors[view].axes}:
        return True
    reading = (use for of_view in uses.values() for use in of_view)
    return any(index in dict(s.extents) and index not in indices_of_access(access) for access, s in reading)


def _entry(touched: Union, repeated: tuple[Size, str], tensor: Tensor, library: Library, site: Entry) -> Entry:
    times, why = repeated
    count = product(touched.elements, times)
    short = tensor.id.rsplit(".", 1)[-1]
    verb = "reads" if site.access == "read" else "writes"
    return replace(
        site,
        amount=product(Const(dtype_bytes(library, tensor.dtype)), count),
        elements=count,
        what=tensor.id,
        dtype=tensor.dtype,
        because=f"{site.kernel} {verb} {short} once: {touched.because}{why}",
        span=tensor.span,
    )


def _site(kernel: Kernel, graph: Graph) -> Entry:
    """What all traffic entries of a kernel have in common."""
    call: Call = kernel.calls[0]
    return Entry(
        measure="traffic",
        phase=forward_phase(graph),
        amount=ZERO,
        multiplicity=repeats(kernel.loops),
        what=kernel.results[0] if kernel.results else kernel.id,
        path=kernel.path,
        kernel=kernel.id,
        rule="R4",
        op=call.op if len(kernel.calls) == 1 else None,
        loops=kernel.loops,
        span=call.span,
    )
