r"""A .tex file seen through: comments that say `roofdsl:`, displayed equations with their labels, macros, and the files
that `\input` and `\include` put in.

Finds where things stand; `tex_claims` reads them. Text that LaTeX does not set (comments, verbatim) holds no equations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from roofdsl.diagnostics import Sink
from roofdsl.errors.names import CYCLE, TOO_MANY_FILES
from roofdsl.source import Source, Span
from roofdsl.syntax.tex_equations import Equation, equations
from roofdsl.syntax.tex_macros import DEFINITIONS, Macro, definition

DISPLAYS = frozenset(
    f"{name}{star}"
    for name in (
        "equation",
        "align",
        "gather",
        "multline",
        "flalign",
        "alignat",
        "eqnarray",
        "displaymath",
        "dmath",
        "IEEEeqnarray",
        "math",
    )
    for star in ("", "*")
)
UNSET = frozenset(("verbatim", "verbatim*", "lstlisting", "minted", "comment", "Verbatim"))
_EVENT = re.compile(
    r"(?P<comment>%[^\n]*)|\\(?P<edge>begin|end)\s*\{(?P<name>[A-Za-z]+\*?)\}|(?P<open>\\\[)|(?P<close>\\\])|(?P<dollars>\$\$)"
    rf"|\\(?P<define>{DEFINITIONS})\*?(?![A-Za-z])"
    r"|\\(?P<include>input|include|subfile|usepackage|RequirePackage)(?![A-Za-z])(?:\[[^\]]*\])?\s*(?:\{(?P<braced>[^{}]*)\}|(?P<bare>[^\s\\{}%]+))"
    r"|\\(?P<word>[A-Za-z]+)|\\.",
    re.DOTALL,
)
_MARKER = re.compile(r"%+\s*roofdsl\s*:[ \t]*(?P<text>[^\n]*?)\s*$")
_OWN_EDGE = re.compile(r"\\(?P<edge>begin|end)\{(?P<name>[A-Za-z]+\*?)\}")
DEEPEST = 10
MOST_FILES = 200
OPTIONAL = frozenset(("usepackage", "RequirePackage"))
"""What these name is often installed elsewhere: it is read where it stands beside the paper."""
Order = tuple[int, ...]
r"""Where something stands in the paper as a whole: its place in its file, behind that of each `\input` around it."""


@dataclass(frozen=True, slots=True)
class Found:
    """An equation, and where it stands in the paper as a whole."""

    order: Order
    equation: Equation


@dataclass(frozen=True, slots=True)
class TexFile:
    """What was found, in order. `markers` are the texts behind `roofdsl:`, with where they stand."""

    source: Source
    markers: tuple[tuple[Order, Span], ...]
    equations: tuple[Found, ...]


Opener = Callable[[str, Span, bool, Sink], Source | None]
"""Gives the file of a name that a place asks for, None where there is none: an error unless it is optional."""


@dataclass(slots=True)
class _State:
    """What is known so far; the same for all files of a paper."""

    sink: Sink
    open: Opener | None
    macros: dict[str, Macro | None] = field(default_factory=dict)
    display: tuple[int, str] | None = None
    unset: str | None = None
    ended: bool = False
    files: list[str] = field(default_factory=list)
    markers: list[tuple[Order, Span]] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)


def read_tex_file(source: Source, sink: Sink, opener: Opener | None = None) -> TexFile:
    r"""The markers and equations of a .tex file, with those of the files it puts in where `opener` gives them."""
    state = _State(sink, opener)
    _scan(source, (), (source.name,), state)
    return TexFile(source, tuple(state.markers), tuple(state.found))


def _scan(source: Source, order: Order, chain: tuple[str, ...], state: _State) -> None:
    after = 0
    for event in _EVENT.finditer(source.text):
        if event.start() < after or state.ended:
            continue
        if state.unset is not None:
            ends = event["edge"] == "end" and event["name"] == state.unset
            state.unset = None if ends or (event["word"] == "fi" and state.unset == "fi") else state.unset
        elif event["comment"]:
            if marker := _MARKER.fullmatch(event.group()):
                start = event.start()
                span = Span(source, start + marker.start("text"), start + marker.end("text"))
                state.markers.append(((*order, span.end), span))
        elif event["define"]:
            after = _define(source, event, state)
        elif event["include"]:
            _include(source, event, order, chain, state)
        else:
            _edge(source, event, order, state)


def _define(source: Source, event: re.Match[str], state: _State) -> int:
    """Where the definition ends: what stands in it is looked at when it is used."""
    made = definition(source, event.end(), event["define"])
    if made is None:
        return event.end()
    name, macro, end = made
    if event["define"] != "providecommand" or name not in state.macros:
        state.macros = state.macros | {name: macro}
    return end


def _include(source: Source, event: re.Match[str], order: Order, chain: tuple[str, ...], state: _State) -> None:
    """Reads the files an event names in its place; a circle, or too many files, is an error."""
    group = "braced" if event["braced"] is not None else "bare"
    span = Span(source, event.start(group), event.end(group))
    optional = event["include"] in OPTIONAL
    for name in span.text.split(",") if optional else (span.text,):
        if state.open is None or not name.strip():
            return
        if len(chain) > DEEPEST or len(state.files) >= MOST_FILES:
            state.sink.add(TOO_MANY_FILES, span, f"at most {MOST_FILES} files, {DEEPEST} deep, are read")
            return
        inner = state.open(f"{name.strip()}{'.sty' if optional else ''}", span, optional, state.sink)
        if inner is None:
            continue
        if inner.name in chain:
            state.sink.add(CYCLE, span, f"{inner.name} puts itself in")
            return
        state.files.append(inner.name)
        _scan(inner, (*order, event.start()), (*chain, inner.name), state)


def _edge(source: Source, event: re.Match[str], order: Order, state: _State) -> None:
    """Where a display begins or ends, by a macro of the author's too."""
    edge, name = event["edge"], event["name"] or ""
    macro = state.macros.get(f"\\{event['word']}") if event["word"] else None
    if macro is not None and (own := _OWN_EDGE.fullmatch("".join(t.text for t in macro.body).strip())):
        edge, name = own["edge"], own["name"]
    opens, closes = edge == "begin", edge == "end"
    if (opens and name in UNSET) or event["word"] == "iffalse":
        state.unset = name or "fi"
        return
    if (closes and name == "document") or event["word"] == "endinput":
        state.ended = state.ended or name == "document"
        return
    if state.display is None:
        if (opens and name in DISPLAYS) or event["open"] or event["dollars"]:
            state.display = event.end(), name or event.group()
        return
    start, env = state.display
    if (closes and name == env) or (event["close"] and env == "\\[") or (event["dollars"] and env == "$$"):
        span = Span(source, start, event.start()) if start <= event.start() else Span(source, start, start)
        made = equations(span, env.rstrip("*"), state.macros)
        state.found += [Found((*order, equation.start), equation) for equation in made]
        state.display = None
