"""Entries grouped by kernel and summed at a binding, before they meet a machine (R3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.algebra.scope import Causal
from roofdsl.diagnostics import Sink
from roofdsl.errors.evaluation import NO_VALUE, TOO_LARGE, UNBOUND_SIZE
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.number import NoValueError
from roofdsl.evaluate.roofs import TIMED
from roofdsl.ir.entry import Entry, Kind, Phase
from roofdsl.ir.size import Size


@dataclass(frozen=True, slots=True)
class Load:
    """A kernel: how often it runs, FLOP by kind, bytes of the main memory and of inner levels, and each entry's amount,
    all executions together.
    """

    first: Entry
    phase: Phase
    count: Fraction
    work: Mapping[Kind, Fraction]
    traffic: Fraction
    levels: Mapping[str, Fraction]
    amounts: tuple[tuple[Entry, Fraction], ...]

    @property
    def primal(self) -> str:
        """The kernel of the graph it belongs to."""
        return primal_of(self.first)


def by_kernel(entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """Timed entries of each kernel, in order of first appearance; a backward kernel with what it rebuilds."""
    groups: dict[tuple[bool, str], list[Entry]] = {}
    for entry in entries:
        if entry.measure in TIMED:
            groups.setdefault((entry.phase in ("backward", "recompute"), entry.kernel), []).append(entry)
    return tuple(tuple(group) for group in groups.values())


def in_order(groups: Iterable[tuple[Entry, ...]], place: Mapping[str, int]) -> list[tuple[Entry, ...]]:
    """Forward kernels as in the graph, then what a checkpoint runs again, then backward from the last to the first."""
    return sorted(groups, key=lambda group: _order(group, place))


def _order(group: tuple[Entry, ...], place: Mapping[str, int]) -> tuple[int, int]:
    number = place.get(primal_of(group[0]), 0)
    match phase_of(group):
        case "forward" | "infer":
            return 0, number
        case "recompute":
            return 1, number
        case "backward":
            return 2, -number


def phase_of(group: tuple[Entry, ...]) -> Phase:
    """A backward kernel that rebuilds what it needs (R7) is a backward kernel."""
    return "backward" if any(entry.phase == "backward" for entry in group) else group[0].phase


def primal_of(entry: Entry) -> str:
    """The kernel itself in the forward pass, else the one it is the adjoint of."""
    return entry.primal or entry.kernel


def load_of(group: tuple[Entry, ...], binding: Binding, causal: Causal, sink: Sink) -> Load:
    """The sums of one kernel's entries; what has no value goes to the sink."""
    work: dict[Kind, Fraction] = {}
    levels: dict[str, Fraction] = {}
    amounts: list[tuple[Entry, Fraction]] = []
    traffic, count = Fraction(0), Fraction(1)
    for entry in group:
        times = _amount(entry.multiplicity, entry, binding, causal, sink)
        amount = _amount(entry.amount, entry, binding, causal, sink) * times
        count = max(count, times)
        amounts.append((entry, amount))
        if entry.level is not None:
            levels[entry.level] = levels.get(entry.level, Fraction(0)) + amount
        elif entry.measure == "traffic":
            traffic += amount
        elif amount:
            kind: Kind = entry.kind or "vector"
            work[kind] = work.get(kind, Fraction(0)) + amount
    return Load(group[0], phase_of(group), count, work, traffic, levels, tuple(amounts))


def _amount(size: Size, entry: Entry, binding: Binding, causal: Causal, sink: Sink) -> Fraction:
    """The value of a size; zero after a diagnostic."""
    try:
        return binding.value(size, causal)
    except NoValueError as error:
        what = f"{entry.measure} of {entry.what}"
        if error.name is not None:
            helps = (f"bind it: `--set {error.name}=…`",)
            sink.add(UNBOUND_SIZE, entry.span, f"{error.name} has no value, needed for {what}", helps=helps)
        else:
            sink.add(TOO_LARGE if error.too_large else NO_VALUE, entry.span, f"{what}: {error}")
        return Fraction(0)
