"""Functions of normal forms: simplified where that is certain, else one atom.

min and max are flattened, sorted, freed of duplicates and of arguments that never decide; ceil and floor give up their
integer part; log gives up products; constants evaluate. What stays is kept as written, so that it prints naturally.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import Literal, assert_never

from roofdsl.algebra.form import Atom, AtomName, Normal, atom_form, canonical, number, put
from roofdsl.algebra.limits import LIMITS, too_large
from roofdsl.algebra.roots import multiplicative_parts
from roofdsl.algebra.signs import Known, is_integral, nonnegative, sign
from roofdsl.diagnostics import fail
from roofdsl.errors.algebra import NOT_REAL
from roofdsl.source import NOWHERE

_ARGUMENTS = 24


def apply(function: AtomName, arguments: tuple[Normal, ...], known: Known, index: int = 1) -> Normal:
    """The form of a function applied to forms."""
    match function:
        case "min" | "max":
            return extremum(function, arguments, known)
        case "ceil" | "floor":
            return rounded(function, arguments[0], known)
        case "abs":
            return absolute(arguments[0], known)
        case "log":
            return logarithm(arguments[0], known)
        case "exp":
            return exponential(arguments[0])
        case "root":
            from roofdsl.algebra.roots import power

            return power(arguments[0], Fraction(1, index), known)
        case _:
            assert_never(function)


def rebuilt(atom: Atom, arguments: tuple[Normal, ...], known: Known) -> Normal:
    """The same function of other arguments."""
    return apply(atom.function, arguments, known, atom.index)


def single_atom(form: Normal) -> Atom | None:
    """The atom a form consists of, if it is nothing but one atom."""
    if not form.atoms or not form.is_polynomial or len(form.numer) != 1 or form.numer.LC != 1:
        return None
    used = form.generators
    return form.atoms.get(used[0]) if len(used) == 1 and form.degree(used[0]) == 1 else None


def extremum(function: Literal["min", "max"], arguments: tuple[Normal, ...], known: Known) -> Normal:
    """The min or max of any number of forms."""
    distinct = {form.key: form for form in _flattened(function, arguments)}
    if len(distinct) > _ARGUMENTS:
        too_large(f"the different arguments of one {function}", len(distinct), _ARGUMENTS)
    kept: list[Normal] = []
    for form in distinct.values():
        if any(_decides(function, other, form, known) for other in kept):
            continue
        kept = [other for other in kept if not _decides(function, form, other, known)]
        kept.append(form)
    if len(kept) == 1:
        return kept[0]
    return atom_form(Atom(function, tuple(sorted(kept, key=lambda form: form.key))))


def _decides(function: Literal["min", "max"], left: Normal, right: Normal, known: Known) -> bool:
    """Whether right can be left out beside left."""
    return nonnegative(right - left if function == "min" else left - right, known)


def _flattened(function: Literal["min", "max"], arguments: Iterable[Normal]) -> Iterable[Normal]:
    for form in arguments:
        inner = _linear_in(function, form)
        if inner is None:
            yield form
        else:
            name, atom = inner
            parts = [put(form, name, argument) for argument in atom.arguments]
            yield from _flattened(function, parts)


def _linear_in(function: AtomName, form: Normal) -> tuple[str, Atom] | None:
    """An atom of the same function that the form is a positive number times, plus something free of it."""
    if not form.atoms or not form.is_polynomial:
        return None
    for name in form.generators:
        atom = form.atoms.get(name)
        if atom is None or atom.function != function:
            continue
        place = form.names.index(name)
        terms = [(m, c) for m, c in form.numer.items() if m[place]]
        if len(terms) == 1 and sum(terms[0][0]) == 1 and terms[0][1] > 0:
            return name, atom
    return None


def rounded(function: Literal["ceil", "floor"], argument: Normal, known: Known) -> Normal:
    """The ceil or floor of a form."""
    constant = argument.constant
    if constant is not None:
        return number(ceil(constant) if function == "ceil" else floor(constant))
    if is_integral(argument):
        return argument
    whole, rest = _integer_part(argument)
    if not whole.is_zero:
        return whole + rounded(function, rest, known)
    if all(c < 0 for c in rest.numer.values()):
        return -rounded("floor" if function == "ceil" else "ceil", -rest, known)
    inner = _without_inner_rounding(function, rest, known)
    if inner is not None:
        return rounded(function, inner, known)
    between = None if rest.is_polynomial else _unit_interval(function, rest, known)
    return atom_form(Atom(function, (rest,))) if between is None else number(between)


def _unit_interval(function: Literal["ceil", "floor"], rest: Normal, known: Known) -> int | None:
    """The value for a fraction known to lie between 0 and 1."""
    side = sign(rest, known)
    if side not in ("+", "0+"):
        return None
    gap = sign(number(1) - rest, known)
    if function == "ceil":
        return 1 if side == "+" and gap in ("+", "0+", "0") else None
    return 0 if gap == "+" else None


def _integer_part(argument: Normal) -> tuple[Normal, Normal]:
    """The terms that are integers, and the others."""
    ring = argument.ring
    if not argument.is_polynomial:
        return _whole_quotient(argument)
    whole = {
        monomial: coefficient
        for monomial, coefficient in argument.numer.items()
        if is_integral(Normal(ring.dtype({monomial: coefficient}), ring.one, argument.atoms))
    }
    constant = argument.numer.get(ring.zero_monom)
    if constant is not None and constant.denominator != 1:
        whole_constant = ring.domain(floor(Fraction(int(constant.numerator), int(constant.denominator))))
        if whole_constant:
            whole[ring.zero_monom] = whole_constant
    part = canonical(ring.dtype(whole), ring.one, argument.atoms)
    return part, argument - part


def _whole_quotient(argument: Normal) -> tuple[Normal, Normal]:
    """The terms of the numerator that the denominator divides, where they are integers: (bq + r)/b is q and r/b."""
    ring = argument.ring
    (quotient,), _ = argument.numer.div([argument.denom])
    whole = {
        monomial: coefficient
        for monomial, coefficient in quotient.items()
        if is_integral(Normal(ring.dtype({monomial: coefficient}), ring.one, argument.atoms))
    }
    part = Normal(ring.dtype(whole), ring.one, argument.atoms)
    return part, argument - part


def _without_inner_rounding(function: Literal["ceil", "floor"], argument: Normal, known: Known) -> Normal | None:
    """ceil((ceil(x) + n)/m) is ceil((x + n)/m) for integers n and m > 0; the same with floor."""
    names = [n for n in argument.generators if n in argument.atoms and argument.atoms[n].function == function]
    if not names:
        return None
    ring = argument.ring
    scale, numer = argument.numer.clear_denoms()
    denom = Normal(argument.denom.mul_ground(scale), ring.one, argument.atoms)
    if sign(denom, known) != "+" or not is_integral(denom):
        return None
    for name in names:
        place = argument.names.index(name)
        terms = [(m, c) for m, c in numer.items() if m[place]]
        rest = Normal(numer, ring.one, argument.atoms)
        if len(terms) == 1 and sum(terms[0][0]) == 1 and terms[0][1] == 1 and is_integral(rest):
            return put(argument, name, argument.atoms[name].arguments[0])
    return None


def absolute(argument: Normal, known: Known) -> Normal:
    match sign(argument, known):
        case "+" | "0+" | "0":
            return argument
        case "-" | "0-":
            return -argument
        case _:
            positive = argument if argument.numer.LC > 0 else -argument
            return atom_form(Atom("abs", (positive,)))


def exponential(argument: Normal) -> Normal:
    if argument.is_zero:
        return number(1)
    inner = single_atom(argument)
    if inner is not None and inner.function == "log":
        return inner.arguments[0]
    return atom_form(Atom("exp", (argument,)))


def logarithm(argument: Normal, known: Known) -> Normal:
    """The natural logarithm, with products and powers pulled apart where every factor is positive."""
    if argument.is_zero or sign(argument, known) in ("-", "0-"):
        fail(NOT_REAL, NOWHERE, "the logarithm of zero or of a negative number")
    inner = single_atom(argument)
    if inner is not None and inner.function == "exp":
        return inner.arguments[0]
    parts = multiplicative_parts(argument, known)
    if len(parts) > LIMITS.atoms:
        too_large("the factors under one log", len(parts), LIMITS.atoms)
    result = number(0)
    for base, exponent in parts:
        if base.constant != 1:
            result = result + atom_form(Atom("log", (base,))) * exponent
    return result
