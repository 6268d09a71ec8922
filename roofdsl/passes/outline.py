"""Library files cut into their declarations without parsing them, so that only what is mentioned gets parsed.

Parsing costs a hundred times more than this scan. A declaration is needed if its name occurs as a word in text that
is itself needed; what stands between needed declarations is blanked, line by line, so positions stay right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from roofdsl.diagnostics import Sink
from roofdsl.passes.find import SUFFIX, specs_root
from roofdsl.passes.read import read_file
from roofdsl.source import Source

_KINDS = "op|block|model|scalar|dtype|optimizer|config|machine|convention|quantity|measured|source|dim|let|default|use|claim|mesh|layout"
_PIECE = re.compile(
    rf'(?P<skip>"[^"\n]*"|\#[^\n]*)|(?P<brace>[{{}}])|^[ \t]*(?:training[ \t]+)?(?P<kind>{_KINDS})\b[ \t]*(?P<name>[^\W\d]\w*)?',
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r'("[^"\n]*")|#[^\n]*')
_ALWAYS = frozenset(("default", "measured", "quantity"))
_SIZES = frozenset(("dim", "let"))
_DEFINITIONS = frozenset(("op", "block", "model"))


@dataclass(frozen=True, slots=True)
class Piece:
    """One declaration of a file: its kind and name as written, and where it starts and ends."""

    kind: str
    name: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A file and its declarations. `whole` says that it must be parsed as it is: braces do not balance."""

    source: Source
    pieces: tuple[Piece, ...]
    whole: bool


def outline(source: Source) -> Outline:
    """The declarations of a file, from one regular expression and the depth of braces."""
    starts: list[tuple[int, str, str | None]] = []
    depth = 0
    for match in _PIECE.finditer(source.text):
        if match["brace"]:
            depth += 1 if match["brace"] == "{" else -1
        elif match["kind"] and depth == 0:
            starts.append((match.start(), match["kind"], match["name"]))
    ends = [*(start for start, _, _ in starts[1:]), len(source.text)]
    pieces = tuple(Piece(kind, name, start, end) for (start, kind, name), end in zip(starts, ends, strict=False))
    return Outline(source, pieces, whole=depth != 0)


def uses_of(file: Outline) -> Source | None:
    """The file with nothing but what it uses, or None if it uses nothing."""
    uses = {piece for piece in file.pieces if piece.kind == "use"}
    return only(file, uses) if uses else None


def words_of(text: str) -> frozenset[str]:
    """The names a text mentions, comments aside."""
    return frozenset(_WORD.findall(_COMMENT.sub(r"\1", text)))


def needed(files: tuple[Outline, ...], words: Iterable[str]) -> tuple[Source | None, ...]:
    """For each outline a source in which only the needed declarations stand, or None where none is."""
    owners: dict[str, list[tuple[int, Piece]]] = {}
    chosen: dict[int, set[Piece]] = {}
    todo: list[tuple[int, Piece]] = []
    for index, file in enumerate(files):
        shared = not any(piece.kind in _DEFINITIONS for piece in file.pieces)  # a file of sizes alone is for all
        for piece in file.pieces:
            if piece.kind in _ALWAYS or (shared and piece.kind in _SIZES):
                todo.append((index, piece))
            elif piece.kind in _SIZES:
                continue
            elif piece.name is not None and piece.kind not in ("claim", "source"):
                owners.setdefault(piece.name, []).append((index, piece))
    for word in words:
        todo += owners.pop(word, ())
    while todo:
        index, piece = todo.pop()
        chosen.setdefault(index, set()).add(piece)
        for word in words_of(files[index].source.text[piece.start : piece.end]):
            todo += owners.pop(word, ())
    sized = {index: pieces | _sizes(files[index], pieces) for index, pieces in chosen.items()}
    return tuple(only(file, sized[index]) if index in sized else None for index, file in enumerate(files))


def _sizes(file: Outline, chosen: set[Piece]) -> set[Piece]:
    """The dims and lets of a file that its own chosen pieces mention: those of other files mean other things."""
    sizes = {piece.name: piece for piece in file.pieces if piece.kind in _SIZES}
    found: set[Piece] = set()
    todo = list(chosen)
    while todo:
        piece = todo.pop()
        words = words_of(file.source.text[piece.start : piece.end])
        new = {sizes[word] for word in words if word in sizes} - found
        found |= new
        todo += new
    return found


def only(file: Outline, chosen: set[Piece]) -> Source:
    """The file with nothing but the chosen declarations, each in its line."""
    text = file.source.text
    parts: list[str] = []
    position = 0
    for piece in sorted(chosen, key=lambda p: p.start):
        parts.append("\n" * text.count("\n", position, piece.start))
        parts.append(text[piece.start : piece.end])
        position = piece.end
    return Source(file.source.name, "".join(parts))


def shipped_operators() -> frozenset[str]:
    """The names of all operators that ship, whether in force or not."""
    sources = (read_file(path, Sink()) for path in sorted((specs_root() / "ops").glob(f"*{SUFFIX}")))
    pieces = (piece for source in sources if source is not None for piece in outline(source).pieces)
    return frozenset(piece.name for piece in pieces if piece.name is not None and piece.kind == "op")
