"""Nodes of machines: peaks, memory levels, links and further figures, with units as written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from roofdsl.source import NOWHERE, Span
from roofdsl.syntax.expressions import Expr, Measured


@dataclass(frozen=True, slots=True)
class Peak:
    """`peak contraction bf16 = 989.4 TFLOP/s`; no dtype: serves all. `clock` is that of a peak per cycle
    (`16384 lanes at 2.52 GHz`), `accumulator` the dtype sums are kept in (`fp16 into fp16`). A `sparse` peak is never used.
    """

    unit_kind: str
    dtype: str | None
    value: Measured
    clock: Measured | None = None
    accumulator: str | None = None
    sparse: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bus:
    """`512 bit × 28 Gbit/s`: the width of a bus and the rate of each of its lines."""

    width: Measured
    rate: Measured
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MemoryLevel:
    """`memory hbm = 80 GB at 3.35 TB/s, usable 81559 MiB`, `cache l2 = 50 MB at 5.5 TB/s`."""

    role: Literal["memory", "cache"]
    name: str
    size: Measured | None
    bandwidth: Measured | Bus | None
    usable: Measured | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Link:
    """`link nvlink = 450 GB/s per direction`, `= 900 GB/s both directions`; None: not said."""

    name: str
    rate: Measured
    direction: Literal["one", "both"] | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """`sms = 132`, `launch = 5 us`, `price = 2.5 $/hour`."""

    name: str
    value: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    """`source "…"` inside a machine."""

    name: str
    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Machine:
    """`machine h100_sxm "…" { … }`."""

    name: str
    title: str | None
    items: tuple[Peak | MemoryLevel | Link | Figure | Note, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)
