"""Normal forms: a numerator and a denominator in one of SymPy's sparse polynomial rings over the rationals.

`Normal` is a thin frozen wrapper; all arithmetic is SymPy's. What is no polynomial (min, ceil, a root …) is an `Atom`:
one more generator, named by the normal forms of its arguments, so that equal atoms are the same generator. The form is
canonical: numerator and denominator have no common factor, the denominator is primitive with a positive leading term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from roofdsl.algebra.limits import check_division, check_generators
from roofdsl.algebra.polynomials import fraction, lift, minus, poly_key, raised, rational, times
from roofdsl.algebra.symbols import Poly, Ring, generator_order, names_of, ring_of
from roofdsl.diagnostics import fail
from roofdsl.errors.algebra import ZERO_DENOMINATOR
from roofdsl.source import NOWHERE

__all__ = [
    "Atom",
    "AtomName",
    "Normal",
    "as_normal",
    "atom_form",
    "canonical",
    "fraction",
    "lowest",
    "number",
    "put",
    "rational",
    "replace_generators",
    "symbol",
    "unify",
]

AtomName = Literal["min", "max", "ceil", "floor", "abs", "log", "exp", "root"]


@dataclass(frozen=True, slots=True)
class Atom:
    """A function of normal forms standing as a generator. `index` is the q of a q-th root, else 1."""

    function: AtomName
    arguments: tuple[Normal, ...]
    index: int = 1

    @property
    def key(self) -> str:
        """The name of its generator: the same for equal atoms."""
        inside = ",".join(argument.key for argument in self.arguments)
        return f"{self.function}{self.index if self.function == 'root' else ''}({inside})"


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """`numer / denom`, canonical. `atoms` maps generator names to the atoms they stand for."""

    numer: Poly
    denom: Poly
    atoms: Mapping[str, Atom] = field(default_factory=dict, repr=False)

    @property
    def ring(self) -> Ring:
        return self.numer.ring

    @property
    def names(self) -> tuple[str, ...]:
        """The generators of its ring, used or not."""
        return names_of(self.ring)

    @property
    def generators(self) -> tuple[str, ...]:
        """The generators that occur, atoms included."""
        numer, denom = self.numer.degrees(), self.denom.degrees()
        return tuple(n for n, i, j in zip(self.names, numer, denom, strict=True) if i > 0 or j > 0)

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that occur, those inside atoms included."""
        found: set[str] = set()
        for name in self.generators:
            atom = self.atoms.get(name)
            found |= {name} if atom is None else frozenset().union(*(a.symbols for a in atom.arguments))
        return frozenset(found)

    @property
    def is_zero(self) -> bool:
        return not self.numer

    @property
    def is_polynomial(self) -> bool:
        """Whether the denominator is 1 (atoms may occur)."""
        return bool(self.denom == 1)

    @property
    def constant(self) -> Fraction | None:
        """Its value if it is a number."""
        if not self.numer:
            return Fraction(0)
        if not (self.numer.is_ground and self.denom.is_ground):
            return None
        return fraction(self.numer.LC) / fraction(self.denom.LC)

    @property
    def key(self) -> str:
        """A text that is the same for equal forms only."""
        numer = poly_key(self.numer)
        return numer if self.denom == 1 else f"[{numer}]/[{poly_key(self.denom)}]"

    def degree(self, name: str) -> int:
        """Degree in a generator: of the numerator less of the denominator; 0 for the zero form."""
        if name not in self.names or not self.numer:
            return 0
        generator = self.ring.gens[self.names.index(name)]
        return int(self.numer.degree(generator)) - int(self.denom.degree(generator))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Normal):
            return NotImplemented
        left, right = unify(self, other)
        return bool(left.numer == right.numer and left.denom == right.denom)

    def __hash__(self) -> int:
        return hash(self.key)

    def __add__(self, other: Normal | int | Fraction) -> Normal:
        left, right = unify(self, as_normal(other))
        if left.denom == right.denom:
            return canonical(left.numer + right.numer, left.denom, left.atoms)
        numer = times(left.numer, right.denom) + times(right.numer, left.denom)
        return canonical(numer, times(left.denom, right.denom), left.atoms)

    def __neg__(self) -> Normal:
        return Normal(-self.numer, self.denom, self.atoms)

    def __sub__(self, other: Normal | int | Fraction) -> Normal:
        return self + -as_normal(other)

    def __mul__(self, other: Normal | int | Fraction) -> Normal:
        left, right = unify(self, as_normal(other))
        return canonical(times(left.numer, right.numer), times(left.denom, right.denom), left.atoms)

    def __truediv__(self, other: Normal | int | Fraction) -> Normal:
        left, right = unify(self, as_normal(other))
        return canonical(times(left.numer, right.denom), times(left.denom, right.numer), left.atoms)

    def __pow__(self, exponent: int) -> Normal:
        numer, denom = (self.numer, self.denom) if exponent >= 0 else (self.denom, self.numer)
        return canonical(raised(numer, abs(exponent)), raised(denom, abs(exponent)), self.atoms)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: int | Fraction) -> Normal:
        return -self + other

    def __rtruediv__(self, other: int | Fraction) -> Normal:
        return as_normal(other) / self


