"""Signs of products: even powers are never below zero, and a quadratic without a real zero keeps the sign of its square.

This decides what coefficients alone do not tell, such as (q + h)² >= 4qh.
"""

from __future__ import annotations

from roofdsl.algebra.form import Normal
from roofdsl.algebra.minima import Sign
from roofdsl.algebra.roots import irreducible_factors
from roofdsl.algebra.signs import Known, opposite, sign
from roofdsl.algebra.solve import coefficients_in

_COST = 50


def factored_sign(form: Normal, known: Known) -> Sign | None:
    """The sign of a form by its irreducible factors; None if one of them has none that is known."""
    if form.is_zero:
        return "0"
    known.spend(_COST * (len(form.numer) + len(form.denom)))
    result: Sign = "+"
    for factor, times in (*irreducible_factors(form.numer), *irreducible_factors(form.denom)):
        piece = Normal(factor, factor.ring.one, form.atoms)
        found = sign(piece, known) or quadratic_sign(piece, known)
        if times % 2 == 0:
            found = "+" if found in ("+", "-") else "0+"
        if found is None:
            return None
        result = _times(result, found)
    return result


def quadratic_sign(form: Normal, known: Known) -> Sign | None:
    """The sign of ax² + bx + c for a above zero and 4ac >= b², or of its opposite."""
    for name in form.generators:
        if name in form.atoms or form.degree(name) != 2:
            continue
        parts = coefficients_in(form, name)
        if parts is None or 0 not in parts:
            continue
        high, low = parts[2], parts[0]
        middle = parts.get(1)
        outer = sign(high, known)
        if outer not in ("+", "-"):
            continue
        room = 4 * high * low if middle is None else 4 * high * low - middle * middle
        inner = sign(room, known)
        if inner in ("+", "0+", "0"):
            found: Sign = "+" if inner == "+" else "0+"
            return found if outer == "+" else opposite(found)
    return None


def _times(left: Sign, right: Sign) -> Sign:
    if "0" in (left, right):
        return "0"
    weak = len(left) == 2 or len(right) == 2
    negative = ("-" in left) != ("-" in right)
    if weak:
        return "0-" if negative else "0+"
    return "-" if negative else "+"
