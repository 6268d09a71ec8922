"""A place where the parser cannot go on, told in the user's terms.

Names of terminals never leave this module: they become the text of a literal or a phrase, and long lists of what could
stand at a place are collapsed and capped.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from roofdsl.diagnostics import Label, Sink
from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax.lexer import END, NEWLINE, UNKNOWN, Lexer, Token
from roofdsl.syntax.tables import Tables

_PHRASES = {
    "NAME": "a name",
    "PATH": "a name",
    "LLETTERS": "a name",
    "LSUBSCRIPTED": "a name",
    "LUPRIGHT": "a name",
    "LGREEK": "a name",
    "LFUNCTION": "a function",
    "NUMBER": "a number",
    "STRING": "text in quotes",
    "SUPERSCRIPT": "an exponent",
    "UNIT": "a unit",
    NEWLINE: "a new line",
    END: "the end",
}
_OPERATORS = frozenset("+-*/^·×⋅−") | {"**"}
_RELATIONS = frozenset({"<", "<=", ">=", ">", "≤", "≥"})
_MOST = 7


def complain(tables: Tables, sink: Sink, lexer: Lexer, states: list[int], values: list[Any], token: Token) -> None:
    """Add the diagnostic for a token that cannot stand here."""
    span = lexer.span(token)
    opened = _last_open(values)
    where = (Label(Span(lexer.source, opened.start, opened.end), "opened here and not closed"),) if opened else ()
    expected = _expected(tables, states)
    if token.kind == UNKNOWN:
        _complain_of_character(sink, span, token, expected)
        return
    if token.kind == END:
        sink.add(errors.UNFINISHED, span, "the text ends here", secondary=where, expected=expected, found="the end")
        return
    previous = values[-1] if values else None
    if token.text in ("layout", "mesh", "@"):
        sink.add(errors.NOT_YET, span, "reserved for sharded layouts")
    elif _number_inside(previous, token):
        helps = ("write `*` or `·` between the factors, or put the number first",)
        sink.add(errors.INNER_NUMERAL, span, "joined to what stands before it without a sign", helps=helps)
    else:
        found = _found(token)
        sink.add(
            errors.UNEXPECTED,
            span,
            f"unexpected {found}",
            secondary=where if token.kind == NEWLINE or _closes_other(opened, token) else (),
            expected=expected,
            found=found,
            helps=_helps(token, previous, expected),
        )


def _complain_of_character(sink: Sink, span: Span, token: Token, expected: str) -> None:
    if token.text == '"':
        sink.add(errors.OPEN_QUOTE, span, "this quote is not closed on its line")
        return
    if token.text == "@":
        sink.add(errors.NOT_YET, span, "reserved for sharded layouts")
        return
    name = unicodedata.name(token.text, f"U+{ord(token.text):04X}").lower()
    shown = f"`{token.text}` ({name})" if token.text.isprintable() else name
    sink.add(errors.BAD_CHARACTER, span, f"{shown} has no meaning here", expected=expected, found=shown)


def _last_open(values: list[Any]) -> Token | None:
    for value in reversed(values):
        if isinstance(value, Token) and value.text in ("(", "[", "{"):
            return value
    return None


def _closes_other(opened: Token | None, token: Token) -> bool:
    return opened is not None and (token.text in (")", "]", "}", "=") or opened.text != "{")


def _number_inside(previous: Any, token: Token) -> bool:
    return (
        token.kind == "NUMBER"
        and previous is not None
        and not (isinstance(previous, Token) and previous.kind not in ("NAME", "NUMBER", "SUPERSCRIPT"))
    )


def _found(token: Token) -> str:
    if token.kind == NEWLINE:
        return "end of line"
    return f"`{token.text}`"


def _helps(token: Token, previous: Any, expected: str) -> tuple[str, ...]:
    if isinstance(previous, Token) and previous.kind == "NUMBER" and token.text == ",":
        return ("numbers have a decimal point, no decimal comma and no grouping",)
    if token.text == "=" and isinstance(previous, Token) and previous.text == "=":
        return ("write `=`",)
    if token.text == "{" and previous is not None:
        return ("write `{` directly after the name for bindings, without a blank",)
    if token.kind == "NAME" and isinstance(previous, Token) and previous.kind == "NUMBER":
        return (f"write `{previous.text} * {token.text}`",)
    if token.kind == NEWLINE and "new line" not in expected:
        return ("a statement goes on over a line end only inside round or square brackets",)
    return ()


def _expected(tables: Tables, states: list[int]) -> str:
    """What could stand at this place, collapsed and capped."""
    phrases: dict[str, None] = {}
    for kind in tables.row(states[-1]):
        if kind == kind.upper() and kind != "BAD" and _can_follow(tables, states, kind):
            phrases[_phrase(tables, kind)] = None
    listed = list(phrases)
    if len(listed) > 12 and "`block`" in phrases:
        return "a declaration (`block`, `model`, `op`, `dim`, `let`, `config`, `claim`, …)"
    if len(listed) > _MOST:
        listed = [*listed[:_MOST], "…"]
    return ", ".join(listed)


def _phrase(tables: Tables, kind: str) -> str:
    if kind in _PHRASES:
        return _PHRASES[kind]
    texts = [text for text, kinds in tables.literals.items() if kind in kinds]
    texts += [word for word, entries in tables.words.items() if any(entry.terminal == kind for entry in entries)]
    texts += [text for text, tight in tables.tight.items() if tight == kind]
    if any(text in _OPERATORS for text in texts):
        return "an operator"
    if any(text in _RELATIONS for text in texts):
        return "a comparison"
    return f"`{texts[0]}`" if texts else "something else"


def _can_follow(tables: Tables, states: list[int], kind: str) -> bool:
    """Whether the automaton would come to shift the token; the table alone also lists some it would refuse later."""
    path = list(states)
    while True:
        target = tables.row(path[-1]).get(kind)
        if target is None or target >= 0:
            return target is not None
        rule = tables.rules[~target]
        if rule.length:
            del path[-rule.length :]
        path.append(tables.row(path[-1])[rule.origin])
