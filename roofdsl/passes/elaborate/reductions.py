"""Well-formedness of reductions (design §3): what each reduced index must stand in.

One function per rule; each takes the finished value of a statement and reports.
"""

from __future__ import annotations

from typing import assert_never

from roofdsl.errors import statements
from roofdsl.ir.expr import Affine, Apply, Constant, Expr, Read, Reduce, Running, Stop, free_indices, reads
from roofdsl.ir.size import symbols_of
from roofdsl.passes.elaborate.build import Body
from roofdsl.source import Span
from roofdsl.syntax import ast


def check_reductions(body: Body, value: Expr, target: tuple[str, ...], node: ast.Assign) -> bool:
    """All rules; True if the statement may be used."""
    sound = check_free(body, value, target, node)
    for reduction in _reductions(value):
        sound = check_nested(body, reduction, node) and sound
        sound = check_reduces(body, reduction, node) and sound
        sound = check_terms(body, reduction, node) and sound
        note_single_factor(body, reduction, node)
    return sound


def _reductions(value: Expr) -> tuple[Reduce, ...]:
    match value:
        case Constant() | Running() | Read():
            return ()
        case Apply(_, arguments):
            return tuple(r for argument in arguments for r in _reductions(argument))
        case Stop(inner):
            return _reductions(inner)
        case Reduce(_, _, inner):
            return (value, *_reductions(inner))
        case _:
            assert_never(value)


def _place(value: Expr, index: str, fallback: Span) -> Span:
    """The first access that carries an index, for underlining."""
    for access in reads(value):
        if index in free_indices(Read(access)):
            return access.span
    return fallback


def check_free(body: Body, value: Expr, target: tuple[str, ...], node: ast.Assign) -> bool:
    """An index on the right is in the target or reduced."""
    free = [index for index in free_indices(value) if index not in target]
    for index in free:
        name = node.targets[0].name
        body.report(
            statements.FREE_INDEX,
            _place(value, index, node.value.span),
            f"`{index}` is not an index of `{name}`",
            expected=f"{name}[{', '.join((*target, index))}] or a reduction over {index}",
            found=f"{name}[{', '.join(target)}]",
            helps=(f"write sum(...) over {index}, or add {index} to the target",),
        )
    return not free


def check_nested(body: Body, reduction: Reduce, node: ast.Assign) -> bool:
    """An inner reduction must leave the outer one its indices."""
    for inner in _reductions(reduction.body):
        outside = set(_outside(reduction.body, inner)) & set(inner.indices)
        if outside:
            body.report(
                statements.NESTED_REDUCTION,
                node.value.span,
                f"`{min(outside)}` is reduced inside and needed outside",
                helps=("name the inner result in a statement of its own",),
            )
            return False
    return True


def _outside(value: Expr, skipped: Reduce) -> tuple[str, ...]:
    """Free indices of a value, one reduction in it left out."""
    match value:
        case Apply(_, arguments):
            return tuple(i for argument in arguments for i in _outside(argument, skipped))
        case Stop(inner):
            return _outside(inner, skipped)
        case Reduce() if value is skipped:
            return ()
        case _:
            return free_indices(value)


def check_reduces(body: Body, reduction: Reduce, node: ast.Assign) -> bool:
    if reduction.indices:
        return True
    body.report(
        statements.NO_REDUCED_INDEX,
        node.value.span,
        f"`{node.targets[0].name}` has every index of the {reduction.kind}",
        expected="an index that the target lacks",
        helps=(f"drop `{reduction.kind}(...)`, or drop an index from the target", *_running_help(reduction)),
    )
    return False


def _running_help(reduction: Reduce) -> tuple[str, ...]:
    """`amax(x[2i + k])` means one position, k further, where k stands nowhere alone."""
    positions = (position for access in reads(reduction.body) for position in access.positions)
    offsets = (position.offset for position in positions if isinstance(position, Affine))
    names = dict.fromkeys(name for offset in offsets for name in sorted(symbols_of(offset)))
    return tuple(f"if {name} runs, write pos({name})" for name in names)


def check_terms(body: Body, reduction: Reduce, node: ast.Assign) -> bool:
    """Every additive term carries every reduced index."""
    for lacking, index in _lacking(reduction.body, frozenset(), reduction.indices):
        span = next((access.span for access in reads(lacking)), node.value.span)
        body.report(
            statements.TERM_LACKS_INDEX,
            span,
            f"this term has no `{index}`, so it is added once per {index}",
            expected=f"a term with `{index}`",
            helps=(f"move it outside the {reduction.kind}(...)",),
        )
        return False
    return True


def _lacking(value: Expr, context: frozenset[str], wanted: tuple[str, ...]) -> list[tuple[Expr, str]]:
    """Additive terms without a wanted index; `context` are indices that multiply the term from outside."""
    match value:
        case Apply("add" | "sub", arguments):
            return [found for argument in arguments for found in _lacking(argument, context, wanted)]
        case Apply("neg", (inner,)) | Stop(inner):
            return _lacking(inner, context, wanted)
        case Apply("mul", (left, right)):
            return [
                *_lacking(left, context | frozenset(free_indices(right)), wanted),
                *_lacking(right, context | frozenset(free_indices(left)), wanted),
            ]
        case _:
            carried = context | frozenset(free_indices(value))
            found: list[tuple[Expr, str]] = [(value, index) for index in wanted if index not in carried]
            return found[:1]


def note_single_factor(body: Body, reduction: Reduce, node: ast.Assign) -> None:
    """N0301: a reduced index that stands in one factor of a product only."""
    factors = _factors(reduction.body)
    if reduction.kind != "sum" or len(factors) < 2:
        return
    for index in reduction.indices:
        carriers = [factor for factor in factors if index in free_indices(factor)]
        others = [factor for factor in factors if index not in free_indices(factor) and free_indices(factor)]
        if len(carriers) == 1 and others:
            body.report(
                statements.ONE_FACTOR,
                _place(carriers[0], index, node.value.span),
                f"`{index}` stands in this factor only",
                helps=(f"sum it over {index} first: the work below is counted as written",),
            )


def _factors(value: Expr) -> tuple[Expr, ...]:
    match value:
        case Apply("mul", (left, right)):
            return (*_factors(left), *_factors(right))
        case _:
            return (value,)
