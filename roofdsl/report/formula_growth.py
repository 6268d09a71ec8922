"""The order of growth of a formula."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from roofdsl.algebra.domination import largest
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.report.formula_layout import FunctionFactor, Layout, Term, monomials


def big_o(form: Normal, names: Iterable[str]) -> Normal | None:
    """The products of powers of the named symbols that no other outgrows as all of them grow, without coefficients;
    other symbols are constants. None for what is not a sum of products.
    """
    wanted = tuple(names)
    inside = {name for atom in form.atoms.values() for part in atom.arguments for name in part.symbols}
    if len(form.denom) != 1 or inside & set(wanted):
        return None
    ((_, below),) = monomials(form.denom)
    powers = {tuple(p.get(n, 0) for n in wanted) for _, p in monomials(form.numer, below)}
    found = number(0)
    for power in sorted(largest(powers)):
        product = number(1)
        for name, exponent in zip(wanted, power, strict=True):
            product *= symbol(name) ** exponent
        found += product
    return found


def order_layout(inside: Layout) -> Layout:
    """O(…) around a layout."""
    return Layout((Term(Fraction(1), (FunctionFactor("O", (inside,)),)),))
