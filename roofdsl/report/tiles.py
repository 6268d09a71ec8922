"""Tiles and waves as a table and a document: one row for each matrix product."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from roofdsl.algebra.scope import Causal
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.tiling import Tiling, Waves, waves_formula, waves_of
from roofdsl.ir.show import show_size
from roofdsl.measures.products import MatrixProduct
from roofdsl.report.figures import figure
from roofdsl.report.table import Column, Table, make_table
from roofdsl.units.dimension import PURE
from roofdsl.units.display import significant

_COLUMNS = (
    "kernel",
    ">rows × inner × columns",
    ">padded",
    ">tiles",
    ">waves",
    ">last wave",
    ">units busy",
    ">useful",
    ">slower",
)


def tiled_products(
    products: Iterable[MatrixProduct], tiling: Tiling, binding: Binding, causal: Causal
) -> tuple[Waves, ...]:
    """Every product under a tiling."""
    return tuple(waves_of(found, tiling, binding, causal) for found in products)


def tiles_table(found: Iterable[Waves], tiling: Tiling, title: str) -> Table:
    """One execution of each matrix product."""
    rows = [_row(waves) for waves in found]
    step = f", inner size in steps of {tiling.inner}" if tiling.inner > 1 else ""
    footer = f"tiles of {tiling.rows} × {tiling.columns}{step} on {tiling.units} units at a time; a last wave costs a full one"
    notes = () if rows else ("no kernel here is a single matrix product",)
    return make_table(title, _COLUMNS, rows, notes=notes, footer=footer)


def _row(waves: Waves) -> tuple[str, ...]:
    rows, columns, inner = waves.sizes
    batch = f"{waves.batch:,} of " if waves.batch > 1 else ""
    wide, deep = (f"{size:,}" for size in waves.padded[1:])
    return (
        waves.product.kernel,
        f"{batch}{rows:,} × {inner:,} × {columns:,}",
        f"{waves.padded[0]:,} × {deep} × {wide}",
        f"{waves.tiles:,}",
        f"{waves.waves:,}",
        _percent(waves.last),
        _percent(waves.busy),
        _percent(waves.useful),
        f"{significant(waves.slower, 4)}×",
    )


def waves_table(found: Iterable[Waves], tiling: Tiling) -> Table:
    """The waves of each product as a formula that holds for any sizes; products of one shape together."""
    alike: dict[str, list[str]] = {}
    for waves in found:
        alike.setdefault(show_size(waves_formula(waves.product, tiling)), []).append(waves.product.kernel)
    rows = ((", ".join(kernels), formula) for formula, kernels in alike.items())
    return make_table("Waves as formulas", (Column("kernels", wide=True), "waves"), rows)


def tiles_document(found: Iterable[Waves], tiling: Tiling) -> list[dict[str, Any]]:
    """The rows as data."""
    return [
        {
            "kernel": waves.product.kernel,
            "batch": waves.batch,
            "sizes": dict(zip(("rows", "columns", "inner"), waves.sizes, strict=True)),
            "padded": dict(zip(("rows", "columns", "inner"), waves.padded, strict=True)),
            "tiles": waves.tiles,
            "waves": waves.waves,
            "last_wave": figure(waves.last, PURE),
            "busy": figure(waves.busy, PURE),
            "useful": figure(waves.useful, PURE),
            "formula": show_size(waves_formula(waves.product, tiling)),
        }
        for waves in found
    ]


def _percent(share: Fraction) -> str:
    return f"{significant(100 * share, 4)} %"
