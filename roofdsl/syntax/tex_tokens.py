r"""LaTeX text to tokens: commands, letters, digits and signs with their places; comments are left out.

What a token means is for its readers: `tex_math` makes formulas of them, `tex_file` finds displayed equations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_STARRED = "newcommand|renewcommand|providecommand|DeclareMathOperator|hspace|operatorname"
_TOKEN = re.compile(
    rf"(?P<blank>\s+)|(?P<comment>%[^\n]*\n?)|(?P<command>\\(?:(?:{_STARRED})\*|[A-Za-z]+|.|$))|(?P<sign>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Tex:
    r"""A token: a command with its backslash (`\frac`), a single character, or a blank (one space). `start` and `end` are
    its place; of what a macro brought, the place where the macro is used.
    """

    text: str
    start: int
    end: int

    @property
    def is_command(self) -> bool:
        return self.text[0] == "\\"


def tex_tokens(text: str, start: int, end: int) -> Iterator[Tex]:
    """The tokens of a part of a text, in order."""
    for found in _TOKEN.finditer(text, start, end):
        if found.lastgroup == "comment":
            continue
        shown = " " if found.lastgroup == "blank" else found.group()
        yield Tex(shown, found.start(), found.end())
