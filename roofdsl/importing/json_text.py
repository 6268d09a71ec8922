"""JSON with positions, read strictly: every value knows where it stands, so that a message can point at it.

The standard library's reader keeps no positions, takes `NaN` and lets a later name win silently; this one refuses
both, and bounds depth, counts and numerals. Numbers are exact. `Infinity`, which published files have for a bound that
is none, is a word and no number.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from roofdsl.diagnostics import Diagnostic, Label, RoofError, fail
from roofdsl.errors.importing import NOT_JSON, OUT_OF_BOUNDS
from roofdsl.importing.bounds import BOUNDS, Bounds
from roofdsl.source import Source, Span

_TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
        (?P<mark>[{}\[\]:,])
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
      | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![0-9A-Za-z.])
      | (?P<word>[A-Za-z_]+)
      | (?P<end>\Z)
      | (?P<other>.)
    )""",
    re.VERBOSE,
)
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Value:
    """A value of JSON: an object as a dict, an array as a tuple, a number exactly."""

    content: Content
    span: Span

    @property
    def object(self) -> dict[str, Value] | None:
        """The fields, if it is an object."""
        return self.content if isinstance(self.content, dict) else None

    @property
    def integer(self) -> int | None:
        """The number, if it is a whole one."""
        if isinstance(self.content, bool) or not isinstance(self.content, int | Fraction):
            return None
        return int(self.content) if self.content == int(self.content) else None


Content = None | bool | int | Fraction | str | tuple["Value", ...] | dict[str, "Value"]


@dataclass(slots=True)
class _Reader:
    source: Source
    bounds: Bounds
    at: int = 0
    read: int = 0
    kind: str = ""
    start: int = 0
    end: int = 0

    def step(self) -> str:
        """Go to the next word; its text."""
        found = _TOKEN.match(self.source.text, self.at)
        if found is None:
            self.start = self.end = self.at
            self.complain("a value was expected here")
        self.kind = found.lastgroup or ""
        self.start, self.end = found.span(self.kind)
        self.at = self.end
        return found[self.kind]

    @property
    def span(self) -> Span:
        return Span(self.source, self.start, self.end)

    def complain(self, text: str, found: str | None = None) -> NoReturn:
        fail(NOT_JSON, self.span, text, found=found)

    def bound(self, text: str, expected: str) -> NoReturn:
        fail(OUT_OF_BOUNDS, self.span, text, expected=expected)


def read_json(source: Source, bounds: Bounds = BOUNDS) -> Value:
    """The one value of a text; raises `RoofError` (E0901, E0902) where it is not JSON or beyond a bound."""
    reader = _Reader(source, bounds)
    value = _value(reader, reader.step(), 0)
    reader.step()
    if reader.kind != "end":
        reader.complain("the value has ended before this")
    return value


def _value(reader: _Reader, word: str, depth: int) -> Value:
    reader.read += 1
    if reader.read > reader.bounds.values:
        reader.bound("too many values", f"at most {reader.bounds.values:,}")
    if depth > reader.bounds.depth:
        reader.bound("nested too deeply", f"at most {reader.bounds.depth} levels")
    match reader.kind, word:
        case "mark", "{":
            return _object(reader, depth)
        case "mark", "[":
            return _array(reader, depth)
        case "string", _:
            return Value(_string(reader, word), reader.span)
        case "number", _:
            return Value(_number(reader, word), reader.span)
        case "word", ("true" | "false" | "null"):
            return Value(_WORDS[word], reader.span)
        case "word", "Infinity":
            return Value(word, reader.span)
        case _:
            _refuse(reader, word)


def _refuse(reader: _Reader, word: str) -> NoReturn:
    if word in ("NaN", "-"):
        reader.complain("not a number", found=word)
    if reader.kind == "end":
        reader.complain("the text ends where a value was expected")
    reader.complain("a value was expected here", found=word[:20])


def _object(reader: _Reader, depth: int) -> Value:
    start = reader.start
    fields: dict[str, Value] = {}
    places: dict[str, Span] = {}
    word = reader.step()
    while word != "}" or reader.kind != "mark":
        if reader.kind != "string":
            reader.complain("the name of a field in double quotes was expected here", found=word[:20] or "the end")
        name = _string(reader, word)
        if name in fields:
            again = Label(places[name], "the first one")
            text = f"`{name[:64]}` stands twice in one object"
            raise RoofError((Diagnostic(NOT_JSON, Label(reader.span, text), (again,)),))
        places[name] = reader.span
        if reader.step() != ":":
            reader.complain("a colon was expected here")
        fields[name] = _value(reader, reader.step(), depth + 1)
        word = _comma(reader, "}")
    return Value(fields, Span(reader.source, start, reader.end))


def _array(reader: _Reader, depth: int) -> Value:
    start = reader.start
    items: list[Value] = []
    word = reader.step()
    while word != "]" or reader.kind != "mark":
        items.append(_value(reader, word, depth + 1))
        word = _comma(reader, "]")
    return Value(tuple(items), Span(reader.source, start, reader.end))


def _comma(reader: _Reader, closing: str) -> str:
    """The word after a comma, or the closing mark; a comma before the closing mark is none of JSON's."""
    word = reader.step()
    if reader.kind != "mark" or word not in (",", closing):
        reader.complain(f"a comma or `{closing}` was expected here", found=word[:20] or "the end")
    if word == closing:
        return word
    after = reader.step()
    if after == closing and reader.kind == "mark":
        reader.complain("a comma stands before this", found=closing)
    return after


def _string(reader: _Reader, word: str) -> str:
    if "\\" not in word:
        return word[1:-1]
    try:
        text: str = json.loads(word)
        text.encode()  # half of a surrogate pair is no character and could not be printed
    except ValueError:
        reader.complain("an escape that JSON does not have")
    return text


def _number(reader: _Reader, word: str) -> int | Fraction:
    if len(word) > reader.bounds.numeral_length:
        reader.bound("a numeral too long to be a size", f"at most {reader.bounds.numeral_length} characters")
    if "." not in word and "e" not in word.lower():
        return int(word)
    exponent = word.lower().partition("e")[2]
    if exponent and abs(int(exponent)) > reader.bounds.decimal_exponent:
        reader.bound("an exponent too large", f"between ±{reader.bounds.decimal_exponent}")
    return Fraction(word)
