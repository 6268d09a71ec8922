"""Adjoint statements of a call (R5): for each access a gradient flows to, the incoming adjoint times the local
derivative over the primal's space, summed over what the access lacks.

An adjoint is a statement like any other, over the call's tensors and adjoint tensors (`∂x` is that of x). What runs
as one kernel, and what is saved for it, is for the measures to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.ir.expr import Access, Affine, Expr, Read, Reduce, gathered, indices_of_access, reads
from roofdsl.ir.graph import Call, Statement, Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.size import ONE, ZERO, Size, product
from roofdsl.passes.derivative import differentiable_accesses, local_derivative
from roofdsl.passes.fold import UNIT, times

MARK = "∂"
"""Before the id of a tensor, the id of its adjoint; no name of the language holds it."""


@dataclass(frozen=True, slots=True)
class AdjointStatement:
    """One adjoint of a call: `statement` writes the adjoint of `wrt`; `primal` is the forward statement it belongs to.

    `reads` are the tensors it reads other than adjoints and locals of a declared adjoint. `kind` is the forward
    statement's (R2): in an adjoint of a contraction all but special functions is contraction; it is None for a
    declared adjoint, which is judged by its own statement. An `identity` is the incoming adjoint itself: a view.
    `additions` is how often, over all executions, it is added to what other adjoints gave (R5), 0 until contributions
    have been put in order.
    """

    call: Call
    primal: Statement
    wrt: Access
    statement: Statement
    reads: tuple[str, ...]
    kind: Literal["contraction", "vector"] | None
    identity: bool = False
    additions: Size = ZERO

    @property
    def accumulates(self) -> bool:
        return self.additions != ZERO

    @property
    def declared(self) -> bool:
        return self.kind is None


def adjoint_id(tensor_id: str) -> str:
    """The id of a tensor's adjoint."""
    return MARK + tensor_id


def is_adjoint(tensor_id: str) -> bool:
    return tensor_id.startswith(MARK)


def adjoint_tensor(tensor: Tensor) -> Tensor:
    """The adjoint of a tensor: same shape, domain, dtype and repeats; that of a view is a view."""
    return replace(
        tensor,
        id=adjoint_id(tensor.id),
        name=MARK + tensor.name,
        role="activation",
        alias=None if tensor.alias is None else adjoint_id(tensor.alias),
        joined=tuple(adjoint_id(part) for part in tensor.joined),
        carried=None,
        kept=False,
    )


@dataclass(frozen=True, slots=True)
class Scope:
    """What adjoints are derived in: `live` are the tensors that have one; `is_contraction` judges a simple statement
    (R2); what is wrong goes to the sink.
    """

    live: frozenset[str]
    tensors: Mapping[str, Tensor]
    library: Library
    is_contraction: Callable[[Statement], bool]
    sink: Sink


def derived_adjoints(call: Call, statements: Iterable[Statement], scope: Scope) -> tuple[AdjointStatement, ...]:
    """The adjoints of simple statements given in forward order, last statement first."""
    found: list[AdjointStatement] = []
    for statement in reversed(tuple(statements)):
        if statement.target.tensor not in scope.live:
            continue
        accesses = differentiable_accesses(statement.value)
        for access in sorted(accesses, key=lambda a: a.tensor != statement.target.tensor):  # a recurrence's own first
            local = _local(call, statement, access, scope) if access.tensor in scope.live else None
            if local is not None:
                found.append(_adjoint(call, statement, access, local, scope))
    return tuple(found)


def _local(call: Call, statement: Statement, access: Access, scope: Scope) -> Expr | None:
    """The local derivative; where there is none that is reported, at the call in front if the fault is in the op."""
    try:
        return local_derivative(statement, access, scope.library)
    except RoofError as error:
        site = call.span if call.span.source is not statement.span.source else None
        scope.sink.found.extend(
            diagnostic
            for diagnostic in (replace(d, call_site=d.call_site or site) for d in error.diagnostics)
            if diagnostic not in scope.sink.found
        )
        return None


def _adjoint(call: Call, statement: Statement, access: Access, local: Expr, scope: Scope) -> AdjointStatement:
    target = replace(access, tensor=adjoint_id(access.tensor))
    value = times(Read(_incoming(statement.target)), local)
    indices = indices_of_access(access)
    missing = tuple(index for index, _ in statement.extents if index not in indices)
    scatter = not is_injective(access, dict(statement.extents))
    if missing:
        value = Reduce("sum", missing, value)
    extents = dict(statement.extents)
    adjoint = Statement(
        target=target,
        value=value,
        extents=tuple((index, extents[index]) for index in (*indices, *missing)),
        guards=statement.guards,
        accumulate=scatter,
        recurrence=statement.recurrence and access.tensor == statement.target.tensor,
        span=access.span,
    )
    same = local == UNIT and not missing and is_plain(access) and is_slice(statement.target)
    return AdjointStatement(
        call=call,
        primal=statement,
        wrt=access,
        statement=adjoint,
        reads=primal_reads(adjoint),
        kind="contraction" if scope.is_contraction(statement) else "vector",
        identity=same and scope.tensors[access.tensor].dtype == scope.tensors[statement.target.tensor].dtype,
    )


def _incoming(target: Access) -> Access:
    return replace(target, tensor=adjoint_id(target.tensor))


def primal_reads(statement: Statement, hidden: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Tensors a statement reads other than adjoints and those in `hidden`, in reading order, gathers of its target
    included.
    """
    accesses = (*reads(statement.value), *gathered(statement.target))
    return tuple(dict.fromkeys(a.tensor for a in accesses if not is_adjoint(a.tensor) and a.tensor not in hidden))


def is_plain(access: Access) -> bool:
    """Whether each position is an index of its own and nothing else, so that the access covers its tensor."""
    return is_slice(access) and all(
        position.offset == ZERO for position in access.positions if isinstance(position, Affine)
    )


def is_slice(access: Access) -> bool:
    """Whether each position is an index of its own, perhaps shifted, so that the access is a view of its tensor."""
    names: list[str] = []
    for position in access.positions:
        if not isinstance(position, Affine) or len(position.terms) != 1 or position.terms[0][0] != ONE:
            return False
        names.append(position.terms[0][1])
    return len(set(names)) == len(names)


def is_injective(access: Access, extents: Mapping[str, Size]) -> bool:
    """Whether different points of the space, seen through the access's indices, are plainly different positions.

    A position over one index is; one over several is if they count like digits (`p*g + i` with i below p); a gather
    never is.
    """
    known: set[str] = set()
    for position in access.positions:
        if isinstance(position, Affine) and _is_digits(position, extents):
            known.update(name for _, name in position.terms)
    return known.issuperset(indices_of_access(access))


def _is_digits(position: Affine, extents: Mapping[str, Size]) -> bool:
    """Whether the terms can be ordered so that each coefficient is the product of the extents below it."""
    waiting = list(position.terms)
    if len(waiting) < 2:
        return True
    weight: Size = ONE
    while waiting:
        digit = next((term for term in waiting if term[0] == weight), None)
        if digit is None:
            return False
        waiting.remove(digit)
        weight = product(weight, extents[digit[1]])
    return True
