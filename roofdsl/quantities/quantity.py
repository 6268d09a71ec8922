"""Named quantities of a subject: which entries they sum, under which convention, in which unit.

`quantity` gives the size and the entries it is made of (R9), so that whoever prints or compares it can show where
every term comes from. Ratios (intensity) and totals (memory) have parts instead of entries of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from roofdsl.diagnostics import Sink, fail
from roofdsl.errors import claims as errors
from roofdsl.ir.entry import Entry, Measure, Phase, Sheet
from roofdsl.ir.graph import Graph, Mode
from roofdsl.ir.size import ZERO, Size, add, divide, product
from roofdsl.measures.blocks import in_whole_blocks
from roofdsl.passes.normalise import origin
from roofdsl.quantities.conventions import Convention, Override
from roofdsl.quantities.products import products_in
from roofdsl.quantities.selection import keep
from roofdsl.quantities.session import Session, Timed
from roofdsl.quantities.subject import Subject
from roofdsl.units.dimension import BYTE, FLOP, PARAMETER, SECOND, Dimension

Asked = Literal["forward", "backward", "recompute", "train", "hardware", "infer"]
PHASES: tuple[str, ...] = get_args(Asked)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A size in base units of `dimension`. `entries` sum to it (amount × multiplicity), unless it has `parts`."""

    name: str
    subject: Subject
    size: Size
    dimension: Dimension
    convention: Convention
    phase: Asked | None = None
    entries: Sheet = ()
    parts: tuple[Quantity, ...] = field(default=(), repr=False)
    machine: str | None = None

    @property
    def mode(self) -> Mode:
        """The mode of the graph it was asked of."""
        return "infer" if self.phase == "infer" or self.name == "cache" else "train"

    @property
    def text(self) -> str:
        """As a user would write it: `flops(gpt, train)`."""
        phase = () if self.phase in (None, "forward") else (self.phase,)
        machine = () if self.machine is None else (self.machine,)
        return f"{self.name}({', '.join((self.subject.text, *machine, *phase))})"


WITH_PHASE = frozenset(("flops", "bytes", "intensity", "time", "memory"))
OF_SUBJECTS = (
    *("flops", "bytes", "intensity", "saved", "params", "active_params", "param_bytes"),
    *("cache", "state", "time", "memory"),
)


def quantity(
    session: Session,
    name: str,
    subject: Subject,
    *,
    convention: Convention,
    phase: Asked | None = None,
    machine: str | None = None,
) -> Quantity:
    """A quantity of `OF_SUBJECTS`. FLOP, bytes, FLOP per byte, parameters or seconds; raises `RoofError`."""
    asked: Asked = phase or "forward"
    match name:
        case "flops" | "bytes":
            return _summed(session, name, subject, convention, asked)
        case "intensity":
            return _intensity(session, subject, asked, convention)
        case "time":
            return _time(session, subject, asked, session.assumptions.applied(convention), machine)
        case "memory":
            return _memory(session, subject, asked, convention)
        case "cache":
            return replace(_summed(session, name, subject, convention, "infer"), phase=None)
        case "saved" | "state" | "params" | "active_params" | "param_bytes":
            return _summed(session, name, subject, convention, None)
        case _:
            fail(errors.WRONG_ARGUMENTS, subject.span, f"`{name}` cannot be derived yet")


def phases_of(asked: Asked | None) -> tuple[Phase, ...]:
    """The phases an asked one is the sum of (design §3)."""
    match asked:
        case None:
            return ("forward",)
        case "train":
            return ("forward", "backward")
        case "hardware":
            return ("forward", "backward", "recompute")
        case single:
            return (single,)


def contribution(entry: Entry) -> Size:
    """What an entry adds to its quantity: its amount times the repeats around it."""
    return product(entry.amount, entry.multiplicity)


def total(entries: Iterable[Entry]) -> Size:
    """The sum of all contributions."""
    return add(*(contribution(entry) for entry in entries))


MEASURED: dict[str, tuple[Measure, Dimension]] = {
    "flops": ("work", FLOP),
    "bytes": ("traffic", BYTE),
    "saved": ("saved", BYTE),
    "state": ("state", BYTE),
    "cache": ("cache", BYTE),
    "params": ("params", PARAMETER),
    "active_params": ("active_params", PARAMETER),
    "param_bytes": ("param_bytes", BYTE),
}
"""Quantities that are sums of entries of one measure."""


def _summed(session: Session, name: str, subject: Subject, convention: Convention, phase: Asked | None) -> Quantity:
    measure, dimension = MEASURED[name]
    entries = entries_of(session, measure, subject, phase, convention)
    return Quantity(name, subject, total(entries), dimension, convention, phase, entries)


