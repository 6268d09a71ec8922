r"""A .tex file seen through: comments that say `roofdsl:`, displayed equations with their labels, macros without arguments.

Finds where things stand; `tex_claims` reads them. Text that LaTeX does not set (comments, verbatim) holds no equations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from roofdsl.source import Source, Span
from roofdsl.syntax.tex_equations import Equation, equations
from roofdsl.syntax.tex_flat import Macros
from roofdsl.syntax.tex_tokens import Tex, tex_tokens

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
        "math",
    )
    for star in ("", "*")
)
UNSET = frozenset(("verbatim", "verbatim*", "lstlisting", "minted", "comment", "Verbatim"))
_EVENT = re.compile(
    r"(?P<comment>%[^\n]*)|\\(?P<edge>begin|end)\s*\{(?P<name>[A-Za-z]+\*?)\}|(?P<open>\\\[)|(?P<close>\\\])|(?P<dollars>\$\$)"
    r"|\\(?P<define>newcommand|renewcommand|providecommand|DeclareMathOperator|def)\*?(?![A-Za-z])|\\.",
    re.DOTALL,
)
_MARKER = re.compile(r"%+\s*roofdsl\s*:[ \t]*(?P<text>[^\n]*?)\s*$")
_LONGEST = 4000
"""Tokens of a macro's definition that are looked at."""


@dataclass(frozen=True, slots=True)
class TexFile:
    """What was found, in order. `markers` are the texts behind `roofdsl:`; of each equation the macros defined before."""

    source: Source
    markers: tuple[Span, ...]
    equations: tuple[tuple[Equation, Macros], ...]


@dataclass(slots=True)
class _State:
    macros: dict[str, tuple[Tex, ...] | None]
    display: tuple[int, str] | None = None
    unset: str | None = None


def read_tex_file(source: Source) -> TexFile:
    """The markers, equations and macros of a .tex file."""
    markers: list[Span] = []
    found: list[tuple[Equation, Macros]] = []
    state = _State({})
    for event in _EVENT.finditer(source.text):
        if state.unset is not None:
            if event["edge"] == "end" and event["name"] == state.unset:
                state.unset = None
        elif event["comment"]:
            if marker := _MARKER.fullmatch(event.group()):
                markers.append(Span(source, event.start() + marker.start("text"), event.start() + marker.end("text")))
        elif event["define"]:
            state.macros = state.macros | dict(_definition(source, event.end(), event["define"]))
        else:
            _edge(source, event, state, found)
    return TexFile(source, tuple(markers), tuple(found))


def _edge(source: Source, event: re.Match[str], state: _State, found: list[tuple[Equation, Macros]]) -> None:
    """Where a display begins or ends."""
    name, opens, closes = event["name"] or "", event["edge"] == "begin", event["edge"] == "end"
    if opens and name in UNSET:
        state.unset = name
        return
    if state.display is None:
        if (opens and name in DISPLAYS) or event["open"] or event["dollars"]:
            state.display = event.end(), name or event.group()
        return
    start, env = state.display
    if (closes and name == env) or (event["close"] and env == "\\[") or (event["dollars"] and env == "$$"):
        span = Span(source, start, event.start())
        found += [(equation, state.macros) for equation in equations(span, env.rstrip("*"))]
        state.display = None


def _definition(source: Source, position: int, command: str) -> Iterator[tuple[str, tuple[Tex, ...] | None]]:
    """The macro a definition defines, with its body, or None for a body where it takes arguments."""
    tokens = [t for _, t in zip(range(_LONGEST), tex_tokens(source.text, position, len(source.text)), strict=False)]
    tokens = _unblanked(tokens)
    if [t.text for t in tokens[:1]] == ["{"] and [t.text for t in tokens[2:3]] == ["}"]:
        name, tokens = tokens[1].text, _unblanked(tokens[3:])
    elif tokens:
        name, tokens = tokens[0].text, _unblanked(tokens[1:])
    else:
        return
    if not name.startswith("\\"):
        return
    if [t.text for t in tokens[:1]] != ["{"]:
        yield name, None  # `[1]` or `#1`
        return
    body = _braced(tokens)
    if body is not None:
        yield name, (_operator(body) if command == "DeclareMathOperator" else body)


def _unblanked(tokens: list[Tex]) -> list[Tex]:
    first = next((i for i, token in enumerate(tokens) if token.text != " "), len(tokens))
    return tokens[first:]


def _braced(tokens: list[Tex]) -> tuple[Tex, ...] | None:
    """What stands between the first brace and the one that closes it."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0:
            return tuple(tokens[1:i])
    return None


def _operator(body: tuple[Tex, ...]) -> tuple[Tex, ...]:
    wrapped = [Tex(text, 0, 0) for text in (r"\operatorname", "{")]
    return (*wrapped, *body, Tex("}", 0, 0))
