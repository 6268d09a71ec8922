"""Declarations of machines → `Machine` values, with every figure checked once: unit, sign, repetition.

Faulty figures are reported and left out, so that one run shows all of them; the caller stops on errors before use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never, get_args

from roofdsl.diagnostics import InternalError, Label, RoofError, Sink
from roofdsl.diagnostics import Kind as ErrorKind
from roofdsl.errors import evaluation as errors
from roofdsl.errors.units import BITS_OF_MEMORY, MISSING_UNIT
from roofdsl.evaluate.machine import Figure, Level, Machine, Peaks
from roofdsl.ir.entry import Kind
from roofdsl.ir.library import Library
from roofdsl.passes.load import find_machine
from roofdsl.passes.names import suggest
from roofdsl.quantities.amounts import constant
from roofdsl.quantities.formula import Names, resolve
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.units.dimension import BYTE, DOLLAR, FLOP, PURE, SECOND, Dimension
from roofdsl.units.resolve import ONE, Unit, check_same, note_binary_rate, resolve_unit

FIGURES: dict[str, Dimension] = {"sms": PURE, "launch": SECOND, "price": DOLLAR / SECOND}
"""What the figures that times and prices are made of must count; others may be stated in any unit."""

_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(slots=True)
class _Draft:
    """A machine while its items are read. `seen` has the place of everything that may stand only once."""

    peaks: Peaks = field(default_factory=dict)
    levels: list[Level] = field(default_factory=list)
    links: dict[str, Fraction] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    seen: dict[tuple[str, ...], Span] = field(default_factory=dict)


def build_machine(declaration: ast.Machine, library: Library, sink: Sink) -> Machine:
    """The machine of a declaration. Call `sink.stop_on_errors()` before it is used."""
    draft = _Draft()
    for item in declaration.items:
        _read_item(item, draft, library, sink)
    has_memory = any(isinstance(item, ast.MemoryLevel) and _is_main(item) for item in declaration.items)
    if not has_memory:
        sink.add(
            errors.NO_MEMORY,
            _header(declaration),
            f"{declaration.name} has no main memory with a bandwidth",
            helps=("add a line such as `memory hbm = 80 GB at 3.35 TB/s`",),
        )
    return Machine(
        declaration.name,
        declaration.title,
        tuple(draft.sources),
        draft.peaks,
        tuple(draft.levels),
        draft.links,
        draft.figures,
        _header(declaration),
    )


def named_machine(name: str, library: Library, sink: Sink, span: Span | None = None) -> Machine:
    """The machine of a name, of the library or shipped, checked. Raises `RoofError` if there is none or it is faulty."""
    declaration = find_machine(library, name, sink, span=span)
    sink.stop_on_errors()
    if declaration is None:
        raise InternalError(f"no machine {name}, and no diagnostic")
    machine = build_machine(declaration, library, sink)
    sink.stop_on_errors()
    return machine


def _is_main(item: ast.MemoryLevel) -> bool:
    return item.role == "memory" and item.bandwidth is not None


def _header(declaration: ast.Machine) -> Span:
    """The declaration up to its brace."""
    span = declaration.span
    before = span.text.split("{", 1)[0].rstrip()
    return Span(span.source, span.start, span.start + len(before))


def _read_item(
    item: ast.Peak | ast.MemoryLevel | ast.Link | ast.Figure | ast.Note, draft: _Draft, library: Library, sink: Sink
) -> None:
    match item:
        case ast.Peak():
            _read_peak(item, draft, library, sink)
        case ast.MemoryLevel():
            _read_level(item, draft, sink)
        case ast.Link(name, rate, span):
            value = _amount(rate, BYTE / SECOND, f"the rate of {name}", sink)
            if _once(("link", name), span, draft, sink) and value is not None:
                draft.links[name] = value
        case ast.Figure(name, value_expr, span):
            figure = _figure(name, value_expr, sink)
            if _once(("figure", name), span, draft, sink) and figure is not None:
                draft.figures[name] = figure
        case ast.Note(_, text):
            draft.sources.append(text)
        case _:
            assert_never(item)


def _once(key: tuple[str, ...], span: Span, draft: _Draft, sink: Sink) -> bool:
    first = draft.seen.setdefault(key, span)
    if first is span:
        return True
    what = " ".join(key)
    sink.add(errors.DECLARED_TWICE, span, f"{what} again", secondary=(Label(first, "first stated here"),))
    return False


def _read_peak(item: ast.Peak, draft: _Draft, library: Library, sink: Sink) -> None:
    kind = next((k for k in _KINDS if k == item.unit_kind), None)
    if kind is None:
        _reject(errors.UNKNOWN_UNIT_KIND, item.span, item.unit_kind, _KINDS, sink)
    if item.dtype is not None and library.dtypes and item.dtype not in library.dtypes:
        _reject(errors.PEAK_DTYPE, item.span, item.dtype, tuple(library.dtypes), sink)
        kind = None
    rate = _amount(item.value, FLOP / SECOND, "a peak", sink)
    key = ("peak", item.unit_kind, *((item.dtype,) if item.dtype else ()))
    if _once(key, item.span, draft, sink) and kind is not None and rate is not None:
        draft.peaks[kind, item.dtype] = rate


def _reject(kind: ErrorKind, span: Span, found: str, known: tuple[str, ...], sink: Sink) -> None:
    near = suggest(found, known)
    at = _word(span, found)
    helps = (f"did you mean `{near}`?",) if near else ()
    sink.add(kind, at, f"`{found}` is not known", expected=f"one of {', '.join(known)}", found=found, helps=helps)


def _word(span: Span, word: str) -> Span:
    """Where a word first stands in a span (whole items carry spans, the words in them do not)."""
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", span.text)
    return Span(span.source, span.start + match.start(), span.start + match.end()) if match else span


def _read_level(item: ast.MemoryLevel, draft: _Draft, sink: Sink) -> None:
    size = None if item.size is None else _amount(item.size, BYTE, f"the size of {item.name}", sink, memory=True)
    rate = BYTE / SECOND
    speed = (
        None
        if item.bandwidth is None
        else _amount(item.bandwidth, rate, f"the bandwidth of {item.name}", sink, memory=True)
    )
    usable = None if item.usable is None else _amount(item.usable, BYTE, "the usable size", sink, memory=True)
    if _once(("level", item.name), item.span, draft, sink):
        draft.levels.append(Level(item.role, item.name, size, speed, usable))


def _figure(name: str, expr: ast.Expr, sink: Sink) -> Figure | None:
    """A named figure; those of `FIGURES` must count what is said there."""
    wanted = FIGURES.get(name)
    read = _read_value(expr, sink)
    if read is None:
        return None
    value, unit = read
    if wanted is not None and not _fits(wanted, unit, expr.span, f"`{name}`", sink):
        return None
    return Figure(value * unit.factor, unit.dimension)


def _amount(
    measured: ast.Measured, wanted: Dimension, what: str, sink: Sink, *, memory: bool = False
) -> Fraction | None:
    """A figure in base units, of the dimension wanted; None after a diagnostic."""
    read = _read_value(measured, sink)
    if read is None:
        return None
    value, unit = read
    if not _fits(wanted, unit, measured.span, what, sink):
        return None
    if memory and unit.bits:
        sink.add(BITS_OF_MEMORY, measured.span, f"{what} is in bits; 8 bit are one byte")
    note_binary_rate(unit, measured.span, sink, value)
    return value * unit.factor


def _fits(wanted: Dimension, unit: Unit, span: Span, what: str, sink: Sink) -> bool:
    if unit is ONE and not wanted.pure:
        sink.add(MISSING_UNIT, span, f"{what} needs a unit", expected=str(wanted), found="a bare number")
        return False
    return check_same(wanted, unit.dimension, span, sink, what)


def _read_value(expr: ast.Expr, sink: Sink) -> tuple[Fraction, Unit] | None:
    """Number and unit of a figure; its number must be positive."""
    number, factors = (expr.value, expr.unit) if isinstance(expr, ast.Measured) else (expr, ())
    value = _number(number, sink)
    unit = resolve_unit(factors, expr.span, sink) if factors else ONE
    if value is None or unit is None:
        return None
    if value <= 0:
        sink.add(errors.NOT_POSITIVE, expr.span, "this must be greater than zero", found=expr.span.text)
        return None
    return value, unit


def _number(expr: ast.Expr, sink: Sink) -> Fraction | None:
    try:
        found = None if isinstance(expr, ast.Name) else constant(resolve(expr, Names({})).size)
    except RoofError as error:
        sink.found.extend(d for d in error.diagnostics if d not in sink.found)
        return None
    if found is None:
        sink.add(errors.NOT_A_FIGURE, expr.span, "this is not a number", found=expr.span.text)
    return found
