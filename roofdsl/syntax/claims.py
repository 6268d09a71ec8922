"""Nodes of claims and their clauses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from roofdsl.source import NOWHERE, Span
from roofdsl.syntax.expressions import Binding, Comparison, Expr

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
    """`claim saved(layer) = 34sbh + 5as²b from "…"`."""

    left: Expr
    relation: ClaimRelation
    right: Expr
    clauses: tuple[Clause, ...] = ()
    negated: bool = False
    name: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    written: str | None = field(default=None, compare=False)
    """How the claim is shown where it does not stand in one piece."""


@dataclass(frozen=True, slots=True)
class Marker:
    """`% roofdsl: saved(layer) when t = s` in a .tex file. `left` None: clauses for all markers. `equation` is the label
    of an equation, with the relation it is claimed to have; None: the next one, with its own relation.
    """

    left: Expr | None
    relation: ClaimRelation | None = None
    equation: str | None = None
    clauses: tuple[Clause, ...] = ()
    negated: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)
