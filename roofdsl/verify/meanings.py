"""What numbers and names mean to people: a factor of 4/3 of training, a size by its description, which sizes count repeats."""

from __future__ import annotations

from fractions import Fraction

from roofdsl.ir.library import Library
from roofdsl.ir.size import Symbol
from roofdsl.quantities.session import Session
from roofdsl.units.dimension import BYTE, FLOP
from roofdsl.verify.question import Question

FEWEST_TERMS = 2
_OF_FLOP = {
    Fraction(1, 2): "a multiply-accumulate counted as one FLOP, not two",
    Fraction(2): "a multiply-accumulate counted twice over",
}
_OF_BYTE = {Fraction(8): "bits for bytes", Fraction(1, 8): "bytes taken for bits"}
_OF_WHOLES = {
    Fraction(2): "the two bytes of an element counted twice over",
    Fraction(1, 2): "the two bytes of an element left out",
}
"""Of formulas of several terms: of a single one, half or twice is too easily met."""
_OF_TRAINING = {
    Fraction(4, 3): "a forward pass more, as where all of it is run again (`hardware` with everything checkpointed), "
    "or a backward of three forward passes, not two",
    Fraction(2, 3): "a backward pass alone, or a backward of one forward pass",
}
_OF_BACKWARD = {
    Fraction(3, 2): "a backward of three forward passes, not two",
    Fraction(1, 2): "that of one forward pass",
}


def meaning_of(factor: Fraction, question: Question, terms: int) -> str:
    """What a factor between the claimed formula and the derived one is known for; empty where it is not."""
    phases = {quantity.phase for quantity in question.left_quantities}
    found = ""
    if question.dimension == FLOP and phases == {"train"}:
        found = _OF_TRAINING.get(factor, "")
    if question.dimension == FLOP and phases == {"backward"}:
        found = _OF_BACKWARD.get(factor, "")
    if question.dimension == FLOP:
        return found or _OF_FLOP.get(factor, "")
    if question.dimension != BYTE:
        return ""
    plain = terms >= FEWEST_TERMS and all(quantity.name != "state" for quantity in question.left_quantities)
    return _OF_BYTE.get(factor, "") or (_OF_WHOLES.get(factor, "") if plain else "")


def about(name: str, library: Library) -> str:
    """A size's description, in brackets; empty where it has none."""
    declared = library.dims.get(name)
    return f" ({declared.doc})" if declared is not None and declared.doc else ""


def repeat_counts(question: Question, session: Session) -> tuple[str, ...]:
    """The symbols that count repeats in what was asked about."""
    counts = (
        loop.count
        for quantity in question.left_quantities
        for call in session.graph(quantity.subject, quantity.mode).calls
        for loop in call.loops
    )
    return tuple(dict.fromkeys(count.name for count in counts if isinstance(count, Symbol)))
