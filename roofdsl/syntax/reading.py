r"""Files to sources: bytes are checked before anything else looks at them.

A byte order mark is dropped, and `\r\n` and a lone `\r` become `\n`, so that lines and
columns count the same everywhere.
"""

from __future__ import annotations

import sys
from pathlib import Path

from roofdsl.diagnostics import fail
from roofdsl.errors import syntax as errors
from roofdsl.limits import LIMITS, Limits
from roofdsl.source import Source, Span

_MARK = b"\xef\xbb\xbf"


def read_source(path: str, limits: Limits = LIMITS) -> Source:
    """The source at a path, or standard input for `-`. Raises `RoofError` (E0107 to E0109, E0117)."""
    name = "<stdin>" if path == "-" else path
    return decode_source(name, _read_bytes(path, name, limits), limits)


def _read_bytes(path: str, name: str, limits: Limits) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read(limits.file_bytes + 1)
        with Path(path).open("rb") as file:
            return file.read(limits.file_bytes + 1)
    except OSError as error:
        fail(errors.UNREADABLE, _nowhere(name), f"{name}: {(error.strerror or 'cannot be read').lower()}")
    except ValueError:
        fail(errors.UNREADABLE, _nowhere(repr(name)), f"{name!r} is not a path")


def decode_source(name: str, data: bytes, limits: Limits = LIMITS) -> Source:
    """The source made of bytes."""
    if len(data) > limits.file_bytes:
        fail(errors.TOO_LARGE, _nowhere(name), f"more than {limits.file_bytes:,} bytes")
    data = data.removeprefix(_MARK)
    zero = data.find(b"\0")
    if zero >= 0:
        source, span = _upto(name, data, zero)
        fail(errors.NUL_BYTE, span, f"byte {zero} of the file, on line {source.position(span.start)[0]}, is zero")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        source, span = _upto(name, data, error.start)
        byte = data[error.start]
        fail(
            errors.NOT_UTF8,
            span,
            f"byte 0x{byte:02X} on line {source.position(span.start)[0]} is not UTF-8",
            helps=(f"in Latin-1 it would be `{bytes([byte]).decode('latin-1')}`; save the file as UTF-8",)
            if byte >= 0xA0
            else (),
        )
    return Source(name, _one_newline(text))


def _one_newline(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _upto(name: str, data: bytes, offset: int) -> tuple[Source, Span]:
    """A text that can be shown for bytes that cannot: what does not decode becomes a replacement character."""
    line_end = data.find(b"\n", offset)
    shown = data[: line_end if line_end >= 0 else len(data)]
    before = _one_newline(data[:offset].decode("utf-8", "replace"))
    after = shown[offset + 1 :].decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    source = Source(name, before + "\N{REPLACEMENT CHARACTER}" + after)
    return source, Span(source, len(before), len(before) + 1)


def _nowhere(name: str) -> Span:
    return Span(Source(name, ""), 0, 0)
