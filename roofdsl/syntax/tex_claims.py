r"""Claims of a .tex file: each marker with the right sides of the equation it speaks about.

`% roofdsl: saved(layer)` before an equation claims that what stands right of its relation signs is what is derived.
Places are those of the .tex file; nothing is looked up here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from roofdsl.diagnostics import Sink
from roofdsl.errors import syntax as errors
from roofdsl.source import Source, Span
from roofdsl.syntax import ast
from roofdsl.syntax.claims import Claim, Clause, Marker
from roofdsl.syntax.parser import parse_marker, parse_tex, parse_unit
from roofdsl.syntax.tex_equations import Equation, Side
from roofdsl.syntax.tex_file import Opener, Order, TexFile, read_tex_file
from roofdsl.syntax.tex_quantities import written_out
from roofdsl.syntax.tex_tokens import Tex
from roofdsl.syntax.tex_words import SPACES, WORDS

_LAYOUT = re.compile(r"(?<!\\)%[^\n]*|\\(?:nonumber|notag)(?![A-Za-z])|\\\\(?:\[[^\]]*\])?|(?<!\\)&|\\label\{[^}]*\}")
"""What only arranges a formula over rows: not shown in a verdict."""
_FIGURES = frozenset("0123456789., ") | {r"\times", r"\cdot", "^", "{", "}", "-", "~", *SPACES}
_GAPS = frozenset((" ", "~", *SPACES))


def tex_claims(source: Source, sink: Sink, opener: Opener | None = None) -> tuple[Claim, ...]:
    """The claims of a .tex file, in the order of their markers; faults go to the sink. `opener` gives files it puts in."""
    file = read_tex_file(source, sink, opener)
    if not file.markers:
        text = "no comment says `% roofdsl: …`"
        helps = ("write `% roofdsl: saved(layer)` before an equation",)
        sink.add(errors.NO_EQUATION, Span(source, 0, len(source.line(1))), text, helps=helps)
    read = [(order, parse_marker(span, sink)) for order, span in file.markers]
    markers = [(order, marker) for order, marker in read if marker is not None]
    shared = tuple(clause for _, marker in markers if marker.left is None for clause in marker.clauses)
    claims: list[Claim] = []
    for order, marker in markers:
        found = None if marker.left is None else _equation(marker, order, file, sink)
        if found is not None:
            claims += _claims(marker, found, shared, sink)
    return tuple(claims)


def _equation(marker: Marker, order: Order, file: TexFile, sink: Sink) -> Equation | None:
    """The equation a marker speaks about."""
    if marker.equation is None:
        following = [found for found in file.equations if found.order > order and found.equation.sides]
        if following:
            return min(following, key=lambda found: found.order).equation
        sink.add(errors.NO_EQUATION, marker.span, "no displayed equation follows")
        return None
    for found in file.equations:
        if marker.equation in found.equation.labels and found.equation.sides:
            return found.equation
    labels = ", ".join(label for found in file.equations for label in found.equation.labels)
    text = f"no displayed equation is labelled `{marker.equation}`"
    sink.add(errors.NO_EQUATION, marker.span, text, expected=labels or "a label")
    return None


def _claims(marker: Marker, equation: Equation, shared: tuple[Clause, ...], sink: Sink) -> Iterator[Claim]:
    """One claim for each right side of a chain."""
    sink.found += [fault for fault in equation.faults if fault not in sink.found]
    if marker.left is None or equation.faults:
        return
    own = {clause.kind for clause in marker.clauses}
    clauses = (*(clause for clause in shared if clause.kind not in own or clause.kind == "reading"), *marker.clauses)
    for side in equation.sides:
        right = _right(side, sink)
        relation = side.relation if marker.relation in (None, "=") else marker.relation
        if right is not None:
            shown = " ".join(_LAYOUT.sub("", side.span.text).split())
            written = f"{'not ' if marker.negated else ''}{marker.left.span.text} {relation} {shown}"
            quoted = ast.Quoted(shown, right, side.span)
            yield Claim(marker.left, relation, quoted, clauses, marker.negated, None, side.span, written)


def _right(side: Side, sink: Sink) -> ast.Expr | None:
    """A right side as a formula; a number may have its unit behind it, and a formula one that stands apart."""
    formula, unit = _unit_of(tuple(written_out(side.tokens)))
    own = Sink()
    value = parse_tex(formula, replace(side.span, end=max(token.end for token in formula)), own)
    sink.found += [found for found in own.found if found not in sink.found]
    if value is None or not unit:
        return value
    factors = parse_unit(Source(side.span.source.name, "".join(token.text for token in unit)), own)
    place = Span(side.span.source, unit[0].start, unit[-1].end)
    if own.errors or not factors:
        sink.add(errors.BAD_TEX, place, "this is no unit")
        return None
    return ast.Measured(value, tuple(replace(factor, span=place) for factor in factors), side.span)


def _unit_of(tokens: tuple[Tex, ...]) -> tuple[tuple[Tex, ...], tuple[Tex, ...]]:
    r"""The tokens without, and of, a unit at their end: `80\,\text{GB}`, `(34 s b h)~\mathrm{B}`."""
    starts = [i for i, token in enumerate(tokens) if token.text in WORDS]
    if not starts or tokens[-1].text != "}" or starts[-1] == 0:
        return tokens, ()
    start = starts[-1]
    inside = tokens[start + 2 : -1]
    if any(token.text in ("{", "}", "_") or (token.is_command and token.text not in SPACES) for token in inside):
        return tokens, ()
    before = tokens[:start]
    apart = before[-1].text in _GAPS - {" "} or (inside and inside[0].text in _GAPS)
    figures = all(token.text in _FIGURES for token in before)
    if not figures and not apart:
        return tokens, ()
    while before and before[-1].text in _GAPS:
        before = before[:-1]
    unit = tuple(token for token in inside if token.text not in _GAPS)
    return (before, unit) if before and unit else (tokens, ())
