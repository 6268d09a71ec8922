"""Functions settled for what grows: each replaced by what it is in the end, or by the few things it may be.

min and max become an argument that none of the others is known to beat; ceil and floor their argument and an offset below
1; of something that vanishes they are 1 or 0. Limits and leading terms take it from there (`asymptotic`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from roofdsl.algebra.atoms import rebuilt
from roofdsl.algebra.form import Atom, Normal, number, put, symbol
from roofdsl.algebra.signs import Known
from roofdsl.algebra.symbols import Poly

_OFFSET = "offset("
_MOST_FORMS = 64
OPEN = "which argument of min or max decides in the end depends on other sizes; `when` may say more of them"


@dataclass(frozen=True, slots=True)
class Regime:
    """What grows: `main` gives the part of a polynomial that decides in the end, `side` the sign of such a part where it
    outgrows the rest whatever the other symbols are, `smaller` whether a form's numerator is outgrown by its denominator.
    """

    names: frozenset[str]
    main: Callable[[Poly, Normal], Normal]
    side: Callable[[Normal], int | None]
    smaller: Callable[[Normal], bool]
    known: Known

    def sign(self, form: Normal) -> int | None:
        """The sign a form has in the end: 1, 0, −1, or None."""
        if form.is_zero:
            return 0
        upper, lower = (self.side(self.main(poly, form)) for poly in (form.numer, form.denom))
        return None if upper is None or lower is None else upper * lower

    def vanishes(self, form: Normal) -> bool:
        """Whether a form is known to tend to 0."""
        return self.smaller(form) and self.side(self.main(form.denom, form)) is not None


def settled_forms(form: Normal, regime: Regime) -> tuple[Normal, ...] | str:
    """The form without atoms that depend on what grows: several, one of which it is in the end, where other sizes say
    which. Or why that is not possible.
    """
    for generator in form.generators:
        atom = form.atoms.get(generator)
        if atom is None or not any(argument.symbols & regime.names for argument in atom.arguments):
            continue
        values = _values(atom, regime)
        if isinstance(values, str):
            return values
        found: dict[Normal, None] = {}
        for value in values:
            settled = settled_forms(put(form, generator, value), regime)
            if isinstance(settled, str):
                return settled
            found |= dict.fromkeys(settled)
            if len(found) > _MOST_FORMS:
                return OPEN
        return tuple(found)
    return (form,)


def _values(atom: Atom, regime: Regime) -> tuple[Normal, ...] | str:
    """What an atom may be in the end, its arguments settled first."""
    found: dict[Normal, None] = {}
    inner: list[tuple[Normal, ...]] = []
    for argument in atom.arguments:
        settled = settled_forms(argument, regime)
        if isinstance(settled, str):
            return settled
        inner.append(settled)
    for arguments in product(*inner):
        values = _in_the_end(atom, arguments, regime)
        if isinstance(values, str):
            return values
        found |= dict.fromkeys(values)
    return tuple(found) if len(found) <= _MOST_FORMS else OPEN


def _in_the_end(atom: Atom, arguments: tuple[Normal, ...], regime: Regime) -> tuple[Normal, ...] | str:
    match atom.function:
        case "min" | "max":
            return _winners(atom.function, arguments, regime)
        case "abs":
            side = regime.sign(arguments[0])
            return "the sign inside a modulus is not known" if side is None else (arguments[0] * side,)
        case "ceil" | "floor":
            value = _rounded(atom, arguments[0], regime)
            return value if isinstance(value, str) else (value,)
        case _:
            if any(argument.symbols & regime.names for argument in arguments):
                return f"{atom.function} of something that grows"
            return (rebuilt(atom, arguments, regime.known),)


def _winners(function: str, arguments: tuple[Normal, ...], regime: Regime) -> tuple[Normal, ...]:
    """The arguments that none of the others is known to beat in the end."""
    worse = 1 if function == "min" else -1
    left = list(arguments)
    for one in arguments:
        others = [other for other in left if other is not one]
        if any(regime.sign(one - other) in (worse, 0) for other in others):
            left = others
    return tuple(left)


def _rounded(atom: Atom, argument: Normal, regime: Regime) -> Normal | str:
    """The argument and an offset; a fraction that shrinks to zero is rounded to 1, 0 or −1."""
    up = atom.function == "ceil"
    if regime.vanishes(argument):
        side = regime.sign(argument)
        if side is None:
            return f"the sign inside a {atom.function} is not known"
        return number(max(side, 0) if up else min(side, 0))
    offset = symbol(f"{_OFFSET}{atom.key})")
    return argument + offset if up else argument - offset


def has_offset(form: Normal) -> bool:
    """Whether an offset of a ceil or floor is left."""
    return any(generator.startswith(_OFFSET) for generator in form.generators)
