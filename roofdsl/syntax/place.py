"""The place where the parser could not go on, as the makers of messages look at it."""

from __future__ import annotations

from dataclasses import dataclass

from roofdsl.diagnostics import Label
from roofdsl.source import Span
from roofdsl.syntax.lexer import Lexer, Token
from roofdsl.syntax.tables import Tables

_MOST = 400
"""Characters of a line that messages look at, on either side."""


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
    def text(self) -> str:
        """All of the source."""
        return self.lexer.source.text

    @property
    def before(self) -> str:
        """The token's line up to the token, the last of it."""
        return self._line_to(self.token.start)

    @property
    def rest(self) -> str:
        """The token and what follows on its line, the first of it."""
        start = self.token.start
        return self.text[start : start + _MOST].partition("\n")[0]

    @property
    def opening(self) -> tuple[Label, ...]:
        return (Label(self.lexer.span(self.opened), "opened here and not closed"),) if self.opened else ()

    @property
    def opened_by(self) -> str:
        """The line the open bracket stands on, up to and with it; empty if none is open."""
        return "" if self.opened is None else self._line_to(self.opened.end)

    @property
    def on_earlier_line(self) -> bool:
        """Whether a bracket is open that was opened on a line before."""
        return self.opened is not None and "\n" in self.text[self.opened.end : self.token.start]

    def _line_to(self, end: int) -> str:
        return self.text[max(0, end - _MOST) : end].rpartition("\n")[2]
