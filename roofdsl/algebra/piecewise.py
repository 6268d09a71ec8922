"""A form with min and max inside sums as cases: each free of them, with the conditions under which it holds.

Conditions are differences of arguments, reduced to what decides their sign. Cases that no size meets are left out as far as signs tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from roofdsl.algebra.atoms import single_atom
from roofdsl.algebra.form import Atom, Normal, put
from roofdsl.algebra.polynomials import minus
from roofdsl.algebra.signs import Known, sign

MOST_CASES = 24
FEW_CASES = 4
"""So many are printed without being asked for."""
_SPLIT = ("max", "min")


@dataclass(frozen=True, slots=True)
class Case:
    """`form` where every one of `conditions` is at least zero."""

    form: Normal
    conditions: tuple[Normal, ...]


def cases_of(form: Normal, known: Known) -> tuple[Case, ...] | None:
    """The cases of a form; None if it has no min or max inside a sum, or more than 24 cases."""
    alone = single_atom(form)
    if _extremum(form) is None or (alone is not None and alone.function in _SPLIT):
        return None
    found: list[Case] = []
    for case in _split(form, known, ()):
        found.append(case)
        if len(found) > MOST_CASES:
            return None
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Choice:
    """Of every group the place of its largest form, where every one of `conditions` is at least zero."""

    picked: tuple[int, ...]
    conditions: tuple[Normal, ...]


def choices(groups: Sequence[tuple[Normal, ...]], known: Known, most: int = MOST_CASES) -> tuple[Choice, ...] | None:
    """Which form of each group is the largest, in cases that cover all sizes; None if there are more than `most`."""
    found = list(islice(_choose(groups, known, (), ()), most + 1))
    return tuple(found) if len(found) <= most else None


def _choose(
    groups: Sequence[tuple[Normal, ...]], known: Known, picked: tuple[int, ...], conditions: tuple[Normal, ...]
) -> Iterator[Choice]:
    if len(picked) == len(groups):
        yield Choice(picked, _needed(conditions, known))
        return
    group = groups[len(picked)]
    for place, form in enumerate(group):
        wanted = [deciding(form - other) for number, other in enumerate(group) if number != place]
        added = _with(conditions, wanted, known)
        if added is not None:
            yield from _choose(groups, known, (*picked, place), added)


def has_inner_extremum(form: Normal) -> bool:
    """Whether a min or max stands inside a sum or product."""
    alone = single_atom(form)
    return _extremum(form) is not None and (alone is None or alone.function not in _SPLIT)


def _extremum(form: Normal) -> tuple[str, Atom] | None:
    for name in form.generators:
        atom = form.atoms.get(name)
        if atom is not None and atom.function in _SPLIT:
            return name, atom
    return None


def _split(form: Normal, known: Known, conditions: tuple[Normal, ...]) -> Iterator[Case]:
    found = _extremum(form)
    if found is None:
        yield Case(form, _needed(conditions, known))
        return
    name, atom = found
    side = 1 if atom.function == "max" else -1
    for argument in atom.arguments:
        wanted = [deciding((argument - other) * side) for other in atom.arguments if other is not argument]
        added = _with(conditions, wanted, known)
        if added is not None:
            yield from _split(put(form, name, argument), known, added)


def _with(conditions: tuple[Normal, ...], wanted: list[Normal], known: Known) -> tuple[Normal, ...] | None:
    """The conditions and further ones; None if they cannot all hold."""
    found = list(conditions)
    for condition in wanted:
        if sign(condition, known) in ("+", "0+", "0") or any(_follows(condition, other, known) for other in found):
            continue
        if sign(condition, known) == "-" or any(_excludes(condition, other, known) for other in found):
            return None
        found.append(condition)
    return tuple(found)


def _follows(condition: Normal, fact: Normal, known: Known) -> bool:
    """Whether it is at least something that is at least zero."""
    return condition == fact or sign(condition - fact, known) in ("+", "0+", "0")


def _excludes(condition: Normal, fact: Normal, known: Known) -> bool:
    """Whether both cannot be at least zero, since their sum is below."""
    return sign(condition + fact, known) == "-"


def _needed(conditions: tuple[Normal, ...], known: Known) -> tuple[Normal, ...]:
    """Without those that follow from a later one."""
    return tuple(
        c for n, c in enumerate(conditions) if not any(_follows(c, later, known) for later in conditions[n + 1 :])
    )


def deciding(difference: Normal) -> Normal:
    """What decides the sign: the numerator without powers of symbols common to all terms, its numbers whole."""
    numer = difference.numer
    if not numer:
        return difference
    plain = [name not in difference.atoms for name in difference.names]
    least = [min(column) for column in zip(*numer, strict=True)] if len(numer.ring.gens) else []
    common = tuple(power if free else 0 for power, free in zip(least, plain, strict=True))
    reduced = numer.ring.dtype({minus(m, common): c for m, c in numer.items()}) if any(common) else numer
    _, whole = reduced.primitive()
    if (whole.LC > 0) != (reduced.LC > 0):
        whole = -whole
    return Normal(whole, numer.ring.one, difference.atoms)
