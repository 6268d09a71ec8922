"""The order in which a file's author writes products: `as²b` where alphabet and declarations would say otherwise.

Read from the formulas of claims and quantities; the printer keeps to it, so that derived forms look like the paper's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roofdsl.ir.library import Library
from roofdsl.report.formula_layout import Powers
from roofdsl.syntax import ast
from roofdsl.syntax.split import split_name

Factors = list[tuple[str, int]]


def written_products(library: Library) -> dict[Powers, tuple[str, ...]]:
    """Products of symbols as some claim writes them; of two orders the first one stands."""
    symbols = library.symbols
    formulas = [claim.right for claim in library.claims] + [q.value for q in library.quantities.values()]
    found: dict[Powers, tuple[str, ...]] = {}
    for formula in formulas:
        for factors in _products(formula, symbols):
            names = tuple(name for name, _ in factors)
            if len(names) > 1 and len(set(names)) == len(names):
                found.setdefault(frozenset(factors), names)
    return found


def _products(expr: ast.Expr, symbols: tuple[str, ...]) -> Iterator[Factors]:
    match expr:
        case ast.Name() | ast.Juxtaposed():
            yield from _split_by_groups(expr, symbols)
        case ast.Binary("^", _, _):
            yield from _split_by_groups(expr, symbols)
        case ast.Binary(_, left, right):
            yield from _products(left, symbols)
            yield from _products(right, symbols)
        case ast.Negate(inner) | ast.Measured(inner) | ast.Per(inner) | ast.Quoted(_, inner):
            yield from _products(inner, symbols)
        case ast.Call(_, arguments):
            for argument in arguments:
                yield from _products(argument, symbols)
        case _:
            return


def _split_by_groups(expr: ast.Expr, symbols: tuple[str, ...]) -> Iterator[Factors]:
    """The run of symbols at the head of a product, and what stands in its parentheses."""
    factors = expr.factors if isinstance(expr, ast.Juxtaposed) else (expr,)
    run: Factors = []
    for factor in factors:
        plain = _plain(factor, symbols)
        if plain is None:
            yield from _inside(factor, symbols)
        else:
            run += plain
    yield run


def _inside(expr: ast.Expr, symbols: tuple[str, ...]) -> Iterable[Factors]:
    """A group of its own (a product would be read again without end)."""
    return () if isinstance(expr, ast.Juxtaposed | ast.Name) else _products(expr, symbols)


def _plain(expr: ast.Expr, symbols: tuple[str, ...]) -> Factors | None:
    """A number, a name or a power of one as symbols with exponents; None for anything else."""
    match expr:
        case ast.Number():
            return []
        case ast.Name(text):
            readings = split_name(text, symbols)
            return [(name, 1) for name in readings[0]] if len(readings) == 1 else None
        case ast.Binary("^", ast.Name() as base, ast.Number(value)) if value.denominator == 1:
            factors = _plain(base, symbols)
            return [*factors[:-1], (factors[-1][0], value.numerator)] if factors else None
        case _:
            return None
