"""The three standard streams as they may be: closed, unable to show a character, full, or read by nobody."""

from __future__ import annotations

import contextlib
import io
import os
import sys


def prepare_streams() -> None:
    """A stream closed before the start (`>&-`) takes everything and gives nothing. Formulas hold characters like ² that
    an ASCII terminal lacks: they are shown as an escape.
    """
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def as_utf8(argument: str) -> str:
    """An argument of a locale that is not UTF-8, whose bytes are: people copy formulas from UTF-8 files."""
    with contextlib.suppress(UnicodeError):
        if any("\udc80" <= character <= "\udcff" for character in argument):
            return os.fsencode(argument).decode("utf-8")
    return argument


def settle_stdout() -> None:
    """Write what is still to be written, or give it up: nothing that is reported afterwards stumbles over it."""
    try:
        sys.stdout.flush()
    except OSError:
        silence_stdout()


def silence_stdout() -> None:
    """The reader is gone, or the disk full; the interpreter would complain when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
