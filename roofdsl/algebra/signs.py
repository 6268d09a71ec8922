"""Signs that hold for every admissible size, and which forms are integers.

A polynomial whose coefficients are all nonnegative once every symbol is measured from its minimum is nonnegative. That
test, atoms bounded by their arguments, and assumptions made by a caller are all that is used: None means "not known".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

from roofdsl.algebra.allowance import Allowance
from roofdsl.algebra.form import Atom, Normal, number, put, unify
from roofdsl.algebra.minima import Sign, shifted, sign_from, value_at
from roofdsl.algebra.polynomials import minus
from roofdsl.algebra.symbols import Poly

_DEPTH = 3
_TERMS_TRIED = 12
_BOUNDING = 10
"""Steps for the bounds of a function's arguments."""


@dataclass(frozen=True, slots=True)
class Known:
    """Minima of symbols (1 if not stated) and forms assumed to be nonnegative. `allowance`: what the proof that asks may
    still cost.
    """

    minimum: Mapping[str, int] = field(default_factory=dict)
    nonnegative: tuple[Normal, ...] = ()
    allowance: Allowance | None = field(default=None, compare=False, repr=False)

    def least(self, name: str) -> int:
        return self.minimum.get(name, 1)

    def assuming(self, forms: Iterable[Normal]) -> Known:
        """The same with exactly these forms assumed."""
        return replace(self, nonnegative=tuple(forms))

    def spend(self, steps: int) -> None:
        if self.allowance is not None:
            self.allowance.spend(steps)


def sign(form: Normal, known: Known) -> Sign | None:
    """The sign of a form on the whole domain: "+" above zero, "0+" never below, "0" zero; None if not known."""
    return _form_sign(form, known, _DEPTH)


def _form_sign(form: Normal, known: Known, depth: int) -> Sign | None:
    if form.is_zero:
        return "0"
    upper = _sign(form.numer, form.atoms, known, depth)
    if upper is None or form.is_polynomial:
        return upper
    lower = _sign(form.denom, form.atoms, known, depth)
    if lower in ("+", "0+"):
        return upper
    return opposite(upper) if lower in ("-", "0-") else None


def opposite(of: Sign) -> Sign:
    """The sign of the negated form."""
    turned: Mapping[Sign, Sign] = {"+": "-", "-": "+", "0+": "0-", "0-": "0+", "0": "0"}
    return turned[of]


def nonnegative(form: Normal, known: Known) -> bool:
    return sign(form, known) in ("+", "0+", "0")


def _sign(poly: Poly, atoms: Mapping[str, Atom], known: Known, depth: int) -> Sign | None:
    least = _minima(poly, atoms, known)
    if least is not None:
        found = sign_from(poly, least, known.allowance)
        if found is not None:
            return found
    if depth == 0 or not (atoms or known.nonnegative):
        return None
    form = Normal(poly, poly.ring.one, atoms)
    above = _bounded_below(form, known, depth)
    if above is not None:
        return above
    below = _bounded_below(-form, known, depth)
    return None if below is None else opposite(below)


def _minima(poly: Poly, atoms: Mapping[str, Atom], known: Known) -> list[int] | None:
    """A lower bound of every generator that occurs; None if one has none."""
    bounds: list[int] = []
    for name, degree in zip((s.name for s in poly.ring.symbols), poly.degrees(), strict=True):
        bound: int | None = 0
        if degree > 0:
            bound = atom_least(atoms[name], known) if name in atoms else known.least(name)
        if bound is None:
            return None
        bounds.append(bound)
    return bounds


def _bounded_below(form: Normal, known: Known, depth: int) -> Sign | None:
    """Above zero or never below it, if that follows from an assumption, or from what bounds one of the atoms."""
    found: Sign | None = None
    for i, assumed in enumerate(known.nonnegative):
        rest = known.assuming(known.nonnegative[:i] + known.nonnegative[i + 1 :])
        for remainder in _remainders(form, assumed):
            left = _form_sign(remainder, rest, depth - 1)
            if left == "+":
                return "+"
            found = "0+" if left in ("0+", "0") else found
    if found is not None:
        return found
    for name in form.generators:
        atom = form.atoms.get(name)
        lower = None if atom is None else _lower_replacements(form, name, atom, known)
        if lower is not None:
            known.spend(len(lower) * len(form.numer))
            signs = {_form_sign(put(form, name, value), known, depth - 1) for value in lower}
            return "+" if signs == {"+"} else "0+" if signs <= {"+", "0+", "0"} else None
    return None


