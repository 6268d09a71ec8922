"""The syntax tree: what a file says, with positions, before any name is looked up.

All nodes are frozen; tuples only; `span` comes last and takes no part in comparison, so trees compare by meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from roofdsl.source import NOWHERE, Span

# --------------------------------------------------------------------------- expressions
# One family serves statement bodies (explicit `*`) and formulas (juxtaposition, units, quantities).


@dataclass(frozen=True, slots=True)
class Number:
    """An exact numeral; `text` is as written (`3.35`, `16k` is not a numeral)."""

    value: Fraction
    text: str = field(compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name. In a formula an undeclared one is later split into declared symbols (`sbh`)."""

    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Dots:
    """`...` among indices."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Access:
    """`x[s, b, 2i + k]`: each index is an expression, an `Dots`, or an `Access` (a gather: `E[ids[s,b], h]`)."""

    tensor: str
    indices: tuple[Expr | Dots, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Path:
    """A dotted subject, perhaps with braces: `attention.S`, `gpt{fused attention.core}`. A single name without
    braces is a `Name`.
    """

    parts: tuple[str, ...]
    braces: Braces | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """`f{braces}(arguments)`: a reduction, scalar function, op, block, or (in formulas) a quantity or function."""

    function: str
    arguments: tuple[Expr, ...]
    braces: Braces | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Negate:
    operand: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Operator = Literal["+", "-", "*", "/", "^"]


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right`; `^` is a power (`**` and superscripts are the same node)."""

    operator: Operator
    left: Expr
    right: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Juxtaposed:
    """A product by juxtaposition: `34sbh`, `5as²b`, `2(a+b)`. Binds tighter than `/`. A power belongs to the last
    symbol of its name: `as²b` is (`as`^2, `b`) here and becomes a·s²·b when names are split.
    """

    factors: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class UnitFactor:
    """One factor of a unit: `GB` or `s^-1`, text not yet looked up."""

    name: str
    exponent: int
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Measured:
    """A number (or formula) with its unit: `80 [GB]`, in machines also `3.35 TB/s`."""

    value: Expr
    unit: tuple[UnitFactor, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Per:
    """`formula per token|layer|device|step`."""

    value: Expr
    word: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A formula that stood inside quotes as LaTeX; `text` is what stood there."""

    text: str
    value: Expr = field(compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Expr = Number | Name | Access | Path | Call | Negate | Binary | Juxtaposed | Measured | Per | Quoted


# --------------------------------------------------------------------------- braces, guards


@dataclass(frozen=True, slots=True)
class Binding:
    """`f = 4h`, `attention = gqa_local`, `i = t`."""

    name: str
    value: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Placement:
    """`fused attention.core tile s = Br`, `checkpoint layer`: places a region, block or op call by its path."""

    kind: Literal["fused", "checkpoint"]
    path: tuple[str, ...]
    tiles: tuple[Binding, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Braces:
    items: tuple[Binding | Placement, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Relation = Literal["<", "<=", "=", ">=", ">"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left relation right`; a chain `s - w < t <= s` is two comparisons."""

    left: Expr
    relation: Relation
    right: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


# --------------------------------------------------------------------------- tensors and statements


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
    A target without indices has `indices=None`.
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
    tiles: tuple[Binding, ...] = ()
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
    """`dim s "sequence length"`, `dim un >= 0`. `minimum` is the declared lower bound (1 if not stated)."""

    name: str
    doc: str | None = None
    minimum: int = 1
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let:
    name: str
    value: Expr
    doc: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Statement = Assign | Params | View | Cache | Region | Repeat | Keeps | Adjoint | Cost | Dim | Let


# --------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Use:
    path: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scalar:
    """`scalar exp(x): special { x: exp(x) }`: a scalar function, its kind of work, how many operations one use
    counts (1 unless `cost n` is written), and its derivative by each argument.
    """

    name: str
    arguments: tuple[str, ...]
    kind: Literal["vector", "special"]
    derivatives: tuple[Binding, ...]
    weight: int = 1
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Definition:
    """`op`, `block` or `model` with a body. `training` marks an op that is the identity in `infer`."""

    kind: Literal["op", "block", "model"]
    name: str
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...]
    body: tuple[Statement, ...]
    training: bool = False
    doc: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    name_span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Alias:
    """`model gpt_flash = gpt{fused attention.core}`, also `block x = y{…}`."""

    kind: Literal["block", "model"]
    name: str
    target: str
    braces: Braces | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Dtype:
    """`dtype mxfp4 = 4 bit + 8 bit per 32`: `bits` per element, plus (bits, group) pairs."""

    name: str
    bits: int
    groups: tuple[tuple[int, int], ...] = ()
    kind: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Default:
    """`default activations bf16`."""

    role: str
    dtype: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Optimizer:
    """`optimizer adam { grad: bf16, master: fp32 }`."""

    name: str
    slots: tuple[tuple[str, str], ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Config:
    name: str
    bindings: tuple[Binding, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Peak:
    """`peak contraction bf16 = 989.4 TFLOP/s`; no dtype: serves all."""

    unit_kind: str
    dtype: str | None
    value: Measured
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MemoryLevel:
    """`memory hbm = 80 GB at 3.35 TB/s, usable 81559 MiB`, `cache l2 = 50 MB at 5.5 TB/s`."""

    role: Literal["memory", "cache"]
    name: str
    size: Measured | None
    bandwidth: Measured | None
    usable: Measured | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Link:
    name: str
    rate: Measured
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
    name: str
    title: str | None
    items: tuple[Peak | MemoryLevel | Link | Figure | Note, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Setting:
    """`work = contractions`, `layernorm = 8 per element`."""

    name: str
    value: Expr
    per: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Convention:
    name: str
    settings: tuple[Setting, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


ClaimRelation = Literal["=", "~", "<=", ">=", "<", ">", "->"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a claim after its right side. `kind` and what fills `exprs`/`names`:
    when: comparisons; at: names of configs and/or bindings; on: machine name; under: convention name;
    free: detached lets (`for f free`); reading: (paper's name, ours); from: text; within: one expr (0.01 for 1%);
    off: one expr; limit: binding name=symbol for `for s -> oo` (value `Name("oo")`); regime: names (big, small) for
    `for h >> s`.
    """

    kind: Literal["when", "at", "on", "under", "free", "reading", "from", "within", "off", "limit", "regime"]
    names: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    bindings: tuple[Binding, ...] = ()
    exprs: tuple[Expr, ...] = ()
    text: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Claim:
    left: Expr
    relation: ClaimRelation
    right: Expr
    clauses: tuple[Clause, ...] = ()
    negated: bool = False
    name: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MeasuredFact:
    """`measured x = 1.1 [ms] from "…"`."""

    name: str
    value: Expr
    source: str | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class QuantityDef:
    """`quantity per_token(x) = flops(x)/(s b)`."""

    name: str
    arguments: tuple[str, ...]
    value: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Declaration = (
    Use
    | Dim
    | Let
    | Dtype
    | Default
    | Scalar
    | Definition
    | Alias
    | Optimizer
    | Config
    | Machine
    | Convention
    | Claim
    | MeasuredFact
    | QuantityDef
)


@dataclass(frozen=True, slots=True)
class File:
    declarations: tuple[Declaration, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)
