"""The number formats of weights files, as `specs/import/formats.tsv` lists them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.importing.table import import_folder
from roofdsl.importing.weights import Stored


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name in the file format, bit per element, and the language's dtype or None."""

    name: str
    bits: Fraction
    dtype: str | None


def read_formats(kind: str) -> dict[str, Format]:
    """Formats by the code a file of this kind (`safetensors`, `gguf`) has for them."""
    lines = (import_folder() / "formats.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")][1:]
    return {
        code: Format(name, Fraction(bits), None if dtype == "-" else dtype)
        for file, code, name, bits, dtype in rows
        if file == kind
    }


def most_common(tensors: tuple[Stored, ...], kind: str) -> Format | None:
    """The format that most elements of a file are stored in."""
    counts = Counter[str]()
    for tensor in tensors:
        counts[tensor.format] += tensor.elements
    named = {known.name: known for known in read_formats(kind).values()}
    return named[counts.most_common(1)[0][0]] if counts else None