def _remainders(form: Normal, assumed: Normal) -> Iterator[Normal]:
    """What is left of the form less multiples (by a positive term) of an assumed form that cancel one of its terms."""
    if not assumed.is_polynomial or not assumed.symbols & form.symbols:
        return
    left, right = unify(form, assumed)
    multipliers: dict[tuple[int, ...], Any] = {}
    for monomial, coefficient in list(left.numer.items())[:_TERMS_TRIED]:
        for other, scale in right.numer.items():
            quotient = minus(monomial, other)
            if coefficient / scale > 0 and min(quotient, default=0) >= 0:
                multipliers.setdefault(quotient, coefficient / scale)
    for quotient, scale in multipliers.items():
        if not any(e and name in left.atoms for name, e in zip(left.names, quotient, strict=True)):
            yield left - Normal(left.ring.dtype({quotient: scale}), left.ring.one, left.atoms) * right


def _lower_replacements(form: Normal, name: str, atom: Atom, known: Known) -> tuple[Normal, ...] | None:
    """Forms that, put in place of the atom, all being nonnegative make the form nonnegative."""
    match atom.function:
        case "min" | "max":
            return atom.arguments
        case "abs":
            return (atom.arguments[0], -atom.arguments[0])
        case "ceil" | "floor" if form.degree(name) == 1:
            slope = _slope(form, name)
            below, above = rounding_bounds(atom)
            if nonnegative(slope, known.assuming(())):
                return (below,)
            return (above,) if nonnegative(-slope, known.assuming(())) else None
        case _:
            return None


def _slope(form: Normal, name: str) -> Normal:
    one, zero = (put(form, name, number(v)) for v in (1, 0))
    return one - zero


def rounding_bounds(atom: Atom) -> tuple[Normal, Normal]:
    """The least and the greatest value of ceil(x) or floor(x), as forms: off by less than 1, or by (m−1)/m for x an
    integer over a number m.
    """
    argument = atom.arguments[0]
    slack = number(1 - integer_step(argument))
    return (argument, argument + slack) if atom.function == "ceil" else (argument - slack, argument)


def integer_step(form: Normal) -> Fraction:
    """1/m if the form is an integer over the number m, else 0."""
    if not form.is_polynomial:
        return Fraction(0)
    denominator = lcm(*(int(coefficient.denominator) for coefficient in form.numer.values()))
    return Fraction(1, denominator) if is_integral(form * denominator) else Fraction(0)


def atom_least(atom: Atom, known: Known) -> int | None:
    """An integer lower bound of an atom, if one is known."""
    known.spend(_BOUNDING)
    bounds = [lower_bound(argument, known) for argument in atom.arguments]
    known_bounds = [b for b in bounds if b is not None]
    match atom.function:
        case "min":
            return floor(min(known_bounds)) if len(known_bounds) == len(bounds) else None
        case "max":
            return floor(max(known_bounds)) if known_bounds else None
        case "ceil":
            if sign(atom.arguments[0], known) == "+":
                return max(1, ceil(bounds[0] or 0))
            return None if bounds[0] is None else ceil(bounds[0])
        case "floor":
            return None if bounds[0] is None else floor(bounds[0])
        case "abs" | "exp":
            return 0
        case "root":
            return 1 if bounds[0] is not None and bounds[0] >= 1 else 0
        case "log":
            return 0 if bounds[0] is not None and bounds[0] >= 1 else None


def lower_bound(form: Normal, known: Known) -> Fraction | None:
    """A number the form never goes below, if one is plain."""
    if not form.is_polynomial:
        return Fraction(0) if sign(form, known) in ("+", "0+") else None
    least = _minima(form.numer, form.atoms, known)
    if least is None:
        return None
    if min(least, default=0) >= 0 and all(c > 0 for c in form.numer.values()):
        return value_at(form.numer, least)
    moved = shifted(form.numer, least)
    if moved is None or any(c < 0 for m, c in moved.items() if any(m)):
        return None
    return value_at(form.numer, least)


def is_integral(form: Normal) -> bool:
    """Whether the form is an integer for all integer symbols, by its coefficients."""
    if not form.is_polynomial or any(c.denominator != 1 for c in form.numer.values()):
        return False
    atoms = (form.atoms[name] for name in form.generators if name in form.atoms)
    return all(_integral_atom(atom) for atom in atoms)


def _integral_atom(atom: Atom) -> bool:
    match atom.function:
        case "ceil" | "floor":
            return True
        case "min" | "max" | "abs":
            return all(is_integral(argument) for argument in atom.arguments)
        case _:
            return False
