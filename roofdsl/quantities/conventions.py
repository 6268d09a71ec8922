"""Conventions: what is counted as work, and how. They are text (`specs/conventions.roof`); here they become values.

A convention is printed with every number. `paper` is the default for FLOP, as papers count; everything that meets a
machine counts all work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from roofdsl.diagnostics import RoofError, fail
from roofdsl.errors import claims as errors
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size
from roofdsl.passes.names import did_you_mean
from roofdsl.quantities.amounts import constant
from roofdsl.quantities.formula import Names, resolve, symbol_formulas
from roofdsl.source import NOWHERE, Span
from roofdsl.syntax import ast

Work = Literal["contractions", "all"]
Causal = Literal["full", "half", "exact"]
Embedding = Literal["lookup", "matmul"]
Overhead = Literal["none", "launch", "graph"]
Overlap = Literal["full", "none"]
Blocks = Literal["unsaid", "amortised", "whole"]

OPTIONS: dict[str, tuple[str, ...]] = {
    "work": get_args(Work),
    "causal": get_args(Causal),
    "embedding": get_args(Embedding),
    "overhead": get_args(Overhead),
    "overlap": get_args(Overlap),
    "blocks": ("amortised", "whole"),
}
PAPER = "paper"
COUNTED_AS_PAPERS_DO = frozenset(("flops",))


@dataclass(frozen=True, slots=True)
class Override:
    """The forward work of every call of an op: `amount` FLOP per element of its results."""

    op: str
    amount: Size
    text: str


@dataclass(frozen=True, slots=True)
class Efficiency:
    """The share of its roofs that something reaches, as its user says: a kernel or op by name, a unit, a memory level."""

    name: str
    share: Fraction
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"an efficiency is above 0 and at most 1, not {self.share}")


@dataclass(frozen=True, slots=True)
class Tile:
    """Matrix products in whole tiles of `rows` × `columns` results, the inner size in steps of `inner`."""

    rows: int
    columns: int
    inner: int = 1

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}" + (f"x{self.inner}" if self.inner > 1 else "")


@dataclass(frozen=True, slots=True)
class Convention:
    """Which work counts, and what a time assumes. `name` is as declared; `all` for the default of intensity, bytes and
    time.
    """

    name: str
    work: Work = "all"
    causal: Causal = "full"
    embedding: Embedding = "lookup"
    overhead: Overhead = "none"
    overrides: tuple[Override, ...] = ()
    overlap: Overlap = "full"
    efficiencies: tuple[Efficiency, ...] = ()
    blocks: Blocks = "unsaid"
    tile: Tile | None = None

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Setting and value, in the order of the documentation, overrides last."""
        fixed = (
            ("work", self.work),
            ("causal", self.causal),
            ("embedding", self.embedding),
            ("overhead", self.overhead),
        )
        overlap = () if self.overlap == "full" else (("overlap", self.overlap),)
        blocks = () if self.blocks == "unsaid" else (("blocks", self.blocks),)
        shares = ((e.name, f"{float(e.share):g} per peak") for e in self.efficiencies)
        tile = () if self.tile is None else (("tile", str(self.tile)),)
        return (*fixed, *overlap, *blocks, *((o.op, o.text) for o in self.overrides), *shares, *tile)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.settings)


ALL_WORK = Convention("all")


def default_for(quantity: str, library: Library) -> Convention:
    """The convention in force where none is named: `paper` for flops, all work for everything else."""
    if quantity not in COUNTED_AS_PAPERS_DO:
        return ALL_WORK
    if PAPER in library.conventions:
        return read_convention(library.conventions[PAPER], library)
    return Convention(PAPER, work="contractions")


def find_convention(name: str, library: Library, span: Span = NOWHERE) -> Convention:
    """The convention of a name (E0709 if it is not declared, E0710 if a setting is not one)."""
    if name in library.conventions:
        return read_convention(library.conventions[name], library)
    if name == ALL_WORK.name:
        return ALL_WORK
    fail(
        errors.UNKNOWN_CLAUSE_NAME,
        span,
        f"no convention is called `{name}`",
        expected=", ".join((*library.conventions, ALL_WORK.name)),
        found=name,
        helps=did_you_mean(name, library.conventions),
    )


def read_convention(declaration: ast.Convention, library: Library) -> Convention:
    """A declaration checked and turned into a value; all faults of one declaration are reported together."""
    chosen: dict[str, str] = {}
    overrides: list[Override] = []
    efficiencies: list[Efficiency] = []
    faults: list[RoofError] = []
    for setting in declaration.settings:
        try:
            if setting.name in OPTIONS:
                chosen[setting.name] = _option(setting)
            elif setting.per == "peak":
                efficiencies.append(_efficiency(setting))
            else:
                overrides.append(_override(setting, library))
        except RoofError as error:
            faults.append(error)
    if faults:
        raise RoofError(tuple(d for error in faults for d in error.diagnostics))
    return Convention(
        declaration.name,
        _work(chosen.get("work", "all")),
        _causal(chosen.get("causal", "full")),
        "matmul" if chosen.get("embedding") == "matmul" else "lookup",
        _overhead(chosen.get("overhead", "none")),
        tuple(overrides),
        "none" if chosen.get("overlap") == "none" else "full",
        tuple(efficiencies),
        _blocks(chosen.get("blocks", "unsaid")),
    )


def _work(text: str) -> Work:
    return "contractions" if text == "contractions" else "all"


def _causal(text: str) -> Causal:
    match text:
        case "half" | "exact":
            return text
        case _:
            return "full"


def _overhead(text: str) -> Overhead:
    match text:
        case "launch" | "graph":
            return text
        case _:
            return "none"


def _blocks(text: str) -> Blocks:
    match text:
        case "amortised" | "whole":
            return text
        case _:
            return "unsaid"


def _option(setting: ast.Setting) -> str:
    options = OPTIONS[setting.name]
    found = setting.value.text if isinstance(setting.value, ast.Name) else setting.value.span.text
    if setting.per is None and found in options:
        return found
    fail(
        errors.BAD_CONVENTION,
        setting.value.span,
        f"not a value of `{setting.name}`",
        expected=" or ".join(options),
        found=found,
        helps=did_you_mean(found, options),
    )


def _efficiency(setting: ast.Setting) -> Efficiency:
    """`matmul = 0.7 per peak`."""
    share = constant(resolve(setting.value, Names({})).size)
    if share is not None and 0 < share <= 1:
        return Efficiency(setting.name, share, setting.span)
    found = setting.value.span.text
    expected = "a number above 0 and at most 1"
    fail(errors.BAD_CONVENTION, setting.value.span, "a share of a peak", expected=expected, found=found)


def _override(setting: ast.Setting, library: Library) -> Override:
    definition = library.definitions.get(setting.name)
    if definition is None or definition.kind != "op":
        ops = tuple(name for name, d in library.definitions.items() if d.kind == "op")
        helps = did_you_mean(setting.name, (*OPTIONS, *ops))
        fail(errors.BAD_CONVENTION, setting.span, f"`{setting.name}` is neither a setting nor an op", helps=helps)
    if setting.per != "element":
        helps = (f"write `{setting.name} = {setting.value.span.text} per element`",)
        fail(errors.BAD_CONVENTION, setting.span, "the work of an op is set per element", helps=helps)
    amount = resolve(setting.value, Names(symbol_formulas(library.symbols))).size
    return Override(setting.name, amount, f"{setting.value.span.text} per element")
