"""What decoding can reach: tokens a second when every step takes its roofline time, what it costs, and whether it fits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.roofline import Roofline
from roofdsl.evaluate.utilisation import HOUR, ceiling_by_bytes
from roofdsl.quantities.conventions import ALL_WORK
from roofdsl.quantities.quantity import quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.stored import as_stored
from roofdsl.quantities.subject import Subject
from roofdsl.report.figures import figure
from roofdsl.report.table import Table, make_table
from roofdsl.report.utilisation import money, percent
from roofdsl.units.dimension import BYTE, DOLLAR, PURE, SECOND, TOKEN
from roofdsl.units.display import format_bytes, format_seconds, significant


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One step of inference: by the roofline (every kernel), and by its weights and cache alone over the bandwidth.
    `grown` are the new positions of the caches and all that they hold after the step. `devices` hold a copy each, or with
    `split` an equal part, which takes that part of the time: nothing is charged for what they tell each other.
    """

    roofline: Roofline
    tokens: Fraction
    weights: Fraction
    cache: Fraction
    grown: tuple[Fraction, Fraction] | None = None
    devices: Fraction = Fraction(1)
    price: Fraction | None = None
    measured: Fraction | None = None
    split: bool = False
    planned: Fraction | None = None

    @property
    def kind(self) -> str:
        """`decode` for one new position at a time, `prefill` where all positions are new, `step` for what is neither."""
        if self.grown is None:
            return "step"
        new, held = self.grown
        return "decode" if new == 1 and held > 1 else "prefill" if new == held else "step"

    @property
    def step(self) -> Fraction:
        """Seconds of a step."""
        return self.roofline.time / (self.devices if self.split else 1)

    @property
    def by_roofline(self) -> Fraction:
        """Tokens per second of all devices."""
        return self.tokens * self.devices / self.roofline.time

    @property
    def by_bytes(self) -> Fraction:
        """Tokens per second, if nothing but weights and cache had to be moved."""
        return self.tokens * self.devices / ceiling_by_bytes((self.weights, self.cache), self.roofline.machine)

    @property
    def moved(self) -> Fraction:
        """Bytes all kernels move."""
        return sum((kernel.traffic for kernel in self.roofline.kernels), start=Fraction(0))

    @property
    def held(self) -> Fraction:
        """Bytes of weights and cache one device has to hold."""
        return (self.weights + self.cache) / (self.devices if self.split else 1)

    @property
    def hours(self) -> Fraction | None:
        """Device-hours for the tokens planned, at least."""
        return None if self.planned is None else self.planned * self.devices / self.by_roofline / HOUR

    @property
    def needed(self) -> int:
        """How many devices hold weights and cache together; at least one."""
        room = self.roofline.machine.memory.capacity
        return ceil((self.weights + self.cache) / room) if room else 1

    @property
    def measured_cost(self) -> Fraction | None:
        """Dollars for a million tokens at the measured rate."""
        if self.price is None or self.measured is None:
            return None
        return self.price * self.devices * 10**6 / self.measured

    @property
    def cost_per_million(self) -> Fraction | None:
        """Dollars for a million tokens, at least."""
        return None if self.price is None else self.price * self.devices * 10**6 / self.by_roofline


def ceiling_of(
    session: Session,
    subject: Subject,
    roofline: Roofline,
    binding: Binding,
    tokens: Fraction,
    grown: tuple[Fraction, Fraction] | None,
) -> Ceiling:
    """The ceiling of a step of so many tokens on one device."""
    convention = as_stored(ALL_WORK, session.graph(subject, "infer"), session.library)
    weights, cache = (
        binding.value(quantity(session, name, subject, convention=convention).size) for name in ("param_bytes", "cache")
    )
    return Ceiling(roofline, tokens, weights, cache, grown)


