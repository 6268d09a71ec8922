"""Lets and measured facts as sizes: what a scope expands names to."""

from __future__ import annotations

from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

from roofdsl.diagnostics import Diagnostic, RoofError, Sink, fail
from roofdsl.errors.algebra import CIRCULAR_BINDING
from roofdsl.errors.claims import UNITS_DIFFER
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size, Symbol, symbols_of
from roofdsl.passes.names import QUANTITIES
from roofdsl.quantities.amounts import Formula
from roofdsl.quantities.formula import Names, resolve, symbol_formulas
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.units.dimension import PURE, Dimension


def unit_of(factors: tuple[ast.UnitFactor, ...], span: Span) -> tuple[Fraction, Dimension]:
    """Factor to base units and dimension of a unit as written; raises `RoofError` (E06xx) if it is not one."""
    from roofdsl.units.resolve import resolve_unit

    sink = Sink()
    unit = resolve_unit(factors, span, sink)
    sink.stop_on_errors()
    assert unit is not None, "resolve_unit gives None only with an error"  # noqa: S101 - narrows for the type checker
    return unit.factor, unit.dimension


def size_names(library: Library) -> Names:
    """What names mean where only sizes may stand: lets, bindings, conditions."""
    symbols = symbol_formulas((*library.dims, *library.lets))
    return Names(symbols, unit=unit_of, reserved=QUANTITIES | frozenset(library.quantities))


def size_formula(value: ast.Expr, names: Names) -> Size:
    """The size a let or a binding is: a number without a unit (E0704)."""
    formula = resolve(value, names)
    if formula.dimension is not None and not formula.dimension.pure:
        found = str(formula.dimension)
        helps = ("`measured x = … [unit]` names an amount",)
        fail(UNITS_DIFFER, value.span, "a size has no unit", expected=str(PURE), found=found, helps=helps)
    return formula.size


def let_sizes(library: Library) -> dict[str, Size]:
    """Every let, and every measured fact in base units. Raises `RoofError` with all faults found."""
    names = size_names(library)
    faults: list[Diagnostic] = []
    sizes: dict[str, Size] = {}
    values = {n: let.value for n, let in library.lets.items()} | {n: f.value for n, f in library.measured.items()}
    for name, value in values.items():
        measured = name in library.measured and name not in library.lets
        try:
            sizes[name] = resolve(value, names).size if measured else size_formula(value, names)
        except RoofError as error:
            faults += error.diagnostics
    if faults:
        raise RoofError(tuple(faults))
    _check_circles(library, sizes)
    return sizes


def _check_circles(library: Library, sizes: dict[str, Size]) -> None:
    """A let may not lead back to itself."""
    needed = {name: [n for n in sorted(symbols_of(size)) if n in sizes] for name, size in sizes.items()}
    try:
        TopologicalSorter(needed).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        fail(CIRCULAR_BINDING, library.lets[circle[0]].span, f"{' → '.join(circle)}: the size is never reached")


def measured_formulas(library: Library) -> dict[str, Formula]:
    """Measured facts as names in formulas, each with the dimension it was measured in."""
    names = size_names(library)
    return {
        name: Formula(Symbol(name), resolve(fact.value, names).dimension) for name, fact in library.measured.items()
    }
