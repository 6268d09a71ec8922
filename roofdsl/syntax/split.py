"""Juxtaposed names: `sbh` is s·b·h where s, b and h are declared and `sbh` is not (design §5).

Returns every reading up to two, since two readings are already an error that shows both.
"""

from __future__ import annotations

from collections.abc import Iterable

_ENOUGH = 2


def split_name(text: str, known: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The ways to read `text` as declared names: itself if declared, else at most two splits; empty if there is none."""
    names = frozenset(known)
    if text in names:
        return ((text,),)
    longest = max((len(name) for name in names), default=0)
    # readings[i]: up to two ways to read text[i:], built from the end so that the work is linear in the text
    readings: list[list[tuple[str, ...]]] = [[] for _ in range(len(text) + 1)]
    readings[len(text)] = [()]
    for start in range(len(text) - 1, -1, -1):
        for end in range(start + 1, min(len(text), start + longest) + 1):
            if text[start:end] in names:
                readings[start] += [(text[start:end], *rest) for rest in readings[end]]
            if len(readings[start]) >= _ENOUGH:
                break
        readings[start] = readings[start][:_ENOUGH]
    return tuple(readings[0])
