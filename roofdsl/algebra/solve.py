"""Where a form is zero: solutions for one symbol in closed form, degrees one and two, each with the domain it needs.

Powers of the symbol that divide the whole are dropped, since sizes are above zero; solutions that are known to be negative too. What
is no polynomial in the symbol has no closed form here.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from roofdsl.algebra.evaluation import compiled, evaluate, mentions
from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.piecewise import cases_of
from roofdsl.algebra.roots import power
from roofdsl.algebra.signs import Known, sign
from roofdsl.diagnostics import RoofError


@dataclass(frozen=True, slots=True)
class Solution:
    """A value of the symbol; it is positive where all of `needs` are above zero. It is a solution where every one of
    `where`, in which the symbol may stand too, is at least zero.
    """

    value: Normal
    needs: tuple[Normal, ...] = ()
    where: tuple[Normal, ...] = ()


def solutions(form: Normal, name: str, known: Known) -> tuple[Solution, ...] | None:
    """The positive solutions of form = 0; None if there is no closed form, none at all if it has no solution."""
    coefficients = coefficients_in(form, name)
    if coefficients is None:
        return None
    lowest = min(coefficients, default=0)
    found = {degree - lowest: value for degree, value in coefficients.items()}
    match max(found, default=0):
        case 0:
            return ()
        case 1:
            return _positive((-found[0] / found[1],), known)
        case 2:
            return _quadratic(found, known)
        case _:
            return None


def solutions_by_case(form: Normal, name: str, known: Known) -> tuple[Solution, ...] | None:
    """As `solutions`; where the symbol stands in a min or max, those of every case, each with where it holds."""
    found = solutions(form, name, known)
    if found is not None or (cases := cases_of(form, known)) is None:
        return found
    every: list[Solution] = []
    for case in cases:
        inside = solutions(case.form, name, known)
        if inside is None:
            return None
        every += (Solution(s.value, s.needs, case.conditions) for s in inside)
    return tuple(every)


def holds(solution: Solution, name: str) -> bool:
    """Whether a solution that is a number lies in its case."""
    value = Fraction(compiled(solution.value)({}))
    return all(compiled(condition)({name: value}) >= 0 for condition in solution.where)


def coefficients_in(form: Normal, name: str) -> dict[int, Normal] | None:
    """The numerator by powers of a symbol; None if the symbol stands inside a function."""
    atoms = [form.atoms[generator] for generator in form.generators if generator in form.atoms]
    if any(mentions(argument, (name,)) for atom in atoms for argument in atom.arguments):
        return None
    if name not in form.names:
        return {0: Normal(form.numer, form.ring.one, form.atoms)}
    place = form.names.index(name)
    parts: dict[int, dict[tuple[int, ...], Any]] = {}
    for monomial, coefficient in form.numer.items():
        rest = (*monomial[:place], 0, *monomial[place + 1 :])
        parts.setdefault(monomial[place], {})[rest] = coefficient
    return {degree: Normal(form.ring.dtype(terms), form.ring.one, form.atoms) for degree, terms in parts.items()}


def _quadratic(found: dict[int, Normal], known: Known) -> tuple[Solution, ...] | None:
    zero = number(0)
    high, middle, low = found[2], found.get(1, zero), found.get(0, zero)
    inside = middle * middle - 4 * high * low
    try:
        root = power(inside, Fraction(1, 2), known)
    except RoofError:
        return ()
    needs = () if sign(inside, known) in ("+", "0+", "0") else (inside,)
    values = tuple(dict.fromkeys((-middle + side * root) / (2 * high) for side in (1, -1)))
    return tuple(Solution(s.value, (*needs, *s.needs)) for s in _positive(values, known))


def _positive(values: tuple[Normal, ...], known: Known) -> tuple[Solution, ...]:
    """Each with what makes it positive, unless it is known to be so; those known not to be are left out."""
    found: list[Solution] = []
    for value in values:
        if not value.symbols:
            found += [Solution(value)] if evaluate(value, {}) > 0 else []
            continue
        match sign(value, known):
            case "+":
                found.append(Solution(value))
            case "-" | "0-" | "0":
                continue
            case _:
                found.append(Solution(value, _needs(value, known)))
    return tuple(found)


def _needs(value: Normal, known: Known) -> tuple[Normal, ...]:
    """One side of the quotient where the sign of the other is known, else both as a product."""
    upper = Normal(value.numer, value.ring.one, value.atoms)
    lower = Normal(value.denom, value.ring.one, value.atoms)
    for one, other in ((upper, lower), (lower, upper)):
        match sign(one, known):
            case "+" | "0+":
                return (other,)
            case "-" | "0-":
                return (-other,)
            case _:
                continue
    return (upper * lower,)