def number(value: int | Fraction) -> Normal:
    """A constant form."""
    ring = ring_of(())
    return Normal(ring.ground_new(rational(value)), ring.one)


def symbol(name: str) -> Normal:
    """The form of one symbol."""
    ring = ring_of((name,))
    return Normal(ring.gens[0], ring.one)


def atom_form(atom: Atom) -> Normal:
    """The form of one atom as it stands; `atoms.apply` simplifies first."""
    ring = ring_of((atom.key,))
    return Normal(ring.gens[0], ring.one, {atom.key: atom})


def as_normal(value: Normal | int | Fraction) -> Normal:
    return value if isinstance(value, Normal) else number(value)


def unify(left: Normal, right: Normal) -> tuple[Normal, Normal]:
    """Both forms in one ring, with the atoms of both."""
    if left.ring is right.ring and left.atoms == right.atoms:
        return left, right
    ring = ring_of(generator_order((*left.names, *right.names)))
    atoms = {**left.atoms, **right.atoms}
    check_generators(len(atoms), ring.ngens - len(atoms))
    one, two = (Normal(lift(f.numer, ring), lift(f.denom, ring), atoms) for f in (left, right))
    return one, two


def canonical(numer: Poly, denom: Poly, atoms: Mapping[str, Atom], *, coprime: bool = False) -> Normal:
    """numer/denom in lowest terms (`coprime`: they are, up to numbers). Division by zero is E0751."""
    if not denom:
        fail(ZERO_DENOMINATOR, NOWHERE, "the denominator is zero once everything is expanded")
    if not numer:
        return Normal(numer, numer.ring.one, atoms)
    if any(atom.function == "root" for atom in atoms.values()):
        from roofdsl.algebra.roots import reduce_roots

        reduced = reduce_roots(numer, denom, atoms)
        if reduced is not None:
            return reduced
    return lowest(numer, denom, atoms, coprime=coprime)


def lowest(numer: Poly, denom: Poly, atoms: Mapping[str, Atom], *, coprime: bool = False) -> Normal:
    """Cancels common factors and scales the denominator; roots are taken as they stand."""
    if denom != 1:
        if len(denom) == 1:
            numer, denom = _cancel_monomial(numer, denom)
        elif not coprime:
            check_division(len(numer), len(denom))
            numer, denom = numer.cancel(denom)
        content, denom = denom.primitive()
        content = content if denom.LC > 0 else -content
        numer, denom = numer.quo_ground(content), (denom if denom.LC > 0 else -denom)
    return Normal(numer, denom, atoms)


def _cancel_monomial(numer: Poly, denom: Poly) -> tuple[Poly, Poly]:
    ((below, coefficient),) = denom.items()
    common = tuple(min(column) for column in zip(below, *numer, strict=True))
    ring = numer.ring
    if any(common):
        numer = ring.dtype({minus(m, common): c for m, c in numer.items()})
    return numer.quo_ground(coefficient), ring.dtype({minus(below, common): ring.domain.one})


def replace_generators(form: Normal, replacement: Callable[[str], Normal | None], wanted: Iterable[str]) -> Normal:
    """The form with the `wanted` generators replaced by other forms, where `replacement` gives one."""
    found = {name: replacement(name) for name in wanted}
    values = {name: value for name, value in found.items() if value is not None}
    if not values:
        return form
    return _substituted(form.numer, values, form.atoms) / _substituted(form.denom, values, form.atoms)


def put(form: Normal, name: str, value: Normal) -> Normal:
    """The form with one generator replaced."""
    return replace_generators(form, lambda _: value, (name,))


def _substituted(poly: Poly, values: Mapping[str, Normal], atoms: Mapping[str, Atom]) -> Normal:
    """Terms grouped by their powers of the replaced generators, so that each power is expanded once."""
    names = names_of(poly.ring)
    places = [i for i, name in enumerate(names) if name in values]
    groups: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
    for monomial, coefficient in poly.items():
        rest = list(monomial)
        for place in places:
            rest[place] = 0
        groups.setdefault(tuple(monomial[p] for p in places), {})[tuple(rest)] = coefficient
    result = number(0)
    for powers, terms in groups.items():
        part = Normal(poly.ring.dtype(terms), poly.ring.one, atoms)
        for place, power in zip(places, powers, strict=True):
            if power:
                part = part * values[names[place]] ** power
        result = result + part
    return result
