"""Writing files so that a reader never sees half of one: into a temporary file beside the target, then a rename."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from roofdsl.diagnostics import fail
from roofdsl.errors.usage import CANNOT_WRITE
from roofdsl.source import Span, word


def write_atomic(path: Path, content: str | bytes) -> None:
    """Replace the file at `path` (through a symbolic link, keeping its permissions) or make it; its folder must exist.
    A path that is a folder, or cannot be written, is a diagnostic.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        fail(CANNOT_WRITE, _span(path), "this is a folder", helps=("give the name of a file in it",))
    if not target.parent.is_dir():
        folder = path.parent
        fail(
            CANNOT_WRITE,
            _span(path),
            f"the folder {folder} does not exist",
            helps=(f"make it first: mkdir -p {folder}",),
        )
    if target.exists() and not target.is_file():
        _write_into(path, content)
        return
    data = content.encode() if isinstance(content, str) else content
    try:
        _replace(target, data)
    except OSError as error:
        fail(CANNOT_WRITE, _span(path), error.strerror or str(error))


def _replace(target: Path, data: bytes) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _write_into(path: Path, content: str | bytes) -> None:
    """A device or a pipe (`/dev/stdout`) cannot be renamed over: write into it."""
    try:
        with path.open("wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        fail(CANNOT_WRITE, _span(path), error.strerror or str(error))


def _umask() -> int:
    """The process's umask; Python can read it only by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _span(path: Path) -> Span:
    return word(str(path), "-o")
