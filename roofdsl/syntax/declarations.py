"""Nodes of what stands at the top of a file, and the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from roofdsl.source import NOWHERE, Span
from roofdsl.syntax.claims import Claim
from roofdsl.syntax.expressions import Binding, Braces, Expr
from roofdsl.syntax.machine_nodes import Machine, Note
from roofdsl.syntax.statements import Dim, Let, Statement, Tensor


@dataclass(frozen=True, slots=True)
class Use:
    """`use "ops"`."""

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
    """`dtype mxfp4 = 4 bit + 8 bit per 32 e2m1 finite`: `bits` per element, plus (bits, group) pairs, plus `per_tensor`
    bits once for each tensor. `words` are those at its end: exponent and mantissa, special values, `integer`.
    """

    name: str
    bits: int
    groups: tuple[tuple[int, int], ...] = ()
    words: tuple[str, ...] = ()
    per_tensor: int = 0
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Default:
    """`default activations bf16`; a role with dots says whose: `default weights.head bf16`."""

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
    """`config gpt3_175b { s = 2048, … }`."""

    name: str
    bindings: tuple[Binding, ...]
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
    """`convention NAME { work = contractions, … }`."""

    name: str
    settings: tuple[Setting, ...]
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


@dataclass(frozen=True, slots=True)
class Reference:
    """`source korthikanti2022 "Korthikanti et al. 2022" { title "…" }`: a work that claims are taken from. `text` is how a
    claim's `from` begins that means it; the fields are those of BibTeX.
    """

    name: str
    text: str
    fields: tuple[Note, ...]
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
    | Reference
    | QuantityDef
)


@dataclass(frozen=True, slots=True)
class File:
    """All declarations of a file, in order."""

    declarations: tuple[Declaration, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)
