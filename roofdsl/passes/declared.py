"""An op's declared adjoint in the place of the derived one (R5): its statements over this graph's adjoint tensors.

The block covers the op's own statements. Scalar arithmetic in the call's arguments belongs to the same kernel (R3) but
not to the op, so its adjoints are derived and follow. Statements whose adjoint nothing upstream needs are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from roofdsl.errors.adjoint import ADJOINT_MISSING, NO_STATEMENT
from roofdsl.ir.expr import Access, Affine, Apply, Constant, Expr, Gather, Position, Read, Reduce, Running, Stop, reads
from roofdsl.ir.graph import Call, DeclaredAdjoint, Statement
from roofdsl.passes.adjoint import AdjointStatement, Scope, adjoint_id, derived_adjoints, primal_reads
from roofdsl.passes.derivative import differentiable_accesses
from roofdsl.passes.gradient import Simplified


def call_adjoints(call: Call, simple: Simplified, scope: Scope) -> tuple[AdjointStatement, ...]:
    """All adjoints of a call in the order they run. Reports E0523 where a declared adjoint leaves an operand out, E0524
    where a result has neither statement nor adjoint.
    """
    statements = simple.calls[call.id]
    declared = simple.adjoints.get(call.id)
    _check_opaque(call, statements, scope)
    if declared is None or not any(result in scope.live for result in call.results):
        return derived_adjoints(call, statements, scope)
    primal_of = dict(declared.adjoint_of)
    given = {primal_of[s.target.tensor] for s in declared.statements if s.target.tensor in primal_of}
    before = _arguments(statements, given)
    body = [statement for statement in statements if statement not in before]
    _check_complete(call, body, given, scope)
    return (*_declared(call, declared, body, scope), *derived_adjoints(call, before, scope))


def _check_opaque(call: Call, statements: tuple[Statement, ...], scope: Scope) -> None:
    """A gradient cannot pass what no statement computes, unless the op says what its backward costs."""
    if call.adjoint is not None or any(c.measure == "work" and c.phase == "backward" for c in call.declared):
        return
    written = {statement.target.tensor for statement in statements}
    for result in call.results:
        if result not in written and result in scope.live:
            name = scope.tensors[result].name
            scope.sink.add(NO_STATEMENT, call.span, f"nothing says how `{name}` depends on its operands")


def _arguments(statements: tuple[Statement, ...], given: set[str]) -> list[Statement]:
    """The statements that compute the op's operands from the arguments of its call."""
    wanted = set(given)
    found: list[Statement] = []
    for statement in reversed(statements):
        if statement.target.tensor in wanted:
            found.append(statement)
            wanted.update(access.tensor for access in reads(statement.value))
    return found[::-1]


def _check_complete(call: Call, body: Iterable[Statement], given: set[str], scope: Scope) -> None:
    body = tuple(body)
    written = {statement.target.tensor for statement in body}
    needed = dict.fromkeys(a.tensor for s in body for a in differentiable_accesses(s.value))
    lacking = [name for name in needed if name in scope.live and name not in written and name not in given]
    if lacking:
        name = scope.tensors[lacking[0]].name
        found = ", ".join(f"d{scope.tensors[t].name}" for t in sorted(given)) or "none"
        scope.sink.add(
            ADJOINT_MISSING,
            call.span,
            f"the adjoint of `{name}` is needed here",
            expected=f"a statement for d{name} among those of `{call.op}`",
            found=found,
        )


def _declared(
    call: Call, declared: DeclaredAdjoint, body: list[Statement], scope: Scope
) -> tuple[AdjointStatement, ...]:
    primal_of = dict(declared.adjoint_of)
    names = {adjoint: adjoint_id(primal) for adjoint, primal in declared.adjoint_of}
    hidden = frozenset(tensor.id for tensor in declared.locals)
    last = body[-1] if body else None
    found: list[AdjointStatement] = []
    for statement in _wanted(declared, primal_of, scope.live):
        renamed = renamed_statement(statement, names)
        primal = primal_of.get(statement.target.tensor)
        wrt = statement.target if primal is None else replace(statement.target, tensor=primal)
        found.append(AdjointStatement(call, last or renamed, wrt, renamed, primal_reads(renamed, hidden), None))
    return tuple(found)


def _wanted(declared: DeclaredAdjoint, primal_of: Mapping[str, str], live: frozenset[str]) -> tuple[Statement, ...]:
    """The statements that give an adjoint something upstream needs, with the locals those read."""
    wanted = {adjoint for adjoint, primal in primal_of.items() if primal in live}
    found: list[Statement] = []
    for statement in reversed(declared.statements):
        if statement.target.tensor in wanted:
            found.append(statement)
            wanted.update(access.tensor for access in reads(statement.value))
    return tuple(reversed(found))


def renamed_statement(statement: Statement, names: Mapping[str, str]) -> Statement:
    """The statement over other tensors of the same shapes."""
    target = _renamed_access(statement.target, names)
    return replace(statement, target=target, value=_renamed(statement.value, names))


def _renamed_access(access: Access, names: Mapping[str, str]) -> Access:
    positions = tuple(_renamed_position(position, names) for position in access.positions)
    return replace(access, tensor=names.get(access.tensor, access.tensor), positions=positions)


def _renamed_position(position: Position, names: Mapping[str, str]) -> Position:
    match position:
        case Affine():
            return position
        case Gather(access):
            return Gather(_renamed_access(access, names))
        case _:
            assert_never(position)


def _renamed(expr: Expr, names: Mapping[str, str]) -> Expr:
    match expr:
        case Read(access):
            return Read(_renamed_access(access, names))
        case Apply(function, arguments):
            return Apply(function, tuple(_renamed(argument, names) for argument in arguments))
        case Reduce(kind, indices, body):
            return Reduce(kind, indices, _renamed(body, names))
        case Stop(body):
            return Stop(_renamed(body, names))
        case Constant() | Running():
            return expr
        case _:
            assert_never(expr)
