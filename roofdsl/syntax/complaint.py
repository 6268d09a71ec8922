"""A place where the parser cannot go on, told in the user's terms.

Chooses the diagnostic by what stands there and what stands before it, and adds help where a usual slip is recognised.
"""

from __future__ import annotations

import re
import unicodedata

from roofdsl.diagnostics import Sink
from roofdsl.errors import syntax as errors
from roofdsl.syntax.expected import acceptable, can_follow, describe, words_among
from roofdsl.syntax.lexer import END, NEWLINE, UNKNOWN
from roofdsl.syntax.place import Place
from roofdsl.syntax.recovery import begins_declaration

_RESERVED = ("layout", "mesh", "@")
_SPARSITY = re.compile(r"[0-9]+:[0-9]+")
_NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_NUMERAL_AND_COMMA = re.compile(r"[0-9],\s*$")
_BRACE = "is a `}` missing"
_MISSING_ABOVE = f"{_BRACE} above?"
_BODY = re.compile(
    r"\s*(?:training|op|block|model|region|fused|checkpoint|repeat|adjoint|cost|config|machine|convention|optimizer|source"
    r"|scalar)\b"
)
_HEADER = re.compile(r"(?:training\s+)?(?:op|block|model)\s")
_UNIT_IN_BRACKETS = re.compile(r"\[\s*[A-Za-zµμΩ$€][A-Za-z0-9_/^*· -]*\]")


def complain(sink: Sink, place: Place) -> bool:
    """Add the diagnostic for a token that cannot stand here. False, and nothing added, where a missing brace that was
    told before is all that is wrong: reading on would find more of the same.
    """
    token, span = place.token, place.span
    kinds = acceptable(place.tables, place.states)
    expected = describe(place.tables, kinds)
    if token.text in _RESERVED and not (token.text == "@" and place.opened_by[-1:] in ("(", "{")):
        sink.add(errors.NOT_YET, span, "reserved for sharded layouts")
    elif token.kind == UNKNOWN:
        _complain_of_character(sink, place, expected, kinds)
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
        if helps == (_MISSING_ABOVE,) and any(_BRACE in known for found in sink.found for known in found.helps):
            return False
        sink.add(errors.UNEXPECTED, span, text, secondary=secondary, expected=expected, found=found, helps=helps)
    return True


def _complain_of_end(sink: Sink, place: Place, expected: str) -> None:
    """Unless the bracket that is open was shown before."""
    opening = place.opening
    told = any(found.secondary == opening or any(_BRACE in text for text in found.helps) for found in sink.found)
    if not opening or not told:
        text, found = "the text ends here", "the end"
        sink.add(errors.UNFINISHED, place.span, text, secondary=opening, expected=expected, found=found)


def _complain_of_character(sink: Sink, place: Place, expected: str, kinds: list[str]) -> None:
    from roofdsl.syntax.slips import character_help, slips

    span, character = place.span, place.token.text
    if character == '"':
        sink.add(errors.OPEN_QUOTE, span, "this quote is not closed on its line")
        return
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    shown = f"`{character}` ({name})" if character.isprintable() else name
    helps = character_help(character) or tuple(slips(place, words_among(place.tables, kinds)))[:1]
    text = f"{shown} has no meaning here"
    sink.add(errors.BAD_CHARACTER, span, text, expected=expected, found=shown, helps=helps)


def _concerns_opening(place: Place) -> bool:
    """Whether the error may be that the innermost bracket was not closed."""
    if place.opened is None:
        return False
    if place.token.text in (")", "]"):
        return True
    return begins_declaration(place.previous) if place.opened.text == "{" else place.on_earlier_line


def _helps(place: Place, kinds: list[str]) -> tuple[str, ...]:
    """What the user may have meant; the likeliest only."""
    from roofdsl.syntax.keywords import meant
    from roofdsl.syntax.slips import slips

    words = words_among(place.tables, kinds)
    found = _of_numbers(place, kinds) or _of_headers(place, kinds) or next(slips(place, words), None)
    found = found or _of_brackets(place, kinds)
    if found is None and (keyword := meant(place, words)) is not None:
        found = f"did you mean `{keyword}`?"
    found = found or _of_products(place, kinds) or _of_lines(place, kinds)
    return () if found is None else (found,)