def ceiling_table(found: Ceiling, title: str) -> Table:
    """Tokens a second, bytes and money of one step."""
    machine = found.roofline.machine
    held = found.weights + found.cache
    bound, longest = max(found.roofline.by_bound.items(), key=lambda item: item[1])
    apart = "" if found.devices == 1 else f", {significant(found.devices)} devices"
    rows = [
        ("a step is", step_text(found)),
        ("tokens per step", significant(found.tokens)),
        ("time of a step, by its kernels", format_seconds(found.step)),
        ("bound by", f"{bound} ({percent(longest / found.roofline.time)} of the time)"),
        (f"tokens/s at most{apart}", significant(found.by_roofline)),
        *((("tokens/s of one sequence", significant(1 / found.step)),) if _together(found) else ()),
        ("bytes all kernels move", format_bytes(found.moved)),
        ("weights and cache", f"{format_bytes(held)}, {percent(found.cache / held)} cache" if held else "none"),
    ]
    if held and found.kind != "prefill":
        rows.append((f"tokens/s by weights and cache alone{apart}", significant(found.by_bytes)))
    if machine.memory.capacity is not None:
        rows.append(("weights and cache fit", fit_text(found.held, found)))
    if found.planned is not None and found.hours is not None:
        text = f"{significant(found.hours)} device-hours"
        cost = "" if found.price is None else f", {money(found.price * HOUR * found.hours)}"
        rows.append((f"{significant(found.planned)} tokens take at least", text + cost))
    if found.cost_per_million is not None:
        rows.append(("cost of a million tokens, at least", money(found.cost_per_million)))
    if found.measured is not None:
        rows.append(("measured tokens/s", significant(found.measured)))
        rows.append(("of what the kernels allow", percent(found.measured / found.by_roofline)))
        if found.kind == "decode":
            rows.append(("of what weights and cache alone allow (MBU)", percent(found.measured / found.by_bytes)))
        if found.measured_cost is not None:
            rows.append(("cost of a million tokens, as measured", money(found.measured_cost)))
    return make_table(title, ("of a step", "value"), rows, notes=_notes(found))


def _together(found: Ceiling) -> bool:
    """Whether several sequences decode at once."""
    return found.kind == "decode" and found.tokens * found.devices > 1


def step_text(found: Ceiling) -> str:
    """`decode: 1 new position of 8,192`."""
    if found.grown is None:
        return "a whole pass: no cache grows"
    new, held = found.grown
    positions = f"{significant(new)} new position{'s' if new != 1 else ''} of {significant(held)}"
    return positions if found.kind == "step" else f"{found.kind}: {positions}"


def _notes(found: Ceiling) -> tuple[str, ...]:
    notes = []
    if found.kind == "prefill":
        notes.append("a whole prompt at once: `--phase decode` is one token after as many positions")
    if found.devices > 1 and not found.split:
        notes.append("every device holds a copy and serves its own sequences: `--split` is one model over all of them")
    if found.split:
        notes.append("split evenly at no cost: what the devices send each other is not charged")
    if found.moved != found.weights + found.cache:
        notes.append(
            "a gather reads only what it meets, rows of a table or experts chosen, and activations are moved too:"
            " bytes moved differ from weights and cache"
        )
    return tuple(notes)


def fit_text(held: Fraction, found: Ceiling) -> str:
    """Against the bytes a program can use, and against the label."""
    memory = found.roofline.machine.memory
    room, label = memory.capacity or Fraction(0), memory.size
    says = "yes" if held <= room else "no"
    together = "" if held <= room else f"; {found.needed} devices hold it together"
    if label is None or label == room:
        return f"{says}, of {format_bytes(room)}{together}"
    other = "would" if held <= label else "would not"
    return f"{says}, of {format_bytes(room)} usable; in the {format_bytes(label)} of the label it {other}{together}"


def ceiling_document(found: Ceiling) -> dict[str, Any]:
    """As data, every figure with its unit."""
    memory, cost = found.roofline.machine.memory, found.cost_per_million
    room = memory.capacity
    new, held = found.grown or (None, None)
    return {
        "step_is": found.kind,
        "new_positions": None if new is None else figure(new, PURE),
        "held_positions": None if held is None else figure(held, PURE),
        "tokens": figure(found.tokens, TOKEN),
        "devices": figure(found.devices, PURE),
        "split": found.split,
        "step": figure(found.step, SECOND),
        "tokens_per_second": figure(found.by_roofline, TOKEN / SECOND),
        "moved": figure(found.moved, BYTE),
        "weights": figure(found.weights, BYTE),
        "cache": figure(found.cache, BYTE),
        "tokens_per_second_by_bytes": figure(found.by_bytes, TOKEN / SECOND),
        "held_by_a_device": figure(found.held, BYTE),
        "usable": None if room is None else figure(room, BYTE),
        "label": None if memory.size is None else figure(memory.size, BYTE),
        "fits": None if room is None else found.held <= room,
        "devices_needed": None if room is None else found.needed,
        "measured_cost_per_million_tokens": None
        if found.measured_cost is None
        else figure(found.measured_cost, DOLLAR),
        "planned": None if found.planned is None else figure(found.planned, TOKEN),
        "device_hours": None if found.hours is None else figure(found.hours, "hour"),
        "cost_per_million_tokens": None if cost is None else figure(cost, DOLLAR),
        "measured": None if found.measured is None else figure(found.measured, TOKEN / SECOND),
        "by_bound": {bound: figure(time, SECOND) for bound, time in found.roofline.by_bound.items()},
    }
