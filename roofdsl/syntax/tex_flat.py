"""Text made from other text, with the place every character comes from.

What is read from a `Flat` is told about in terms of the source it was made from: expressions and diagnostics alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofdsl.diagnostics import Diagnostic, Label
from roofdsl.source import Span
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Flat:
    """Plain LaTeX, and for every character the start and end of what it stands for in the source of `whole`."""

    whole: Span
    text: str
    origins: tuple[tuple[int, int], ...]

    def place(self, span: Span) -> Span:
        """Where a span of the plain text stands in the source."""
        covered = self.origins[span.start : span.end]
        if covered:
            first, last = min(start for start, _ in covered), max(end for _, end in covered)
            return Span(self.whole.source, first, last)
        at = self.origins[span.start][0] if span.start < len(self.origins) else self.whole.end
        return Span(self.whole.source, at, at)

    def diagnostic(self, found: Diagnostic) -> Diagnostic:
        """A diagnostic about the plain text as one about the source."""
        secondary = tuple(Label(self.place(label.span), label.text) for label in found.secondary)
        return replace(found, primary=Label(self.place(found.primary.span), found.primary.text), secondary=secondary)

    def moved(self, expr: ast.Expr) -> ast.Expr:
        """An expression with the places of the source."""
        span = self.place(expr.span)
        match expr:
            case ast.Negate(operand):
                return ast.Negate(self.moved(operand), span)
            case ast.Binary(operator, left, right):
                return ast.Binary(operator, self.moved(left), self.moved(right), span)
            case ast.Juxtaposed(factors):
                return ast.Juxtaposed(tuple(self.moved(factor) for factor in factors), span)
            case ast.Call(function, arguments):
                return ast.Call(function, tuple(self.moved(argument) for argument in arguments), None, span)
            case _:
                return replace(expr, span=span)
