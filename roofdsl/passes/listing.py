"""What ships: every spec file with the names it declares, from outlines alone (nothing is parsed); and all operators
loaded at once, for the table of what is derived for each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roofdsl.diagnostics import Sink
from roofdsl.ir.library import Library
from roofdsl.passes.find import shown, spec_files, spec_name
from roofdsl.passes.gather import load
from roofdsl.passes.outline import Outline, Piece, outline
from roofdsl.passes.read import read_file
from roofdsl.source import Source


@dataclass(frozen=True, slots=True)
class SpecFile:
    """A shipped file: its name as the command line takes it (`models/gpt3`), its opening comment's first line, and
    what it declares as (kind, name) in order; claims have no name and are counted.
    """

    name: str
    path: str
    about: str
    declares: tuple[tuple[str, str], ...]
    claims: int

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """The names declared of some kinds: `op`, `block`, `model`, `config`, `machine` …"""
        return tuple(name for kind, name in self.declares if kind in kinds)


def list_specs() -> tuple[SpecFile, ...]:
    """Every shipped file, ordered by folder and name."""
    listed: list[SpecFile] = []
    for path in spec_files():
        source = read_file(path, Sink(), name=shown(path, None))
        if source is not None:
            listed.append(_listed(spec_name(path), outline(source)))
    return tuple(listed)


def model_configs() -> dict[str, str]:
    """The configs of the shipped models, each with the name its file is loaded by."""
    models = [spec for spec in list_specs() if spec.name.startswith("models/")]
    return {name: spec.name.removeprefix("models/") for spec in models for name in spec.of_kind("config")}


def _listed(name: str, file: Outline) -> SpecFile:
    first = file.source.text.split("\n", 1)[0]
    about = first.lstrip("# ").rstrip() if first.startswith("#") else ""
    declares = tuple(
        (piece.kind, piece.name)
        for piece in file.pieces
        if piece.name is not None and piece.kind not in ("use", "claim", "default")
    )
    claims = sum(piece.kind == "claim" for piece in file.pieces)
    return SpecFile(name, file.source.name, about, declares, claims)


@dataclass(frozen=True, slots=True)
class Shown:
    """A declaration as it stands in a shipped file, the comment above it included."""

    path: str
    text: str


def shipped_texts(names: Iterable[str], *kinds: str) -> dict[str, Shown]:
    """The texts of what ships under some names, of those that are of one of the kinds (`op`, `scalar`, `machine`, `dtype`
    …), in the order of the names.
    """
    wanted = dict.fromkeys(names)
    found: dict[str, Shown] = {}
    for path in spec_files() if wanted else ():
        source = read_file(path, Sink(), name=shown(path, None))
        if source is None:
            continue
        for piece in outline(source).pieces:
            if piece.name is not None and piece.name in wanted and piece.kind in kinds:
                found.setdefault(piece.name, _shown(source, piece))
    return {name: found[name] for name in wanted if name in found}


def _shown(source: Source, piece: Piece) -> Shown:
    above, below = source.text[: piece.start].splitlines(), source.text[piece.start : piece.end].splitlines()
    return Shown(source.name, "\n".join((*_comment_above(above), *_without_rest(below))))


def _comment_above(lines: list[str]) -> list[str]:
    """The comment lines directly before a declaration."""
    first = len(lines)
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return lines[first:]


def _without_rest(lines: list[str]) -> list[str]:
    """A declaration without the blank lines and comments that lead to the next one."""
    last = len(lines)
    while last > 1 and (not lines[last - 1].strip() or lines[last - 1].startswith("#")):
        last -= 1
    return lines[:last]


def load_operators(sink: Sink) -> Library:
    """The base and every shipped operator, parsed."""
    names = (name for spec in list_specs() for name in spec.of_kind("op", "block"))
    return load(Source("<operators>", 'use "ops"\n'), sink, folder=None, mentions=" ".join(names))
