"""What the API hands out: a derived formula, numbers, a verdict, a graph. Values that print and show themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympy import Expr

    from roofdsl.evaluate.roofline import KernelTime, Roofline
    from roofdsl.report.derived import Derived
    from roofdsl.report.table import Table
    from roofdsl.report.values import Value
    from roofdsl.verify.verdict import Verdict as Judged


@dataclass(frozen=True, slots=True)
class Derivation:
    """A closed form. `expr` is a SymPy expression on the model's symbols; `unit` its unit (`FLOP`, `B`, `s`, …);
    `basis` says under which convention, with which dtypes, and whether it is derived or declared.
    """

    text: str
    expr: Expr
    unit: str
    basis: str
    _derived: Derived = field(repr=False, compare=False)

    def latex(self) -> str:
        """The formula in LaTeX math mode, as papers write it."""
        return self._derived.printed("latex")

    def __str__(self) -> str:
        return self._derived.printed("text")

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Numbers. `values` maps each quantity asked for to its `Value` (`number` an exact fraction in base units, `printed`
    with its unit), also as `evaluation["flops(layer)"]`; without quantities there is the `roofline`: `time` in seconds,
    and every kernel's work in FLOP, traffic in byte, time and bound.
    """

    values: Mapping[str, Value]
    roofline: Roofline | None
    tables: tuple[Table, ...] = field(repr=False)

    @property
    def kernels(self) -> tuple[KernelTime, ...]:
        """The kernels of the roofline; empty where quantities were asked for."""
        return () if self.roofline is None else self.roofline.kernels

    def __getitem__(self, quantity: str) -> Value:
        return self.values[quantity]

    def __str__(self) -> str:
        from roofdsl.report.plain import render_plain

        return "\n".join(render_plain(table) for table in self.tables)

    def _repr_html_(self) -> str:
        from roofdsl.report.markup import render_html

        return "".join(render_html(table) for table in self.tables)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about a claim: `outcome` is proved, refuted or undecided; `passed` says whether the claim stands
    as written (a `claim not` stands where its formula is refuted); `witness` has the smallest sizes that refute it.
    `details` is the whole verdict as a value: both forms, the difference, where its terms come from.
    """

    claim: str
    outcome: str
    passed: bool
    witness: Mapping[str, int]
    text: str = field(repr=False)
    details: Judged = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return self.passed

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"


@dataclass(frozen=True)
class OpGraph:
    """The op graph of a subject. `dot` is its description; pictures are drawn when asked for."""

    dot: str = field(repr=False)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG text. Raises `RoofError` (E0803) where no program that draws is installed."""
        from roofdsl.report.render import draw

        return draw(self.dot, "svg").decode()

    def save(self, path: str | Path) -> None:
        """Write a .dot, .svg, .png or .pdf file, whole or not at all. Raises `RoofError` if it cannot be."""
        from roofdsl.files import write_atomic
        from roofdsl.report.render import draw, picture_format

        write_atomic(Path(path), draw(self.dot, picture_format(str(path))))

    def _repr_svg_(self) -> str:
        start = self.svg.find("<svg")
        return self.svg[start:]
