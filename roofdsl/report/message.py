"""Diagnostics as text for a person: code, title, the user's lines with the faulty places underlined, and help.

Takes diagnostics of any stage and gives text; knows no codes. Control characters of the user's text never reach the
terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roofdsl.diagnostics import Diagnostic, Label
from roofdsl.report.excerpt import Excerpt, excerpt
from roofdsl.source import NOWHERE, Source, Span

_RESET = "\x1b[0m"
_STYLES = {"error": "\x1b[1;31m", "note": "\x1b[1;36m", "frame": "\x1b[1;34m", "bold": "\x1b[1m", "help": "\x1b[1;32m"}


@dataclass(frozen=True, slots=True)
class _Paint:
    on: bool

    def __call__(self, style: str, text: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self.on and text else text


@dataclass(frozen=True, slots=True)
class _Mark:
    """A label with the line it is shown on and how it is drawn."""

    label: Label
    line: int
    primary: bool


def render_diagnostics(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """All diagnostics in the order given, with a blank line between; ends in a newline unless there are none."""
    paint = _Paint(colour)
    return "\n".join(_render(diagnostic, paint) for diagnostic in diagnostics)


def _render(diagnostic: Diagnostic, paint: _Paint) -> str:
    kind = diagnostic.kind
    heading = paint(kind.severity, f"{kind.severity}[{kind.code}]") + paint("bold", f": {kind.title}")
    lines = [heading]
    margin = _margin(diagnostic)
    if diagnostic.call_site is not None:
        site = Label(diagnostic.call_site, "in the expansion of this")
        lines += _snippet([_mark(site, primary=True)], kind.severity, margin, paint)
    lines += _places(diagnostic, margin, paint)
    lines += _footer(diagnostic, margin, paint)
    return "\n".join(lines) + "\n"


def render_place(span: Span, text: str, *, severity: str = "note", colour: bool = False) -> str:
    """The lines of a place with what is said about it underlined, without a heading; ends in a newline."""
    margin = len(str(span.source.position(span.start)[0]))
    return "\n".join(_snippet([_mark(Label(span, text), primary=True)], severity, margin, _Paint(colour))) + "\n"


def _places(diagnostic: Diagnostic, margin: int, paint: _Paint) -> list[str]:
    """One snippet per source, that of the primary place first."""
    if not _showable(diagnostic.primary.span):
        where = _location(diagnostic.primary.span, margin, paint)
        lines = [*where, _note("", diagnostic.primary.text, margin, paint)] if diagnostic.primary.text else where
        marks: list[_Mark] = []
    else:
        lines = []
        marks = [_mark(diagnostic.primary, primary=True)]
    marks += [_mark(label, primary=False) for label in diagnostic.secondary if _showable(label.span)]
    sources: list[Source] = []
    for mark in marks:
        if not any(mark.label.span.source is source for source in sources):
            sources.append(mark.label.span.source)
    for source in sources:
        of_source = [mark for mark in marks if mark.label.span.source is source]
        lines += _snippet(of_source, diagnostic.kind.severity, margin, paint)
    unseen = [label.text for label in diagnostic.secondary if not _showable(label.span)]
    return lines + [_note("", text, margin, paint) for text in unseen]


def _showable(span: Span) -> bool:
    return bool(span.source.text)


def _mark(label: Label, *, primary: bool) -> _Mark:
    return _Mark(label, label.span.source.position(label.span.start)[0], primary)


def _margin(diagnostic: Diagnostic) -> int:
    """The width of the widest line number shown."""
    spans = [diagnostic.primary.span, *(label.span for label in diagnostic.secondary)]
    if diagnostic.call_site is not None:
        spans.append(diagnostic.call_site)
    return max(len(str(span.source.position(span.start)[0])) for span in spans)


def _location(span: Span, margin: int, paint: _Paint) -> list[str]:
    if span.source is NOWHERE.source:
        return []
    name = visible(span.source.name)
    where = name
    if span.source.text:
        line, column = span.source.position(span.start)
        where = f"{name}:{line}:{column}"
    return [" " * margin + paint("frame", "--> ") + where]


def _snippet(marks: list[_Mark], severity: str, margin: int, paint: _Paint) -> list[str]:
    """The lines of one source that carry marks, each with its marks below it."""
    source = marks[0].label.span.source
    bar = " " * margin + paint("frame", " |")
    lines = [*_location(marks[0].label.span, margin, paint), bar]
    previous = 0
    for number in sorted({mark.line for mark in marks}):
        if previous and number > previous + 1:
            lines.append(paint("frame", "..."))
        here = [mark for mark in marks if mark.line == number]
        shown = excerpt(source.line(number), [_columns(mark, number) for mark in here])
        lines.append(paint("frame", f"{number:>{margin}} |") + f" {shown.text}".rstrip())
        lines += [f"{bar} {_underline(shown, i, mark, severity, paint)}".rstrip() for i, mark in enumerate(here)]
        previous = number
    return lines


def _columns(mark: _Mark, number: int) -> tuple[int, int]:
    """Where on its line a mark begins and ends, in characters from 0; a span over several lines ends with the line."""
    span = mark.label.span
    line, column = span.source.position(span.start)
    width = len(span.source.line(number))
    start = min(column - 1, width)
    last = span.source.position(span.end)[0]
    end = width if last > line else min(start + span.end - span.start, width)
    return start, max(end, start)


def _underline(shown: Excerpt, index: int, mark: _Mark, severity: str, paint: _Paint) -> str:
    start, end = shown.marks[index]
    sign = "^" if mark.primary else "-"
    text = visible(mark.label.text)
    last = mark.label.span.source.position(mark.label.span.end)[0]
    if last > mark.line:
        text += f" (to line {last})"
    if shown.hidden[index]:
        text += " (outside the part that is shown)"
    style = severity if mark.primary else "frame"
    return " " * start + paint(style, f"{sign * max(1, end - start)} {text}".rstrip())


def _footer(diagnostic: Diagnostic, margin: int, paint: _Paint) -> list[str]:
    notes = []
    if diagnostic.expected:
        notes.append(("expected", diagnostic.expected))
    if diagnostic.found:
        notes.append(("found", diagnostic.found))
    lines = [_note(word, text, margin, paint) for word, text in notes]
    return lines + [_note("help", text, margin, paint) for text in diagnostic.helps]


def _note(word: str, text: str, margin: int, paint: _Paint) -> str:
    """A line below the snippet; further lines of its text are indented to it."""
    lead = " " * margin + " = " + (f"{word}: " if word else "")
    first, *rest = text.split("\n")
    painted = (
        " " * margin
        + paint("frame", " = ")
        + (paint("help" if word == "help" else "bold", word) + ": " if word else "")
    )
    return "\n".join([painted + visible(first), *(" " * len(lead) + visible(line) for line in rest)])


def visible(text: str) -> str:
    """The text without characters that move the cursor or change its colour."""
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
