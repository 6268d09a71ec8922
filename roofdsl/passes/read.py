r"""Reading text: a file or standard input becomes a `Source`, or a diagnostic. Nothing else here opens files.

Files are UTF-8; a byte-order mark is dropped, and every newline becomes `\n`. Devices, pipes and files over the size limit are refused unread.
"""

from __future__ import annotations

import stat
import sys
from pathlib import Path

from roofdsl.diagnostics import Sink
from roofdsl.errors.names import CANNOT_READ, NOT_UTF8, TOO_LARGE
from roofdsl.source import Source, Span, word

MAX_BYTES = 4_000_000


def read_file(path: Path, sink: Sink, *, name: str | None = None, span: Span | None = None) -> Source | None:
    """The text of a regular file, shown as `name`. `span` is where the file was asked for (a `use`)."""
    shown = name or str(path)
    place = span or argument(shown)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            sink.add(CANNOT_READ, place, f"{shown} is {what}")
            return None
        if status.st_size > MAX_BYTES:
            _too_large(sink, place, shown, status.st_size)
            return None
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        sink.add(CANNOT_READ, place, f"{shown}: {reason}")
        return None
    return decode(data, shown, sink, place)


def read_standard_input(sink: Sink) -> Source | None:
    """All of standard input as a source named `<stdin>`."""
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    return decode(data, "<stdin>", sink, argument("-"))


def decode(data: bytes, name: str, sink: Sink, place: Span) -> Source | None:
    """Bytes as a source; the first byte that is not UTF-8 is pointed at."""
    if len(data) > MAX_BYTES:
        _too_large(sink, place, name, len(data))
        return None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        sink.add(NOT_UTF8, place, "this is UTF-16", helps=("save it as UTF-8",))
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        source = Source(name, data.decode("utf-8", errors="replace"))
        start = len(data[: error.start].decode("utf-8", errors="replace"))
        found = f"the byte 0x{data[error.start]:02x}"
        latin = data[error.start : error.start + 1].decode("latin-1")
        helps = (
            (f"in Latin-1 it would be {latin!r}: convert the file with iconv -f latin1 -t utf-8",)
            if latin.isprintable()
            else ()
        )
        sink.add(NOT_UTF8, Span(source, start, start + 1), "not UTF-8", expected="UTF-8", found=found, helps=helps)
        return None
    return Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


def _too_large(sink: Sink, place: Span, name: str, size: int) -> None:
    limit = f"at most {MAX_BYTES:,} bytes"
    sink.add(TOO_LARGE, place, f"{name} is too large", expected=limit, found=f"{size:,} bytes or more")


def argument(text: str) -> Span:
    """A place for what was named on the command line and stands in no file."""
    return word(text, "argument")
