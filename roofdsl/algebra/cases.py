"""Proof by cases: something about a form is proved if it holds in every one of finitely many cases covering the domain.

min, max and abs are split by the sign of the irreducible factors of their arguments' differences; ceil and floor over
numbers by residues; ceil and floor over a symbol m by writing x = m·q + r with 1 <= r <= m. Cases overlap at ties and
may be impossible, which is harmless: what is shown in each is an identity on all it covers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import lcm, prod

from roofdsl.algebra.evaluation import substitute
from roofdsl.algebra.form import Atom, Normal, number, symbol
from roofdsl.algebra.limits import LIMITS
from roofdsl.algebra.roots import irreducible_factors
from roofdsl.algebra.signs import Known, sign

Holds = Callable[[Normal, Known], bool]
_DEPTH = 24
_DIVISIONS = 2
_FACTORING = 50


@dataclass(slots=True)
class Budget:
    """Cases that may still be opened. Used up while a proof runs."""

    cases: int = LIMITS.cases
    opened: int = 0

    def open(self, count: int) -> bool:
        self.cases -= count
        self.opened += count
        return self.cases >= 0


@dataclass(frozen=True, slots=True)
class State:
    """A case: what is known in it, the signs assumed of factors, and how deep and how many divisions were opened."""

    known: Known
    signs: Mapping[str, int] = field(default_factory=dict)
    depth: int = 0
    divisions: int = 0


def in_every_case(form: Normal, known: Known, holds: Holds, budget: Budget) -> bool:
    """Whether `holds` is true of the form, or of what it becomes in every case."""
    return _proved(form, State(known), holds, budget)


def _proved(form: Normal, state: State, holds: Holds, budget: Budget) -> bool:
    state.known.spend(len(form.numer) + len(form.denom))
    if holds(form, state.known):
        return True
    if state.depth >= _DEPTH:
        return False
    inner = innermost(form, ("min", "max", "abs"))
    if inner is not None:
        return _by_order(form, *inner, state, holds, budget)
    residues = _moduli(form)
    if residues:
        return _by_residues(form, residues, state, holds, budget)
    divided = _divided(form)
    if divided is not None and state.divisions < _DIVISIONS:
        return _by_division(form, *divided, state, holds, budget)
    return False


def innermost(form: Normal, functions: tuple[str, ...]) -> tuple[str, Atom] | None:
    """An atom of these functions with no such atom inside, and its generator's name."""
    for name in form.generators:
        atom = form.atoms.get(name)
        if atom is None:
            continue
        for argument in atom.arguments:
            inside = innermost(argument, functions)
            if inside is not None:
                return inside
        if atom.function in functions:
            return name, atom
    return None


def _by_order(form: Normal, name: str, atom: Atom, state: State, holds: Holds, budget: Budget) -> bool:
    """Replaces an atom by the argument that decides it, splitting on a sign that is not known yet."""
    pool = (atom.arguments[0], -atom.arguments[0]) if atom.function == "abs" else atom.arguments
    turn = -1 if atom.function == "min" else 1
    for i, candidate in enumerate(pool):
        others = [other for j, other in enumerate(pool) if j != i]
        found = [_known_sign((candidate - other) * turn, state) for other in others]
        if all(isinstance(value, int) and value >= 0 for value in found):
            learned = _learned(state, [(candidate - other) * turn for other in others])
            return _proved(substitute(form, {name: candidate}, learned.known), learned, holds, budget)
    open_factor = _open_factor(pool, state)
    if open_factor is None or not budget.open(2):  # without an open factor the assumed signs contradict each other
        return False
    for value in (1, -1):
        assumed = open_factor if value > 0 else -open_factor
        known = state.known.assuming((*state.known.nonnegative, assumed))
        signs = {**state.signs, open_factor.key: value}
        if not _proved(form, replace(state, known=known, signs=signs, depth=state.depth + 1), holds, budget):
            return False
    return True


def _learned(state: State, differences: list[Normal]) -> State:
    """The case one step deeper, with what followed from signs of factors kept, so that sums of it can be seen."""
    new = tuple(form for form in differences if sign(form, state.known) is None)
    known = state.known.assuming((*state.known.nonnegative, *new))
    return replace(state, known=known, depth=state.depth + 1)


def _open_factor(pool: tuple[Normal, ...], state: State) -> Normal | None:
    for i, left in enumerate(pool):
        for right in pool[i + 1 :]:
            found = _known_sign(left - right, state)
            if isinstance(found, Normal):
                return found
    return None


def _known_sign(form: Normal, state: State) -> int | Normal:
    """1, 0 or −1 (weakly), or the first irreducible factor whose sign is not known in this case."""
    direct = _as_number(sign(form, state.known))
    if direct is not None:
        return direct
    result = 1
    state.known.spend(_FACTORING * (len(form.numer) + len(form.denom)))
    for factor, times in (*irreducible_factors(form.numer), *irreducible_factors(form.denom)):
        if factor.is_ground:
            result *= 1 if factor.LC > 0 else -1
            continue
        piece = Normal(factor, factor.ring.one, form.atoms)
        value = state.signs.get(piece.key) or _as_number(sign(piece, state.known))
        if value is None:
            if times % 2:
                return piece
            value = 1
        result *= value**times
    return result


def _as_number(of: str | None) -> int | None:
    return None if of is None else {"+": 1, "0+": 1, "0": 0, "0-": -1, "-": -1}[of]


