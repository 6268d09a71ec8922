"""Op calls: the statements of an op over the tensors it was called with, as one `Call` (R3)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofdsl.errors import shapes
from roofdsl.ir import size as sz
from roofdsl.ir.graph import Axis, Call, DeclaredCost, Statement, Tensor
from roofdsl.passes.elaborate.adjoints import declared_adjoint
from roofdsl.passes.elaborate.assign import statement
from roofdsl.passes.elaborate.build import Body, Local, Target, plain_local
from roofdsl.passes.elaborate.header import own_names
from roofdsl.passes.elaborate.instance import Bound, bind_call, make_param
from roofdsl.passes.elaborate.kernel import inline_call, operands_of
from roofdsl.passes.elaborate.rebound import check_rebound
from roofdsl.passes.elaborate.types import default_dtype, is_integer
from roofdsl.passes.elaborate.unknown import report_unassigned
from roofdsl.passes.sizes import size_of
from roofdsl.source import Span
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Naming:
    """Ids of a call and its results, decided before its body is read."""

    call: str
    label: str
    results: tuple[str, ...]


def name_call(body: Body, definition: ast.Definition, names: tuple[str, ...]) -> Naming:
    """A call that is a whole right side is called by its targets, another one by the op's name."""
    wanted = names or (definition.name, *(r.name for r in definition.results[1:]))
    results = tuple(body.builder.unique(body.dotted(name)) for name in wanted[: len(definition.results)])
    return Naming(results[0] if results else body.builder.unique(body.dotted(definition.name)), wanted[0], results)


def instantiate_op(body: Body, node: ast.Call, target: Target, names: tuple[str, ...]) -> tuple[Local, ...] | None:
    naming = name_call(body, target.definition, names)
    bound = bind_call(body, node, target, naming.call)
    if bound is None:
        return None
    if target.definition.training and body.builder.mode == "infer":
        return _identity(body, node, target.definition, bound, naming)
    inner = _op_body(body, node, bound)
    if not _missing_params(inner, bound, naming):
        return None
    return run_op(body, inner, node.span, naming, bound)


def _identity(
    body: Body, node: ast.Call, definition: ast.Definition, bound: Bound, naming: Naming
) -> tuple[Local, ...]:
    """A training-only op in inference: its result is its first operand. Arithmetic in its argument still happens."""
    for made in bound.before:
        inline_call(body, made, made.target.tensor, naming.label, node.span)
    first = bound.operands[definition.operands[0].name]
    tensor = body.tensor(first)
    for result in naming.results[:1]:
        body.builder.add_tensor(replace(tensor, id=result, name=naming.label, path=body.path, alias=tensor.id))
    indices = tuple(bound.header.outer.get(name, name) for name in first.indices)
    return tuple(Local(first.tensor, indices, first.order) for _ in naming.results)


def _op_body(body: Body, node: ast.Call, bound: Bound) -> Body:
    definition = bound.target.definition
    qualified = (*body.qualified, definition.name)
    return Body(
        body.builder,
        bound.env,
        body.path,
        qualified,
        definition,
        names=dict(bound.operands),
        loops=body.loops,
        placed=body.placed,
        regions=body.regions,
        placements=body.placements,
        dots=bound.header.dots,
        call_site=body.call_site or node.span,
        stack=(*body.stack, definition.name),
    )


def _missing_params(inner: Body, bound: Bound, naming: Naming) -> bool:
    """Params of the header that the call left out: the instance's own (design §3)."""
    for operand in bound.missing:
        local = make_param(inner, operand, inner.builder.unique(f"{naming.call}.{operand.name}"))
        if local is None:
            return False
        named = sum(isinstance(i, ast.Name) for i in operand.indices or ())
        dots = inner.dots if named != len(operand.indices or ()) else ()
        inner.names[operand.name] = replace(local, dots=dots)
    return True


