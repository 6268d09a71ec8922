"""Resolved declarations of all files in force: the values the passes take their definitions from."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from fractions import Fraction

from roofdsl.ir.number_format import NumberFormat
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Dtype:
    """`bits` per element, amortised group overhead included (exact)."""

    name: str
    bits: Fraction
    integer: bool
    declaration: ast.Dtype
    format: NumberFormat | None = None


@dataclass(frozen=True, slots=True)
class Library:
    """Everything declared in a root file and the files it uses. Dicts are built once by `passes/load` and never
    changed. `dims` and `lets` keep the order of declaration (it is the order formulas print in).
    """

    dims: dict[str, ast.Dim] = field(default_factory=dict)
    lets: dict[str, ast.Let] = field(default_factory=dict)
    dtypes: dict[str, Dtype] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    scalars: dict[str, ast.Scalar] = field(default_factory=dict)
    definitions: dict[str, ast.Definition] = field(default_factory=dict)
    aliases: dict[str, ast.Alias] = field(default_factory=dict)
    optimizers: dict[str, ast.Optimizer] = field(default_factory=dict)
    configs: dict[str, ast.Config] = field(default_factory=dict)
    machines: dict[str, ast.Machine] = field(default_factory=dict)
    conventions: dict[str, ast.Convention] = field(default_factory=dict)
    claims: tuple[ast.Claim, ...] = ()
    measured: dict[str, ast.MeasuredFact] = field(default_factory=dict)
    quantities: dict[str, ast.QuantityDef] = field(default_factory=dict)
    references: dict[str, ast.Reference] = field(default_factory=dict)
    offered: tuple[str, ...] = ()
    """Ops, blocks and models of used folders that nothing mentions, hence not parsed: for suggestions only."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names formulas may use, in order of declaration: dims, then lets, then measured facts."""
        return (*self.dims, *self.lets, *self.measured)

    def bounds(self, own: Container[str] = ()) -> dict[str, str]:
        """Dims by the dim that each never exceeds, those aside that a subject has as names of its `own`."""
        stated = {name: dim.most for name, dim in self.dims.items() if dim.most is not None}
        return {name: most for name, most in stated.items() if name not in own and most not in own}
