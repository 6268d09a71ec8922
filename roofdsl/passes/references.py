"""The works the shipped papers are taken from: their `source` declarations, read without the rest of the files."""

from __future__ import annotations

from roofdsl.diagnostics import Sink
from roofdsl.passes.find import spec_files
from roofdsl.passes.outline import only, outline
from roofdsl.passes.read import read_file
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_file


def shipped_references() -> dict[str, ast.Reference]:
    """Every declared source of the shipped files, by name."""
    found: dict[str, ast.Reference] = {}
    for path in spec_files():
        source = read_file(path, Sink())
        if source is None or "source" not in source.text:
            continue
        file = outline(source)
        pieces = {piece for piece in file.pieces if piece.kind == "source"}
        if pieces:
            declared = parse_file(only(file, pieces), Sink()).declarations
            found |= {d.name: d for d in declared if isinstance(d, ast.Reference)}
    return found
