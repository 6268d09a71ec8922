"""The orders in which an author writes products, read off the formulas of a file, so that ours print the same way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from roofdsl.report.formula_layout import Powers
from roofdsl.syntax import ast
from roofdsl.syntax.split import split_name


def written_orders(formulas: Iterable[ast.Expr], names: Iterable[str]) -> Mapping[Powers, tuple[str, ...]]:
    """For each product written by juxtaposition (`5as²b`), its powers and the order of its symbols; the first counts."""
    known = frozenset(names)
    found: dict[Powers, tuple[str, ...]] = {}
    for formula in formulas:
        for product in _products(formula):
            symbols = _symbols(product, known)
            if len({name for name, _ in symbols}) == len(symbols) > 1:
                found.setdefault(frozenset(symbols), tuple(name for name, _ in symbols))
    return found


def _products(expr: ast.Expr) -> Iterable[ast.Expr]:
    """The products in a formula, outer ones first."""
    match expr:
        case ast.Juxtaposed(factors):
            yield expr
            for factor in factors:
                yield from _products(factor)
        case ast.Name():
            yield expr
        case ast.Binary(_, left, right):
            yield from _products(left)
            yield from _products(right)
        case ast.Negate(inner) | ast.Measured(inner) | ast.Per(inner) | ast.Quoted(_, inner):
            yield from _products(inner)
        case ast.Call(_, arguments):
            yield expr
            for argument in arguments:
                yield from _products(argument)
        case _:
            return


def _symbols(product: ast.Expr, known: frozenset[str]) -> list[tuple[str, int]]:
    """The leading run of symbols with their powers; a number in front does not count, a sum ends the run."""
    symbols: list[tuple[str, int]] = []
    for factor in product.factors if isinstance(product, ast.Juxtaposed) else (product,):
        match factor:
            case ast.Number() | ast.Binary("^", ast.Number(), _):
                continue
            case ast.Name(text):
                symbols += _spelled(text, 1, known)
            case ast.Call(text, _, None):
                return symbols + _spelled(text, 1, known)
            case ast.Binary("^", ast.Name(text), ast.Number(value)) if value.denominator == 1 and value > 0:
                symbols += _spelled(text, value.numerator, known)
            case _:
                break
    return symbols


def _spelled(text: str, power: int, known: frozenset[str]) -> list[tuple[str, int]]:
    """The symbols of a name; a power belongs to the last."""
    readings = split_name(text, known)
    if len(readings) != 1:
        return []
    *before, last = readings[0]
    return [*((name, 1) for name in before), (last, power)]
