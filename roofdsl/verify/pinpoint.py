"""The smallest part of the right side that is wrong: one number, exponent or name of the text, else one term of its sum.

Works on the syntax tree, so that what is found has a place. A number or name is named only where another in its place
makes the claim hold identically, and no other of the text would do as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.diagnostics import RoofError
from roofdsl.ir.size import Size
from roofdsl.quantities.ask import Asker
from roofdsl.quantities.session import Session
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.verify.leaves import Leaf, leaves, numeral
from roofdsl.verify.provenance import terms_of
from roofdsl.verify.question import Question, comes_to, context_of
from roofdsl.verify.reading import Point, point_of
from roofdsl.verify.slips import solved

MOST_TRIED = 24
"""Numbers, and names, of a formula that are tried."""
Resolve = Callable[[ast.Expr], Size | None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of the claim's text that is wrong; `meant` is the number or name that would be right there, if it is one."""

    span: Span
    meant: str = ""


def find_fault(question: Question, left: Normal, difference: Normal, session: Session) -> Fault | None:
    """Where a refuted equation is wrong; None where no part of it is to blame alone."""
    if not difference.symbols:
        return None
    right = question.claim.right
    asker = Asker(session, context_of(question.clauses, session.library))

    def size_of(expr: ast.Expr) -> Size | None:
        try:
            return asker.resolve(expr).size
        except RoofError:
            return None

    found = list(_numbers(question, left, right, size_of)) or list(_letters(question, left, right, size_of))
    whole = [fault for fault in found if "/" not in fault.meant]
    if len(found) == 1 or len(whole) == 1:
        return (whole or found)[0]
    return None if found else _term(question, difference, right, size_of)


def _numbers(question: Question, left: Normal, right: ast.Expr, size_of: Resolve) -> Iterator[Fault]:
    """Numbers of the right side, with which another in their place makes the claim hold."""
    at = point_of(question.scope)
    goal = at.value(question.left.size)
    if goal is None:
        return
    numbers = [leaf for leaf in leaves(right) if isinstance(leaf.node, ast.Number)]
    for leaf in numbers[:MOST_TRIED]:
        for meant in _candidates(leaf, goal, at, size_of):
            size = size_of(leaf.put(numeral(meant, leaf.node.span)))
            if size is not None and at.value(size) == goal and comes_to(size, question.scope, left):
                yield Fault(leaf.node.span, str(meant))
                break


def _letters(question: Question, left: Normal, right: ast.Expr, size_of: Resolve) -> Iterator[Fault]:
    """Names of the right side, or letters of a product of names, that another symbol in their place makes right."""
    at = point_of(question.scope)
    goal = at.value(question.left.size)
    symbols = [n for n in question.scope.symbols if n in at.values]
    names = [leaf for leaf in leaves(right) if isinstance(leaf.node, ast.Name)]
    for leaf in names[:MOST_TRIED] if goal is not None else ():
        for span, before, behind in _parts_of(leaf.node):
            for meant in symbols:
                size = size_of(leaf.put(ast.Name(before + meant + behind, leaf.node.span)))
                if size is not None and at.value(size) == goal and comes_to(size, question.scope, left):
                    yield Fault(span, meant)


def _parts_of(node: ast.Number | ast.Name) -> Iterator[tuple[Span, str, str]]:
    """The places in a name where a symbol stands, and what stands before and behind: `Ls` is L and s."""
    if not isinstance(node, ast.Name):
        return
    text, span = node.text, node.span
    yield span, "", ""
    for i in range(len(text)) if len(text) > 1 and span.text == text else ():
        yield Span(span.source, span.start + i, span.start + i + 1), text[:i], text[i + 1 :]


def _candidates(leaf: Leaf, goal: Fraction, at: Point, size_of: Resolve) -> Iterator[Fraction]:
    if not isinstance(leaf.node, ast.Number):
        return
    if leaf.raised:
        yield from (leaf.node.value - 1, leaf.node.value + 1)
        return

    def value(number: Fraction) -> Fraction | None:
        size = size_of(leaf.put(numeral(number, leaf.node.span)))
        return None if size is None else at.value(size)

    yield from (found for found in solved(value, goal) if found != leaf.node.value)


def _term(question: Question, difference: Normal, right: ast.Expr, size_of: Resolve) -> Fault | None:
    """The only term of a sum with a monomial in which the sides differ."""
    terms = list(_terms(right))
    wanted = terms_of(difference)
    if len(terms) < 2 or not wanted:
        return None
    held = [term for term in terms if wanted & _monomials(term, question, size_of)]
    return Fault(held[0].span) if len(held) == 1 else None


def _monomials(term: ast.Expr, question: Question, size_of: Resolve) -> frozenset[tuple[tuple[str, int], ...]]:
    size = size_of(term)
    try:
        return frozenset() if size is None else terms_of(normal(size, question.scope))
    except RoofError:
        return frozenset()


def _terms(expr: ast.Expr) -> Iterator[ast.Expr]:
    match expr:
        case ast.Binary("+" | "-", left, right):
            yield from _terms(left)
            yield from _terms(right)
        case ast.Quoted(_, inner) | ast.Measured(inner) | ast.Negate(inner):
            yield from _terms(inner)
        case _:
            yield expr
