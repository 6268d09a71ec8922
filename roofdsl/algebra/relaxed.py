"""Order by one bound for every function at once: a sum of maxima is at least the sum of one argument of each.

Splitting thirty maxima into cases would take 2^30 of them; most true bounds need none. What this does not show, cases may.
"""

from __future__ import annotations

from roofdsl.algebra.evaluation import mentions
from roofdsl.algebra.form import Atom, Normal, number, put
from roofdsl.algebra.paired import without_pairs
from roofdsl.algebra.signs import Known, nonnegative, rounding_bounds, sign

_PASSES = 3


def bounded_sign(form: Normal, known: Known) -> bool | None:
    """True if the form is shown to be above zero, False if only never below it, None if neither."""
    paired = without_pairs(form, known)
    found = _bounded(paired, known)
    return _bounded(form, known) if found is None and paired is not form else found


def _bounded(form: Normal, known: Known) -> bool | None:
    for _ in range(_PASSES):
        bound = _bound(form, known)
        if bound is None or not bound.atoms or not any(name in bound.atoms for name in bound.generators):
            break
        form = bound
    if bound is None:
        return None
    found = sign(bound, known)
    return True if found == "+" else False if found in ("0+", "0") else None


def _bound(form: Normal, known: Known) -> Normal | None:
    """A form never above this one, with one level of functions replaced; None if some function has no plain bound."""
    for name in form.generators:
        atom = form.atoms.get(name)
        if atom is None:
            continue
        values = _replacements(form, name, atom, known)
        if not values:
            return None
        form = min((put(form, name, value) for value in values), key=_weight)
        known.spend(len(values) * (len(form.numer) + len(form.denom)))
    return form


def _replacements(form: Normal, name: str, atom: Atom, known: Known) -> tuple[Normal, ...]:
    """Values each of which makes the form no larger."""
    if not _linear(form, name):
        return ()
    slope = sign(put(form, name, number(1)) - put(form, name, number(0)), known)
    if slope in ("+", "0+"):
        return _lower(atom, known)
    return _upper(atom, known) if slope in ("-", "0-") else ()


def _linear(form: Normal, name: str) -> bool:
    """Whether the function stands in the numerator only, to the first power, and in no other function."""
    generator = form.ring.gens[form.names.index(name)]
    if form.numer.degree(generator) != 1 or form.denom.degree(generator) != 0:
        return False
    others = (atom for other, atom in form.atoms.items() if other != name and other in form.generators)
    return not any(mentions(argument, (name,)) for atom in others for argument in atom.arguments)


def _lower(atom: Atom, known: Known) -> tuple[Normal, ...]:
    match atom.function:
        case "max":
            return atom.arguments
        case "min":
            return (number(0),) if all(nonnegative(a, known) for a in atom.arguments) else ()
        case "abs":
            return (atom.arguments[0], -atom.arguments[0])
        case "ceil" | "floor":
            return (rounding_bounds(atom)[0],)
        case _:
            return ()


def _upper(atom: Atom, known: Known) -> tuple[Normal, ...]:
    match atom.function:
        case "min":
            return atom.arguments
        case "max":
            if not all(nonnegative(argument, known) for argument in atom.arguments):
                return ()
            total = number(0)
            for argument in atom.arguments:
                total = total + argument
            return (total,)
        case "ceil" | "floor":
            return (rounding_bounds(atom)[1],)
        case _:
            return ()


def _weight(form: Normal) -> tuple[int, int]:
    """Fewest terms below zero, then fewest terms."""
    turn = 1 if form.denom.LC > 0 else -1
    return sum(turn * c < 0 for c in form.numer.values()), len(form.numer)
