"""Maxima of one sign bounded by maxima of the other: a sum over kernels compared kernel by kernel.

max(a, b) is at most max(c, d)/λ + e where c/λ and d/λ reach a and b up to the terms of e. So a maximum that is taken away is
covered by one that is there, as far as that one goes; what is left has fewer maxima and is a lower bound of the form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.algebra.evaluation import mentions
from roofdsl.algebra.form import Atom, Normal, atom_form, number, put
from roofdsl.algebra.polynomials import fraction
from roofdsl.algebra.signs import Known, sign

_MOST_PAIRS = 2_000


@dataclass(frozen=True, slots=True)
class _Cover:
    """`over` is at least `scale` × (the covered maximum − `slack`)."""

    name: str
    over: Atom
    scale: Fraction
    slack: Normal


def without_pairs(form: Normal, known: Known) -> Normal:
    """A form never above this one, in which maxima taken away are covered by maxima that are there where one reaches."""
    weights = _weights(form)
    taken = [name for name, weight in weights.items() if sign(weight, known) in ("-", "0-")]
    there = [name for name, weight in weights.items() if sign(weight, known) in ("+", "0+")]
    if not taken or not there or len(taken) * len(there) > _MOST_PAIRS:
        return form
    for name in taken:
        covers = (_cover(form.atoms[name], other, form.atoms[other]) for other in there)
        for cover in sorted((c for c in covers if c is not None), key=_loss):
            form = _covered(form, name, weights, cover, known)
            if weights[name].is_zero:
                break
    return form


def _weights(form: Normal) -> dict[str, Normal]:
    """The coefficient of every maximum that stands in the numerator to the first power and nowhere else."""
    found: dict[str, Normal] = {}
    for name in form.generators:
        atom = form.atoms.get(name)
        if atom is None or atom.function != "max":
            continue
        generator = form.ring.gens[form.names.index(name)]
        if form.numer.degree(generator) != 1 or form.denom.degree(generator) != 0:
            continue
        inner = (argument for other, a in form.atoms.items() if other != name for argument in a.arguments)
        weight = put(form, name, number(1)) - put(form, name, number(0))
        plain = not any(other in weight.atoms for other in weight.generators)
        if plain and not any(mentions(argument, (name,)) for argument in inner):
            found[name] = weight
    return found


def _covered(form: Normal, name: str, weights: dict[str, Normal], cover: _Cover, known: Known) -> Normal:
    """As much of a maximum as the cover has left is put in terms of it."""
    wanted, left = -weights[name], weights[cover.name] * cover.scale
    known.spend(len(form.numer))
    if sign(left - wanted, known) in ("+", "0+", "0"):
        amount = wanted
    elif sign(wanted - left, known) in ("+", "0+"):
        amount = left
    else:
        return form
    if amount.is_zero:
        return form
    weights[name] = weights[name] + amount
    weights[cover.name] = weights[cover.name] - amount * (1 / cover.scale)
    removed = atom_form(cover.over) * (amount * (1 / cover.scale))
    return form + amount * (_form_of(form, name) - cover.slack) - removed


def _form_of(form: Normal, name: str) -> Normal:
    return atom_form(form.atoms[name])


def _cover(atom: Atom, name: str, over: Atom) -> _Cover | None:
    """How a maximum covers another: the largest multiple whose slack has the fewest terms."""
    if not all(argument.is_polynomial and _plain(argument) for argument in (*atom.arguments, *over.arguments)):
        return None
    found = [_Cover(name, over, scale, _slack(atom, over, scale)) for scale in _scales(atom, over)]
    return min(found, key=_loss, default=None)


def _plain(argument: Normal) -> bool:
    return all(c > 0 for c in argument.numer.values()) and not argument.atoms


def _scales(atom: Atom, over: Atom) -> Iterable[Fraction]:
    """1, and the ratios of the coefficients of terms both have."""
    ratios = {Fraction(1)}
    for one in atom.arguments:
        terms = _terms(one)
        for other in over.arguments:
            ratios |= {c / terms[m] for m, c in _terms(other).items() if m in terms}
    return sorted(ratios, reverse=True)


Terms = dict[frozenset[tuple[str, int]], Fraction]


def _terms(form: Normal) -> Terms:
    names = form.names
    return {
        frozenset((n, e) for n, e in zip(names, monomial, strict=True) if e): fraction(coefficient)
        for monomial, coefficient in form.numer.items()
    }


def _slack(atom: Atom, over: Atom, scale: Fraction) -> Normal:
    """What every argument lacks of the best argument of the other, as one sum that is enough for all."""
    total = number(0)
    seen: dict[Normal, None] = {}
    for argument in atom.arguments:
        lacks = (_lack(argument, other * (1 / scale)) for other in over.arguments)
        seen[min(lacks, key=lambda form: len(form.numer))] = None
    for lack in seen:
        total = total + lack
    return total


def _lack(argument: Normal, other: Normal) -> Normal:
    """The terms in which an argument is above another."""
    difference = argument - other
    above = {monomial: c for monomial, c in difference.numer.items() if c > 0}
    ring = difference.ring
    return Normal(ring.dtype(above), difference.denom, difference.atoms)


def _loss(cover: _Cover) -> tuple[int, Fraction]:
    return len(cover.slack.numer), -cover.scale
