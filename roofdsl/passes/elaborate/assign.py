"""Statements: `target[indices] = value where guards` to `ir.Statement`s, and the calls they stand in (R1, R3)."""

from __future__ import annotations

from dataclasses import replace

from roofdsl.errors import statements
from roofdsl.ir import size as sz
from roofdsl.ir.expr import (
    Access,
    Affine,
    Apply,
    Expr,
    Gather,
    Reduce,
    Stop,
    free_indices,
    indices_of_access,
    reads,
)
from roofdsl.ir.graph import Axis, Statement, Tensor
from roofdsl.passes.elaborate import guards as gd
from roofdsl.passes.elaborate.affine import Indexing, affine
from roofdsl.passes.elaborate.build import Body, Local
from roofdsl.passes.elaborate.express import express, reduce_over
from roofdsl.passes.elaborate.index import access as read_access
from roofdsl.passes.elaborate.index import (
    check_target_runs,
    expand_dots,
    gather,
    plain_index,
    running_names,
    target_extent,
)
from roofdsl.passes.elaborate.rebound import check_earlier
from roofdsl.passes.elaborate.reductions import check_reductions
from roofdsl.passes.elaborate.types import annotation, is_integer, result_dtype
from roofdsl.passes.elaborate.unknown import report_shapeless
from roofdsl.passes.elaborate.unread import note_outer_product
from roofdsl.source import Span
from roofdsl.syntax import ast


def statement(
    body: Body, node: ast.Assign, tensor_id: str, hoisted: dict[int, Local], *, kept: bool = False
) -> tuple[Statement, Local] | None:
    """One index statement and the local that names its result; None after a diagnostic. `tensor_id` is what the
    result is called if the statement makes a new tensor.
    """
    own = node.targets[0].name
    known = body.lookup(own) if own in body.declared else None
    brackets = node.target_access or ()
    indexing = Indexing(_running(body, node, brackets, hoisted))
    recurrent = _recurrence(body, node, tensor_id, indexing)
    raw = express(body, indexing, node.value, hoisted)
    if raw is None:
        return None
    target = known and node.target_access is not None
    names = _target_names(body, node, raw, indexing)
    if names is None:
        return None
    if node.accumulate and not isinstance(raw, Reduce) and _sums(raw, names):
        raw = Reduce("sum", (), raw)
    value = reduce_over(raw, frozenset(names))
    if not check_reductions(body, value, names, node):
        return None
    if recurrent and not check_earlier(body, own, tensor_id, value):
        return None
    if target and known is not None:
        return _into_declared(body, node, known, value, indexing)
    return _into_new(body, node, tensor_id, value, names, indexing, recurrent=recurrent, kept=kept)


def _running(
    body: Body, node: ast.Assign, brackets: tuple[ast.Expr | ast.Dots, ...], hoisted: dict[int, Local]
) -> frozenset[str]:
    target: tuple[ast.Expr | ast.Dots, ...] = (ast.Access("", brackets),) if brackets else ()
    names = set(running_names(body, (*target, node.value)))
    for local in hoisted.values():
        names.update(local.indices)
    return frozenset(names)


def _sums(raw: Expr, names: tuple[str, ...]) -> bool:
    """Whether `+=` reduces: some index on the right is not in the target."""
    return any(index not in names for index in free_indices(raw))


def _recurrence(body: Body, node: ast.Assign, tensor_id: str, indexing: Indexing) -> bool:
    """A statement that reads its own target at another index: the target is made known before the value is read."""
    own = node.targets[0].name
    if node.target_access is None or own in body.names or not _mentions(node.value, own):
        return False
    names = [index.text for index in expand_dots(node.target_access, body.dots) if isinstance(index, ast.Name)]
    axes: list[Axis] = []
    for name in names:
        size = target_extent(body, indexing, name, node.targets[0].span)
        if size is None:
            return False
        axes.append(Axis(name, size))
    tensor = Tensor(
        tensor_id,
        own,
        body.path,
        tuple(axes),
        result_dtype(body, annotation(body, node.targets[0]), (), node.span),
        "activation",
    )
    body.builder.add_tensor(replace(tensor, span=node.targets[0].span, loops=body.loops))
    body.names[own] = Local(tensor_id, tuple(names), tuple(range(len(names))), body.dots)
    return True


def _mentions(expr: ast.Expr, name: str) -> bool:
    match expr:
        case ast.Access(tensor, _):
            return tensor == name
        case ast.Binary(_, left, right):
            return _mentions(left, name) or _mentions(right, name)
        case ast.Negate(operand):
            return _mentions(operand, name)
        case ast.Call(_, arguments):
            return any(_mentions(argument, name) for argument in arguments)
        case _:
            return False


def _target_names(body: Body, node: ast.Assign, raw: Expr, indexing: Indexing) -> tuple[str, ...] | None:
    """Every index the target depends on, in order."""
    if node.target_access is None:
        return _inferred_names(body, node, raw)
    found: dict[str, None] = {}
    for index in expand_dots(node.target_access, body.dots):
        if isinstance(index, ast.Name) and (body.lookup(index.text) is None or index.text in body.env):
            if index.text in found:
                body.report(statements.BAD_TARGET, index.span, f"`{index.text}` stands twice in the target")
                return None
            found[index.text] = None
            continue
        position = _target_position(body, indexing, index)
        if position is None:
            return None
        match position:
            case Affine(terms, _):
                found.update(dict.fromkeys(name for _, name in terms))
            case Gather(inner):
                found.update(dict.fromkeys(indices_of_access(inner)))
    return tuple(found)


