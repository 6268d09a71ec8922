"""Which keyword a word probably was meant as: misspelt, in another case of letters, or what other languages call it."""

from __future__ import annotations

import re

from roofdsl.syntax.place import Place

DECLARATIONS = (
    "use", "dim", "let", "dtype", "default", "scalar", "op", "training", "block", "model", "config", "machine",
    "convention", "optimizer", "claim", "measured", "quantity", "source",
)  # fmt: skip
STATEMENTS = (
    "param", "buffer", "view", "cache", "carry", "region", "fused", "checkpoint", "repeat", "keeps", "adjoint", "cost",
    "dim", "let",
)  # fmt: skip
IN_MACHINES = ("peak", "memory", "cache", "link", "source", "sparse")
"""Words that begin a line of each kind; a test compares them with the grammar."""

_ELSEWHERE = {
    "param": "params parm parms parameter parameters weight weights tensor var variable learnable trainable matrix",
    "buffer": "buffers const constant constants",
    "repeat": "loop times stack",
    "dim": "dims dimension dimensions axis axes size symbol symbols sym int",
    "let": "set define val",
    "block": "layer module component",
    "model": "network net",
    "config": "configuration preset settings",
    "claim": "check statement",
    "machine": "gpu device hardware accelerator chip",
}
"""What other languages and tools call it."""


def meant(place: Place, words: list[str]) -> str | None:
    """The keyword meant by the token that stands here, or by the word before it if that began its line; `words` are the
    keywords that could stand here.
    """
    written = place.token.text
    if written.isalpha() and (near := _nearest(written, words)) is not None:
        return near
    first = re.match(r"\s*([^\W\d]\w*)\s*$", place.before)
    if first is not None:
        return _nearest(first[1], _beginning(place))
    before = place.previous.split()[-1:]
    return _nearest(before[0], words) if before and before[0].isalpha() else None


def _beginning(place: Place) -> tuple[str, ...]:
    """The words that could begin the line."""
    if place.opened is None:
        return DECLARATIONS
    return IN_MACHINES if place.opened_by.lstrip().startswith("machine") else STATEMENTS


def _nearest(written: str, words: list[str] | tuple[str, ...]) -> str | None:
    import difflib

    plain = written.lower()
    for word in words:
        if plain in (word, *_ELSEWHERE.get(word, "").split()):
            return word if word != written else None
    close = [word for word in difflib.get_close_matches(plain, words, 1, 0.7) if word != written]
    return close[0] if close else None
