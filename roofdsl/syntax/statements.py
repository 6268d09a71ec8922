"""Nodes of what stands in bodies: tensors, statements, regions, repeats, and the dims and lets they may declare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from roofdsl.source import NOWHERE, Span
from roofdsl.syntax.expressions import Access, Comparison, Dots, Expr, Name, Tile


@dataclass(frozen=True, slots=True)
class Tensor:
    """A declared tensor: `x[s,b,h]`, `W[h,f]: fp8_e4m3 frozen`. `indices` is None where the shape is left out."""

    name: str
    indices: tuple[Name | Dots, ...] | None
    dtype: str | None = None
    frozen: bool = False
    param: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """`targets = value where guards`; `accumulate` for `+=`. Several targets only for a call with several results.
    `target_access` holds the indices of a single target as written (None without brackets); the target's own `indices`
    are the same where all are plain, else None.
    """

    targets: tuple[Tensor, ...]
    target_access: tuple[Expr | Dots, ...] | None
    value: Expr
    accumulate: bool = False
    guards: tuple[Comparison, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Params:
    """`param W[h,f], b[f]` or `buffer T[s,d]`."""

    role: Literal["param", "buffer"]
    tensors: tuple[Tensor, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class View:
    """`view q[s,b,a,d] of u`, `view x[s,b,h] of cls, e`: re-indexes, moves nothing."""

    target: Tensor
    of: tuple[Name | Access, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cache:
    """`cache K[t,b,a,d] from k`, `... from k[un, ...]`, `... keep w`, `carry H`."""

    target: Tensor
    source: Name | Access | None
    keep: Expr | None = None
    carry: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Region:
    """`region NAME {…}`, `fused NAME tile s = Br {…}`, `checkpoint NAME {…}`."""

    kind: Literal["region", "fused", "checkpoint"]
    name: str
    body: tuple[Statement, ...]
    tiles: tuple[Tile, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Repeat:
    """`repeat L {…}`, `repeat n shared {…}`."""

    count: Expr
    body: tuple[Statement, ...]
    shared: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Keeps:
    """In an op: `keeps u`."""

    names: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Adjoint:
    """In an op: `adjoint {…}`. In it `dx` is the adjoint of the operand or result `x`."""

    body: tuple[Assign, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CostItem:
    """`work vector = F`, `work backward vector = F`, `traffic = F`, `traffic backward = F`, `saved = F`: `words` are
    the words left of `=`. `saved` is bytes, `traffic` bytes, `work` FLOP.
    """

    words: tuple[str, ...]
    value: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cost:
    """In an op: `cost {…}`, what statements cannot say."""

    items: tuple[CostItem, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Dim:
    """`dim s "sequence length"`, `dim un >= 0`, `dim m <= X`. `minimum` is the declared lower bound (1 if not stated),
    `most` the dim that it never exceeds.
    """

    name: str
    doc: str | None = None
    minimum: int = 1
    most: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let:
    """`let d = h/a "head size"`."""

    name: str
    value: Expr
    doc: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Statement = Assign | Params | View | Cache | Region | Repeat | Keeps | Adjoint | Cost | Dim | Let
