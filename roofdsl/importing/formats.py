"""The number formats of weights files, as `specs/import/formats.tsv` lists them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from roofdsl.importing.table import rows_of


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name in the file format, bit per element, and the language's dtype or None."""

    name: str
    bits: Fraction
    dtype: str | None


def read_formats(kind: str) -> dict[str, Format]:
    """Formats by the code a file of this kind (`safetensors`, `gguf`) has for them."""
    return {
        code: Format(name, Fraction(bits), None if dtype == "-" else dtype)
        for file, code, name, bits, dtype in rows_of("formats.tsv")
        if file == kind
    }
