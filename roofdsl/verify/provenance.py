"""Where the terms of a difference come from: the entries whose contributions hold the same monomials (R9)."""

from __future__ import annotations

from dataclasses import dataclass

from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.normal import normal
from roofdsl.ir.entry import Entry
from roofdsl.quantities.quantity import Quantity, contribution
from roofdsl.verify.question import Question

Term = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """An entry with a term that differs, and all it contributes."""

    entry: Entry
    amount: Normal


def origins_of(question: Question, difference: Normal) -> tuple[Origin, ...]:
    """Entries of the left side with a monomial of the difference, in their order; empty where nothing is to be told
    apart (the difference is no polynomial, or a number).
    """
    if difference.constant is not None:
        return ()
    wanted = terms_of(difference)
    scale = scale_of(question)
    found = [Origin(entry, normal(contribution(entry), question.scope) * scale) for entry in left_entries(question)]
    return tuple(origin for origin in found if terms_of(origin.amount) & wanted)


def scale_of(question: Question) -> Normal:
    """What the entries of the left side are multiplied by in it, as of a quantity per token; 1 where that is no single
    term, or the side is made of several quantities.
    """
    if len(question.left_quantities) != 1:
        return number(1)
    whole = normal(question.left_quantities[0].size, question.scope)
    if whole.is_zero:
        return number(1)
    scale = normal(question.left.size, question.scope) / whole
    return scale if len(scale.numer) == 1 and len(scale.denom) == 1 else number(1)


def left_entries(question: Question) -> tuple[Entry, ...]:
    """All entries the left side was derived from, parts of ratios included."""
    return tuple(entry for quantity in question.left_quantities for entry in entries_of(quantity))


def entries_of(quantity: Quantity) -> tuple[Entry, ...]:
    """The entries of a quantity, or of its parts."""
    return quantity.entries or tuple(entry for part in quantity.parts for entry in entries_of(part))


def terms_of(form: Normal) -> frozenset[Term]:
    """The monomials of a form's numerator over its denominator, without coefficients."""
    if not form.is_polynomial and len(form.denom) != 1:
        return frozenset()
    below = next(iter(form.denom))
    return frozenset(
        tuple((n, i - j) for n, i, j in zip(form.names, monomial, below, strict=True) if i != j)
        for monomial in form.numer
    )
