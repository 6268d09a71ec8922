"""`6·N·D`: FLOP claimed as so many for each parameter and token.

That is exact for what weights multiply. It leaves out products of activations, and counts parameters that are looked
up, added or scale as if they multiplied. Where a claim is of this form to the last term, the reading says what lies
between it and the derived count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.normal import total
from roofdsl.diagnostics import RoofError
from roofdsl.ir.entry import Entry
from roofdsl.ir.size import Const, product
from roofdsl.quantities.divisors import divisor
from roofdsl.quantities.multiplied import Multiplied, multiplied
from roofdsl.quantities.quantity import Quantity, contribution, quantity
from roofdsl.quantities.rule_of_thumb import flop_per_parameter
from roofdsl.quantities.session import Session
from roofdsl.source import NOWHERE
from roofdsl.verify.question import Question
from roofdsl.verify.reading import Remedy
from roofdsl.verify.recounts import share_of

_OF_PARAMETERS = (
    "counts {} without a product with a weight (look-ups, biases, gains, experts not chosen)",
    "leaves out {} of other products with weights (as of logits, or of experts chosen)",
)
"""What the claimed count has beyond what weights multiply, and what it lacks."""


def per_parameter(question: Question, session: Session, right: Normal) -> Iterator[Remedy]:
    """What a claim of FLOP that counts every parameter alike leaves out and adds; at most one reading."""
    share = share_of(question)
    if share is None or share.quantity.name != "flops" or share.quantity.size != question.left.size:
        return
    found = share.quantity
    graph = session.graph(found.subject, found.mode)
    try:
        tokens = divisor(graph, "token", NOWHERE)
    except RoofError:
        return
    each = flop_per_parameter(found.phase)
    scale = product(Const(Fraction(each)), tokens)
    weighing = multiplied(graph)
    for noun, entries in _parameters(found, session, weighing):
        if entries and total((product(scale, contribution(e)) for e in entries), question.scope) == right:
            said, amounts = _gap(found, weighing, question, right)
            yield Remedy("count", f"{each} FLOP for each {noun} and each token{said}", amounts=amounts)
            return


def _parameters(found: Quantity, session: Session, weighing: Multiplied) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """All parameters, those a token meets, and of both those of the repeats, with and without biases and gains."""
    for name, noun in (("params", "parameter"), ("active_params", "active parameter")):
        counted = quantity(session, name, found.subject, convention=found.convention).entries
        inside = tuple(entry for entry in counted if entry.loops)
        yield noun, counted
        yield f"{noun} of the repeats", inside
        yield f"{noun} of the weight matrices of the repeats", tuple(e for e in inside if e.what in weighing.weights)


def _gap(found: Quantity, weighing: Multiplied, question: Question, right: Normal) -> tuple[str, tuple[Normal, ...]]:
    """What the derived count has beyond the claimed one, and the claimed beyond it."""
    products = _sum((e for e in found.entries if e.what not in weighing.targets), question)
    lacking = right - _sum((e for e in found.entries if e.what in weighing.targets), question)
    said = [("leaves out {} of products of activations (as in attention)", products)]
    said += [(text, form) for text, form in zip(_OF_PARAMETERS, _by_sign(lacking), strict=True)]
    told = [(text, form) for text, form in said if not form.is_zero]
    text = "; ".join(text for text, _ in told)
    return f": {text}" if told else "", tuple(form for _, form in told)


def _by_sign(form: Normal) -> tuple[Normal, Normal]:
    """The terms above zero, and those below with the sign turned."""
    kept = {m: c for m, c in form.numer.items() if c > 0}
    above = Normal(form.ring.from_dict(kept), form.denom, form.atoms) if kept else number(0)
    return above, above - form


def _sum(entries: Iterable[Entry], question: Question) -> Normal:
    return total((contribution(entry) for entry in entries), question.scope)
