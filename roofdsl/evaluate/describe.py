"""Declarations of machines → `Machine` values, with every figure checked once: unit, sign, repetition.

Faulty figures are reported and left out, so that one run shows all of them; the caller stops on errors before use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never, get_args

from roofdsl.diagnostics import InternalError, Label, Sink
from roofdsl.diagnostics import Kind as ErrorKind
from roofdsl.errors import evaluation as errors
from roofdsl.evaluate.machine import Figure, Level, Machine, Peaks
from roofdsl.evaluate.measured import read_amount, read_bandwidth, read_figure, read_peak_rate
from roofdsl.ir.entry import Kind
from roofdsl.ir.library import Library
from roofdsl.passes.load import find_machine
from roofdsl.passes.names import did_you_mean, some
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.print_machines import print_peak_name
from roofdsl.units.dimension import BYTE, SECOND

_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(slots=True)
class _Draft:
    """A machine while its items are read. `seen` has the place of everything that may stand only once."""

    peaks: Peaks = field(default_factory=dict)
    sparse: Peaks = field(default_factory=dict)
    accumulating: dict[tuple[Kind, str | None, str], Fraction] = field(default_factory=dict)
    levels: list[Level] = field(default_factory=list)
    links: dict[str, Fraction] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    seen: dict[tuple[str, ...], Span] = field(default_factory=dict)


def build_machine(declaration: ast.Machine, library: Library, sink: Sink) -> Machine:
    """The machine of a declaration. Call `sink.stop_on_errors()` before it is used."""
    draft = _Draft()
    _read_clock(declaration, draft, sink)
    for item in declaration.items:
        _read_item(item, draft, library, sink)
    _take_accumulators(draft, library)
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
        draft.sparse,
    )


def _take_accumulators(draft: _Draft, library: Library) -> None:
    """A peak that is given for one accumulator is the peak where sums are kept in it (`default accumulators`)."""
    wanted = library.defaults.get("accumulators")
    for (kind, dtype, accumulator), rate in draft.accumulating.items():
        if accumulator == wanted:
            draft.peaks[kind, dtype] = rate


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
        case ast.Link(name, rate, direction, span):
            value = read_amount(rate, BYTE / SECOND, f"the rate of {name}", sink)
            if _once(("link", name), span, draft, sink) and value is not None:
                draft.links[name] = value / 2 if direction == "both" else value
        case ast.Figure(name, _, span):
            figure = draft.figures.get(name) if name == "clock" else read_figure(name, item.value, sink)
            if _once(("figure", name), span, draft, sink) and figure is not None:
                draft.figures[name] = figure
        case ast.Note(_, text):
            draft.sources.append(text)
        case _:
            assert_never(item)


def _read_clock(declaration: ast.Machine, draft: _Draft, sink: Sink) -> None:
    """The clock comes first: peaks per cycle may stand before it."""
    stated = [item for item in declaration.items if isinstance(item, ast.Figure) and item.name == "clock"]
    found = read_figure("clock", stated[0].value, sink) if stated else None
    if found is not None:
        draft.figures["clock"] = found


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
    for dtype in (item.dtype, item.accumulator):
        if dtype is not None and library.dtypes and dtype not in library.dtypes:
            _reject(errors.PEAK_DTYPE, item.span, dtype, tuple(library.dtypes), sink)
            kind = None
    clock = draft.figures.get("clock") if item.clock is None else read_figure("clock", item.clock, sink)
    rate = read_peak_rate(item.value, clock, sink)
    key = tuple(print_peak_name(item).split())
    if not _once(key, item.span, draft, sink) or kind is None or rate is None:
        return
    if item.sparse:
        draft.sparse[kind, item.dtype] = rate
    elif item.accumulator is not None:
        draft.accumulating[kind, item.dtype, item.accumulator] = rate
    else:
        draft.peaks[kind, item.dtype] = rate


def _reject(kind: ErrorKind, span: Span, found: str, known: tuple[str, ...], sink: Sink) -> None:
    at = _word(span, found)
    helps = did_you_mean(found, known)
    sink.add(kind, at, f"`{found}` is not known", expected=f"one of {some(known)}", found=found, helps=helps)


def _word(span: Span, word: str) -> Span:
    """Where a word first stands in a span (whole items carry spans, the words in them do not)."""
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", span.text)
    return Span(span.source, span.start + match.start(), span.start + match.end()) if match else span


def _read_level(item: ast.MemoryLevel, draft: _Draft, sink: Sink) -> None:
    size = None if item.size is None else read_amount(item.size, BYTE, f"the size of {item.name}", sink, memory=True)
    what = f"the bandwidth of {item.name}"
    speed = None if item.bandwidth is None else read_bandwidth(item.bandwidth, what, sink)
    usable = None if item.usable is None else read_amount(item.usable, BYTE, "the usable size", sink, memory=True)
    if _once(("level", item.name), item.span, draft, sink):
        draft.levels.append(Level(item.role, item.name, size, speed, usable))
