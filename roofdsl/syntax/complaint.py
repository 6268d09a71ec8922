"""A place where the parser cannot go on, told in the user's terms.

Chooses the diagnostic by what stands there and what stands before it, and adds help where a usual slip is recognised.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass

from roofdsl.diagnostics import Label, Sink
from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax.expected import acceptable, can_follow, describe, words_among
from roofdsl.syntax.lexer import END, NEWLINE, UNKNOWN, Lexer, Token
from roofdsl.syntax.recovery import begins_declaration
from roofdsl.syntax.tables import Tables

_RESERVED = ("layout", "mesh", "@")
_SPARSITY = re.compile(r"[0-9]+:[0-9]+")
_NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the parser stopped: its states, the token it cannot take, the text of the value before it, and the
    innermost bracket or brace that is open.
    """

    tables: Tables
    lexer: Lexer
    states: list[int]
    token: Token
    previous: str
    opened: Token | None

    @property
    def span(self) -> Span:
        return self.lexer.span(self.token)

    @property
    def opening(self) -> tuple[Label, ...]:
        return (Label(self.lexer.span(self.opened), "opened here and not closed"),) if self.opened else ()


def complain(sink: Sink, place: Place) -> None:
    """Add the diagnostic for a token that cannot stand here."""
    token, span = place.token, place.span
    kinds = acceptable(place.tables, place.states)
    expected = describe(place.tables, kinds)
    if token.text in _RESERVED:
        sink.add(errors.NOT_YET, span, "reserved for sharded layouts")
    elif token.kind == UNKNOWN:
        _complain_of_character(sink, span, token.text, expected)
    elif token.kind == END:
        _complain_of_end(sink, place, expected)
    elif token.kind == "NUMBER" and can_follow(place.tables, place.states, "SLASH"):
        text = "joined to what stands before it without a sign"
        advice = "write `*` between the factors"
        if can_follow(place.tables, place.states, "NAME"):
            advice += ", or put the number first"
        sink.add(errors.INNER_NUMERAL, span, text, helps=(advice,))
    else:
        found = "end of line" if token.kind == NEWLINE else f"`{token.text}`"
        text = f"unexpected {found}"
        secondary = place.opening if _concerns_opening(place) else ()
        helps = _helps(place, kinds)
        sink.add(errors.UNEXPECTED, span, text, secondary=secondary, expected=expected, found=found, helps=helps)


def _complain_of_end(sink: Sink, place: Place, expected: str) -> None:
    """Unless the bracket that is open was shown before."""
    opening = place.opening
    if not opening or not any(diagnostic.secondary == opening for diagnostic in sink.found):
        text, found = "the text ends here", "the end"
        sink.add(errors.UNFINISHED, place.span, text, secondary=opening, expected=expected, found=found)


def _complain_of_character(sink: Sink, span: Span, character: str, expected: str) -> None:
    if character == '"':
        sink.add(errors.OPEN_QUOTE, span, "this quote is not closed on its line")
        return
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    shown = f"`{character}` ({name})" if character.isprintable() else name
    sink.add(errors.BAD_CHARACTER, span, f"{shown} has no meaning here", expected=expected, found=shown)


def _concerns_opening(place: Place) -> bool:
    """Whether the error may be that the innermost bracket was not closed."""
    if place.opened is None:
        return False
    return place.token.text in (")", "]", "}", "=") or place.opened.text != "{" or begins_declaration(place.previous)


def _helps(place: Place, kinds: list[str]) -> tuple[str, ...]:
    """What the user may have meant; the likeliest only."""
    token, previous = place.token, place.previous
    if _NUMERAL.fullmatch(previous) and token.text == ",":
        return ("numbers have a decimal point, no decimal comma and no grouping of digits",)
    if token.kind == "NUMBER" and _SPARSITY.match(place.lexer.source.text, token.start):
        return ("2:4 is sparsity, no number: peaks are dense, and the headline is kept as `sparse peak …`",)
    if token.kind == "NUMBER" and place.lexer.source.text[: token.start].endswith(","):
        return ("numbers have a decimal point, no decimal comma and no grouping of digits",)
    if token.text.lower() in ("inf", "infinity", "oo", "∞") and "NUMBER" in kinds:
        return ("figures are finite: leave out what has no limit",)
    if token.text in ("-", "−") and kinds == ["NUMBER"]:
        return ("figures of a machine are greater than zero",)
    if token.text == "=" and previous == "=":
        return ("one `=` is enough",)
    if token.kind == "NAME" and _NUMERAL.fullmatch(previous) and can_follow(place.tables, place.states, "SLASH"):
        return (f"write `{previous} * {token.text}`",)
    if token.text == "{" and previous:
        return ("write `{` directly after the name for bindings, without a blank",)
    if place.opened is not None and place.opened.text == "{" and begins_declaration(previous):
        return ("is a `}` missing above?",)
    if place.opened is not None and place.opened.text != "{" and _on_earlier_line(place):
        return (f"is a `{')' if place.opened.text[-1] == '(' else ']'}` missing on the line before?",)
    if token.kind == NEWLINE and NEWLINE not in kinds:
        return ("a statement goes on over a line end only inside round or square brackets",)
    return _meant(place, kinds)


def _on_earlier_line(place: Place) -> bool:
    assert place.opened is not None  # noqa: S101 - the caller has looked
    return "\n" in place.lexer.source.text[place.opened.end : place.token.start]


def _meant(place: Place, kinds: list[str]) -> tuple[str, ...]:
    """A keyword that was misspelt here or just before."""
    words = words_among(place.tables, kinds)
    for written in (place.token.text, *place.previous.split()[-1:]):
        close = difflib.get_close_matches(written, words, 1, 0.7) if written.isalpha() else []
        if close and close[0] != written:
            return (f"did you mean `{close[0]}`?",)
    return ()
