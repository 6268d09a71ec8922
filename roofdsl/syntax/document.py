"""Printed text before it has an indentation: lines, and groups in braces.

Every piece keeps the span of the node it was printed from, so that the formatter can put comments back.
"""

from __future__ import annotations

from dataclasses import dataclass

from roofdsl.source import Span

INDENT = "    "
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Line:
    """A statement or declaration on one line."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Group:
    """`head { items }`. Items of a `listed` group may stand on one line with commas; others only if there is one."""

    head: str
    items: tuple[Piece, ...]
    span: Span
    listed: bool = False


Piece = Line | Group


def one_line(piece: Piece) -> str | None:
    """The piece on one line, or None if it must have several."""
    match piece:
        case Line(text):
            return text
        case Group(head, items, _, listed):
            inside = [one_line(item) for item in items]
            texts = [text for text in inside if text is not None]
            if len(texts) < len(inside) or (len(texts) > 1 and not listed):
                return None
            return f"{head} {{ {', '.join(texts)} }}" if texts else f"{head} {{ }}"


def render(pieces: tuple[Piece, ...], depth: int = 0) -> list[str]:
    """The lines of pieces that have no source: lists on one line where they fit, bodies always on several."""
    lines: list[str] = []
    for piece in pieces:
        flat = one_line(piece)
        if flat is not None and (isinstance(piece, Line) or not piece.items or (piece.listed and len(flat) <= WIDTH)):
            lines.append(INDENT * depth + flat)
        elif isinstance(piece, Group):
            lines.append(f"{INDENT * depth}{piece.head} {{")
            lines += render(piece.items, depth + 1)
            lines.append(INDENT * depth + "}")
    return lines
