"""Affine index expressions: Σ coefficient × index + offset, coefficients and offsets made of sizes (design §3).

A name that runs is an index; the others are sizes. `size(x)` and `pos(x)` force the reading.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from roofdsl.errors import statements
from roofdsl.ir import size as sz
from roofdsl.ir.expr import Affine
from roofdsl.ir.size import Size
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.elaborate.unknown import report_unknown
from roofdsl.passes.sizes import size_of
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.split import split_name


@dataclass(slots=True)
class Indexing:
    """What is known of a statement's indices while it is read: names that run, and the extent of each with the place
    it came from.
    """

    running: frozenset[str]
    extents: dict[str, tuple[Size, Span, str]] = field(default_factory=dict)


def affine(body: Body, indexing: Indexing, index: ast.Expr) -> Affine | None:
    """An affine index expression, or None after a diagnostic."""
    terms: dict[str, Size] = {}
    offsets: list[Size] = []
    for sign, term in _additive(index, 1):
        if not _term(body, indexing, sign, term, terms, offsets):
            return None
    return Affine(tuple((coefficient, name) for name, coefficient in terms.items()), sz.add(*offsets))


def _additive(expr: ast.Expr, sign: int) -> list[tuple[int, ast.Expr]]:
    match expr:
        case ast.Binary("+", left, right):
            return [*_additive(left, sign), *_additive(right, sign)]
        case ast.Binary("-", left, right):
            return [*_additive(left, sign), *_additive(right, -sign)]
        case ast.Negate(operand):
            return _additive(operand, -sign)
        case _:
            return [(sign, expr)]


def _factors(expr: ast.Expr) -> tuple[ast.Expr, ...]:
    match expr:
        case ast.Binary("*", left, right):
            return (*_factors(left), *_factors(right))
        case ast.Juxtaposed(factors):
            return tuple(inner for factor in factors for inner in _factors(factor))
        case _:
            return (expr,)


def _running(indexing: Indexing, factor: ast.Expr) -> str | None:
    """The index a factor stands for, if it is one."""
    match factor:
        case ast.Call("pos", (ast.Name(text),)):
            return text
        case ast.Name(text) if text in indexing.running:
            return text
        case _:
            return None


def _term(
    body: Body,
    indexing: Indexing,
    sign: int,
    term: ast.Expr,
    terms: dict[str, Size],
    offsets: list[Size],
) -> bool:
    factors = _split_factors(body, indexing, _factors(term))
    runners = [name for factor in factors if (name := _running(indexing, factor)) is not None]
    if len(runners) > 1:
        body.report(
            statements.BAD_INDEX, term.span, "a product of running indices", helps=("write size(x) for the size of x",)
        )
        return False
    coefficient: list[Size] = [sz.const(sign)]
    for factor in factors:
        if _running(indexing, factor) is not None:
            continue
        size = size_of(factor, lambda name, _span: body.env.size(name), body.env)
        if size is None:
            _report_factor(body, factor)
            return False
        coefficient.append(size)
    if not runners:
        offsets.append(sz.product(*coefficient))
        return True
    name = runners[0]
    if name not in indexing.extents:
        extent = body.env.size(name)
        if extent is None:
            report_unknown(body, name, term.span, body.env.names, "index")
            return False
        indexing.extents[name] = (extent, term.span, f"`{name}` is declared")
    terms[name] = sz.add(terms[name], sz.product(*coefficient)) if name in terms else sz.product(*coefficient)
    return True


def _split_factors(body: Body, indexing: Indexing, factors: tuple[ast.Expr, ...]) -> tuple[ast.Expr, ...]:
    """Undeclared juxtaposed names among the factors, split (`2ki` is 2·k·i)."""
    found: list[ast.Expr] = []
    for factor in factors:
        if isinstance(factor, ast.Name) and factor.text not in body.env and factor.text not in indexing.running:
            readings = split_name(factor.text, (*body.env, *indexing.running))
            if len(readings) == 1:
                found += [ast.Name(part, factor.span) for part in readings[0]]
                continue
        found.append(factor)
    return tuple(found)


def _report_factor(body: Body, factor: ast.Expr) -> None:
    if isinstance(factor, ast.Name):
        report_unknown(body, factor.text, factor.span, (*body.env.names, *body.names), "index")
        return
    body.report(
        statements.BAD_INDEX,
        factor.span,
        "not part of an index expression",
        expected="an affine expression of indices and sizes, such as 2i + k",
    )
