"""Papers on disk: a .tex file, and the files beside it that it puts in. A paper never reads outside of its own folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.diagnostics import Sink
    from roofdsl.source import Source, Span
    from roofdsl.syntax import ast
    from roofdsl.syntax.tex_file import Opener

SUFFIXES = (".tex", ".sty")


def claims_of_paper(path: Path, sink: Sink) -> tuple[ast.Claim, ...]:
    """The claims of a .tex file; what is wrong in equations goes to the sink, a file that cannot be read is raised."""
    from roofdsl.diagnostics import Sink
    from roofdsl.passes.read import read_file
    from roofdsl.source import word
    from roofdsl.syntax.tex_claims import tex_claims

    own = Sink()
    source = read_file(path, own, span=word(str(path), "--tex"))
    own.stop_on_errors()
    return () if source is None else tex_claims(source, sink, opener_of(path.parent))


def opener_of(folder: Path) -> Opener:
    r"""Gives the files that `\input{name}` means, which are sought from the paper's folder, as LaTeX does."""
    root = folder.resolve()

    def opened(name: str, span: Span, optional: bool, sink: Sink) -> Source | None:
        from roofdsl.errors.names import NOT_FOUND, OUTSIDE
        from roofdsl.passes.read import read_file

        asked = name if name.endswith(SUFFIXES) else f"{name}.tex"
        try:
            path = (root / asked).resolve()
            inside = path.is_relative_to(root) and not Path(name).is_absolute()
            present = path.exists()
        except (OSError, ValueError, RuntimeError):
            inside, present = True, False
        if not inside or not present:
            if not optional:
                kind, text = (
                    (NOT_FOUND, "there is no such file") if inside else (OUTSIDE, "outside of the paper's folder")
                )
                sink.add(kind, span, f"{asked}: {text}")
            return None
        return read_file(path, sink, name=str(folder / asked), span=span)

    return opened