def _target_position(body: Body, indexing: Indexing, index: ast.Expr) -> Affine | Gather | None:
    if isinstance(index, ast.Access | ast.Name) and not (isinstance(index, ast.Name) and index.text in body.env):
        name = index.tensor if isinstance(index, ast.Access) else index.text
        local = body.lookup(name)
        if local is not None:
            return gather(body, indexing, local, index)
    return affine(body, indexing, index)


def _inferred_names(body: Body, node: ast.Assign, raw: Expr) -> tuple[str, ...] | None:
    """A bare target takes the indices of its largest operand, then those only others have."""
    if _has_reduction(raw):
        body.report(
            statements.BAD_TARGET,
            node.targets[0].span,
            "a reduction needs the target's indices",
            helps=(f"write {node.targets[0].name}[...] with the indices that stay",),
        )
        return None
    operands = sorted((indices_of_access(a) for a in reads(raw)), key=len, reverse=True)
    names = tuple(dict.fromkeys(name for operand in operands for name in operand))
    note_outer_product(body, node, raw, names)
    return names


def _has_reduction(value: Expr) -> bool:
    match value:
        case Reduce():
            return True
        case Apply(_, arguments):
            return any(_has_reduction(argument) for argument in arguments)
        case Stop(inner):
            return _has_reduction(inner)
        case _:
            return False


def _extents(indexing: Indexing, names: tuple[str, ...], value: Expr) -> tuple[tuple[str, sz.Size], ...]:
    """Extents of the target's indices, then of the reduced ones."""
    order = dict.fromkeys((*names, *_all_indices(value)))
    return tuple((name, indexing.extents[name][0]) for name in order if name in indexing.extents)


def _all_indices(value: Expr) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for access in reads(value):
        found.update(dict.fromkeys(indices_of_access(access)))
    return tuple(found)


def _into_new(
    body: Body,
    node: ast.Assign,
    tensor_id: str,
    value: Expr,
    names: tuple[str, ...],
    indexing: Indexing,
    *,
    recurrent: bool,
    kept: bool,
) -> tuple[Statement, Local] | None:
    if node.target_access is not None and not _plain_target(body, node):
        report_shapeless(body, node)
        return None
    sizes = [target_extent(body, indexing, name, _target_span(node, name)) for name in names]
    if any(size is None for size in sizes):
        return None
    written = gd.statement_guards(body, indexing, node)
    guards = gd.merge((*written, *gd.inherited(value, body.builder.tensors)))
    target = Access(tensor_id, tuple(Affine(((sz.ONE, name),), sz.ZERO) for name in names), node.targets[0].span)
    operands = tuple(a for a in reads(value) if a.tensor != tensor_id)
    dtype = result_dtype(body, annotation(body, node.targets[0]), operands, node.targets[0].span)
    axes = tuple(Axis(name, size) for name, size in zip(names, sizes, strict=True) if size is not None)
    tensor = Tensor(
        tensor_id,
        node.targets[0].name,
        body.path,
        axes,
        dtype,
        "activation",
        loops=body.loops,
        guards=gd.axis_guards(target, guards),
        integer=is_integer(body, dtype),
        kept=kept,
        span=node.targets[0].span,
    )
    body.builder.add_tensor(tensor)
    made = Statement(
        target,
        value,
        _extents(indexing, names, value),
        guards,
        recurrence=recurrent,
        span=node.span,
    )
    dots = tuple(name for name in body.dots if name in names)
    return made, Local(tensor_id, names, tuple(range(len(names))), dots)


def _target_span(node: ast.Assign, name: str) -> Span:
    for index in node.target_access or ():
        if isinstance(index, ast.Name) and index.text == name:
            return index.span
    return node.targets[0].span


def _plain_target(body: Body, node: ast.Assign) -> bool:
    indices = expand_dots(node.target_access or (), body.dots)
    return all(
        isinstance(index, ast.Name) and (body.lookup(index.text) is None or index.text in body.env) for index in indices
    )


def _into_declared(
    body: Body, node: ast.Assign, known: Local, value: Expr, indexing: Indexing
) -> tuple[Statement, Local] | None:
    """A statement that writes (a part of) a tensor whose shape its header declares."""
    node_access = ast.Access(node.targets[0].name, node.target_access or (), node.targets[0].span)
    target = read_access(body, indexing, known, node_access, part=True)
    if target is None or not check_target_runs(body, target, known, node_access.indices):
        return None
    written = gd.statement_guards(body, indexing, node)
    guards = gd.merge((*written, *gd.inherited(value, body.builder.tensors)))
    names = indices_of_access(target)
    scatter = any(isinstance(position, Gather) for position in target.positions)
    tensor = body.tensor(known)
    if annotation(body, node.targets[0]) is None and body.declared[node.targets[0].name].dtype is None:
        dtype = result_dtype(body, None, reads(value), node.span)
        tensor = replace(tensor, dtype=dtype, integer=is_integer(body, dtype))
    tensor = replace(tensor, guards=gd.axis_guards(target, guards) if _all_plain(target) else tensor.guards)
    body.builder.add_tensor(tensor)
    made = Statement(target, value, _extents(indexing, names, value), guards, accumulate=scatter, span=node.span)
    return made, known


def _all_plain(target: Access) -> bool:
    return all(plain_index(position) is not None for position in target.positions)
