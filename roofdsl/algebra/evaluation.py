"""Values of normal forms at given sizes, and substitution. Exact, except where a root or logarithm is irrational.

A value is a `Fraction` if it is exact and a `float` if it is not: the type is the mark, and what is made of a float (its
ceil, the greater of it and a number) bears it too.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from fractions import Fraction
from math import ceil, exp, floor, isqrt, log
from typing import Any

from roofdsl.algebra.form import Atom, Normal, number, replace_generators
from roofdsl.algebra.signs import Known
from roofdsl.algebra.symbols import Poly
from roofdsl.diagnostics import fail
from roofdsl.errors.algebra import NOT_REAL, ZERO_DENOMINATOR
from roofdsl.source import NOWHERE

Value = Fraction | float
_EXACT_ROOT_BITS = 4_096


def evaluate(form: Normal, values: Mapping[str, Fraction | int]) -> Value:
    """The value at these sizes: every symbol that occurs must be given. Division by zero is E0751."""
    return compiled(form)(values)


def compiled(form: Normal) -> Callable[[Mapping[str, Fraction | int]], Value]:
    """A function that evaluates the form at many points: integer arithmetic as far as possible."""
    numer, denom = _compiled_poly(form, form.numer), _compiled_poly(form, form.denom)

    def value(values: Mapping[str, Fraction | int]) -> Value:
        below = denom(values)
        if below == 0:
            fail(ZERO_DENOMINATOR, NOWHERE, "the denominator is zero at these sizes")
        return numer(values) / below

    return numer if form.is_polynomial else value


def _compiled_poly(form: Normal, poly: Poly) -> Callable[[Mapping[str, Fraction | int]], Value]:
    scale, whole = poly.clear_denoms() if poly else (1, poly)
    factors = {name: _compiled_factor(form, name) for name in form.generators}
    terms = [(int(c), [(n, e) for n, e in zip(form.names, m, strict=True) if e]) for m, c in whole.items()]
    divisor = int(scale)

    def value(values: Mapping[str, Fraction | int]) -> Value:
        bound = {name: factor(values) for name, factor in factors.items()}
        total: Any = 0
        for coefficient, powers in terms:
            term: Any = coefficient
            for name, exponent in powers:
                term *= bound[name] ** exponent
            total += term
        return total / divisor if isinstance(total, float) else Fraction(total, divisor)

    return value


def _compiled_factor(form: Normal, name: str) -> Callable[[Mapping[str, Fraction | int]], Any]:
    atom = form.atoms.get(name)
    if atom is None:
        return lambda values: values[name]
    arguments = [compiled(argument) for argument in atom.arguments]

    def value(values: Mapping[str, Fraction | int]) -> Value | int:
        found = _atom_value(atom, [argument(values) for argument in arguments])
        return found.numerator if isinstance(found, Fraction) and found.denominator == 1 else found

    return value


def _atom_value(atom: Atom, arguments: list[Value]) -> Value:
    match atom.function:
        case "min":
            return _extreme(arguments, largest=False)
        case "max":
            return _extreme(arguments, largest=True)
        case "ceil":
            return _rounded(arguments[0], ceil)
        case "floor":
            return _rounded(arguments[0], floor)
        case "abs":
            return arguments[0] if arguments[0] >= 0 else -arguments[0]
        case "log":
            return _logarithm(arguments[0])
        case "exp":
            return Fraction(1) if arguments[0] == 0 else exp(float(arguments[0]))
        case "root":
            return root_value(arguments[0], atom.index)


def _extreme(values: list[Value], *, largest: bool) -> Value:
    found = values[0]
    for value in values[1:]:
        if (value > found) is largest and value != found:
            found = value
    return float(found) if any(isinstance(value, float) for value in values) else found


def _rounded(value: Value, rounding: Callable[[Value], int]) -> Value:
    return float(rounding(value)) if isinstance(value, float) else Fraction(rounding(value))


def _logarithm(argument: Value) -> Value:
    if argument <= 0:
        fail(NOT_REAL, NOWHERE, "the logarithm of zero or of a negative number")
    if argument == 1:
        return Fraction(0)
    if isinstance(argument, Fraction):
        return log(argument.numerator) - log(argument.denominator)
    return log(argument)


def root_value(argument: Value, index: int) -> Value:
    """The positive root, exact where there is an exact one."""
    if argument < 0:
        fail(NOT_REAL, NOWHERE, "a root of a negative number")
    if isinstance(argument, Fraction):
        upper, lower = integer_root(argument.numerator, index), integer_root(argument.denominator, index)
        if upper is not None and lower is not None:
            return Fraction(upper, lower)
    return float(float(argument) ** (1 / index))


def integer_root(value: int, index: int) -> int | None:
    """The exact root of a whole number, or None."""
    if value < 2 or value.bit_length() > _EXACT_ROOT_BITS:
        return value if value < 2 else None
    if index == 2:
        found = isqrt(value)
        return found if found * found == value else None
    low, high = 1, 1 << (value.bit_length() // index + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**index <= value else (low, middle - 1)
    return low if low**index == value else None


def substitute(form: Normal, values: Mapping[str, Normal | Fraction | int], known: Known | None = None) -> Normal:
    """The form with generators (symbols, or atoms by name) replaced by forms or numbers, those inside atoms included."""
    from roofdsl.algebra.atoms import rebuilt

    facts = known or Known()
    forms = {name: v if isinstance(v, Normal) else number(v) for name, v in values.items()}
    if not forms:
        return form

    def replacement(name: str) -> Normal | None:
        atom = form.atoms.get(name)
        if atom is None or name in forms:
            return forms.get(name)
        if not any(mentions(argument, forms) for argument in atom.arguments):
            return None
        return rebuilt(atom, tuple(substitute(a, forms, facts) for a in atom.arguments), facts)

    return replace_generators(form, replacement, form.generators)


def mentions(form: Normal, names: Container[str]) -> bool:
    """Whether one of these generators occurs, at any depth."""
    for name in form.generators:
        if name in names:
            return True
        atom = form.atoms.get(name)
        if atom is not None and any(mentions(argument, names) for argument in atom.arguments):
            return True
    return False


def is_rational(form: Normal) -> bool:
    """Whether no root, logarithm or exponential stands in a form, at any depth."""
    return all(
        atom.function not in ("root", "log", "exp") and all(is_rational(argument) for argument in atom.arguments)
        for atom in (form.atoms[name] for name in form.generators if name in form.atoms)
    )
