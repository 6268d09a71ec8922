"""Number formats as a table and a document: bits per element, range and spacing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from roofdsl.ir.library import Dtype
from roofdsl.ir.number_format import FloatFormat, IntegerFormat
from roofdsl.report.json import exact_number
from roofdsl.report.table import Table, make_table
from roofdsl.units.display import significant

_COLUMNS = ("dtype", ">bit per element", "stored as", ">largest", ">smallest normal", ">smallest", ">epsilon")


def formats_table(found: Iterable[Dtype], defaults: Mapping[str, str]) -> Table:
    """One row each; ranges are those of an element without its scales."""
    rows = [(d.name, _bits(d), _stored(d), *_range(d)) for d in found]
    notes = ("ranges are those of an element, before the scales of its group",)
    footer = f"defaults: {', '.join(f'{role} {name}' for role, name in defaults.items())}"
    return make_table("", _COLUMNS, rows, notes=notes, footer=footer)


def _range(dtype: Dtype) -> tuple[str, str, str, str]:
    match dtype.format:
        case FloatFormat() as form:
            numbers = (form.largest, form.smallest_normal, form.smallest, form.epsilon)
            largest, normal, smallest, epsilon = (significant(Fraction(number), 4) for number in numbers)
            return largest, normal, smallest, epsilon
        case IntegerFormat() as form:
            return f"{form.largest:,}", "", f"{form.least:,}", "1"
        case None:
            return "", "", "", ""


def _stored(dtype: Dtype) -> str:
    """`4 bit + 8 bit per 32`, and what the bits mean."""
    declared = dtype.declaration
    groups = "".join(f" + {bits} bit per {size}" for bits, size in declared.groups)
    once = f" + {declared.per_tensor} bit per tensor" if declared.per_tensor else ""
    return " ".join((f"{declared.bits} bit{groups}{once}", *declared.words))


def _bits(dtype: Dtype) -> str:
    """Exact: `4.25`, since group overheads are powers of two; else a fraction."""
    bits = dtype.bits
    return f"{float(bits):g}" if 2**40 % bits.denominator == 0 else str(bits)


def dtype_document(dtype: Dtype) -> dict[str, Any]:
    """A number format as the schema's `dtype`."""
    entry: dict[str, Any] = {"name": dtype.name, "bits": exact_number(dtype.bits), "integer": dtype.integer}
    match dtype.format:
        case FloatFormat() as form:
            entry |= {"exponent": form.exponent, "mantissa": form.mantissa, "specials": form.specials}
            entry |= {"largest": exact_number(form.largest), "epsilon": exact_number(form.epsilon)}
            entry |= {"smallest_normal": exact_number(form.smallest_normal), "smallest": exact_number(form.smallest)}
        case IntegerFormat() as form:
            entry |= {"largest": exact_number(Fraction(form.largest)), "least": exact_number(Fraction(form.least))}
        case None:
            pass
    return entry
