"""The values that live during one elaboration: the graph under construction, and the body being read.

These are the only mutable values of the pass; the `Graph` that leaves it is frozen.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from roofdsl.diagnostics import Kind, Label, Sink
from roofdsl.errors import shapes
from roofdsl.ir.graph import Call, LevelTile, Loop, Mode, Placed, Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size
from roofdsl.passes.elaborate.env import Env
from roofdsl.passes.sizes import size_of
from roofdsl.source import Source, Span
from roofdsl.syntax import ast

MAX_CALLS = 20_000
MAX_DEPTH = 48


@dataclass(frozen=True, slots=True)
class Local:
    """A tensor as a body knows it: `indices` are the local names of its declared positions; `order[k]` is the declared
    position that stands at the tensor's axis k (an op may take its index from the middle); `dots` are the names that
    `...` stands for in it.
    """

    tensor: str
    indices: tuple[str, ...]
    order: tuple[int, ...]
    dots: tuple[str, ...] = ()


def plain_local(tensor: Tensor, indices: tuple[str, ...] | None = None) -> Local:
    names = indices if indices is not None else tuple(axis.name for axis in tensor.axes)
    return Local(tensor.id, names, tuple(range(len(names))))


@dataclass(frozen=True, slots=True)
class ScopedPlacement:
    """A placement from braces, with the number it is counted under when it is met."""

    number: int
    placement: ast.Placement
    tiles: tuple[tuple[str, Size], ...]
    level_tiles: tuple[LevelTile, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """The definition a call ends at, and all braces on the way, innermost (the alias's own) first."""

    definition: ast.Definition
    braces: tuple[ast.Braces, ...]


class Instantiate(Protocol):
    """Reads a callee where it is called: its results, or None where something was reported. Bodies call callees and
    callees have bodies; the builder carries this function so that the modules need not know each other in a circle.
    """

    def __call__(
        self, body: Body, node: ast.Call, target: Target, names: tuple[str, ...]
    ) -> tuple[Local, ...] | None: ...


@dataclass(slots=True)
class Builder:
    """The graph under construction."""

    library: Library
    mode: Mode
    sink: Sink
    root_source: Source
    instantiate: Instantiate
    tensors: dict[str, Tensor] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)
    placements: list[ast.Placement] = field(default_factory=list)
    met: set[int] = field(default_factory=set)
    loops: int = 0

    def unique(self, wanted: str) -> str:
        """`wanted`, or `wanted#2`, `#3` … where it is taken."""
        count = self.taken.get(wanted, 0) + 1
        self.taken[wanted] = count
        return wanted if count == 1 else f"{wanted}#{count}"

    def add_tensor(self, tensor: Tensor) -> Tensor:
        self.tensors[tensor.id] = tensor
        return tensor

    def resolve(self, tensor_id: str) -> Tensor:
        tensor = self.tensors[tensor_id]
        while tensor.alias is not None:
            tensor = self.tensors[tensor.alias]
        return tensor

    def add_call(self, call: Call) -> None:
        if len(self.calls) >= MAX_CALLS:
            self.sink.add(shapes.TOO_MANY_CALLS, call.span, f"more than {MAX_CALLS} calls")
            self.sink.stop_on_errors()
        self.calls.append(call)


@dataclass(slots=True)
class Body:
    """One instance being read. `path` names instances, `qualified` instances and regions; `names` maps local names to
    tensors, with None for one whose statement was wrong (so that it is not reported again).
    """

    builder: Builder
    env: Env
    path: tuple[str, ...]
    qualified: tuple[str, ...]
    definition: ast.Definition
    names: dict[str, Local | None] = field(default_factory=dict)
    declared: dict[str, ast.Tensor] = field(default_factory=dict)
    bound_at: dict[str, Span] = field(default_factory=dict)
    carried: frozenset[str] = frozenset()
    loops: tuple[Loop, ...] = ()
    placed: tuple[Placed, ...] = ()
    regions: tuple[str, ...] = ()
    placements: tuple[ScopedPlacement, ...] = ()
    dots: tuple[str, ...] = ()
    call_site: Span | None = None
    stack: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()

    @property
    def sink(self) -> Sink:
        return self.builder.sink

    def report(
        self,
        kind: Kind,
        span: Span,
        text: str,
        *,
        secondary: tuple[Label, ...] = (),
        expected: str | None = None,
        found: str | None = None,
        helps: tuple[str, ...] = (),
    ) -> None:
        """Add a diagnostic; where it lies in library text the call in the user's own text goes with it."""
        site = self.call_site if span.source is not self.builder.root_source else None
        self.sink.add(
            kind, span, text, secondary=secondary, expected=expected, found=found, helps=helps, call_site=site
        )

    def size(self, expr: ast.Expr) -> Size | None:
        """A size formula in this scope; reports what is not one."""
        size = size_of(expr, lambda name, _span: self.env.size(name), self.env)
        if size is None:
            self.report(
                shapes.DIVISION_OF_SIZE,
                expr.span,
                "not a size here",
                expected="numbers, dims and lets with + - * / ^, min, max, ceil, floor",
                found=f"`{expr.span.text}`" if expr.span.text else None,
            )
        return size

    def lookup(self, name: str) -> Local | None:
        return self.names.get(name)

    def axis_names(self, local: Local) -> tuple[str, ...]:
        """Local index names in the order of the tensor's axes."""
        return tuple(local.indices[position] for position in local.order)

    def tensor(self, local: Local) -> Tensor:
        return self.builder.tensors[local.tensor]

    def dotted(self, *names: str) -> str:
        return ".".join((*self.path, *names))

    def place(self, qualified: tuple[str, ...]) -> tuple[Placed, ...]:
        """The placements whose path ends `qualified`."""
        found: list[Placed] = []
        for scoped in self.placements:
            wanted = scoped.placement.path
            stripped = tuple(part.split("#")[0] for part in qualified[-len(wanted) :])
            if stripped != wanted:
                continue
            self.builder.met.add(scoped.number)
            found.append(
                Placed(scoped.placement.kind, ".".join(qualified), scoped.tiles, self.loops, scoped.level_tiles)
            )
        return tuple(found)

    def with_placements(self, placements: tuple[ast.Placement, ...]) -> tuple[ScopedPlacement, ...]:
        """The placements in force with those of braces added; tiles are sizes of this scope."""
        added: list[ScopedPlacement] = []
        for placement in placements:
            number = len(self.builder.placements)
            self.builder.placements.append(placement)
            tiles, inner = self.tiles(placement.tiles), self.level_tiles(placement.tiles)
            added.append(ScopedPlacement(number, placement, tiles, inner))
        return (*self.placements, *added)

    def tiles(self, tiles: tuple[ast.Tile, ...]) -> tuple[tuple[str, Size], ...]:
        """Tiles of the main memory."""
        sizes = ((tile.name, self.size(tile.value)) for tile in tiles if tile.level is None)
        return tuple((name, size) for name, size in sizes if size is not None)

    def level_tiles(self, tiles: tuple[ast.Tile, ...]) -> tuple[LevelTile, ...]:
        """Tiles of memory levels that are named."""
        sizes = ((tile.level, tile.name, self.size(tile.value)) for tile in tiles if tile.level is not None)
        return tuple(LevelTile(level, name, size) for level, name, size in sizes if size is not None)

    def inside(self, **changes: object) -> Body:
        """The same body with some fields changed, sharing its names."""
        return replace(self, **changes)  # type: ignore[arg-type]
