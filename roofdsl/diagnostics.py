"""Diagnostics as values: what went wrong, where, what was expected, and how to mend it.

A `Kind` is a catalogue entry (the catalogue is split by topic under `roofdsl/errors/`); a `Diagnostic` is one
occurrence of it. Passes add to a `Sink` and go on, so that one run reports all errors of a stage. This module knows
neither the language nor how a diagnostic is shown (`report/message.py` does).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NoReturn

from roofdsl.source import Span

Severity = Literal["error", "note"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A catalogue entry: `code` such as E0201, a `title` in lower case, and the long form `explain-error` prints."""

    code: str
    title: str
    explanation: str
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what to say under it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One occurrence of a `Kind`. `primary` is the smallest span at fault; `call_site` is shown before it when the
    fault lies in library text.
    """

    kind: Kind
    primary: Label
    secondary: tuple[Label, ...] = ()
    expected: str | None = None
    found: str | None = None
    helps: tuple[str, ...] = ()
    call_site: Span | None = None


class RoofError(Exception):
    """The user's file is wrong: carries diagnostics, never a bare message. Exit code 1."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("; ".join(f"{d.kind.code} {d.kind.title}: {d.primary.text}" for d in diagnostics))
        self.diagnostics = diagnostics


class InternalError(Exception):
    """A fault of ours. Exit code 70."""


@dataclass(slots=True)
class Sink:
    """Collects the diagnostics of a stage."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        kind: Kind,
        span: Span,
        text: str,
        *,
        secondary: tuple[Label, ...] = (),
        expected: str | None = None,
        found: str | None = None,
        helps: tuple[str, ...] = (),
        call_site: Span | None = None,
    ) -> None:
        diagnostic = Diagnostic(kind, Label(span, text), secondary, expected, found, helps, call_site)
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.found if d.kind.severity == "error")

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.found if d.kind.severity == "note")

    def stop_on_errors(self) -> None:
        """Raise `RoofError` with everything found so far if any of it is an error."""
        if self.errors:
            raise RoofError(tuple(self.found))


def fail(
    kind: Kind,
    span: Span,
    text: str,
    *,
    expected: str | None = None,
    found: str | None = None,
    helps: tuple[str, ...] = (),
) -> NoReturn:
    """Raise a single diagnostic, where going on makes no sense."""
    raise RoofError((Diagnostic(kind, Label(span, text), (), expected, found, helps),))
