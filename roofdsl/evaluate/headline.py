"""What looks copied from the large letters of a data sheet: 2:4-sparse peaks, links that count both directions.

Notes, by comparison with the shipped machines: a machine with the memory bandwidth of a known one and just twice its
dense peak, or a link of the same name and just twice its rate. Also notes on what a machine leaves open.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.errors.evaluation import BOTH_WAYS, NO_DIRECTION, NO_SOURCE, SPARSE_HEADLINE
from roofdsl.evaluate.describe import build_machine
from roofdsl.evaluate.machine import Machine, bandwidth
from roofdsl.evaluate.oddities import note_oddities
from roofdsl.ir.entry import Kind
from roofdsl.ir.library import Library
from roofdsl.passes.load import find_machine, machine_names
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.print_machines import print_peak_name
from roofdsl.units.dimension import BYTE, FLOP
from roofdsl.units.display import format_rate

_TWICE = (Fraction(1995, 1000), Fraction(2005, 1000))
_SAME = (Fraction(995, 1000), Fraction(1005, 1000))
_SAME_BANDWIDTH = (Fraction(95, 100), Fraction(105, 100))


def check_machines(library: Library, sink: Sink, *, strict: bool = False) -> tuple[Machine, ...]:
    """All machines a library declares, checked, with notes on what looks like a headline; if `strict`, also on what they
    leave open.
    """
    machines = tuple(build_machine(declaration, library, sink) for declaration in library.machines.values())
    for declaration in library.machines.values() if strict else ():
        note_omissions(declaration, sink)
    if not machines or sink.errors:
        return machines
    known = _shipped(library)
    for declaration, machine in zip(library.machines.values(), machines, strict=True):
        note_headlines(declaration, machine, known, sink)
        if strict:
            note_oddities(declaration, machine, sink)
    return machines


def _shipped(library: Library) -> tuple[Machine, ...]:
    empty = Library(dtypes=library.dtypes)
    found = (find_machine(empty, name, Sink()) for name in machine_names(empty))
    return tuple(build_machine(declaration, empty, Sink()) for declaration in found if declaration is not None)


def note_headlines(declaration: ast.Machine, machine: Machine, known: Iterable[Machine], sink: Sink) -> None:
    """N0631 at each contraction peak that is twice that of a known machine of the same memory bandwidth, or the sparse
    headline of any, once each; N0634 at links.
    """
    known = tuple(known)
    alike = [m for m in known if _between(bandwidth(machine) / bandwidth(m), _SAME_BANDWIDTH)]
    for item in declaration.items:
        match item:
            case ast.Peak(unit_kind="contraction", sparse=False, accumulator=None):
                _note_peak(item, machine, known, alike, sink)
            case ast.Link(name, rate, None):
                _note_link(name, rate.span, machine, alike, sink)
            case _:
                continue


def _note_peak(item: ast.Peak, machine: Machine, known: tuple[Machine, ...], alike: list[Machine], sink: Sink) -> None:
    key: tuple[Kind, str | None] = ("contraction", item.dtype)
    rate = machine.peaks.get(key)
    if rate is None or any(_between(rate / other.peaks[key], _SAME) for other in alike if key in other.peaks):
        return
    twice = [o for o in alike if key in o.peaks and _between(rate / o.peaks[key], _TWICE)]
    dense = {o.name for o in known if key in o.peaks and _between(rate / o.peaks[key], _SAME)}
    headline = [o for o in known if key in o.sparse and not dense and _between(rate / o.sparse[key], _SAME)]
    if twice:
        text = f"twice the dense peak of {twice[0].name}, {format_rate(twice[0].peaks[key], FLOP)}"
    elif key in machine.sparse and machine.sparse[key] <= rate:
        text = f"its sparse headline is no higher, {format_rate(machine.sparse[key], FLOP)}"
    elif headline:
        text = f"the sparse headline of {headline[0].name}, {format_rate(headline[0].sparse[key], FLOP)}"
    else:
        return
    helps = (f"for dense arithmetic, halve it; keep the headline as `sparse {print_peak_name(item)} = …`",)
    sink.add(SPARSE_HEADLINE, item.value.span, text, helps=helps)


def _note_link(name: str, span: Span, machine: Machine, alike: list[Machine], sink: Sink) -> None:
    rate = machine.links[name]
    if any(other.links.get(name) == rate for other in alike):
        return
    twice = [other for other in alike if name in other.links and _between(rate / other.links[name], _TWICE)]
    if twice:
        text = f"twice that of {twice[0].name}, {format_rate(twice[0].links[name], BYTE)} per direction"
        sink.add(BOTH_WAYS, span, text, helps=(f"write `{span.text} both directions` if it counts both",))


def note_omissions(declaration: ast.Machine, sink: Sink) -> None:
    """What a machine should say and does not: where its figures are from (N0635), which way a link counts (N0633)."""
    if not any(isinstance(item, ast.Note) for item in declaration.items):
        at = Span(declaration.span.source, declaration.span.start, declaration.span.start + len("machine"))
        helps = ('add a line such as `source "NVIDIA H100 datasheet, 2023-03"`',)
        sink.add(NO_SOURCE, at, "nothing says where the figures are from", helps=helps)
    for item in declaration.items:
        if isinstance(item, ast.Link) and item.direction is None:
            helps = ("write `per direction` or `both directions` behind it",)
            sink.add(NO_DIRECTION, item.span, f"{item.name} is taken per direction", helps=helps)


def _between(ratio: Fraction, limits: tuple[Fraction, Fraction]) -> bool:
    return limits[0] <= ratio <= limits[1]
