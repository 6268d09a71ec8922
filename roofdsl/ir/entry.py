"""What the measures give: a list of entries, each with its provenance (R9), never a bare total.

A sheet is filtered and summed only when somebody asks; an `Entry` is one contribution to one quantity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from roofdsl.ir.graph import Loop
from roofdsl.ir.size import Size
from roofdsl.source import NOWHERE, Span

Measure = Literal[
    "work", "traffic", "level_traffic", "saved", "params", "param_bytes", "active_params", "cache", "state"
]
Phase = Literal["forward", "backward", "recompute", "infer"]
Kind = Literal["contraction", "vector", "special"]


@dataclass(frozen=True, slots=True)
class Entry:
    """`amount` is for ONE execution of the body it stands in; `multiplicity` is the product of the repeats around it
    (or what the union over repeats leaves), so the contribution is amount × multiplicity.

    Units: work FLOP; traffic, saved, param_bytes, cache, state bytes (dtype applied); params elements. `elements` is
    the count before the dtype was applied (bytes measures). `what` is the id of the tensor or of the statement's
    target; `kernel` the kernel it belongs to (backward kernels have ids of their own, `primal` names the forward one). `rule` is R1–R8.
    `level` names the memory level of `level_traffic`, which is further in than the main memory.
    `declared` marks escapes (`cost`, `keeps`, `adjoint`). `access` is "read" or "write" for traffic.
    `lookup` holds, for a gather of a table, the contraction FLOP it would cost as a one-hot matmul (`embedding =
    matmul`); such entries count only under that convention.
    """

    measure: Measure
    phase: Phase
    amount: Size
    multiplicity: Size
    what: str
    path: tuple[str, ...]
    kernel: str
    rule: str
    kind: Kind | None = None
    dtype: str | None = None
    elements: Size | None = None
    access: Literal["read", "write"] | None = None
    primal: str | None = None
    level: str | None = None
    op: str | None = None
    because: str = ""
    declared: bool = False
    lookup: bool = False
    loops: tuple[Loop, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Sheet = tuple[Entry, ...]
