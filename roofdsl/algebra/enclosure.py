"""Guaranteed intervals around irrational values, so that a logarithm can be told apart from a number without trust in
rounding. Interval arithmetic is mpmath's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roofdsl.algebra.form import Atom, Normal
from roofdsl.algebra.symbols import Poly

_DIGITS = 60


def surely_sign(form: Normal, point: Mapping[str, int]) -> int | None:
    """1, −1 or 0 if the form is certainly above, below or at zero at the point; None if that cannot be told."""
    if form.is_zero:
        return 0
    from mpmath.ctx_iv import MPIntervalContext

    iv: Any = MPIntervalContext()
    iv.dps = _DIGITS
    value = _enclosed(form, point, iv)
    if value is None:
        return None
    return 1 if value.a > 0 else -1 if value.b < 0 else None


def _enclosed(form: Normal, point: Mapping[str, int], iv: Any) -> Any:
    bound: dict[str, Any] = {}
    for name in form.generators:
        atom = form.atoms.get(name)
        bound[name] = iv.mpf(point[name]) if atom is None else _atom(atom, point, iv)
        if bound[name] is None:
            return None
    numer, denom = _poly(form.numer, bound, iv), _poly(form.denom, bound, iv)
    return None if denom.a <= 0 <= denom.b else numer / denom


def _poly(poly: Poly, bound: Mapping[str, Any], iv: Any) -> Any:
    total = iv.mpf(0)
    for monomial, coefficient in poly.items():
        term = iv.mpf(int(coefficient.numerator)) / iv.mpf(int(coefficient.denominator))
        for generator, exponent in zip(poly.ring.symbols, monomial, strict=True):
            if exponent:
                term *= bound[generator.name] ** exponent
        total += term
    return total


def _atom(atom: Atom, point: Mapping[str, int], iv: Any) -> Any:
    arguments = [_enclosed(argument, point, iv) for argument in atom.arguments]
    if any(argument is None for argument in arguments):
        return None
    first = arguments[0]
    match atom.function:
        case "min" | "max":
            pick = min if atom.function == "min" else max
            return iv.mpf([pick(a.a for a in arguments), pick(a.b for a in arguments)])
        case "ceil" | "floor":
            return _rounded(first, atom.function, iv)
        case "abs":
            return abs(first)
        case "log":
            return iv.log(first) if first.a > 0 else None
        case "exp":
            return iv.exp(first)
        case "root":
            return _root(first, atom.index, iv)


def _rounded(argument: Any, function: str, iv: Any) -> Any:
    """The whole number that both ends are rounded to, or None."""
    from mpmath import libmp

    exact: Any = libmp
    rounding = exact.mpf_ceil if function == "ceil" else exact.mpf_floor
    ends = argument._mpi_
    if any(end in (exact.finf, exact.fninf, exact.fnan) for end in ends):
        return None
    low, high = (exact.to_int(rounding(end)) for end in ends)
    return iv.mpf(low) if low == high else None


def _root(argument: Any, index: int, iv: Any) -> Any:
    if argument.b < 0:
        return None
    if index == 2:
        return iv.sqrt(argument)
    return iv.exp(iv.log(argument) / index) if argument.a > 0 else None
