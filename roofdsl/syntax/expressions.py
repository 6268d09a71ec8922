"""Nodes of expressions, braces and guards. One family serves statement bodies (explicit `*`) and formulas
(juxtaposition, units, quantities).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from roofdsl.source import NOWHERE, Span


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
    """`-x`."""

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


@dataclass(frozen=True, slots=True)
class Binding:
    """`f = 4h`, `attention = gqa_local`, `i = t`."""

    name: str
    value: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Tile:
    """`tile s = Br`, `tile s = 128 at l2`: blocks of an index; what lacks the index passes a memory level once per block.
    Without a level it is the main memory.
    """

    name: str
    value: Expr
    level: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Placement:
    """`fused attention.core tile s = Br`, `checkpoint layer`: places a region, block or op call by its path."""

    kind: Literal["fused", "checkpoint"]
    path: tuple[str, ...]
    tiles: tuple[Tile, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Braces:
    """`{s = 1, fused core}` after the name of what is instantiated."""

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
