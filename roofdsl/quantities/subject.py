"""What a quantity is asked of: `layer`, `gpt.layer.attention.S`, `gpt{s = 1, t = T}`, an op, an alias.

A subject is a root definition with braces, and a path inside it. Aliases are followed here, so that everything after
sees definitions only. Whether the path exists is known once the root is elaborated (`selection.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.ir.library import Library
from roofdsl.passes.names import PHASES, did_you_mean
from roofdsl.quantities.names import subject_names
from roofdsl.quantities.substitute import joined
from roofdsl.source import NOWHERE, Span
from roofdsl.syntax import ast

MOST_ALIASES = 64


@dataclass(frozen=True, slots=True)
class Subject:
    """`text` is as the user wrote it. `path` is below the root; empty for the whole of it."""

    root: str
    braces: ast.Braces | None = None
    path: tuple[str, ...] = ()
    text: str = field(default="", compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)


def resolve_subject(expr: ast.Expr, library: Library) -> Subject:
    """The subject an argument names; E0703 with the nearest name if its root is not declared."""
    match expr:
        case ast.Name(text, span):
            return _rooted((text,), None, text, span, library)
        case ast.Path(parts, braces, span):
            return _rooted(parts, braces, span.text or ".".join(parts), span, library)
        case _:
            fail(errors.UNKNOWN_SUBJECT, expr.span, "this is no model, block, op, region, statement or tensor")


def _rooted(parts: tuple[str, ...], braces: ast.Braces | None, text: str, span: Span, library: Library) -> Subject:
    root = parts[0]
    for _ in range(MOST_ALIASES):
        alias = library.aliases.get(root)
        if alias is None:
            break
        root, braces = alias.target, joined(alias.braces, braces)
    if root in library.definitions:
        return Subject(root, braces, parts[1:], text, span)
    if root != parts[0]:
        alias = library.aliases[parts[0]]
        fail(
            errors.UNKNOWN_SUBJECT,
            alias.span,
            f"nothing is called `{root}`",
            helps=did_you_mean(root, (*library.definitions, *library.aliases, *library.offered)),
        )
    helps: tuple[str, ...] = ("a phase stands second: `flops(x, train)`",) if parts[0] in PHASES else ()
    helps = helps or did_you_mean(parts[0], (*library.definitions, *library.aliases, *library.offered))
    there = subject_names(library)
    expected = f"one of {there}" if there else None
    fail(errors.UNKNOWN_SUBJECT, span, f"nothing is called `{parts[0]}`", expected=expected, helps=helps)
