"""Text to tokens, one at a time and only of kinds the parser can take (a contextual lexer).

It keeps no state but its position and the round and square brackets that are open: newlines inside those are blanks.
It never looks ahead of the token asked for, since the parser's state decides what a word means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from roofdsl.source import Source, Span
from roofdsl.syntax.tables import Tables

NEWLINE = "_NL"
END = "$END"
UNKNOWN = "?"
_LAYOUT = re.compile(r"(?:[ \t\f\n\r]|#[^\n\r]*)*")
_RAW_ORDER = ("STRING", "NAME", "NUMBER", "SUPERSCRIPT", "_NL")


@dataclass(slots=True)
class Token:
    """A piece of the text with its terminal."""

    kind: str
    text: str
    start: int
    end: int


class Lexer:
    """Reads tokens of a part of a source."""

    __slots__ = ("_blank", "_classes", "_tables", "_text", "brackets", "limit", "position", "source")

    def __init__(self, tables: Tables, source: Source, start: int, end: int, *, latex: bool) -> None:
        self.source = source
        self.position = start
        self.limit = end
        self.brackets: list[Token] = []
        self._tables = tables
        self._text = source.text
        self._blank = tables.latex_blank if latex else tables.blank
        self._classes: dict[int, tuple[tuple[str, re.Pattern[str]], ...]] = {}

    def span(self, token: Token) -> Span:
        """Where a token stands; a newline is a point, the end of its line."""
        return Span(self.source, token.start, token.start if token.kind == NEWLINE else token.end)

    def next(self, state: int, row: dict[str, int]) -> Token:
        """The next token the state can take; otherwise whatever stands there."""
        text = self._text
        before = self.position
        blank = _LAYOUT if self.brackets else self._blank
        found = blank.match(text, before, self.limit)
        start = found.end() if found else before
        if start >= self.limit:
            return Token(END, "", self.limit, self.limit)
        token = self._accepted(state, row, start, tight=start == before) or self._raw(start)
        self.position = token.end
        return token

    def shifted(self, token: Token) -> None:
        """Count the brackets of a token the parser took."""
        character = token.text[-1:]
        if character in ("(", "["):
            self.brackets.append(token)
        elif character in (")", "]") and self.brackets:
            self.brackets.pop()

    def _accepted(self, state: int, row: dict[str, int], start: int, *, tight: bool) -> Token | None:
        word = self._tables.name.match(self._text, start, self.limit)
        if word is None:
            literal = self._literal(row, start, tight=tight)
            if literal is not None:
                return literal
        else:
            keyword = self._keyword(word.group(), start, word.end(), row)
            if keyword is not None:
                return Token(keyword, word.group(), start, word.end())
        for kind, pattern in self._classes_of(state, row):
            match = pattern.match(self._text, start, self.limit)
            if match is not None:
                return Token(kind, match.group(), start, match.end())
        return None

    def _classes_of(self, state: int, row: dict[str, int]) -> tuple[tuple[str, re.Pattern[str]], ...]:
        found = self._classes.get(state)
        if found is None:
            found = tuple(entry for entry in self._tables.classes if entry[0] in row)
            self._classes[state] = found
        return found

    def _literal(self, row: dict[str, int], start: int, *, tight: bool) -> Token | None:
        """The longest literal the parser can take; a bracket directly after a name is a call's where one can stand."""
        text, tables = self._text, self._tables
        narrow = tables.tight.get(text[start])
        if tight and narrow is not None and narrow in row and _after_name(text, start):
            return Token(narrow, text[start], start, start + 1)
        for length in (2, 1, 3) if text[start] != "\\" else (7, 6, 5):
            literal = text[start : start + length]
            for kind in tables.literals.get(literal, ()):
                if kind in row:
                    return Token(kind, literal, start, start + length)
        return None

    def _keyword(self, word: str, start: int, end: int, row: dict[str, int]) -> str | None:
        text = self._text
        for entry in self._tables.words.get(word, ()):
            if entry.terminal not in row or (
                entry.after_blank and text[start - 1 : start] not in (" ", "\t", "\n", "\r")
            ):
                continue
            if entry.ahead is None or "NAME" not in row or entry.ahead.match(text, end, self.limit):
                return entry.terminal
        return None

    def _raw(self, start: int) -> Token:
        """The token that stands there whatever the parser expects; only to be shown."""
        tables, text = self._tables, self._text
        for length in (3, 2, 1):
            literal = text[start : start + length]
            if kinds := tables.literals.get(literal):
                return Token(kinds[0], literal, start, min(start + length, self.limit))
        for name, pattern in tables.classes:
            if name in _RAW_ORDER and (match := pattern.match(text, start, self.limit)):
                return Token(name, match.group(), start, match.end())
        return Token(UNKNOWN, text[start], start, start + 1)


def _after_name(text: str, position: int) -> bool:
    previous = text[position - 1 : position]
    return previous.isalnum() or previous == "_"
