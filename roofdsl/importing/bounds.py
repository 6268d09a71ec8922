"""Bounds on the files of an import. They are data of strangers: every length is checked before it is believed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """Sizes in bytes, counts, and lengths in characters."""

    config_bytes: int = 4_000_000
    header_bytes: int = 32_000_000
    depth: int = 32
    values: int = 4_000_000
    numeral_length: int = 40
    decimal_exponent: int = 400
    size: int = 10**15
    metadata: int = 65_536
    tensors: int = 1_000_000
    elements: int = 10_000_000
    axes: int = 8
    head_bytes: int = 512_000_000
    text_bytes: int = 1_000_000


BOUNDS = Bounds()
