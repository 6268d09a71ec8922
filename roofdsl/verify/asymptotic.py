"""Limits (`-> F for s -> oo`) and regimes (`~ F for h >> s`) of quotients of polynomials, by their leading terms.

Everything is read off exact exponents and coefficients. Where a function such as min or ceil depends on the growing
symbol nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.polynomials import fraction

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

PATHS = ((0, 1), (1, 2), (1, 3), (2, 3))
"""How fast the small symbol grows beside the large one, as exponents (small, large) of one parameter."""


def limit(form: Normal, name: str) -> Normal | str | None:
    """The limit as a symbol grows without bound: a form, "oo" or "-oo" where it grows beyond all bounds, None if that
    cannot be read off.
    """
    if hidden_in_atoms(form, name):
        return None
    upper, lower = _leading(form, form.numer, {name: 1}), _leading(form, form.denom, {name: 1})
    if not form.numer or upper[0] < lower[0]:
        return number(0)
    ratio = upper[1] / lower[1]
    if upper[0] == lower[0]:
        return ratio
    value = ratio.constant
    positive = all(fraction(c) > 0 for c in (*ratio.numer.values(), *ratio.denom.values()))
    if positive or (value is not None and value > 0):
        return "oo"
    return "-oo" if value is not None and value < 0 else None


def vanishes(form: Normal, large: str, small: str) -> bool | None:
    """Whether a form goes to 0 whenever large/small grows without bound, however small grows; None if not known."""
    if form.is_zero:
        return True
    if hidden_in_atoms(form, large) or hidden_in_atoms(form, small):
        return None
    for slow, fast in PATHS:
        weights = {small: slow, large: fast}
        upper, lower = _leading(form, form.numer, weights), _leading(form, form.denom, weights)
        if upper[0] >= lower[0] and not upper[1].is_zero and not lower[1].is_zero:
            return False
    return True if _dominated(form, large, small) else None


def hidden_in_atoms(form: Normal, name: str) -> bool:
    """Whether a function in the form depends on a symbol."""
    atoms = (form.atoms[generator] for generator in form.generators if generator in form.atoms)
    return any(name in argument.symbols for atom in atoms for argument in atom.arguments)


def _leading(form: Normal, poly: PolyElement, weights: Mapping[str, int]) -> tuple[int, Normal]:
    """The weighted degree of a polynomial, and its terms of that degree with the weighted symbols left out where they
    alone grow.
    """
    places = {i: weights[name] for i, name in enumerate(form.names) if name in weights}
    best = max((sum(m[i] * w for i, w in places.items()) for m in poly), default=0)
    terms = {m: c for m, c in poly.items() if sum(m[i] * w for i, w in places.items()) == best}
    growing = [i for i, weight in places.items() if weight and len(weights) == 1]
    stripped = {tuple(0 if i in growing else e for i, e in enumerate(m)): c for m, c in terms.items()}
    return best, Normal(poly.ring.dtype(stripped), poly.ring.one, form.atoms)


def _dominated(form: Normal, large: str, small: str) -> bool:
    """Whether every term of the numerator is beaten by one of a denominator whose terms are all positive: with h = r·s,
    by a power of r, and by no less a power of s.
    """
    if any(fraction(c) <= Fraction(0) for c in form.denom.values()) or form.atoms:
        return False
    below = [_orders(form, monomial, large, small) for monomial in form.denom]
    above = [_orders(form, monomial, large, small) for monomial in form.numer]
    return all(any(r < top and both <= total for top, total in below) for r, both in above)


def _orders(form: Normal, monomial: tuple[int, ...], large: str, small: str) -> tuple[int, int]:
    exponents = dict(zip(form.names, monomial, strict=True))
    big, little = exponents.get(large, 0), exponents.get(small, 0)
    return big, big + little
