"""Signs that hold for every admissible size, and which forms are integers.

A polynomial whose coefficients are all nonnegative once every symbol is measured from its minimum is nonnegative. That
test, atoms bounded by their arguments, and assumptions made by a caller are all that is used: None means "not known".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm, prod
from typing import Literal

from roofdsl.algebra.form import Atom, Normal, fraction, number, put
from roofdsl.algebra.symbols import Poly

Sign = Literal["+", "0+", "0", "0-", "-"]
_SHIFTED_TERMS = 3_000
_ATOM_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Known:
    """Minima of symbols (1 if not stated) and forms assumed to be nonnegative."""

    minimum: Mapping[str, int] = field(default_factory=dict)
    nonnegative: tuple[Normal, ...] = ()

    def least(self, name: str) -> int:
        return self.minimum.get(name, 1)


def sign(form: Normal, known: Known) -> Sign | None:
    """The sign of a form on the whole domain: "+" above zero, "0+" never below, "0" zero; None if not known."""
    if form.is_zero:
        return "0"
    upper = _sign(form.numer, form.atoms, known, _ATOM_DEPTH)
    if upper is None or form.is_polynomial:
        return upper
    lower = _sign(form.denom, form.atoms, known, _ATOM_DEPTH)
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
        found = _one_sign(poly, least)
        if found is not None:
            return found
    form = Normal(poly, poly.ring.one, atoms)
    for candidate, turn in ((form, False), (-form, True)):
        if _bounded_below(candidate, known, depth):
            return "0-" if turn else "0+"
    return None


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


def _one_sign(poly: Poly, least: list[int]) -> Sign | None:
    """The sign by coefficients: as they are, which is cheap, else of the polynomial in distances from the minima."""
    if min(least, default=0) >= 0 and all(c > 0 for c in poly.values()):
        return "+" if _at(poly, least) > 0 else "0+"
    if min(least, default=0) >= 0 and all(c < 0 for c in poly.values()):
        return "-" if _at(poly, least) < 0 else "0-"
    shifted = _shifted(poly, least)
    if shifted is None:
        return None
    if all(c >= 0 for c in shifted.values()):
        return "+" if _constant(shifted) > 0 else "0+"
    if all(c <= 0 for c in shifted.values()):
        return "-" if _constant(shifted) < 0 else "0-"
    return None


def _at(poly: Poly, values: list[int]) -> Fraction:
    total = Fraction(0)
    for monomial, coefficient in poly.items():
        total += fraction(coefficient) * prod(v**e for v, e in zip(values, monomial, strict=True) if e)
    return total


def _constant(poly: Poly) -> Fraction:
    return fraction(poly.get(poly.ring.zero_monom, poly.ring.domain.zero))


def _shifted(poly: Poly, least: list[int]) -> Poly | None:
    """The polynomial in the distances from the minima; None if it would be too long."""
    moved = [(g, g + m) for g, m in zip(poly.ring.gens, least, strict=True) if m]
    size = sum(prod(exponent + 1 for exponent in monomial) for monomial in poly)
    if size > _SHIFTED_TERMS:
        return None
    return poly.compose(moved) if moved else poly


def _bounded_below(form: Normal, known: Known, depth: int) -> bool:
    """Whether the form is nonnegative because of an assumption, or because of what bounds one of its atoms."""
    if any(_follows(form, assumed, known) for assumed in known.nonnegative):
        return True
    if depth == 0:
        return False
    for name in form.generators:
        atom = form.atoms.get(name)
        lower = None if atom is None else _lower_replacements(form, name, atom, known)
        if lower is None:
            continue
        return all(_nonnegative(put(form, name, v), known, depth - 1) for v in lower)
    return False


def _nonnegative(form: Normal, known: Known, depth: int) -> bool:
    if form.is_zero:
        return True
    upper = _sign(form.numer, form.atoms, known, depth)
    lower = "+" if form.is_polynomial else _sign(form.denom, form.atoms, known, depth)
    return (upper in ("+", "0+") and lower in ("+", "0+")) or (upper in ("-", "0-") and lower in ("-", "0-"))


def _follows(form: Normal, assumed: Normal, known: Known) -> bool:
    """Whether form − c·assumed is plainly nonnegative for the c that matches their leading terms, or for c = 1."""
    plain = Known(known.minimum)
    if form == assumed:
        return True
    candidates = [number(1)]
    if form.is_polynomial and assumed.is_polynomial and assumed.numer:
        ratio = _leading_ratio(form, assumed)
        candidates += [number(ratio)] if ratio is not None and ratio > 0 else []
    return any(sign(form - c * assumed, plain) in ("+", "0+", "0") for c in candidates)


def _leading_ratio(form: Normal, assumed: Normal) -> Fraction | None:
    monomial = assumed.numer.LM
    difference = form - assumed  # brings both into one ring
    if difference.ring is not assumed.ring or form.ring is not assumed.ring:
        return None
    coefficient = form.numer.get(monomial)
    return None if coefficient is None else fraction(coefficient) / fraction(assumed.numer.LC)


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
            if nonnegative(slope, Known(known.minimum)):
                return (below,)
            return (above,) if nonnegative(-slope, Known(known.minimum)) else None
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
        return _at(form.numer, least)
    shifted = _shifted(form.numer, least)
    if shifted is None or any(c < 0 for m, c in shifted.items() if any(m)):
        return None
    return _constant(shifted)


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