def run_op(outer: Body, inner: Body, span: Span, naming: Naming, bound: Bound) -> tuple[Local, ...] | None:
    """Read the op's body and add its call to the graph; the results as the caller names them."""
    definition = inner.definition
    operand_ids = [local.tensor for local in inner.names.values() if local is not None]
    ids = {r.name: i for r, i in zip(definition.results, naming.results, strict=True)}
    lets = frozenset(item.name for item in definition.body if isinstance(item, ast.Let | ast.Dim))
    inner.own = own_names(definition) | lets
    for item in definition.body:
        inner.env = inner.env.declare(item) if isinstance(item, ast.Let | ast.Dim) else inner.env
    _declare_results(inner, ids)
    made = list(bound.before)
    adjoint: ast.Adjoint | None = None
    costs: list[DeclaredCost] = []
    kept = frozenset(name for item in definition.body if isinstance(item, ast.Keeps) for name in item.names)
    sound = True
    for item in definition.body:
        match item:
            case ast.Assign():
                result = _op_statement(inner, item, ids, naming, name_kept=kept)
                sound = sound and result is not None
                made += [result] if result is not None else []
            case ast.Params("buffer", tensors):
                for tensor in tensors:
                    inner.names[tensor.name] = make_param(
                        inner, tensor, inner.builder.unique(f"{naming.call}.{tensor.name}"), "buffer"
                    )
            case ast.Adjoint():
                adjoint = item
            case ast.Cost(items):
                costs += _costs(inner, items)
            case ast.Keeps() | ast.Let() | ast.Dim():
                continue
            case _:
                inner.report(shapes.NOT_HERE, item.span, "not a statement of an op")
                sound = False
    if not sound or not _check_results(inner, definition):
        return None
    temporaries = dict.fromkeys((*bound.temporaries, *_internal(made, ids, operand_ids)))
    declared = None if adjoint is None else declared_adjoint(inner, adjoint, naming.call)
    operands = _operands(made, operand_ids, tuple(temporaries), naming.results)
    placed = (*outer.placed, *inner.place(inner.qualified))
    if naming.label != definition.name:
        placed = (*placed, *inner.place((*outer.qualified, naming.label)))
    outer.builder.add_call(
        Call(
            naming.call,
            naming.label,
            outer.path,
            definition.name,
            tuple(made),
            operands,
            naming.results,
            tuple(temporaries),
            declared,
            tuple(costs),
            placed,
            outer.regions,
            outer.loops,
            definition.training,
            span,
        )
    )
    return tuple(_outward(inner, bound, result.name) for result in definition.results)


def _op_statement(
    inner: Body, item: ast.Assign, ids: dict[str, str], naming: Naming, *, name_kept: frozenset[str]
) -> Statement | None:
    name = item.targets[0].name
    if not check_rebound(inner, name, item.targets[0].span):
        inner.names.setdefault(name, None)
        return None
    tensor_id = ids.get(name) or inner.builder.unique(f"{naming.call}.{name}")
    made = statement(inner, item, tensor_id, {}, kept=name in name_kept)
    if made is None:
        inner.names.setdefault(name, None)
        return None
    inner.names[name] = made[1]
    inner.bound_at[name] = item.targets[0].span
    return made[0]


def _declare_results(inner: Body, ids: dict[str, str]) -> None:
    """Results whose header gives their indices, and that no plain statement makes: their shape is the header's."""
    for result in inner.definition.results:
        if result.indices is None or _plainly_assigned(inner.definition, result.name, result.indices):
            continue
        local = make_param(inner, result, ids[result.name])
        if local is None:
            continue
        tensor = inner.builder.tensors[local.tensor]
        operands = [inner.builder.tensors[o.tensor] for o in inner.names.values() if o is not None]
        dtype = result.dtype or _widest(inner, operands)
        inner.builder.add_tensor(
            replace(tensor, role="activation", dtype=dtype, loops=inner.loops, integer=is_integer(inner, dtype))
        )
        inner.declared[result.name] = result
        inner.names[result.name] = replace(local, dots=inner.dots)


def _widest(inner: Body, operands: list[Tensor]) -> str:
    floating = [t.dtype for t in operands if not t.integer and t.role != "param"]
    dtypes = inner.builder.library.dtypes
    known = [dtype for dtype in floating if dtype in dtypes]
    return max(known, key=lambda dtype: dtypes[dtype].bits) if known else default_dtype(inner, "activations")


