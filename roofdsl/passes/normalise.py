"""Statements taken apart: every reduction that is not the whole value becomes a result of its own.

R1 gives each reduction its own iteration space and counts what stands outside once per result point. After this pass
a statement is *simple*: its value is pointwise, or one reduction of a pointwise body whose free indices are the
target's. The temporaries are internal to the kernel and numbered after the target: `layer.attention.k~0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from roofdsl.ir.expr import Access, Affine, Apply, Constant, Expr, Read, Reduce, Running, Stop, free_indices
from roofdsl.ir.expr import indices_of_access as access_indices
from roofdsl.ir.graph import Axis, AxisGuard, Guard, Statement, Tensor
from roofdsl.ir.size import ONE, ZERO, Size

SEPARATOR = "~"
"""Between a target's id and the number of its temporary; no name of the language holds it."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """Simple statements in order, and the tensors of the temporaries they introduce."""

    statements: tuple[Statement, ...]
    temporaries: tuple[Tensor, ...]


@dataclass(slots=True)
class _Work:
    """What one statement's hoisting has made so far."""

    statement: Statement
    extents: Mapping[str, Size]
    target: Tensor
    first: int
    statements: list[Statement] = field(default_factory=list)
    temporaries: list[Tensor] = field(default_factory=list)


def normalise(statement: Statement, tensors: Mapping[str, Tensor], first: int = 0) -> Normalised:
    """The simple statements a statement is made of; the last one writes its target. `tensors` must hold the target;
    `first` is the number of the first temporary.
    """
    if not _has_inner_reduction(statement):
        return Normalised((statement,), ())
    work = _Work(statement, dict(statement.extents), tensors[statement.target.tensor], first)
    whole = _whole_reduction(statement)
    if whole is None:
        value = _hoist(statement.value, work)
    else:
        value = Reduce(whole.kind, whole.indices, _hoist(whole.body, work))
    work.statements.append(_restricted(statement, statement.target, value, work.extents))
    return Normalised(tuple(work.statements), tuple(work.temporaries))


def normalise_all(statements: Iterable[Statement], tensors: Mapping[str, Tensor]) -> Normalised:
    """`normalise` of several statements in order; where disjoint parts make one target, numbers go on counting."""
    simple: list[Statement] = []
    temporaries: list[Tensor] = []
    taken: dict[str, int] = {}
    for statement in statements:
        target = statement.target.tensor
        part = normalise(statement, tensors, taken.get(target, 0))
        taken[target] = taken.get(target, 0) + len(part.temporaries)
        simple += part.statements
        temporaries += part.temporaries
    return Normalised(tuple(simple), tuple(temporaries))


def origin(tensor_id: str) -> str:
    """The target a temporary was taken out of; any other id is its own origin."""
    return tensor_id.split(SEPARATOR, 1)[0]


def _whole_reduction(statement: Statement) -> Reduce | None:
    """The reduction that fills the target by itself: not under a scatter, and with the target's indices only."""
    if statement.accumulate or not isinstance(statement.value, Reduce):
        return None
    missing = set(access_indices(statement.target)) - set(free_indices(statement.value))
    return None if missing else statement.value


def _has_inner_reduction(statement: Statement) -> bool:
    whole = _whole_reduction(statement)
    return _holds_reduction(statement.value if whole is None else whole.body)


def _holds_reduction(expr: Expr) -> bool:
    match expr:
        case Reduce():
            return True
        case Apply(_, arguments):
            return any(_holds_reduction(argument) for argument in arguments)
        case Stop(body):
            return _holds_reduction(body)
        case Constant() | Running() | Read():
            return False
        case _:
            assert_never(expr)


def _hoist(expr: Expr, work: _Work) -> Expr:
    """The expression with its reductions replaced by reads of temporaries, innermost first."""
    match expr:
        case Reduce(kind, indices, body):
            return _temporary(Reduce(kind, indices, _hoist(body, work)), work)
        case Apply(_, arguments):
            return replace(expr, arguments=tuple(_hoist(argument, work) for argument in arguments))
        case Stop(body):
            return Stop(_hoist(body, work))
        case Constant() | Running() | Read():
            return expr
        case _:
            assert_never(expr)


def _temporary(reduction: Reduce, work: _Work) -> Expr:
    indices = free_indices(reduction)
    suffix = f"{SEPARATOR}{work.first + len(work.temporaries)}"
    tensor = Tensor(
        id=work.target.id + suffix,
        name=work.target.name + suffix,
        path=work.target.path,
        axes=tuple(Axis(index, work.extents[index]) for index in indices),
        dtype=work.target.dtype,
        role="activation",
        loops=work.target.loops,
        guards=_axis_guards(work.statement.guards, indices),
        span=work.statement.span,
    )
    target = Access(tensor.id, tuple(_plain(index) for index in indices), work.statement.span)
    work.temporaries.append(tensor)
    work.statements.append(_restricted(work.statement, target, reduction, work.extents))
    return Read(target)


def _plain(index: str) -> Affine:
    return Affine(((ONE, index),), ZERO)


def _axis_guards(guards: tuple[Guard, ...], indices: tuple[str, ...]) -> tuple[AxisGuard, ...]:
    return tuple(
        AxisGuard(indices.index(guard.row), indices.index(guard.column), guard.lower, guard.upper)
        for guard in guards
        if guard.row in indices and guard.column in indices
    )


def _restricted(statement: Statement, target: Access, value: Expr, extents: Mapping[str, Size]) -> Statement:
    """A simple statement over the indices it has, with the guards that hold between them."""
    reduced = value.indices if isinstance(value, Reduce) else ()
    indices = tuple(dict.fromkeys((*access_indices(target), *free_indices(value), *reduced)))
    guards = tuple(guard for guard in statement.guards if guard.row in indices and guard.column in indices)
    final = target is statement.target
    return Statement(
        target=target,
        value=value,
        extents=tuple((index, extents[index]) for index in indices),
        guards=guards,
        accumulate=statement.accumulate and final,
        recurrence=statement.recurrence and final,
        span=statement.span,
    )
