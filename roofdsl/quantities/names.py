"""What a formula's mistaken names are told: the nearest ones, and how a quantity is asked of something."""

from __future__ import annotations

from roofdsl.ir.library import Library
from roofdsl.passes.names import some
from roofdsl.source import Span
from roofdsl.syntax import ast


def subjects_of(library: Library) -> tuple[str, ...]:
    """What quantities may be asked of, those first that no shipped op or block is: models and blocks, last ones first."""
    own = [d for name, d in library.definitions.items() if not _shipped(library, name)]
    models = [*library.aliases, *(d.name for d in own if d.kind == "model")]
    others = [d.name for d in own if d.kind != "model"]
    return tuple(dict.fromkeys((*reversed(others), *reversed(models), *library.definitions)))


def subject_names(library: Library) -> str:
    """Some of them, for a message: those of the file and what it uses, the shipped ops if there are no others."""
    names = [name for name in subjects_of(library) if not _shipped(library, name)] or subjects_of(library)
    return some(names)


def _shipped(library: Library, name: str) -> bool:
    """Whether a name is one of the shipped ops and blocks."""
    definition = library.definitions.get(name)
    return definition is not None and definition.span.source.name.startswith(("specs/ops", "specs/blocks"))


def function_span(call: ast.Call) -> Span:
    """Where the name of a call stands."""
    span = call.span
    return (
        Span(span.source, span.start, span.start + len(call.function)) if span.text.startswith(call.function) else span
    )
