"""Where output goes: results to standard output, diagnostics to standard error, colour only on a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from roofdsl.diagnostics import Diagnostic
    from roofdsl.report.table import Table


@dataclass(frozen=True, slots=True)
class Console:
    """The two streams of one run."""

    out: TextIO
    err: TextIO

    def write(self, text: str) -> None:
        """Write a result; exactly one line end at its end."""
        self.out.write(text.rstrip("\n") + "\n")

    def write_table(self, table: Table) -> None:
        """Write a table, drawn for a terminal or plain for a pipe."""
        from roofdsl.report.terminal import write_table

        write_table(table, self.out)

    def report(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Write diagnostics to standard error, results first."""
        found = tuple(diagnostics)
        if not found:
            return
        from roofdsl.report.message import render_diagnostics

        self.out.flush()
        self.err.write(render_diagnostics(found, colour=self.coloured(self.err)).rstrip("\n") + "\n")

    def remark(self, text: str) -> None:
        """Write a remark that is no part of the result."""
        self.out.flush()
        self.err.write(text.rstrip("\n") + "\n")

    def coloured(self, stream: TextIO) -> bool:
        """Whether a stream takes colour: a terminal, unless NO_COLOR is set or the terminal is dumb."""
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
