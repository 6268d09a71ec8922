"""What a printed number was computed with instead: a size taken for another, one layer more, a count in the left side
(devices, say) left out.

Values are tried at the one point a claim about numbers speaks of; whether a fit is worth showing is for the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from roofdsl.diagnostics import RoofError
from roofdsl.ir.library import Library
from roofdsl.ir.show import show_size
from roofdsl.ir.size import ONE, Const, Size, symbols_of
from roofdsl.quantities.ask import Asker
from roofdsl.quantities.quantity import contribution
from roofdsl.quantities.session import Session
from roofdsl.syntax import ast
from roofdsl.verify.leaves import leaves, numeral
from roofdsl.verify.meanings import about, repeat_counts
from roofdsl.verify.provenance import left_entries
from roofdsl.verify.question import Question, context_of, used_names
from roofdsl.verify.reading import Point, Reading, Remedy, point_of

Fits = Callable[[Fraction | None], bool]
MOST_NUMERALS = 6


def left_numerals(question: Question, session: Session) -> Iterator[Reading]:
    """The left side without one whole number that stands in it: a count that the printed number leaves out."""
    asker = Asker(session, context_of(question.clauses, session.library))
    numbers = [leaf for leaf in leaves(question.claim.left) if isinstance(leaf.node, ast.Number) and not leaf.raised]
    for leaf in numbers[:MOST_NUMERALS]:
        if not isinstance(leaf.node, ast.Number) or leaf.node.value.denominator != 1 or leaf.node.value <= 1:
            continue
        try:
            size = asker.resolve(leaf.put(numeral(Fraction(1), leaf.node.span))).size
        except RoofError:
            continue
        text = f"holds without the {leaf.node.text} of the left side, such as a count of devices"
        yield Reading("count", text, size, question.scope.causal)


def sizes_taken(question: Question, session: Session, at: Point, fits: Fits) -> Iterator[Remedy]:
    """A size missing or counted once too often, one for another, a let's own value for the one bound, a repeat more."""
    bound = _bound_sizes(question, at)
    derived = at.value(question.left.size)
    library = session.library
    if derived is None:
        return
    yield from _let_values(question, at, bound, fits)
    for name, value in bound.items():
        if value not in (0, 1) and fits(derived * value):
            yield Remedy("factor", f"holds times {name} = {value}{about(name, library)}")
        if value not in (0, 1) and fits(derived / value):
            yield Remedy("factor", f"holds divided by {name} = {value}{about(name, library)}")
    for name, meant, value in _exchanged(question, bound, library):
        if fits(_rebound(question, name, value)):
            told = f"{name} = {value}, which is {meant}{about(meant, library)}, not {bound[name]}{about(name, library)}"
            yield Remedy("symbol", f"holds with {told}")
    for name in repeat_counts(question, session):
        for step, word in ((1, "more"), (-1, "less")):
            if name in bound and fits(_rebound(question, name, bound[name] + step)):
                yield Remedy("count", f"holds with {name} = {bound[name] + step}, one {word}{about(name, library)}")


def _let_values(question: Question, at: Point, bound: dict[str, Fraction], fits: Fits) -> Iterator[Remedy]:
    """What a let would stand for, had its size not been given: h/a for a head size of its own."""
    for name, given in bound.items():
        size = question.scope.lets.get(name)
        value = None if size is None else at.value(size)
        if size is not None and value is not None and value != given and fits(_rebound(question, name, value)):
            yield Remedy("symbol", f"holds with {name} = {show_size(size)} = {value}, not {given}")


def _exchanged(question: Question, bound: dict[str, Fraction], library: Library) -> list[tuple[str, str, Fraction]]:
    """A size, another, and its value. Sizes that stand in the entries themselves come before those in lets, and others
    of a like description before those that have the same value by chance: key heads and heads.
    """
    direct = {name for entry in left_entries(question) for name in symbols_of(contribution(entry))}
    names = sorted(bound, key=lambda name: name not in direct)
    return [
        (name, meant, bound[meant])
        for name in names
        for meant in sorted(bound, key=lambda other: not (_words(name, library) & _words(other, library)))
        if bound[meant] != bound[name]
    ]


def _words(name: str, library: Library) -> set[str]:
    return set(about(name, library).strip(" ()").split())


def _bound_sizes(question: Question, at: Point) -> dict[str, Fraction]:
    """The sizes that were given values and that the left side depends on, directly or through lets."""
    used = used_names(question.scope, (question.left.size,))
    return {n: at.values[n] for n in question.scope.bindings if n in used and n in at.values}


def _rebound(question: Question, name: str, value: Fraction) -> Fraction | None:
    size: Size = question.left.size
    if name not in used_names(question.scope, (size,)) and name not in symbols_of(size):
        return None
    scope = replace(question.scope, bindings={**question.scope.bindings, name: Const(value) if value != 1 else ONE})
    return point_of(scope).value(size)
