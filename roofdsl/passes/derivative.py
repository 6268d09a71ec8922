"""The local derivative of a statement's body with respect to one access, as an expression (R5).

Derivatives of scalar functions are text of the library; this module knows the chain rule and folds only what is
trivial (0·e, 1·e, 0+e, and arithmetic of constants, which costs nothing). It counts nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from roofdsl.diagnostics import Diagnostic, Label, RoofError
from roofdsl.errors.adjoint import BAD_DERIVATIVE, NO_DERIVATIVE
from roofdsl.ir.expr import Access, Apply, Constant, Expr, Read, Reduce, Running, Stop, reads
from roofdsl.ir.graph import Statement
from roofdsl.ir.library import Library
from roofdsl.passes.fold import NOTHING, UNIT, apply, negated, number, operate, plus, times
from roofdsl.source import Span
from roofdsl.syntax import ast

INDICATOR = "equal"
"""The scalar that is 1 where its arguments are equal: an extremum passes its adjoint to the points that attain it."""


def local_derivative(statement: Statement, access: Access, library: Library) -> Expr | None:
    """The derivative of what a simple statement computes at one point with respect to one access, all its
    occurrences together; None where it is zero. A reduction is taken at one point of its space.

    A subtree that is the statement's own value becomes a read of its target wherever that spares another tensor, so
    that exp, sqrt and tanh keep their result. Raises `RoofError` for a scalar without a derivative.
    """
    value = statement.value
    body = value.body if isinstance(value, Reduce) else value
    found = _chain(body, access, library, statement.span)
    if found == NOTHING:
        return None
    if isinstance(value, Reduce) and value.kind != "sum":
        attained = Apply(INDICATOR, (body, Read(statement.target)))
        return times(found, attained)
    return found if isinstance(value, Reduce) else _through_result(found, statement)


def differentiable_accesses(expr: Expr) -> tuple[Access, ...]:
    """The distinct accesses an expression depends on smoothly: none under `stop`, none inside a gather."""
    match expr:
        case Constant() | Running() | Stop():
            return ()
        case Read(access):
            return (access,)
        case Apply(_, arguments):
            return tuple(dict.fromkeys(a for argument in arguments for a in differentiable_accesses(argument)))
        case Reduce(_, _, body):
            return differentiable_accesses(body)
        case _:
            assert_never(expr)


def _chain(expr: Expr, access: Access, library: Library, span: Span) -> Expr:
    """The chain rule; zero is the constant 0."""
    match expr:
        case Constant() | Running() | Stop():
            return NOTHING
        case Read(read):
            return UNIT if read == access else NOTHING
        case Apply(function, arguments):
            total: Expr = NOTHING
            for position, argument in enumerate(arguments):
                inner = _chain(argument, access, library, span)
                if inner != NOTHING:
                    total = plus(total, times(_partial(function, arguments, position, library, span), inner))
            return total
        case Reduce():
            raise ValueError("a simple statement holds no inner reduction")
        case _:
            assert_never(expr)


def _partial(function: str, arguments: tuple[Expr, ...], position: int, library: Library, span: Span) -> Expr:
    """The derivative of a scalar function by one of its arguments, at these arguments."""
    scalar = library.scalars[function]
    name = scalar.arguments[position]
    text = next((binding.value for binding in scalar.derivatives if binding.name == name), None)
    if text is None:
        label = Label(span, f"`{function}` has no derivative by {name}")
        declared = (Label(scalar.span, "declared here"),) if scalar.span.end else ()
        helps = (f"add `{name}: …` to its declaration, or write stop(…) around its argument",)
        raise RoofError((Diagnostic(NO_DERIVATIVE, label, declared, helps=helps),))
    return _expression(text, dict(zip(scalar.arguments, arguments, strict=True)), scalar)


def _expression(node: ast.Expr, bound: Mapping[str, Expr], scalar: ast.Scalar) -> Expr:
    """The text of a derivative with the arguments put in."""
    match node:
        case ast.Number(value):
            return number(value)
        case ast.Name(text) if text in bound:
            return bound[text]
        case ast.Negate(operand):
            return negated(_expression(operand, bound, scalar))
        case ast.Binary(operator, left, right):
            return operate(operator, _expression(left, bound, scalar), _expression(right, bound, scalar))
        case ast.Juxtaposed(factors):
            whole = _expression(factors[0], bound, scalar)
            for factor in factors[1:]:
                whole = times(whole, _expression(factor, bound, scalar))
            return whole
        case ast.Call(function, arguments):
            return apply(function, tuple(_expression(argument, bound, scalar) for argument in arguments))
        case _:
            label = Label(node.span, f"not part of a derivative of `{scalar.name}`")
            raise RoofError((Diagnostic(BAD_DERIVATIVE, label),))


def _through_result(found: Expr, statement: Statement) -> Expr:
    """The derivative with the statement's own value read from its target, where that spares reading another tensor."""
    if isinstance(statement.value, Read | Constant | Running):
        return found
    rewritten = _replaced(found, statement.value, Read(statement.target))
    before = {access.tensor for access in reads(found)}
    after = {access.tensor for access in reads(rewritten)}
    return rewritten if before - after else found


def _replaced(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr == old:
        return new
    match expr:
        case Apply(function, arguments):
            return Apply(function, tuple(_replaced(argument, old, new) for argument in arguments))
        case Constant() | Running() | Read() | Stop() | Reduce():
            return expr
        case _:
            assert_never(expr)
