"""What decoding can reach: tokens a second when every step takes its roofline time, what it costs, and whether it fits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.roofline import Roofline
from roofdsl.evaluate.utilisation import ceiling_by_bytes
from roofdsl.quantities.conventions import ALL_WORK
from roofdsl.quantities.quantity import quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject
from roofdsl.report.json import exact_number
from roofdsl.report.table import Table, make_table
from roofdsl.report.utilisation import money, percent
from roofdsl.units.display import format_bytes, format_seconds, significant


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One step of inference: by the roofline (every kernel), and by its weights and cache alone over the bandwidth."""

    roofline: Roofline
    tokens: Fraction
    weights: Fraction
    cache: Fraction
    devices: Fraction
    price: Fraction | None
    measured: Fraction | None

    @property
    def by_roofline(self) -> Fraction:
        """Tokens per second."""
        return self.tokens * self.devices / self.roofline.time

    @property
    def by_bytes(self) -> Fraction:
        """Tokens per second, if nothing but weights and cache had to be moved."""
        return self.tokens * self.devices / ceiling_by_bytes((self.weights, self.cache), self.roofline.machine)

    @property
    def moved(self) -> Fraction:
        """Bytes all kernels move."""
        return sum((kernel.traffic for kernel in self.roofline.kernels), start=Fraction(0))


def ceiling_of(
    session: Session,
    subject: Subject,
    roofline: Roofline,
    binding: Binding,
    step: tuple[Fraction, Fraction],
    price: Fraction | None,
    measured: Fraction | None,
) -> Ceiling:
    """`step` has its tokens and the number of replicas."""
    weights, cache = (
        binding.value(quantity(session, name, subject, convention=ALL_WORK).size) for name in ("param_bytes", "cache")
    )
    return Ceiling(roofline, step[0], weights, cache, step[1], price, measured)


def ceiling_table(found: Ceiling, title: str) -> Table:
    """Tokens a second, bytes and money of one step."""
    machine = found.roofline.machine
    held = found.weights + found.cache
    bound, longest = max(found.roofline.by_bound.items(), key=lambda item: item[1])
    rows = [
        ("tokens per step", significant(found.tokens)),
        ("time of a step, by its kernels", format_seconds(found.roofline.time)),
        ("bound by", f"{bound} ({percent(longest / found.roofline.time)} of the time)"),
        ("tokens/s at most", significant(found.by_roofline)),
        ("bytes all kernels move", format_bytes(found.moved)),
        ("weights and cache", f"{format_bytes(held)}, {percent(found.cache / held)} cache"),
        ("tokens/s by weights and cache alone", significant(found.by_bytes)),
        *((("weights and cache fit", fit_text(held, found)),) if machine.memory.capacity is not None else ()),
    ]
    if found.price is not None:
        per_token = found.price * found.devices / found.by_roofline
        rows.append(("cost of a million tokens, at least", money(per_token * 10**6)))
    if found.measured is not None:
        rows.append(("measured tokens/s", significant(found.measured)))
        rows.append(("of what the kernels allow", percent(found.measured / found.by_roofline)))
    return make_table(title, ("", ">"), rows, notes=_notes(found))


def _notes(found: Ceiling) -> tuple[str, ...]:
    if found.moved == found.weights + found.cache:
        return ()
    return (
        "a gather reads few rows of its table and activations are moved too: bytes moved differ from weights and cache",
    )


def fit_text(held: Fraction, found: Ceiling) -> str:
    """Against the bytes a program can use, and against the label."""
    memory = found.roofline.machine.memory
    room = memory.capacity or Fraction(0)
    says = "yes" if held <= room else "no"
    label = memory.size
    if label is None or label == room:
        return f"{says}, of {format_bytes(room)}"
    other = "would" if held <= label else "would not"
    return f"{says}, of {format_bytes(room)} usable; in the {format_bytes(label)} of the label it {other}"


def ceiling_document(found: Ceiling) -> dict[str, Any]:
    """As data."""
    return {
        "tokens": exact_number(found.tokens),
        "step": exact_number(found.roofline.time),
        "tokens_per_second": exact_number(found.by_roofline),
        "moved": exact_number(found.moved),
        "weights": exact_number(found.weights),
        "cache": exact_number(found.cache),
        "tokens_per_second_by_bytes": exact_number(found.by_bytes),
        "by_bound": {bound: exact_number(time) for bound, time in found.roofline.by_bound.items()},
    }
