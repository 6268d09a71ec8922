"""Views and caches: tensors that are other tensors (design §3)."""

from __future__ import annotations

from dataclasses import replace

from roofdsl.diagnostics import Label
from roofdsl.errors import shapes
from roofdsl.ir import size as sz
from roofdsl.ir.graph import Axis, Tensor, resolved
from roofdsl.ir.show import show_size
from roofdsl.passes.elaborate.build import Body, Local, plain_local
from roofdsl.passes.elaborate.equal import same_size
from roofdsl.passes.elaborate.rebound import check_rebound
from roofdsl.passes.elaborate.types import check_dtype
from roofdsl.passes.elaborate.unknown import report_unknown
from roofdsl.syntax import ast


def view(body: Body, node: ast.View) -> None:
    """`view q[s,b,a,d] of u`: the same tensor under other indices; of several tensors, their join."""
    name = node.target.name
    if not check_rebound(body, name, node.target.span):
        return
    sources = [_source(body, of) for of in node.of]
    axes = _axes(body, node.target)
    body.names[name] = None
    body.bound_at[name] = node.target.span
    found = [local for local in sources if local is not None]
    if axes is None or len(found) != len(sources):
        return
    base = body.tensor(found[0])
    made = replace(
        base,
        id=body.builder.unique(body.dotted(name)),
        name=name,
        path=body.path,
        axes=axes,
        guards=(),
        carried=None,
        alias=base.id if len(found) == 1 else None,
        joined=tuple(local.tensor for local in found) if len(found) > 1 else (),
        part=base.part or isinstance(node.of[0], ast.Access),
        span=node.target.span,
    )
    if len(found) == 1 and isinstance(node.of[0], ast.Name):
        _check_elements(body, node, made, base)
    body.builder.add_tensor(made)
    body.names[name] = plain_local(made)


def _check_elements(body: Body, node: ast.View, made: Tensor, base: Tensor) -> None:
    """A whole-tensor view has as many elements as what it views."""
    mine = sz.product(*(axis.extent for axis in made.axes))
    theirs = sz.product(*(axis.extent for axis in base.axes))
    if same_size(body, mine, theirs):
        return
    body.report(
        shapes.EXTENT_MISMATCH,
        node.target.span,
        f"the view has {show_size(mine)} elements",
        secondary=(Label(base.span, f"`{base.name}` has {show_size(theirs)}"),),
        expected=f"{show_size(theirs)} elements",
        found=f"{show_size(mine)}",
    )


def _source(body: Body, of: ast.Name | ast.Access) -> Local | None:
    name = of.text if isinstance(of, ast.Name) else of.tensor
    local = body.lookup(name)
    if local is None and name not in body.names:
        report_unknown(body, name, of.span, tuple(body.names), "tensor")
    return local


def _axes(body: Body, target: ast.Tensor) -> tuple[Axis, ...] | None:
    axes: list[Axis] = []
    for index in target.indices or ():
        names = body.dots if isinstance(index, ast.Dots) else (index.text,)
        for name in names:
            size = body.env.size(name)
            if size is None:
                report_unknown(body, name, index.span, body.env.names, "dim or let")
                return None
            axes.append(Axis(name, size))
    return tuple(axes)


def cache(body: Body, node: ast.Cache) -> None:
    """`cache K[t,b,a,d] from k`: in training K is k; in inference it holds t positions, of which k's are written by
    k's kernel. `carry H` keeps the last state of a recurrence.
    """
    if node.carry:
        _carry(body, node)
        return
    name = node.target.name
    if node.source is None or not check_rebound(body, name, node.target.span):
        return
    local = _source(body, node.source)
    axes = _axes(body, node.target)
    body.names[name] = None
    body.bound_at[name] = node.target.span
    if local is None or axes is None:
        return
    source = body.tensor(local)
    tensor_id = body.builder.unique(body.dotted(name))
    made = replace(
        source, id=tensor_id, name=name, path=body.path, axes=axes, guards=(), carried=None, span=node.target.span
    )
    if body.builder.mode == "train":
        made = replace(made, alias=source.id)
        _check_training(body, node, made, source)
    else:
        dtype = _cache_dtype(body, node, source)
        held = None if node.keep is None else body.size(node.keep)
        made = replace(made, role="cache", alias=None, cached_from=source.id, held=held, dtype=dtype)
    body.builder.add_tensor(made)
    body.names[name] = plain_local(made)


def _cache_dtype(body: Body, node: ast.Cache, source: Tensor) -> str:
    """The annotated format, else the file's `default cache`, else that of what is written into it."""
    if node.target.dtype is not None:
        return check_dtype(body, node.target.dtype, node.target.span)
    return body.builder.library.defaults.get("cache", source.dtype)


def _check_training(body: Body, node: ast.Cache, made: Tensor, source: Tensor) -> None:
    """In training the cache is what it is filled from, so the shapes agree (unless its new positions are named)."""
    if isinstance(node.source, ast.Access):
        return
    for mine, theirs in zip(made.axes, source.axes, strict=False):
        if same_size(body, mine.extent, theirs.extent):
            continue
        body.report(
            shapes.EXTENT_MISMATCH,
            node.target.span,
            f"`{mine.name}` is {show_size(mine.extent)} in the cache",
            secondary=(Label(source.span, f"and {show_size(theirs.extent)} in `{source.name}`"),),
            expected="equal extents in training, where the cache is the tensor itself",
            found=f"{show_size(mine.extent)} and {show_size(theirs.extent)}",
        )
        return


def _carry(body: Body, node: ast.Cache) -> None:
    """The last state of a recurrence: all but its first dimension, kept in inference."""
    local = body.lookup(node.target.name)
    if local is None:
        if node.target.name not in body.names:
            report_unknown(body, node.target.name, node.target.span, tuple(body.names), "tensor")
        return
    if body.builder.mode == "train":
        return
    state = body.tensor(local)
    tensor_id = body.builder.unique(body.dotted(f"{node.target.name}@state"))
    made = resolved(body.builder.tensors, state.id).id
    axes = state.axes[1:]
    body.builder.add_tensor(
        replace(state, id=tensor_id, axes=axes, role="cache", guards=(), alias=None, cached_from=None, state_of=made)
    )
    _pass_state(body, made, tensor_id)


def _pass_state(body: Body, made: str, state: str) -> None:
    """The call with the recurrence reads the state of the step before and leaves its own (R4)."""
    for number, call in enumerate(body.builder.calls):
        if made in call.results:
            passed = replace(call, operands=(*call.operands, state), results=(*call.results, state))
            body.builder.calls[number] = passed
