"""Other shapes of a formula: factored, a given product pulled out, collected by a symbol, in other symbols."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import gcd

from roofdsl.algebra.form import Normal, fraction, number, put, symbol
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.symbols import Poly
from roofdsl.report.formula_layout import (
    Factor,
    GroupFactor,
    Layout,
    Monomial,
    Style,
    Term,
    groups,
    lay_out,
    monomials,
    quotient,
    split_common,
    sum_of,
    term_key,
    term_of,
)

_FACTOR_TERMS = 40
_FACTOR_DEGREE = 16
MOST_SHORT = 3
"""Terms up to which one of them is pulled out."""


def factored(form: Normal, style: Style) -> Layout:
    """A product of irreducible sums, as differences are shown; large forms give up their common factors only."""
    if form.is_zero:
        return Layout(())
    coefficient, powers, upper = split_common(form.numer)
    divisor, under, lower = split_common(form.denom)
    for name, e in under.items():
        powers[name] = powers.get(name, 0) - e
    sign_up, above = _irreducible(upper, form, style)
    sign_low, below = _irreducible(lower, form, style)
    scale = coefficient / divisor * sign_up / sign_low
    term = term_of((scale, powers), form.atoms, style)
    return Layout((replace(term, above=(*term.above, *above), below=(*term.below, *below)),))


def _irreducible(poly: Poly, form: Normal, style: Style) -> tuple[Fraction, tuple[Factor, ...]]:
    if poly.is_ground:
        return fraction(poly.LC), ()
    if len(poly) > _FACTOR_TERMS or max(poly.degrees()) > _FACTOR_DEGREE:
        return Fraction(1), groups(poly, form.atoms, style)
    content, factors = poly.factor_list()
    scale = fraction(content)
    shown: list[Factor] = []
    for factor, exponent in sorted(factors, key=lambda pair: len(pair[0])):
        part, primitive = factor.primitive()
        scale *= fraction(part) ** exponent
        layout = sum_of(monomials(primitive), form.atoms, style)
        if layout.terms[0].coefficient < 0:  # a sum starts with a positive term
            layout = Layout(tuple(replace(t, coefficient=-t.coefficient) for t in layout.terms))
            scale *= (-1) ** exponent
        shown.append(GroupFactor(layout, exponent))
    return scale, tuple(shown)


def pulled_out(form: Normal, product: Normal, style: Style) -> Layout:
    """`--factor sbh`: the product in front, the rest in parentheses in the order of the expanded terms."""
    rest = form / product
    if product.is_zero or form.is_zero or len(product.numer) != 1 or len(product.denom) != 1:
        return lay_out(form, style)
    if len(rest.denom) != 1 or len(rest.numer) == 1:
        return Layout((quotient(form, style),)) if len(rest.denom) != 1 else lay_out(form, style)
    (above,) = monomials(product.numer, _below(product))
    inside = monomials(rest.numer, _below(rest))
    ordered = sorted(inside, key=lambda term: term_key(_joined(term[1], above[1]), style))
    scale = above[0]
    group = GroupFactor(Layout(tuple(term_of(term, rest.atoms, style) for term in ordered)))
    front = term_of((scale, above[1]), {**form.atoms, **product.atoms}, style)
    return Layout((replace(front, above=(*front.above, group)),))


def as_papers(form: Normal, style: Style) -> Layout | None:
    """The total in factors, as papers write it: `72bLsh²(1 + s/6h + V/12Lh)`, `sbh(34 + 5as/h)`. The first term is pulled
    out where the rest then reads well, else the common factors. None if there is nothing to pull out.
    """
    if form.atoms or len(form.denom) != 1 or len(form.numer) < 2:
        return None
    terms = sorted(monomials(form.numer, _below(form)), key=lambda term: term_key(term[1], style))
    if len(terms) <= MOST_SHORT:
        front = next((term for term in terms if _divides_well(term, terms, whole=True)), None)
        if front is not None:
            return pulled_out(form, _product_of(*front), style)
        if _divides_well(terms[0], terms, whole=False):
            return pulled_out(form, _product_of(_common(terms), terms[0][1]), style)
    layout = factored(form, style)
    return layout if layout.terms[0].above or layout.terms[0].coefficient != 1 else None


def _divides_well(front: Monomial, terms: list[Monomial], *, whole: bool) -> bool:
    """Whether all terms over this one are 1 or fractions with something above their line: s/6h, not 13/h. `whole`: their
    numbers are one over a whole number, too.
    """
    for coefficient, powers in terms:
        rest = {name: powers.get(name, 0) - front[1].get(name, 0) for name in {*powers, *front[1]}}
        if any(rest.values()) and max(rest.values()) <= 0:
            return False
        if whole and (front[0] / coefficient).denominator != 1:
            return False
    return True


def _product_of(scale: Fraction, powers: dict[str, int]) -> Normal:
    product = number(scale)
    for name, exponent in powers.items():
        product *= symbol(name) ** exponent
    return product


def _common(terms: list[Monomial]) -> Fraction:
    """The largest number all coefficients are multiples of."""
    content = Fraction(0)
    for coefficient, _ in terms:
        over = gcd(content.numerator * coefficient.denominator, coefficient.numerator * content.denominator)
        content = Fraction(over, content.denominator * coefficient.denominator)
    return content


def _below(form: Normal) -> dict[str, int]:
    ((_, powers),) = monomials(form.denom)
    return powers


def _joined(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    powers = {name: left.get(name, 0) + right.get(name, 0) for name in {*left, *right}}
    return {name: e for name, e in powers.items() if e}


def collected(form: Normal, names: Iterable[str], style: Style) -> Layout:
    """`--collect s`: one term for each power of the named symbols, highest first."""
    wanted = tuple(names)
    if len(form.denom) != 1:
        return lay_out(form, style)
    by_power: dict[tuple[int, ...], list[Monomial]] = {}
    for coefficient, powers in monomials(form.numer, _below(form)):
        key = tuple(powers.get(name, 0) for name in wanted)
        rest = {name: e for name, e in powers.items() if name not in wanted}
        by_power.setdefault(key, []).append((coefficient, rest))
    terms: list[Term] = []
    for key in sorted(by_power, reverse=True):
        powers = {name: e for name, e in zip(wanted, key, strict=True) if e}
        terms.append(_gathered(powers, by_power[key], form, style))
    return Layout(tuple(terms))


def _gathered(powers: dict[str, int], rest: list[Monomial], form: Normal, style: Style) -> Term:
    if len(rest) == 1:
        coefficient, others = rest[0]
        return term_of((coefficient, {**others, **powers}), form.atoms, style)
    front = term_of((Fraction(1), powers), form.atoms, style)
    group = GroupFactor(sum_of(rest, form.atoms, style))
    return replace(front, above=(*front.above, group))


def in_terms_of(form: Normal, names: Iterable[str], scope: Scope) -> Normal:
    """`--in-terms-of s,b,d`: symbols that are not named are expressed by a named let whose value is a single term in
    them (with `let d = h/a`, h becomes a·d). What cannot be expressed stays.
    """
    wanted = tuple(names)
    for name in wanted:
        size = scope.lets.get(name)
        if size is None or name in form.symbols:
            continue
        value = normal(size, scope)
        if len(value.numer) != 1 or len(value.denom) != 1:
            continue
        for other in (n for n in scope.order if n in value.symbols & form.symbols and n not in wanted):
            if abs(value.degree(other)) == 1:
                solved = symbol(other) * (symbol(name) / value) ** value.degree(other)
                form = put(form, other, solved)
                break
    return form