def _plainly_assigned(definition: ast.Definition, name: str, header: tuple[ast.Name | ast.Dots, ...]) -> bool:
    for item in definition.body:
        if not isinstance(item, ast.Assign) or item.targets[0].name != name:
            continue
        if item.target_access == header:
            return True
    return False


def _check_results(inner: Body, definition: ast.Definition) -> bool:
    lacking = [r for r in definition.results if inner.names.get(r.name) is None]
    for result in lacking:
        report_unassigned(inner, result)
    return not lacking


def _internal(made: list[Statement], ids: dict[str, str], operands: list[str]) -> list[str]:
    results = set(ids.values())
    return [s.target.tensor for s in made if s.target.tensor not in results and s.target.tensor not in operands]


def _operands(
    made: list[Statement], given: list[str], internal: tuple[str, ...], results: tuple[str, ...]
) -> tuple[str, ...]:
    """What the kernel reads from outside: what its statements read; of an op with only a cost, what it was given."""
    inside = {*internal, *results}
    statements_read = [t for s in made for t in operands_of(s) if t not in inside]
    wanted = statements_read if made else given
    return tuple(dict.fromkeys(t for t in wanted if t not in inside))


def _costs(inner: Body, items: tuple[ast.CostItem, ...]) -> list[DeclaredCost]:
    """The lines of `cost {…}` as amounts of the root scope. `size(...)` is the product of the leading dimensions."""
    found: list[DeclaredCost] = []
    for item in items:
        amount = size_of(item.value, lambda name, _span: _cost_name(inner, name), (*inner.env.names, "..."))
        measure, phase, kind = _cost_words(item.words)
        if amount is None or measure is None:
            inner.report(
                shapes.DIVISION_OF_SIZE,
                item.span,
                "not a cost",
                expected="work [backward] contraction|vector|special = F, traffic [backward] = F, saved = F",
            )
            continue
        found.append(DeclaredCost(measure, phase, kind, amount, item.span))  # type: ignore[arg-type]
    return found


def _cost_name(inner: Body, name: str) -> sz.Size | None:
    if name != "...":
        return inner.env.size(name)
    sizes = [inner.env.size(dot) for dot in inner.dots]
    return sz.product(*(size for size in sizes if size is not None))


def _cost_words(words: tuple[str, ...]) -> tuple[str | None, str, str | None]:
    phase = "backward" if "backward" in words else "forward"
    rest = [word for word in words if word not in ("backward", "forward")]
    match rest:
        case ["work", ("contraction" | "vector" | "special") as kind]:
            return "work", phase, kind
        case [("traffic" | "saved") as measure]:
            return measure, phase, None
        case _:
            return None, phase, None


def _outward(inner: Body, bound: Bound, name: str) -> Local:
    """A result as the caller names it. Where it has the first operand's indices it also has their order, wherever the
    op's own index stands in it.
    """
    local = inner.names[name]
    if local is None:
        raise AssertionError(name)
    outer = {**{n: n for n in local.indices}, **{k: v for k, v in bound.header.outer.items() if k in local.indices}}
    names = tuple(outer[n] for n in local.indices)
    tensor = inner.builder.tensors[local.tensor]
    axes = tuple(Axis(outer.get(axis.name, axis.name), axis.extent) for axis in tensor.axes)
    inner.builder.add_tensor(replace(tensor, axes=axes, name=tensor.id.rsplit(".", 1)[-1]))
    operands = inner.definition.operands
    first = bound.operands.get(operands[0].name) if operands else None
    if first is None or set(first.indices) != set(local.indices):
        return plain_local(inner.builder.tensors[local.tensor], names)
    # declared order for the caller: the argument's own
    argument = tuple(first.indices[position] for position in first.order)
    order = tuple(argument.index(axis.name) for axis in tensor.axes)
    return Local(local.tensor, tuple(outer[n] for n in argument), order)
