"""How a command ends that could not do what it was asked for: text on standard error, an exit code, and with `--json` a
document on standard output, so that a program that reads one never finds nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.streams import settle_stdout

if TYPE_CHECKING:
    from roofdsl.cli.verb import MisuseError
    from roofdsl.diagnostics import Diagnostic


def wants_json(words: Sequence[str]) -> bool:
    """Whether the arguments ask for JSON, understood or not."""
    return "--json" in words or "--format=json" in words or ("--format", "json") in pairwise(words)


def report_misuse(misuse: MisuseError, words: Sequence[str], console: Console) -> int:
    """Arguments that are not understood (E0817)."""
    from roofdsl.cli.misuse import explain_misuse

    found = (explain_misuse(misuse, words),)
    console.report(found)
    return _ended(found, codes.USAGE, console, as_json=wants_json(words))


def report_failure(error: Exception, console: Console, *, debug: bool, as_json: bool) -> int:
    """What a command raised: a fault of the user's file or of what was asked, of standard output, or of ours."""
    from roofdsl.diagnostics import RoofError

    settle_stdout()
    if isinstance(error, OSError) and error.filename is None:  # no file was opened: it was standard output
        console.remark(f"roofdsl: standard output cannot be written: {error.strerror or error}")
        return codes.USAGE
    if isinstance(error, RoofError):
        console.report(error.diagnostics)
        usage = all(d.kind.code.startswith("E08") for d in error.diagnostics if d.kind.severity == "error")
        return _ended(error.diagnostics, codes.USAGE if usage else codes.WRONG, console, as_json=as_json)
    if debug:
        import traceback

        console.remark("".join(traceback.format_exception(error)))
    console.remark(
        f"roofdsl: internal fault: {type(error).__name__}: {error}\n"
        "This is a fault of roofdsl, not of your file. Please report it with the file"
        + (" and the traceback above." if debug else "; --debug shows the traceback.")
    )
    return _ended((), codes.FAULT, console, as_json=as_json)


def _ended(diagnostics: tuple[Diagnostic, ...], code: int, console: Console, *, as_json: bool) -> int:
    if as_json:
        from roofdsl.report.json import error_document

        with contextlib.suppress(OSError):
            console.write(error_document(diagnostics, code))
    return code