def entries_of(
    session: Session, measure: Measure, subject: Subject, phase: Asked | None, convention: Convention
) -> Sheet:
    """The entries of a measure that belong to a subject and count under a convention."""
    mode: Mode = "infer" if phase == "infer" else "train"
    selection = session.selection(subject, mode)
    sheets = [session.sheet(subject, measure, single) for single in phases_of(phase)]
    entries = tuple(entry for sheet in sheets for entry in sheet if keep(entry, selection))
    if measure != "work":
        whole = convention.blocks == "whole" and measure not in ("params", "active_params")
        return in_whole_blocks(entries, session.graph(subject, mode), session.library) if whole else entries
    return tuple(e for e in overridden(entries, session.graph(subject, mode), convention) if counts(e, convention))


def counts(entry: Entry, convention: Convention) -> bool:
    """Whether an entry of work counts: contractions only where the convention says so, look-ups only as matmuls."""
    if entry.lookup and convention.embedding != "matmul":
        return False
    return convention.work == "all" or entry.kind == "contraction"


def overridden(entries: Sheet, graph: Graph, convention: Convention) -> Sheet:
    """The entries with the forward work of ops that the convention sets by hand replaced by one entry a call."""
    chosen = {override.op: override for override in convention.overrides}
    if not chosen:
        return entries
    replaced = tuple(e for e in entries if e.op in chosen and e.phase in ("forward", "infer"))
    made: list[Entry] = []
    for call in graph.calls:
        first = next(
            (e for e in replaced if e.op == call.op and origin(e.what) in (*call.results, *call.internal)), None
        )
        if first is not None and call.op is not None:
            made.append(_override(first, call.results[0], graph, chosen[call.op]))
    return (*(e for e in entries if e not in replaced), *made)


def _override(first: Entry, result: str, graph: Graph, override: Override) -> Entry:
    elements = product(*(axis.extent for axis in graph.resolve(result).axes))
    because = f"{override.op} = {override.text}"
    return replace(
        first, amount=product(override.amount, elements), what=result, kind="vector", declared=True, because=because
    )


def _intensity(session: Session, subject: Subject, phase: Asked, convention: Convention) -> Quantity:
    work = _summed(session, "flops", subject, convention, phase)
    traffic = _summed(session, "bytes", subject, convention, phase)
    if traffic.size == ZERO:
        fail(errors.DIVISION_BY_ZERO, subject.span, f"nothing is moved in the phase {phase}, so there is no intensity")
    size = divide(work.size, traffic.size)
    return Quantity("intensity", subject, size, FLOP / BYTE, convention, phase, parts=(work, traffic))


def _memory(session: Session, subject: Subject, phase: Asked, convention: Convention) -> Quantity:
    """Training holds weights, gradients, optimizer and saved activations; inference weights and caches; a forward
    pass alone weights and saved activations.
    """
    names = {"infer": ("param_bytes", "cache"), "forward": ("param_bytes", "saved")}.get(phase, ("state", "saved"))
    parts = tuple(quantity(session, name, subject, convention=convention) for name in names)
    entries = tuple(entry for part in parts for entry in part.entries)
    return Quantity("memory", subject, add(*(p.size for p in parts)), BYTE, convention, phase, entries, parts)


def _time(session: Session, subject: Subject, phase: Asked, convention: Convention, machine: str | None) -> Quantity:
    if session.figures is None or machine is None:
        fail(errors.MISSING_MACHINE, subject.span, "a time needs a machine")
    work = _summed(session, "flops", subject, convention, phase)
    traffic = _summed(session, "bytes", subject, convention, phase)
    sink = Sink()
    size = session.figures.time(timed(session, subject, phase, convention), machine, subject.span, sink)
    sink.stop_on_errors()
    session.notes += (note for note in sink.notes if note not in session.notes)
    return Quantity("time", subject, size, SECOND, convention, phase, (), (work, traffic), machine)


def timed(session: Session, subject: Subject, phase: Asked, convention: Convention) -> Timed:
    """What the time of a subject is made of."""
    mode: Mode = "infer" if phase == "infer" else "train"
    work = entries_of(session, "work", subject, phase, convention)
    traffic = entries_of(session, "traffic", subject, phase, convention)
    levels = entries_of(session, "level_traffic", subject, phase, convention)
    tiled = convention.tile is not None
    products = products_in(session, subject, mode, phases_of(phase)) if tiled else ()
    return Timed(session.graph(subject, mode), work, (*traffic, *levels), convention, products)
