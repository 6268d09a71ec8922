"""Text to syntax tree: the public functions of the front end.

Each takes a source and a sink; faults of the text go to the sink, and the value returned then holds what could be read
(or None where that is nothing). Nothing is looked up here: names mean nothing yet.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from roofdsl.diagnostics import Sink
from roofdsl.errors import syntax as errors
from roofdsl.limits import LIMITS, Limits
from roofdsl.source import Source, Span
from roofdsl.syntax import ast
from roofdsl.syntax.build_declarations import DECLARATIONS
from roofdsl.syntax.build_expressions import EXPRESSIONS
from roofdsl.syntax.build_statements import STATEMENTS
from roofdsl.syntax.claims import Marker
from roofdsl.syntax.driver import Build, Builders, run
from roofdsl.syntax.lexer import Lexer
from roofdsl.syntax.tables import load_tables

if TYPE_CHECKING:
    from roofdsl.syntax.tex_tokens import Tex

__all__ = [
    "parse_bindings",
    "parse_braces",
    "parse_claim",
    "parse_file",
    "parse_formula",
    "parse_marker",
    "parse_quantity",
    "parse_statement",
    "parse_subject",
    "parse_tex",
    "parse_unit",
]


def parse_file(source: Source, sink: Sink, limits: Limits = LIMITS) -> ast.File:
    """The declarations of a file; those with syntax errors are left out."""
    made: ast.File | None = _parse(source, sink, "file", limits)
    return made if made is not None else ast.File((), Span(source, 0, len(source.text)))


def parse_formula(source: Source, sink: Sink, limits: Limits = LIMITS) -> ast.Expr | None:
    """A formula, with `per …` where it stands."""
    made: ast.Expr | None = _parse(source, sink, "formula", limits)
    return made


def parse_statement(source: Source, sink: Sink, limits: Limits = LIMITS) -> ast.Statement | None:
    """One statement of a body."""
    made: ast.Statement | None = _parse(source, sink, "statement", limits)
    return made


def parse_claim(source: Source, sink: Sink, limits: Limits = LIMITS) -> ast.Claim | None:
    """A claim, with or without the word."""
    made: ast.Claim | None = _parse(source, sink, "claim_text", limits)
    return made


def parse_subject(source: Source, sink: Sink, limits: Limits = LIMITS) -> ast.Name | ast.Path | None:
    """What a quantity is asked of: `layer`, `attention.S`, `gpt{s = 1}`."""
    made: ast.Name | ast.Path | None = _parse(source, sink, "subject", limits)
    return made


def parse_marker(span: Span, sink: Sink, limits: Limits = LIMITS) -> Marker | None:
    r"""What a comment of a .tex file says of an equation: `saved(layer)`, `saved(layer) = \ref{eq:act} when t = s`."""
    own = Sink()
    made: Marker | None = _read(span.source, own, "marker", (span.start, span.end), limits)
    sink.found += [found for found in own.found if found not in sink.found]
    return None if own.errors else made


def parse_bindings(source: Source, sink: Sink, limits: Limits = LIMITS) -> tuple[ast.Binding, ...]:
    """`s = 2048, b = 1`, also without blanks and with newlines for commas."""
    made: tuple[ast.Binding, ...] | None = _parse(source, sink, "bindings", limits)
    return made or ()


def parse_braces(source: Source, sink: Sink, limits: Limits = LIMITS) -> ast.Braces | None:
    """`{f = fd, checkpoint layer}`."""
    made: ast.Braces | None = _parse(source, sink, "braces_text", limits)
    return made


def parse_unit(source: Source, sink: Sink, limits: Limits = LIMITS) -> tuple[ast.UnitFactor, ...]:
    """`TFLOP/s`, `s^-1`."""
    made: tuple[ast.UnitFactor, ...] | None = _parse(source, sink, "unit_text", limits)
    return made or ()


def parse_quantity(source: Source, sink: Sink, limits: Limits = LIMITS) -> ast.Number | ast.Measured | None:
    """`80 GB`: a number with a unit as machines have it."""
    made: ast.Number | ast.Measured | None = _parse(source, sink, "quantity_text", limits)
    return made


def _parse(source: Source, sink: Sink, start: str, limits: Limits) -> Any:
    """Python's cyclic collector is most of the time of a large parse, and a parse makes no cycles: it rests."""
    own = Sink()
    collecting = gc.isenabled()
    gc.disable()
    try:
        made = _read(source, own, start, (0, len(source.text)), limits) if _is_text(source, own) else None
    finally:
        if collecting:
            gc.enable()
        for diagnostic in own.found:
            if diagnostic not in sink.found:
                sink.found.append(diagnostic)
    return made if start == "file" or not own.errors else None


def _is_text(source: Source, sink: Sink) -> bool:
    """Whether there is no NUL byte in it; nothing else is read of a file that is no text."""
    zero = source.text.find("\0")
    if zero >= 0:
        sink.add(errors.NUL_BYTE, Span(source, zero, zero + 1), "a character with the code zero")
    return zero < 0


def _read(source: Source, sink: Sink, start: str, part: tuple[int, int], limits: Limits) -> Any:
    tables = load_tables()
    lexer = Lexer(tables, source, *part, latex=start == "latex")
    return run(tables, _builders(), Build(source, sink, limits), lexer, start)


def _builders() -> Builders:
    return {**EXPRESSIONS, **STATEMENTS, **DECLARATIONS, "quoted": _quoted}


def _quoted(build: Build, _: list[Any], span: Span) -> ast.Quoted | ast.Number:
    """A formula in quotes is read as LaTeX, in place, so that its parts have positions in the file."""
    from roofdsl.syntax.tex_tokens import tex_tokens

    tokens = tuple(tex_tokens(build.source.text, span.start + 1, span.end - 1))
    value = parse_tex(tokens, Span(build.source, span.start + 1, span.end - 1), build.sink, limits=build.limits)
    text = span.text[1:-1]
    return ast.Quoted(text, value if value is not None else ast.Number(Fraction(1), "1", span), span)


def parse_tex(tokens: Sequence[Tex], span: Span, sink: Sink, limits: Limits = LIMITS) -> ast.Expr | None:
    """The formula some LaTeX tokens of a span hold, with the places where its parts stand."""
    from roofdsl.syntax.tex_math import flatten

    own = Sink()
    flat = flatten(tokens, span, own)
    value: ast.Expr | None = None
    if not own.errors:
        inner = Sink()
        value = _read(Source(span.source.name, flat.text), inner, "latex", (0, len(flat.text)), limits)
        own.found += [flat.diagnostic(found) for found in inner.found]
    sink.found += [found for found in own.found if found not in sink.found]
    return None if value is None or own.errors else flat.moved(value)
