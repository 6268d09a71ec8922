"""Operations per point of an expression, as written (R1), by kind (R2).

Weights and kinds are the library's scalar functions; this module knows only the two syntax operators whose count
depends on their operands: a product (whose factors decide whether a reduction is a contraction) and a power.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from roofdsl.ir.entry import Kind
from roofdsl.ir.expr import Apply, Constant, Expr, Read, Reduce, Running, Stop, free_indices, reads
from roofdsl.ir.graph import Tensor, resolved
from roofdsl.ir.size import Const
from roofdsl.syntax import ast

PRODUCT = "mul"
POWER = "pow"

Operations = Counter[tuple[Kind, str]]
"""How often each function is applied at one point, by kind of work; a count already holds the function's weight."""


def operations(expr: Expr, scalars: Mapping[str, ast.Scalar]) -> Operations:
    """The operations one point costs; a reduction inside counts its body and one more (its own add or comparison)."""
    match expr:
        case Constant() | Running() | Read():
            return Counter()
        case Stop(body):
            return operations(body, scalars)
        case Reduce(kind, _, body):
            found = operations(body, scalars)
            found["vector", kind] += 1
            return found
        case Apply(function, arguments):
            if is_constant(expr):
                return Counter()
            found = _own(expr, scalars[function])
            for argument in arguments:
                found.update(operations(argument, scalars))
            return found
        case _:
            assert_never(expr)


def is_constant(expr: Expr) -> bool:
    """Whether an expression is made of numbers and sizes only, so that it is evaluated once and costs nothing."""
    match expr:
        case Constant():
            return True
        case Running() | Read() | Reduce():
            return False
        case Apply(_, arguments):
            return all(is_constant(argument) for argument in arguments)
        case Stop(body):
            return is_constant(body)
        case _:
            assert_never(expr)


def is_contraction(expr: Expr, tensors: Mapping[str, Tensor]) -> bool:
    """Whether an expression sums products of two or more different tensors with different index sets (R2). A view is
    the tensor it shows.
    """
    return isinstance(expr, Reduce) and expr.kind == "sum" and _multiplies_tensors(expr.body, tensors)


def _own(expr: Apply, scalar: ast.Scalar) -> Operations:
    """What the application itself costs, its arguments apart."""
    exponent = expr.arguments[1] if expr.function == POWER and len(expr.arguments) == 2 else None
    if isinstance(exponent, Constant) and isinstance(exponent.value, Const):
        power = exponent.value.value
        if power.denominator == 1:
            return Counter({("vector", PRODUCT): _multiplications(power)})
    return Counter({(scalar.kind, scalar.name): scalar.weight})


def _multiplications(power: Fraction) -> int:
    """x^n is n−1 multiplications; x^−n one division more; x^0 is 1."""
    if power == 0:
        return 0
    return int(power) - 1 if power > 0 else int(-power)


def _multiplies_tensors(expr: Expr, tensors: Mapping[str, Tensor]) -> bool:
    match expr:
        case Constant() | Running() | Read():
            return False
        case Stop(body) | Reduce(_, _, body):
            return _multiplies_tensors(body, tensors)
        case Apply(function, arguments):
            if function == PRODUCT and _differ(_factors(expr), tensors):
                return True
            return any(_multiplies_tensors(argument, tensors) for argument in arguments)
        case _:
            assert_never(expr)


def _factors(expr: Expr) -> tuple[Expr, ...]:
    if isinstance(expr, Apply) and expr.function == PRODUCT:
        return tuple(factor for argument in expr.arguments for factor in _factors(argument))
    return (expr,)


def _differ(factors: tuple[Expr, ...], tensors: Mapping[str, Tensor]) -> bool:
    """Whether two of the factors read different tensors over different indices."""
    kinds = {
        (frozenset(resolved(tensors, access.tensor).id for access in reads(factor)), frozenset(free_indices(factor)))
        for factor in factors
        if reads(factor)
    }
    return any(one[0] != other[0] and one[1] != other[1] for one in kinds for other in kinds)