def _of_numbers(place: Place, kinds: list[str]) -> str | None:
    token = place.token
    if (_NUMERAL.fullmatch(place.previous) and token.text == ",") or (
        token.kind == "NUMBER" and _NUMERAL_AND_COMMA.search(place.before)
    ):
        return "numbers have a decimal point, no decimal comma and no grouping of digits"
    if (token.kind == "NUMBER" and _SPARSITY.match(place.rest)) or _SPARSITY.match(place.previous + place.rest):
        return "2:4 is sparsity, no number: peaks are dense, and the headline is kept as `sparse peak …`"
    if token.text.lower() in ("inf", "infinity", "oo", "∞") and "NUMBER" in kinds:
        return "figures are finite: leave out what has no limit"
    if token.text in ("-", "−") and kinds == ["NUMBER"]:
        return "figures of a machine are greater than zero"
    if token.kind == "NUMBER" and place.opened_by[-1:] == "[" and "NAME" in kinds:
        return "an index is a name: `dim h` or `let f = 4h` declares one"
    return None


def _of_headers(place: Place, kinds: list[str]) -> str | None:
    """What a definition lacks before its body."""
    line = place.before.rstrip()
    if place.opened is not None or not _HEADER.match(line):
        return None
    if "LBRACE" in kinds and (place.token.kind == NEWLINE or place.rest.strip() == ":"):
        return f"the body stands in braces, which open on this line: `{line.rstrip(':')} {{`"
    if kinds == ["_ARROW"] and place.token.text in ("{", ":", "="):
        return f"the result is named before the body: `{line} -> y {{`"
    return None


def _of_brackets(place: Place, kinds: list[str]) -> str | None:
    opened, token = place.opened, place.token
    if token.text == "=" and place.previous == "=":
        return "one `=` is enough"
    if opened is not None and opened.text == "{" and begins_declaration(place.previous):
        return _MISSING_ABOVE
    if "}" in place.previous[-1:] and "\n" in place.previous and kinds == ["LPAR"]:
        return f"{_BRACE} before `(`, in `{place.previous.partition(chr(10))[0]}`?"
    if opened is not None and opened.text == "{" and place.on_earlier_line and not _BODY.match(place.opened_by):
        return f"{_BRACE} in `{place.opened_by.strip()} …`?"
    if opened is not None and opened.text != "{" and (place.on_earlier_line or token.text in (")", "]", "}")):
        where = " on the line before" if place.on_earlier_line else ""
        return f"is a `{')' if opened.text[-1] == '(' else ']'}` missing{where}?"
    if token.text == "{" and can_follow(place.tables, place.states, "LPAR"):
        return "write `{` directly after the name for bindings, without a blank"
    if (token.text == ":" and "EQUAL" in kinds) or kinds == ["LBRACE"]:
        return f"write `{'{' if kinds == ['LBRACE'] else '='}`"
    if kinds == ["EQUAL"] and token.text in (",", "}") and place.previous.isidentifier():
        return f"give it a value: `{place.previous} = …`"
    if token.kind == "STRING" and kinds == ["NAME"]:
        return f"a name stands without quotes: `{token.text[1:-1]}`"
    if token.text == "(" and "LSQB" in kinds and "LPAR" not in kinds:
        return f"indices stand in square brackets: `{place.previous}[…]`"
    if token.kind == "NAME" and "FROZEN" in kinds and "COLON" in kinds:
        return f"a number format stands behind a colon: `: {token.text}`"
    if token.text == "[" and (unit := _UNIT_IN_BRACKETS.match(place.rest)) and place.previous:
        term = place.before.rstrip().rpartition(" ")[2]
        return f"a unit stands behind a number or brackets: `({term}) {unit.group()}`"
    return None


def _of_products(place: Place, kinds: list[str]) -> str | None:
    """Two factors side by side where products are written with `*`."""
    if "_STAR" not in kinds or "SUPERSCRIPT" not in kinds or place.token.kind not in ("NAME", "LPAR", "NUMBER"):
        return None
    if _NUMERAL.fullmatch(place.previous):
        return f"write `{place.previous} * {place.token.text}`"
    return f"write `*` between factors: `… * {place.token.text}`"


def _of_lines(place: Place, kinds: list[str]) -> str | None:
    if place.token.kind == NEWLINE and NEWLINE not in kinds:
        return "a statement goes on over a line end only inside round or square brackets"
    return None
