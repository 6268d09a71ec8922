"""Derived formulas as tables and documents: those asked for, or the main quantities of everything a file declares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from roofdsl.ir.library import Library
from roofdsl.report.derived import Derived
from roofdsl.report.footer import basis_of, convention_text, footer_text
from roofdsl.report.table import Cell, Table, make_table
from roofdsl.source import Source
from roofdsl.units.display import unit_symbol

OF_BLOCKS = ("flops({})", "flops({}, backward)", "bytes({})", "saved({})", "params({})")
OF_MODELS = ("flops({})", "flops({}, train)", "flops({}, recompute)", "saved({})", "params({})", "state({})")


def main_questions(library: Library, source: Source) -> tuple[str, ...]:
    """What is worth asking of every block and model a file declares (of all in force, if it declares none)."""
    blocks = {n: d.span for n, d in library.definitions.items() if d.kind == "block"}
    models = {n: d.span for n, d in library.definitions.items() if d.kind == "model"}
    blocks |= {n: a.span for n, a in library.aliases.items() if a.kind == "block"}
    models |= {n: a.span for n, a in library.aliases.items() if a.kind == "model"}
    own = {name for name, span in (*blocks.items(), *models.items()) if span.source is source}
    shown = own or {*blocks, *models}
    asked = [question.format(name) for name in blocks if name in shown for question in OF_BLOCKS]
    return (*asked, *(question.format(name) for name in models if name in shown for question in OF_MODELS))


def formula_cell(derived: Derived, *, markup: bool = False) -> Cell:
    """The formula as a cell, with LaTeX and MathML only where the table's format shows them."""
    if not markup:
        return Cell(derived.printed())
    return Cell(derived.printed(), derived.printed("latex"), derived.printed("mathml"))


def derive_table(title: str, results: Iterable[Derived], *, markup: bool = False) -> Table:
    """One row for each formula, with its unit."""
    found = tuple(results)
    rows = ((d.text, formula_cell(d, markup=markup), unit_symbol(d.dimension)) for d in found)
    basis = basis_of(quantity for d in found for quantity in d.found)
    footer = footer_text(basis, ())
    return make_table(title, ("quantity", "formula", "unit"), rows, footer=footer)


def derived_document(derived: Derived) -> dict[str, Any]:
    """A derived formula as the schema's `derived`."""
    basis = basis_of(derived.found)
    return {
        "quantity": derived.text,
        "formula": formula_document(derived),
        **({"regime": derived.shape.regime.strip()} if derived.shape.regime else {}),
        "unit": unit_symbol(derived.dimension),
        "convention": convention_text(basis) or None,
        "dtypes": list(basis.dtypes),
        "provenance": basis.provenance,
        "declared": list(basis.declared),
    }


def formula_document(derived: Derived) -> dict[str, str]:
    """A formula as the schema's `formula`."""
    text = "; ".join(derived.regimes) or derived.printed("text")
    where = {"where": derived.where} if derived.where else {}
    return {"text": text, "latex": derived.printed("latex"), "sympy": derived.printed("sympy"), **where}
