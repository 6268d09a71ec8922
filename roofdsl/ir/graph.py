"""The elaborated model: tensors, statements and kernels of one subject in one mode, repeats not unrolled.

A graph is made by `passes/elaborate`, placed (fused, checkpoint) by `passes/place`, and only read afterwards. Library
ops have become statements: nothing here knows an operator, only the label it was called by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from roofdsl.ir.expr import Access, Expr
from roofdsl.ir.size import Size
from roofdsl.source import NOWHERE, Span

Mode = Literal["train", "infer"]
Role = Literal["input", "param", "buffer", "activation", "cache"]


@dataclass(frozen=True, slots=True)
class Axis:
    """A dimension of a tensor: its declared index name (for people) and its extent."""

    name: str
    extent: Size


@dataclass(frozen=True, slots=True)
class AxisGuard:
    """The tensor's domain is restricted to pairs (row, column) of two of its axes, by position, ends aligned
    (see `ir.size.Band`): e <= upper, −lower < e.
    """

    row: int
    column: int
    lower: Size | None
    upper: Size | None


@dataclass(frozen=True, slots=True)
class Loop:
    """One `repeat`: `id` is unique in the graph, `count` in the scope of the root."""

    id: str
    count: Size
    shared: bool


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of the graph. `id` is its unique dotted path from the root (`layer.attention.S`).

    `alias` names the tensor this one is: a view, a cache in training, the identity of a training-only op in inference.
    Measures count the aliased tensor. `carried` names, for the tensor that enters a repeat's body, the pair (initial
    tensor outside, tensor of the body that leaves it): iteration 1 reads the first, later ones the second.
    `joined` lists the tensors a joining view is made of. `declared_free` (frozen) params get no gradient.
    """

    id: str
    name: str
    path: tuple[str, ...]
    axes: tuple[Axis, ...]
    dtype: str
    role: Role
    loops: tuple[Loop, ...] = ()
    guards: tuple[AxisGuard, ...] = ()
    alias: str | None = None
    joined: tuple[str, ...] = ()
    part: bool = False  # a view of a part of its tensor, not of all of it
    carried: tuple[str, str] | None = None
    frozen: bool = False
    integer: bool = False
    held: Size | None = None  # of a cache: the most positions of its first axis that are kept; all of them if None
    cached_from: str | None = None  # in inference, of a cache: the tensor whose positions are written into it (R4)
    state_of: str | None = None  # of a cache that is a recurrence's last state: the tensor of its states
    kept: bool = False  # `keeps`: a mask kept for backward when its op is its own kernel
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard on two indices of a statement, ends aligned (see `ir.size.Band`)."""

    row: str
    column: str
    lower: Size | None
    upper: Size | None


@dataclass(frozen=True, slots=True)
class Statement:
    """target = value over the indices; `extents` gives every index's extent (targets first, then reduced ones).

    `guards` are those of the statement and those inherited from the tensors it reads (R1). `accumulate`: a scatter
    (the target's positions are gathers) adds. `recurrence`: reads its own target at an earlier index.
    `padded`: affine reads may leave their tensor (zero padding).
    """

    target: Access
    value: Expr
    extents: tuple[tuple[str, Size], ...]
    guards: tuple[Guard, ...] = ()
    accumulate: bool = False
    recurrence: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DeclaredCost:
    """One line of an op's `cost {…}`: `measure` work, traffic or saved; `phase` forward or backward; `kind` of work;
    amount in FLOP or bytes, already in the root scope.
    """

    measure: Literal["work", "traffic", "saved"]
    phase: Literal["forward", "backward"]
    kind: str | None
    amount: Size
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DeclaredAdjoint:
    """An op's `adjoint {…}`: statements over operands, results, internals and the adjoints, in order. `adjoint_of`
    maps the id of each adjoint tensor (`dx`) in them to the tensor it belongs to; locals of the block are in neither.
    """

    statements: tuple[Statement, ...]
    adjoint_of: tuple[tuple[str, str], ...]
    locals: tuple[Tensor, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelTile:
    """Blocks of an index at a memory level further in than the main memory: what lacks the index is read from there
    once per block.
    """

    level: str
    index: str
    size: Size


@dataclass(frozen=True, slots=True)
class Placed:
    """One fused or checkpoint region a call stands in: `id` is the region's dotted path (unique per instance); `loops`
    are the repeats around the whole region.
    """

    kind: Literal["fused", "checkpoint"]
    id: str
    tiles: tuple[tuple[str, Size], ...] = ()
    loops: tuple[Loop, ...] = ()
    level_tiles: tuple[LevelTile, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """The smallest piece that could be a kernel (R3): one op call with the scalar arithmetic in its arguments, or one
    inline statement.

    `label` is the op's name or the target of an inline statement; `op` the op's name or None. `internal` are ids of
    tensors that live inside only. `operands`/`results`: ids read from and written for the outside. `placed` lists the
    fused/checkpoint regions around it, outermost first; `regions` the names of all regions (for clusters and paths).
    """

    id: str
    label: str
    path: tuple[str, ...]
    op: str | None
    statements: tuple[Statement, ...]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    internal: tuple[str, ...] = ()
    adjoint: DeclaredAdjoint | None = None
    declared: tuple[DeclaredCost, ...] = ()
    placed: tuple[Placed, ...] = ()
    regions: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()
    training_only: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Kernel:
    """What runs as one kernel: one call, or all calls of an outermost fused region, in order.

    `operands` and `results` cross its boundary; everything else its calls write is internal. `checkpoints` are the ids
    of the checkpoint regions around it, outermost first. `fused` is the region's id or None.
    """

    id: str
    label: str
    path: tuple[str, ...]
    calls: tuple[Call, ...]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    loops: tuple[Loop, ...]
    checkpoints: tuple[str, ...] = ()
    fused: str | None = None
    tiles: tuple[tuple[str, Size], ...] = ()
    level_tiles: tuple[LevelTile, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """One subject, elaborated. `inputs` and `results` are tensor ids; `differentiate_inputs` says that the subject was
    asked about on its own (R5), so its floating inputs have adjoints too.
    """

    name: str
    kind: Literal["op", "block", "model"]
    mode: Mode
    tensors: dict[str, Tensor]
    calls: tuple[Call, ...]
    kernels: tuple[Kernel, ...]
    inputs: tuple[str, ...]
    results: tuple[str, ...]
    differentiate_inputs: bool
    symbols: tuple[str, ...] = ()  # names of the subject's own (an op's indices), in order, beyond the library's
    vacant: frozenset[str] = frozenset()  # names of sizes that may be 0: where one is, statements over it do not run

    def resolve(self, tensor_id: str) -> Tensor:
        """The tensor an id stands for, aliases followed."""
        return resolved(self.tensors, tensor_id)


def resolved(tensors: Mapping[str, Tensor], tensor_id: str) -> Tensor:
    """The tensor an id stands for, aliases followed, in any table (a graph's, or one with temporaries)."""
    tensor = tensors[tensor_id]
    while tensor.alias is not None:
        tensor = tensors[tensor.alias]
    return tensor
