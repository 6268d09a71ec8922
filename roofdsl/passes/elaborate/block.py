"""Blocks and models: bodies read statement by statement, regions and repeats entered (design §3)."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from roofdsl.diagnostics import Label
from roofdsl.errors import shapes, statements
from roofdsl.ir.graph import Loop, Placed
from roofdsl.ir.show import show_size
from roofdsl.ir.size import Const
from roofdsl.passes.elaborate.assign import statement
from roofdsl.passes.elaborate.build import Body, Local, Target
from roofdsl.passes.elaborate.callee import is_call
from roofdsl.passes.elaborate.equal import same_size
from roofdsl.passes.elaborate.instance import bind_call, call, hoist, make_param
from roofdsl.passes.elaborate.kernel import inline_call
from roofdsl.passes.elaborate.rebound import check_rebound
from roofdsl.passes.elaborate.types import annotation
from roofdsl.passes.elaborate.unknown import assigned_names, report_unassigned, report_unknown
from roofdsl.passes.elaborate.views import cache, view
from roofdsl.syntax import ast


def instantiate_block(body: Body, node: ast.Call, target: Target) -> tuple[Local, ...] | None:
    """An instance of a block: its own parameters, its statements under its own path."""
    definition = target.definition
    name = body.builder.unique(body.dotted(node.function)).rsplit(".", 1)[-1]
    bound = bind_call(body, node, target, body.dotted(name))
    if bound is None:
        return None
    qualified = (*body.qualified, name)
    inner = Body(
        body.builder,
        bound.env,
        (*body.path, name),
        qualified,
        definition,
        names=dict(bound.operands),
        loops=body.loops,
        regions=(*body.regions, ".".join(qualified)),
        placements=body.with_placements(bound.braced.placements),
        dots=bound.header.dots,
        call_site=body.call_site or (node.span if node.span.source is body.builder.root_source else None),
        stack=(*body.stack, definition.name),
    )
    inner.placed = (*body.placed, *inner.place(qualified))
    for operand in bound.missing:
        inner.names[operand.name] = make_param(inner, operand, body.builder.unique(inner.dotted(operand.name)))
    run_body(inner, definition.body)
    results = results_of(inner)
    if results is None:
        return None
    return tuple(_outward(local, bound.header.outer) for local in results)


def _outward(local: Local, outer: dict[str, str]) -> Local:
    return Local(local.tensor, tuple(outer.get(name, name) for name in local.indices), local.order)


def results_of(body: Body) -> tuple[Local, ...] | None:
    """The locals of the header's results; None (reported, or its statement was) where one is missing."""
    found: list[Local] = []
    for result in body.definition.results:
        local = body.names.get(result.name)
        if local is not None:
            found.append(local)
        elif result.name not in body.names:
            report_unassigned(body, result)
    return tuple(found) if len(found) == len(body.definition.results) else None


def run_body(body: Body, items: tuple[ast.Statement, ...]) -> None:
    """Read every statement; a wrong one is reported and its targets are marked, so that reading goes on. As in a file,
    sizes may be declared below where they are used.
    """
    for item in items:
        body.env = body.env.declare(item) if isinstance(item, ast.Dim | ast.Let) else body.env
    for item in items:
        match item:
            case ast.Assign():
                _assign(body, item)
            case ast.Params(role, tensors):
                _params(body, role, tensors)
            case ast.View():
                view(body, item)
            case ast.Cache():
                cache(body, item)
            case ast.Region():
                _region(body, item)
            case ast.Repeat():
                _repeat(body, item)
            case ast.Dim() | ast.Let():
                continue
            case ast.Keeps() | ast.Adjoint() | ast.Cost():
                body.report(shapes.NOT_HERE, item.span, "only an op may say this")
            case _:
                assert_never(item)


def _params(body: Body, role: str, tensors: tuple[ast.Tensor, ...]) -> None:
    for tensor in tensors:
        if check_rebound(body, tensor.name, tensor.span):
            body.names[tensor.name] = make_param(body, tensor, body.builder.unique(body.dotted(tensor.name)), role)
            body.bound_at[tensor.name] = tensor.span


def _assign(body: Body, node: ast.Assign) -> None:
    names = tuple(target.name for target in node.targets)
    free = [check_rebound(body, target.name, target.span) for target in node.targets]
    if not all(free):
        return
    results = _call_results(body, node, names) if is_call(body, node.value) else _inline(body, node)
    for k, target in enumerate(node.targets):
        body.names[target.name] = results[k] if results is not None else None
        body.bound_at[target.name] = target.span


def _call_results(body: Body, node: ast.Assign, names: tuple[str, ...]) -> tuple[Local, ...] | None:
    """`y = op(x)`: the call's results under the statement's names."""
    if not isinstance(node.value, ast.Call):
        return None
    results = call(body, node.value, names)
    if results is None:
        return None
    if node.guards:
        body.report(statements.BAD_GUARD, node.guards[0].span, "a call has no guard", helps=("guard a statement",))
    return tuple(_name_result(body, node, k, local) for k, local in enumerate(results))