def _moduli(form: Normal) -> dict[str, int]:
    """For each symbol under a ceil or floor with a polynomial argument, the number its residues must be known to."""
    found: dict[str, int] = {}
    for name in form.generators:
        atom = form.atoms.get(name)
        if atom is None:
            continue
        for argument in atom.arguments:
            for inner, modulus in _moduli(argument).items():
                found[inner] = lcm(found.get(inner, 1), modulus)
        if atom.function not in ("ceil", "floor") or not atom.arguments[0].is_polynomial:
            continue
        for inner, modulus in _denominators(atom.arguments[0]).items():
            found[inner] = lcm(found.get(inner, 1), modulus)
    return {name: modulus for name, modulus in found.items() if modulus > 1}


def _denominators(argument: Normal) -> dict[str, int]:
    """Symbols with the denominators they occur over; nothing if an atom in a fraction is in the way."""
    found: dict[str, int] = {}
    for monomial, coefficient in argument.numer.items():
        if coefficient.denominator == 1:
            continue
        for name, exponent in zip(argument.names, monomial, strict=True):
            if exponent and name not in argument.atoms:
                found[name] = lcm(found.get(name, 1), int(coefficient.denominator))
    return found


def _by_residues(form: Normal, moduli: Mapping[str, int], state: State, holds: Holds, budget: Budget) -> bool:
    """Each symbol written as m·q + r, q from 0, for the residues r from its minimum on."""
    if not budget.open(prod(moduli.values())):
        return False
    starts = {name: state.known.least(name) for name in moduli}
    minimum = {**state.known.minimum, **dict.fromkeys(moduli, 0)}
    for residues in product(*(range(m) for m in moduli.values())):
        values = {
            name: symbol(name) * modulus + (starts[name] + residue)
            for (name, modulus), residue in zip(moduli.items(), residues, strict=True)
        }
        known = _substituted_known(state.known, values, minimum)
        case = State(known, {}, state.depth + 1, state.divisions)
        if not _proved(substitute(form, values, known), case, holds, budget):
            return False
    return True


def _substituted_known(known: Known, values: Mapping[str, Normal], minimum: Mapping[str, int]) -> Known:
    bare = Known(minimum, allowance=known.allowance)
    return bare.assuming(substitute(form, values, bare) for form in known.nonnegative)


def _divided(form: Normal) -> tuple[str, str] | None:
    """A symbol x and a symbol m of some ceil or floor of (x + …)/m."""
    for name in form.generators:
        atom = form.atoms.get(name)
        if atom is None:
            continue
        for argument in atom.arguments:
            inside = _divided(argument)
            if inside is not None:
                return inside
        if atom.function in ("ceil", "floor"):
            found = _linear_over_symbol(atom.arguments[0])
            if found is not None:
                return found
    return None


def _linear_over_symbol(argument: Normal) -> tuple[str, str] | None:
    if len(argument.denom) != 1 or sum(argument.denom.LM) != 1 or argument.denom.LC != 1:
        return None
    under = argument.names[argument.denom.LM.index(1)]
    for monomial, coefficient in argument.numer.items():
        if sum(monomial) == 1 and coefficient == 1:
            name = argument.names[monomial.index(1)]
            if name != under and name not in argument.atoms and argument.degree(name) == 1:
                return name, under
    return None


def _by_division(form: Normal, name: str, under: str, state: State, holds: Holds, budget: Budget) -> bool:
    """Writes x = m·q + r with 1 <= r <= m; q is the old name counted from 0, r a new one."""
    if state.known.least(name) < 1 or state.known.least(under) < 1 or not budget.open(1):
        return False
    rest = f"{name}%{under}"
    values = {name: symbol(under) * symbol(name) + symbol(rest)}
    minimum = {**state.known.minimum, name: 0, rest: 1}
    known = _substituted_known(state.known, values, minimum)
    known = known.assuming((*known.nonnegative, symbol(under) - symbol(rest)))
    case = State(known, {}, state.depth + 1, state.divisions + 1)
    return _proved(substitute(form, values, known), case, holds, budget)


def whole_substitution(forms: tuple[Normal, ...], known: Known) -> tuple[dict[str, Normal], dict[str, int]]:
    """Symbols expressed so that forms that must be integers are: h = a·k where h/a is whole. Gives the values of those
    symbols and the minima of the new ones.
    """
    values: dict[str, Normal] = {}
    minimum: dict[str, int] = {}
    for form in forms:
        if form.atoms or form.symbols & (values.keys() | frozenset().union(*(v.symbols for v in values.values()))):
            continue
        found = _solved(form, known)
        if found is not None:
            name, value, fresh, least = found
            values[name] = value
            minimum[fresh] = least
    return values, minimum


def _solved(form: Normal, known: Known) -> tuple[str, Normal, str, int] | None:
    """A symbol of a single-term form x·p/(q·D) that is whole: x = k·q·D where p = 1 or D is a number."""
    if len(form.numer) != 1 or len(form.denom) != 1 or sum(form.numer.LM) != 1:
        return None
    name = form.names[form.numer.LM.index(1)]
    ratio = Fraction(int(form.numer.LC.numerator), int(form.numer.LC.denominator))
    below = Normal(form.denom, form.ring.one)
    if name in below.symbols or known.least(name) not in (0, 1) or any(known.least(n) < 1 for n in below.symbols):
        return None
    if ratio.numerator != 1 and below.constant is None:
        return None
    fresh = f"{name}'"
    return name, symbol(fresh) * below * number(ratio.denominator), fresh, known.least(name)
