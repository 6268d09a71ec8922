"""Numbers of formulas: a value in base units, exact, and its text with a unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from roofdsl.diagnostics import Sink, fail
from roofdsl.errors.evaluation import NO_VALUE, TOO_LARGE, UNBOUND_SIZE
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.extents import check_bound, unbound_helps, unbound_names
from roofdsl.evaluate.number import NoValueError
from roofdsl.quantities.amounts import Formula
from roofdsl.quantities.ask import Asker
from roofdsl.quantities.quantity import Quantity
from roofdsl.report.derived import causal_of
from roofdsl.report.footer import basis_of, convention_text, footer_text
from roofdsl.report.json import exact_number
from roofdsl.report.table import Table, make_table
from roofdsl.source import word
from roofdsl.units.dimension import PURE, Dimension
from roofdsl.units.display import format_amount, unit_symbol


@dataclass(frozen=True, slots=True)
class Value:
    """A formula's number in base units of `dimension`, and the quantities it was made of."""

    text: str
    number: Fraction
    dimension: Dimension
    found: tuple[Quantity, ...]

    @property
    def printed(self) -> str:
        """With its unit: `41.3 µs`."""
        return format_amount(self.number, self.dimension)


def evaluate(asker: Asker, text: str, formula: Formula, binding: Binding) -> Value:
    """The value of a resolved formula; E0611 and the like if an extent is no size, or a size has no value."""
    _check_extents(asker, binding)
    span = word(text, "quantity")
    try:
        number = binding.value(formula.size, causal_of(asker))
    except NoValueError as error:
        if error.name is not None:
            library = asker.session.library
            names = unbound_names(formula.size, binding, library) or (error.name,)
            text = f"{', '.join(names)} {'has' if len(names) == 1 else 'have'} no value"
            fail(UNBOUND_SIZE, span, text, helps=unbound_helps(names, library))
        fail(TOO_LARGE if error.too_large else NO_VALUE, span, str(error))
    return Value(text, number, formula.dimension or PURE, tuple(asker.found))


def _check_extents(asker: Asker, binding: Binding) -> None:
    """A formula may be a number where its model is not: 24bsh² is one when h/a is no integer."""
    sink = Sink()
    for quantity in asker.found:
        check_bound(asker.session.graph(quantity.subject, quantity.mode), binding, asker.session.library, sink)
        sink.stop_on_errors()


def values_table(values: Iterable[Value], title: str) -> Table:
    """One row for each value."""
    found = tuple(values)
    rows = ((value.text, value.printed) for value in found)
    footer = footer_text(basis_of(quantity for value in found for quantity in value.found), ())
    return make_table(title, ("quantity", ">value"), rows, footer=footer)


def value_document(value: Value) -> dict[str, Any]:
    """A value as the schema's `value`."""
    basis = basis_of(value.found)
    return {
        "quantity": value.text,
        "number": exact_number(value.number),
        "unit": unit_symbol(value.dimension),
        "text": value.printed,
        "convention": convention_text(basis) or None,
        "dtypes": list(basis.dtypes),
        "provenance": basis.provenance,
    }


def bindings_document(binding: Binding) -> dict[str, Any]:
    """All sizes that have a value, as the schema's `bindings`."""
    return {name: exact_number(Fraction(value)) for name, value in binding.values.items()}
