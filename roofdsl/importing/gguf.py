"""The head of a GGUF file: metadata and descriptions of tensors. The tensors themselves are not read.

The metadata become fields like those of a `config.json`, nested at their dots, each pointing into a listing of the
metadata, since a binary file has no lines to show. What the tensors are called stands under `tensor`, layers as `blk.`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from pathlib import Path

from roofdsl.diagnostics import fail
from roofdsl.errors.importing import BAD_GGUF
from roofdsl.importing.binary import Head
from roofdsl.importing.bounds import BOUNDS
from roofdsl.importing.formats import read_formats
from roofdsl.importing.json_text import Content, Value
from roofdsl.importing.weights import Stored
from roofdsl.source import Source, Span

MAGIC = b"GGUF"
VERSIONS = (2, 3)
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_KEPT = 4096
"""Longer lists (a vocabulary) are counted, not kept."""
_NAME = re.compile(r"[A-Za-z0-9_.\-]{1,128}")

Plain = bool | int | Fraction | str | tuple["Plain", ...]


@dataclass(frozen=True, slots=True)
class Gguf:
    """Metadata as an object of fields, and the tensors."""

    fields: Value
    tensors: tuple[Stored, ...]


@dataclass(slots=True)
class _Listing:
    """Metadata as they are read, with the text that shows them."""

    lines: list[str] = field(default_factory=list)
    values: list[tuple[str, Plain]] = field(default_factory=list)


def read_gguf(path: Path, place: Span) -> Gguf:
    """The head of a file; raises `RoofError` (E0907, E0902) where it is not one."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = Head(stream, size, BAD_GGUF, place)
        if head.take(4, "its first four letters") != MAGIC:
            head.complain("the file does not begin with GGUF")
        version = int(head.number("I", "the version"))
        if version not in VERSIONS:
            hint = "a big-endian file" if version >= 1 << 16 else str(version)
            head.complain("no version that is read here", "version 2 or 3, little-endian", hint)
        tensors = head.count("Q", "tensors", BOUNDS.tensors)
        metadata = head.count("Q", "metadata", BOUNDS.metadata)
        listing = _Listing()
        for _ in range(metadata):
            key = _name(head, "a metadata key")
            listing.values.append((key, _value(head, int(head.number("I", f"the type of {key}")), key)))
        stored = _stored(head, tensors)
    return Gguf(_nested(listing.values, stored, path, place), stored)


def _name(head: Head, what: str) -> str:
    length = head.count("Q", f"bytes of {what}", 1024)
    name = head.take(length, what).decode("utf-8", errors="replace")
    if _NAME.fullmatch(name) is None:
        head.complain(f"{what} is no name", found=repr(name[:40]))
    return name


def _value(head: Head, kind: int, key: str, depth: int = 0) -> Plain:
    if kind in _NUMBERS:
        return _exact(head.number(_NUMBERS[kind], key))
    if kind == _STRING:
        length = head.count("Q", f"bytes of {key}", BOUNDS.text_bytes)
        return head.take(length, key).decode("utf-8", errors="replace")
    if kind == _ARRAY and depth == 0:
        return _array(head, key)
    head.complain(f"{key} has a type that GGUF does not have", found=f"type {kind}")
    raise AssertionError


def _exact(number: float) -> Plain:
    """A number exactly; one that is none stays text, so that no size can be made of it."""
    if isinstance(number, bool | int):
        return number
    return Fraction(number) if isfinite(number) else str(number)


def _array(head: Head, key: str) -> tuple[Plain, ...]:
    kind = int(head.number("I", f"the type of {key}"))
    count = head.count("Q", f"elements of {key}", BOUNDS.elements)
    if count <= _KEPT:
        return tuple(_value(head, kind, key, 1) for _ in range(count))
    if kind == _STRING:
        for _ in range(count):
            head.skip(head.count("Q", f"bytes of {key}", BOUNDS.text_bytes), key)
        return ("",) * count
    for _ in range(count):
        _value(head, kind, key, 1)
    return (0,) * count


def _stored(head: Head, count: int) -> tuple[Stored, ...]:
    formats = read_formats("gguf")
    tensors = []
    for _ in range(count):
        name = _name(head, "a tensor's name")
        axes = head.count("I", f"axes of {name}", BOUNDS.axes)
        shape = tuple(head.count("Q", f"as an extent of {name}", BOUNDS.size) for _ in range(axes))
        code = str(int(head.number("I", f"the format of {name}")))
        head.number("Q", f"the place of {name}")
        if code not in formats:
            head.complain(f"{name} has a format that is not known", found=f"format {code}")
        tensors.append(Stored(name, formats[code].name, shape))
    return tuple(tensors)


def _nested(values: list[tuple[str, Plain]], tensors: tuple[Stored, ...], path: Path, place: Span) -> Value:
    """Fields from dotted keys."""
    named = [*values, *((f"tensor.{_generic(t.name)}", True) for t in tensors)]
    lines = [f"{key} = {_shown(value)}" for key, value in values]
    source = Source(f"{path.name} (metadata)", "\n".join(lines) + "\n")
    root: dict[str, Value] = {}
    offset = 0
    for number, (key, value) in enumerate(named):
        shown = lines[number] if number < len(lines) else ""
        span = Span(source, offset, offset + len(shown)) if shown else Span(source, 0, 0)
        offset += len(shown) + 1 if shown else 0
        _put(root, key.split("."), _as_value(value, span), place)
    return Value(root, Span(source, 0, len(source.text)))


def _generic(name: str) -> str:
    """`blk.7.attn_q.bias` is `blk.attn_q.bias`, a field of all layers."""
    return re.sub(r"\.[0-9]+(?=\.|$)", "", name)


def _put(root: dict[str, Value], parts: list[str], value: Value, place: Span) -> None:
    here = root
    for part in parts[:-1]:
        inner = here.setdefault(part, Value({}, value.span)).object
        if inner is None:
            fail(BAD_GGUF, place, f"`{'.'.join(parts)}` stands below a key that has a value")
        here = inner
    if parts[0] != "tensor" and parts[-1] in here:
        fail(BAD_GGUF, place, f"`{'.'.join(parts)}` stands twice in the metadata")
    here.setdefault(parts[-1], value)


def _as_value(plain: Plain, span: Span) -> Value:
    content: Content = tuple(_as_value(item, span) for item in plain) if isinstance(plain, tuple) else plain
    return Value(content, span)


def _shown(value: Plain) -> str:
    match value:
        case str():
            return repr(value[:60])
        case tuple():
            return f"[{len(value)}]"
        case Fraction():
            return f"{float(value):g}"
        case _:
            return str(value)