def _name_result(body: Body, node: ast.Assign, k: int, local: Local) -> Local:
    """The result under its new name: its indices may be written, its dtype annotated; a path leads to it."""
    target = node.targets[k]
    tensor = body.tensor(local)
    dtype = annotation(body, target)
    if dtype is not None:
        tensor = body.builder.add_tensor(replace(tensor, dtype=dtype))
    alias = body.dotted(target.name)
    if alias not in body.builder.tensors:
        named = replace(tensor, id=alias, name=target.name, path=body.path, alias=tensor.id, carried=None)
        body.builder.add_tensor(named)
    if node.target_access is None:
        return local
    written = tuple(index.text for index in node.target_access if isinstance(index, ast.Name))
    if sorted(written) == sorted(local.indices):
        order = tuple(written.index(local.indices[position]) for position in local.order)
        return Local(local.tensor, written, order)
    body.report(
        shapes.RANK_MISMATCH,
        target.span,
        "the call's result has other indices",
        expected=f"{target.name}[{', '.join(local.indices)}]",
        found=f"{target.name}[{', '.join(written)}]",
    )
    return local


def _inline(body: Body, node: ast.Assign) -> tuple[Local, ...] | None:
    """An inline statement: one kernel (R3), the calls in it hoisted before."""
    if len(node.targets) != 1:
        body.report(
            statements.BAD_TARGET, node.span, "several targets need a call with as many results", found=node.span.text
        )
        return None
    hoisted = hoist(body, node.value)
    if hoisted is None:
        return None
    target = node.targets[0]
    tensor_id = body.builder.unique(body.dotted(target.name))
    made = statement(body, node, tensor_id, hoisted)
    if made is None:
        return None
    inline_call(body, made[0], tensor_id, target.name, node.span)
    return (made[1],)


def _region(body: Body, node: ast.Region) -> None:
    """A region names its statements; `fused`/`checkpoint`, here or in braces, place it."""
    qualified = (*body.qualified, node.name)
    placed = body.place(qualified)
    if node.kind != "region" and not any(p.kind == node.kind for p in placed):
        placed = (
            Placed(node.kind, ".".join(qualified), body.tiles(node.tiles), body.loops, body.level_tiles(node.tiles)),
            *placed,
        )
    inner = body.inside(
        qualified=qualified, placed=(*body.placed, *placed), regions=(*body.regions, ".".join(qualified))
    )
    run_body(inner, node.body)
    body.env = inner.env


def _repeat(body: Body, node: ast.Repeat) -> None:
    """The body once, under a loop; names it rebinds are carried from one iteration into the next."""
    if isinstance(node.count, ast.Name) and node.count.text not in {*body.env, *body.names}:
        report_unknown(body, node.count.text, node.count.span, body.env.names, "dim or let")
        return
    count = body.size(node.count)
    if count is None:
        return
    if isinstance(count, Const) and (count.value < 1 or count.value.denominator != 1):
        text = f"a repeat of {count.value} times"
        body.report(shapes.DIVISION_OF_SIZE, node.count.span, text, expected="a whole number of at least 1")
        return
    body.builder.loops += 1
    loop = Loop(f"{'.'.join(body.qualified)}@{body.builder.loops}", count, node.shared)
    outside = dict(body.names)
    carried = {name: local for name in assigned_names(node.body) if (local := outside.get(name)) is not None}
    rebound = frozenset(name for name in assigned_names(node.body) if name in outside)  # those that failed included
    inner = body.inside(names=dict(outside), loops=(*body.loops, loop), carried=rebound, bound_at=dict(body.bound_at))
    entering: dict[str, str] = {}
    for name, local in carried.items():
        entering[name] = _enter(inner, name, local)
    run_body(inner, node.body)
    for name, local in carried.items():
        body.names[name] = _leave(inner, node, name, entering[name], local)


def _enter(inner: Body, name: str, local: Local) -> str:
    """The carried tensor as the body sees it."""
    tensor = inner.tensor(local)
    entered = replace(
        tensor,
        id=inner.builder.unique(f"{inner.dotted(name)}@in"),
        name=name,
        path=inner.path,
        role="activation",
        loops=inner.loops,
        alias=None,
        carried=(tensor.id, tensor.id),
    )
    inner.builder.add_tensor(entered)
    inner.names[name] = Local(entered.id, local.indices, local.order, local.dots)
    return entered.id


def _leave(inner: Body, node: ast.Repeat, name: str, entered_id: str, initial: Local) -> Local | None:
    """What a carried name means after the repeat: the tensor that leaves the last iteration."""
    leaving = inner.names.get(name)
    if leaving is None:
        return None
    entered = inner.builder.tensors[entered_id]
    tensor = inner.tensor(leaving)
    inner.builder.add_tensor(replace(entered, carried=(initial.tensor, leaving.tensor)))
    same = len(tensor.axes) == len(entered.axes) and all(
        same_size(inner, a.extent, b.extent) for a, b in zip(tensor.axes, entered.axes, strict=True)
    )
    if not same:
        shape = ", ".join(show_size(a.extent) for a in tensor.axes)
        wanted = ", ".join(show_size(a.extent) for a in entered.axes)
        inner.report(
            shapes.CARRIED_SHAPE,
            inner.bound_at.get(name, node.span),
            f"`{name}` leaves the body with another shape",
            secondary=(Label(tensor.span, "made here"),),
            expected=f"{name}[{wanted}]",
            found=f"{name}[{shape}]",
        )
    return leaving
