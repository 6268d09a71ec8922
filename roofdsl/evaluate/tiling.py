"""Tiles and waves: what matrix products really take when the result is cut into tiles and these run on a few units.

An optional refinement with exact ceilings (design §6): a partly filled tile costs a whole one, and the last wave of
tiles costs as much as a full one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from roofdsl.algebra.scope import Causal
from roofdsl.diagnostics import fail
from roofdsl.errors.performance import BAD_TILE
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.machine import Machine
from roofdsl.ir.size import Function, Size, const, divide, product
from roofdsl.measures.products import MatrixProduct
from roofdsl.quantities.conventions import Convention, Tile
from roofdsl.source import Span

_TILE = re.compile(r"([1-9][0-9]{0,5})[x×]([1-9][0-9]{0,5})(?:[x×]([1-9][0-9]{0,5}))?\Z")


@dataclass(frozen=True, slots=True)
class Tiling:
    """A tile of `rows` × `columns` results (the inner size padded to a multiple of `inner`), run on `units` at a time."""

    rows: int
    columns: int
    inner: int = 1
    units: int = 1


@dataclass(frozen=True, slots=True)
class Waves:
    """A matrix product under a tiling: its sizes, those padded to whole tiles, tiles and waves of one execution, the
    share of units busy in the last wave, and the share of all the work done that is asked for.
    """

    product: MatrixProduct
    sizes: tuple[int, int, int]
    padded: tuple[int, int, int]
    batch: int
    tiles: int
    waves: int
    last: Fraction
    units: int
    useful: Fraction

    @property
    def busy(self) -> Fraction:
        """The share of all slots of all waves that hold a tile."""
        return Fraction(self.tiles, self.waves * self.units)

    @property
    def slower(self) -> Fraction:
        """How many times longer than without tiles."""
        return 1 / self.useful


def read_tiling(text: str, machine: Machine | None, span: Span, units: int | None = None) -> Tiling:
    """`256x128` or `128x128x64`; the units are the machine's `sms`, or one where none are stated. E0820 for other text."""
    return _on_machine(read_tile(text, span), machine, units)


def read_tile(text: str, span: Span) -> Tile:
    """`256x128` or `128x128x64`; E0820 for other text."""
    found = _TILE.match(text.strip())
    if found is None:
        fail(BAD_TILE, span, "not a tile", expected="ROWSxCOLUMNS or ROWSxCOLUMNSxINNER", found=text)
    return Tile(int(found[1]), int(found[2]), int(found[3] or 1))


def tiling_of(convention: Convention, machine: Machine) -> Tiling | None:
    """The tile a convention states, on the units of a machine."""
    return None if convention.tile is None else _on_machine(convention.tile, machine)


def _on_machine(tile: Tile, machine: Machine | None, units: int | None = None) -> Tiling:
    stated = None if machine is None else machine.figures.get("sms")
    own = 1 if stated is None else int(stated.value)
    return Tiling(tile.rows, tile.columns, tile.inner, own if units is None else units)


def array_tiling(machine: Machine) -> Tiling | None:
    """The tile of a systolic array, if the machine states one (`array = 128`): rows and columns of the stationary
    operand, so that columns and inner size are padded.
    """
    array = machine.figures.get("array")
    return None if array is None else Tiling(1, int(array.value), int(array.value))


def waves_of(found: MatrixProduct, tiling: Tiling, binding: Binding, causal: Causal = "full") -> Waves:
    """Tiles and waves of a product at a binding; `NoValueError` if a size has none."""
    wanted = (found.rows, found.columns, found.inner)
    rows, columns, inner = (int(binding.value(size, causal)) for size in wanted)
    batch = int(binding.value(found.batch, causal))
    across, down = ceil(Fraction(rows, tiling.rows)), ceil(Fraction(columns, tiling.columns))
    deep = ceil(Fraction(inner, tiling.inner)) * tiling.inner
    tiles = batch * across * down
    waves = ceil(Fraction(tiles, tiling.units))
    spent = waves * tiling.units * tiling.rows * tiling.columns * deep
    padded = (across * tiling.rows, down * tiling.columns, deep)
    last = Fraction(tiles - (waves - 1) * tiling.units, tiling.units)
    useful = Fraction(batch * rows * columns * inner, spent)
    return Waves(found, (rows, columns, inner), padded, batch, tiles, waves, last, tiling.units, useful)


def padding(
    products: Iterable[MatrixProduct], tiling: Tiling, binding: Binding, causal: Causal = "full"
) -> dict[str, Fraction]:
    """By kernel how many times longer its product takes."""
    return {found.kernel: waves_of(found, tiling, binding, causal).slower for found in products}


def tiles_formula(found: MatrixProduct, tiling: Tiling) -> Size:
    """Tiles of one execution, as a formula."""
    return product(found.batch, _parts(found.rows, tiling.rows), _parts(found.columns, tiling.columns))


def _parts(size: Size, tile: int) -> Size:
    """How many tiles a whole size takes."""
    return size if tile == 1 else Function("ceil", (divide(size, const(tile)),))


def slower_formula(found: MatrixProduct, tiling: Tiling) -> Size:
    """How many times longer than without tiles, as a formula: the work of all slots of all waves over what is asked for."""
    deep = product(_parts(found.inner, tiling.inner), const(tiling.inner))
    spent = product(waves_formula(found, tiling), const(tiling.units), const(tiling.rows), const(tiling.columns), deep)
    return divide(spent, product(found.batch, found.rows, found.columns, found.inner))


def waves_formula(found: MatrixProduct, tiling: Tiling) -> Size:
    """Waves of one execution, as a formula."""
    return _parts(tiles_formula(found, tiling), tiling.units)
