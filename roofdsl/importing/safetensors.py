"""The header of a safetensors file: 8 bytes of length, then JSON. Nothing after the header is read."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from roofdsl.diagnostics import fail
from roofdsl.errors.importing import BAD_SAFETENSORS, OUT_OF_BOUNDS
from roofdsl.importing.binary import Head
from roofdsl.importing.bounds import BOUNDS
from roofdsl.importing.fields import kind_of
from roofdsl.importing.formats import Format, read_formats
from roofdsl.importing.json_text import Value, read_json
from roofdsl.importing.weights import Stored
from roofdsl.source import Source, Span


def read_safetensors(path: Path, place: Span) -> tuple[Stored, ...]:
    """The tensors of a file; raises `RoofError` (E0908, E0902, E0901) where it is not one."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = Head(stream, size, BAD_SAFETENSORS, place)
        length = head.count("Q", "bytes of header", BOUNDS.header_bytes)
        text = head.take(length, "the header")
    return _tensors(_decoded(text, path, place), size - 8 - length)


def _decoded(data: bytes, path: Path, place: Span) -> Value:
    try:
        return read_json(Source(f"{path.name} (header)", data.decode("utf-8").rstrip(" ")))
    except UnicodeDecodeError:
        fail(BAD_SAFETENSORS, place, "the header is not UTF-8")


def _tensors(header: Value, size: int) -> tuple[Stored, ...]:
    entries = header.object
    if entries is None:
        fail(BAD_SAFETENSORS, header.span, "the header is no object", found=kind_of(header.content))
    if len(entries) > BOUNDS.tensors:
        fail(OUT_OF_BOUNDS, header.span, f"{len(entries):,} tensors", expected=f"at most {BOUNDS.tensors:,}")
    formats = read_formats("safetensors")
    return tuple(_tensor(name, entry, size, formats) for name, entry in entries.items() if name != "__metadata__")


def _tensor(name: str, entry: Value, size: int, formats: dict[str, Format]) -> Stored:
    fields = entry.object or {}
    missing = next((f for f in ("dtype", "shape", "data_offsets") if f not in fields), None)
    if missing is not None:
        fail(BAD_SAFETENSORS, entry.span, f"`{name[:64]}` has no {missing}")
    form = fields["dtype"].content
    if not isinstance(form, str) or form not in formats:
        known = ", ".join(formats)
        fail(BAD_SAFETENSORS, fields["dtype"].span, "no such dtype", expected=f"one of {known}", found=kind_of(form))
    shape = _sizes(fields["shape"], "a shape")
    if len(shape) > BOUNDS.axes:
        fail(OUT_OF_BOUNDS, fields["shape"].span, f"{len(shape)} axes", expected=f"at most {BOUNDS.axes}")
    stored = Stored(name, form, shape)
    offsets = _sizes(fields["data_offsets"], "offsets")
    bits = stored.elements * formats[form].bits
    if len(offsets) != 2 or not offsets[0] <= offsets[1] <= size or (offsets[1] - offsets[0]) * 8 != bits:
        place, found = fields["data_offsets"].span, ", ".join(str(offset) for offset in offsets[:4])
        text = f"`{name[:64]}` does not fit in its place"
        fail(BAD_SAFETENSORS, place, text, expected=f"{ceil(bits / 8):,} bytes of {size:,}", found=found)
    return stored


def _sizes(value: Value, what: str) -> tuple[int, ...]:
    items = value.content if isinstance(value.content, tuple) else None
    sizes = [item.integer for item in items] if items is not None else [None]
    if any(size is None or not 0 <= size <= BOUNDS.size for size in sizes):
        fail(BAD_SAFETENSORS, value.span, f"not {what}", expected="whole numbers", found=kind_of(value.content))
    return tuple(size for size in sizes if size is not None)
