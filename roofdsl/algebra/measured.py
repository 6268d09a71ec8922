"""Signs that show once a symbol is measured from what it is known to reach: with h >= 4s known, h is 4s + k, k from 0 up.

Only assumptions that are linear in a symbol serve. Several are used one after the other; what is left is looked at as a
product of squares and of factors of known sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from roofdsl.algebra.evaluation import substitute
from roofdsl.algebra.form import Normal, number, replace_generators, symbol
from roofdsl.algebra.minima import Sign
from roofdsl.algebra.signs import Known, is_integral, nonnegative, sign
from roofdsl.algebra.squares import factored_sign

REST = "beyond "
"""Begins the name of a distance; no symbol of the language has a blank in its name."""
_SHIFTS = 2
_TRIED = 8
_COST = 50


def measured_sign(form: Normal, known: Known) -> Sign | None:
    """The sign of a form, symbols measured from the assumptions where that helps."""
    weakest: Sign | None = None
    for n, (moved, facts) in enumerate(_ways(form, known, _SHIFTS)):
        found = sign(moved, facts) or factored_sign(moved, facts)
        if found in ("+", "-", "0"):
            return found
        weakest = weakest or found
        if n >= _TRIED:
            break
    return weakest


def _ways(form: Normal, known: Known, left: int) -> Iterator[tuple[Normal, Known]]:
    """The form as it is, then with one symbol measured from an assumption, and so on."""
    yield form, known
    if left == 0:
        return
    for i, assumed in enumerate(known.nonnegative):
        for name, bound in _bounds(assumed, form):
            rest = REST + name
            known.spend(_COST * (len(form.numer) + len(form.denom)))
            others = known.nonnegative[:i] + known.nonnegative[i + 1 :]
            if not is_integral(bound):  # then the distance is no integer, which functions would take it for
                others = tuple(other for other in others if not _has_functions(other))
            facts = replace(known, minimum={**known.minimum, rest: 0}, nonnegative=())
            value = {name: bound + symbol(rest)}
            own = () if nonnegative(bound - known.least(name), facts) else (symbol(name) - known.least(name),)
            facts = facts.assuming(substitute(other, value, facts) for other in (*others, *own))
            yield from _ways(substitute(form, value, facts), facts, left - 1)


def _bounds(assumed: Normal, form: Normal) -> Iterator[tuple[str, Normal]]:
    """Symbols of the form that the assumption bounds from below, and by what. With a bound that may be a fraction the
    distance is no integer, which functions would take it for.
    """
    for name in assumed.generators:
        bound = None if name in assumed.atoms or name not in form.symbols else solution(assumed, name)
        if bound is None or not _rises(assumed, name) or name.startswith(REST):
            continue
        if is_integral(bound) or not _has_functions(form):
            yield name, bound


def _has_functions(form: Normal) -> bool:
    return any(generator in form.atoms for generator in form.generators)


def solution(form: Normal, name: str) -> Normal | None:
    """The value of a symbol that makes a polynomial zero, if it is linear in it with a constant slope."""
    if form.degree(name) != 1 or not form.is_polynomial:
        return None
    rest = replace_generators(form, lambda _: number(0), (name,))
    slope = ((form - rest) / symbol(name)).constant
    return None if slope is None or name in rest.symbols else rest / number(-slope)


def _rises(form: Normal, name: str) -> bool:
    """Whether a form linear in a symbol grows with it."""
    rest = replace_generators(form, lambda _: number(0), (name,))
    slope = ((form - rest) / symbol(name)).constant
    return slope is not None and slope > 0
