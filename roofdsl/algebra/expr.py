"""Normal forms to SymPy expressions: the edge where users meet SymPy."""

from __future__ import annotations

from typing import Any

from roofdsl.algebra.form import Atom, Normal
from roofdsl.algebra.symbols import Poly, SymbolTable


def to_expr(form: Normal, table: SymbolTable) -> Any:
    """The form as a SymPy `Expr` on the table's symbols; a symbol the table lacks is a plain positive integer one."""
    from sympy import Mul, Pow

    numer = _poly(form.numer, form, table)
    if form.is_polynomial:
        return numer
    return Mul(numer, Pow(_poly(form.denom, form, table), -1))


def _poly(poly: Poly, form: Normal, table: SymbolTable) -> Any:
    from sympy import Add, Integer, Mul, Rational

    bases = {name: _base(name, form, table) for name in form.generators}
    terms = []
    for monomial, coefficient in poly.items():
        factors = [bases[name] ** Integer(e) for name, e in zip(form.names, monomial, strict=True) if e]
        terms.append(Mul(Rational(int(coefficient.numerator), int(coefficient.denominator)), *factors))
    return Add(*terms)


def _base(name: str, form: Normal, table: SymbolTable) -> Any:
    atom = form.atoms.get(name)
    return table.symbol(name) if atom is None else _function(atom, table)


def _function(atom: Atom, table: SymbolTable) -> Any:
    from sympy import Abs, Max, Min, Rational, ceiling, exp, floor, log

    arguments = [to_expr(argument, table) for argument in atom.arguments]
    match atom.function:
        case "min":
            return Min(*arguments, evaluate=False)  # evaluating Min of many sums is slow, and ours is settled already
        case "max":
            return Max(*arguments, evaluate=False)
        case "ceil":
            return ceiling(arguments[0])
        case "floor":
            return floor(arguments[0])
        case "abs":
            return Abs(arguments[0])
        case "log":
            return log(arguments[0])
        case "exp":
            return exp(arguments[0])
        case "root":
            return arguments[0] ** Rational(1, atom.index)
