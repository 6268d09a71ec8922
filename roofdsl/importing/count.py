"""Compares the tensors of a weights file with the parameters derived from the model.

Files hold more than parameters: rotary tables, masks, scales, a tied matrix twice, layers for predicting further
tokens. What is set aside is named; what remains must be the derived number to the unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from roofdsl.importing.table import rows_of
from roofdsl.importing.weights import Stored


@dataclass(frozen=True, slots=True)
class Extra:
    """Tensors that are stored though they are no parameters of the model: what they are, and how many elements."""

    what: str
    elements: int


@dataclass(frozen=True, slots=True)
class Count:
    """`total` elements in the file, of which `extras` were set aside; `agrees` says whether the rest is `derived`."""

    total: int
    derived: int
    extras: tuple[Extra, ...]

    @property
    def rest(self) -> int:
        """Elements that were not set aside."""
        return self.total - sum(extra.elements for extra in self.extras)

    @property
    def agrees(self) -> bool:
        """Whether nothing is left over and nothing lacks."""
        return self.rest == self.derived


def compare(tensors: tuple[Stored, ...], derived: int, layers: int | None = None, bits: int | None = None) -> Count:
    """Set sets of tensors aside, in the order of `specs/import/tensors.tsv`, until the rest is the derived number.
    `layers` is the model's depth: layers beyond it predict further tokens. `bits` are those of a weight, where several
    stand in one stored number.
    """
    tensors = tuple(_unpacked(tensor, bits) for tensor in tensors) if bits is not None else tensors
    total = sum(tensor.elements for tensor in tensors)
    known = [Extra(what, sum(t.elements for t in tensors if re.fullmatch(p, t.name))) for p, what in _patterns()]
    if layers is not None:
        beyond = sum(t.elements for t in tensors if _layer(t.name) is not None and (_layer(t.name) or 0) >= layers)
        known.append(Extra("layers beyond the model's, such as those that predict further tokens", beyond))
    return _explained(total, derived, [extra for extra in known if extra.elements])


def _explained(total: int, derived: int, known: list[Extra]) -> Count:
    """The fewest sets, in order, that make the rest the derived number; without any, all of them are shown."""
    plain = Count(total, derived, ())
    for chosen in range(1 << len(known)) if len(known) <= 8 else ():
        extras = tuple(extra for bit, extra in enumerate(known) if chosen >> bit & 1)
        count = Count(total, derived, extras)
        if count.agrees:
            return count
    return plain


def _unpacked(tensor: Stored, bits: int) -> Stored:
    """A packed tensor with the weights its numbers hold. Where these are not whole, it is not packed in so many bits: its
    numbers stay what they are, and the count differs.
    """
    for pattern, form, held in rows_of("packed.tsv"):
        if tensor.format == form and re.fullmatch(pattern, tensor.name):
            weights = Fraction(tensor.elements * int(held), bits)
            return replace(tensor, shape=(int(weights),)) if weights.denominator == 1 else tensor
    return tensor


def _patterns() -> list[tuple[str, str]]:
    return [(pattern, what) for pattern, what in rows_of("tensors.tsv")]


def _layer(name: str) -> int | None:
    """The number of the layer a tensor belongs to: the first number in its name."""
    found = re.search(r"(?:^|\.)([0-9]{1,6})(?=\.)", name)
    return int(found[1]) if found else None
