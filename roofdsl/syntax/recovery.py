"""Where to go on reading after a syntax error: behind the line, and behind the block the line opens."""

from __future__ import annotations

import re

_STEP = re.compile(r'"[^"\n\r]*"|#[^\n\r]*|[{}\n\r]|[^"#{}\n\r]+|"')
_SET_IN = re.compile(r"[ \t]+[^ \t\n\r#]|[{}]")
_DECLARATION = re.compile(
    r"(?:use|dim|let|dtype|default|scalar|op|training|block|model|config|machine|convention|optimizer|claim|measured|source"
    r"|quantity|layout|mesh)(?![A-Za-z0-9_])"
)


def begins_declaration(text: str) -> bool:
    """Whether a text is, or begins with, a word that begins declarations."""
    return _DECLARATION.match(text) is not None


def resume(text: str, start: int, limit: int, open_braces: int, *, in_block: bool) -> int:
    """The offset of the newline or closing brace that ends the faulty text. `open_braces` blocks that began before
    `start` are given up too; a line that begins like a declaration ends them all. Outside of blocks a closing brace is
    part of the faulty text, and so are lines set in: they are the body of what could not be read.
    """
    depth = open_braces
    position = start
    while position < limit:
        step = _STEP.match(text, position, limit)
        if step is None:
            return limit
        piece = step.group()
        if piece == "}" and depth == 0 and in_block:
            return position
        if piece in "\n\r" and (
            (depth == 0 and (in_block or not _SET_IN.match(text, step.end(), limit)))
            or _DECLARATION.match(text, step.end(), limit)
        ):
            return position
        depth = max(0, depth + (piece == "{") - (piece == "}"))
        position = step.end()
    return limit
