"""Calls: arguments, the callee's scope, and the hoisting of calls out of expressions.

An op call becomes one `Call` (R3); a block call becomes an instance whose statements join the graph under its path.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofdsl.errors import shapes
from roofdsl.ir.graph import Axis, Statement, Tensor
from roofdsl.ir.size import Size
from roofdsl.passes.elaborate.assign import statement
from roofdsl.passes.elaborate.build import MAX_DEPTH, Body, Local, Target, plain_local
from roofdsl.passes.elaborate.callee import Braced, find_target, report_unused, sort_braces
from roofdsl.passes.elaborate.env import Env
from roofdsl.passes.elaborate.express import RESERVED_CALLS
from roofdsl.passes.elaborate.header import Header, bind_operand, check_header, own_names
from roofdsl.passes.elaborate.kernel import inline_call
from roofdsl.passes.elaborate.order import add_order, check_order
from roofdsl.passes.elaborate.types import default_dtype, is_integer
from roofdsl.passes.elaborate.unknown import counted, report_unknown
from roofdsl.source import Span
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Bound:
    """A call with everything bound: the callee's scope, and its operands as the callee knows them."""

    target: Target
    braced: Braced
    header: Header
    env: Env
    operands: dict[str, Local]
    missing: tuple[ast.Tensor, ...]
    before: tuple[Statement, ...]
    temporaries: tuple[str, ...]


def hoist(body: Body, node: ast.Expr) -> dict[int, Local] | None:
    """Instantiate every op or block call in an expression; their results by the identity of the call node."""
    found: dict[int, Local] = {}
    return found if _hoist(body, node, found) else None


def _hoist(body: Body, node: ast.Expr, found: dict[int, Local]) -> bool:
    match node:
        case ast.Call():
            return _hoist_call(body, node, found)
        case ast.Negate(operand):
            return _hoist(body, operand, found)
        case ast.Binary(_, left, right):
            first = _hoist(body, left, found)
            return _hoist(body, right, found) and first
        case ast.Juxtaposed(factors):
            return _hoist_all(body, factors, found)
        case _:
            return True


def _hoist_all(body: Body, nodes: tuple[ast.Expr, ...], found: dict[int, Local]) -> bool:
    """Every one, even after a failure, so that all errors are reported."""
    done = [_hoist(body, node, found) for node in nodes]
    return all(done)


def _hoist_call(body: Body, node: ast.Call, found: dict[int, Local]) -> bool:
    library = body.builder.library
    if node.function in RESERVED_CALLS:
        return _hoist_all(body, node.arguments, found)
    if find_target(body, node.function, node.braces) is None or (
        node.function in library.scalars and body.definition.kind == "op"
    ):
        if node.function in library.scalars:
            return _hoist_all(body, node.arguments, found)
        names = (*library.definitions, *library.aliases, *library.offered, *library.scalars, *RESERVED_CALLS)
        name = Span(node.span.source, node.span.start, node.span.start + len(node.function))
        report_unknown(body, node.function, name, names, "op, block or function")
        return False
    results = call(body, node, ())
    if results is None:
        return False
    if len(results) != 1:
        body.report(
            shapes.RESULT_COUNT,
            node.span,
            f"`{node.function}` has {counted(len(results), 'result')}",
            expected="a call with one result inside an expression",
            found=counted(len(results), "result"),
        )
        return False
    found[id(node)] = results[0]
    return True


def call(body: Body, node: ast.Call, names: tuple[str, ...]) -> tuple[Local, ...] | None:
    """Instantiate a call; `names` are what its results are called, where the call is a whole right side."""
    target = find_target(body, node.function, node.braces)
    if target is None:
        return None
    definition = target.definition
    if body.definition.kind == "op":
        body.report(shapes.NOT_HERE, node.span, "an op may not call an op or block", helps=("make it a block",))
        return None
    if definition.name not in body.stack and len(body.stack) > MAX_DEPTH:
        outermost = f"from `{body.stack[0]}` on"
        body.report(shapes.TOO_MANY_CALLS, node.span, f"calls are nested more than {MAX_DEPTH} deep {outermost}")
        return None
    if definition.name in body.stack:
        chain = " → ".join((*body.stack[body.stack.index(definition.name) :], definition.name))
        body.report(shapes.RECURSIVE, node.span, f"`{definition.name}` calls itself", found=chain)
        return None
    if names and len(names) != len(definition.results):
        body.report(
            shapes.RESULT_COUNT,
            node.span,
            f"`{node.function}` has {counted(len(definition.results), 'result')}",
            expected=counted(len(definition.results), "name"),
            found=f"{len(names)}",
            helps=(
                f"write `{', '.join(r.name for r in definition.results)} = {node.span.text}`, with names of your own",
            ),
        )
        return None
    return body.builder.instantiate(body, node, target, names)


def bind_call(body: Body, node: ast.Call, target: Target, call_id: str) -> Bound | None:
    """Arguments to tensors, header indices to extents, braces to sizes and callees."""
    definition = target.definition
    if not _check_count(body, node, definition) or not check_header(body, definition):
        return None
    braced = sort_braces(body, target)
    choices = _choices(definition, braced)
    header = Header()
    operands: dict[str, Local] = {}
    before: list[Statement] = []
    temporaries: list[str] = []
    pairs = tuple(zip(definition.operands, node.arguments, strict=False))
    read = [_argument(body, argument, operand, definition, call_id, before, temporaries) for operand, argument in pairs]
    given = tuple(local for local in read if local is not None)
    if len(given) == len(read) and not check_order(body, node, definition, given):
        return None
    for (operand, argument), local in zip(pairs, read, strict=True):
        bound = local and bind_operand(body, header, definition, operand, local, choices, argument.span)
        if bound is not None:
            operands[operand.name] = bound
        elif local is not None and len(given) == len(read):
            add_order(body, node, definition, given, choices)
    if len(operands) != len(read):
        return None
    env = callee_env(body, definition, braced, header, called=node.function)
    missing = definition.operands[len(node.arguments) :]
    return Bound(target, braced, header, env, operands, missing, tuple(before), tuple(temporaries))


def _choices(definition: ast.Definition, braced: Braced) -> dict[str, str]:
    """`softmax{i = t}`: header indices bound to a name of the caller's."""
    own = own_names(definition) if definition.kind == "op" else frozenset()
    return {b.name: b.value.text for b in braced.bindings if b.name in own and isinstance(b.value, ast.Name)}


def callee_env(body: Body, definition: ast.Definition, braced: Braced, header: Header, called: str = "") -> Env:
    """The caller's scope with braces, then header indices, bound. Inside a callee that was bound for `called`, that
    name means what it means by itself, so that the callee may wrap what it stands in for.
    """
    env = replace(body.env, hidden=frozenset())
    if called in env.callees:
        env = replace(env, callees={name: bound for name, bound in env.callees.items() if name != called})
    own = own_names(definition)
    for binding in braced.bindings:
        if binding.name not in env and binding.name not in own:
            report_unused(body, binding, (*env.names, *own))
            continue
        size = body.size(binding.value)
        if size is not None:
            env = env.bind(binding.name, size)
        if isinstance(binding.value, ast.Name):
            header.outer.setdefault(binding.name, binding.value.text)
    for name, (extent, _, _) in header.extents.items():
        env = env.bind(name, extent)
    if braced.callees:
        env = replace(env, callees={**env.callees, **dict(braced.callees)})
    return env


def _check_count(body: Body, node: ast.Call, definition: ast.Definition) -> bool:
    given, wanted = len(node.arguments), len(definition.operands)
    needed = wanted
    while needed and definition.operands[needed - 1].param:
        needed -= 1
    if needed <= given <= wanted:
        return True
    body.report(
        shapes.ARGUMENT_COUNT,
        node.span,
        f"`{node.function}` takes {', '.join(o.name for o in definition.operands) or 'nothing'}",
        expected=f"{counted(needed, 'argument') if needed == wanted else f'{needed} to {wanted} arguments'}",
        found=f"{given}",
        helps=(_sizes_help(body, node) or f"it is declared as `{definition.span.text.partition('{')[0].strip()}`",),
    )
    return False


def _sizes_help(body: Body, node: ast.Call) -> str | None:
    """Where a size stands among the arguments."""
    sizes = [
        a.text for a in node.arguments if isinstance(a, ast.Name) and a.text not in body.names and a.text in body.env
    ]
    others = [a.span.text for a in node.arguments if not (isinstance(a, ast.Name) and a.text in sizes)]
    if not sizes:
        return None
    call = f"{node.function}{{… = {sizes[0]}}}({', '.join(others)})"
    return f"`{sizes[0]}` is a size, and sizes are bound in braces: `{call}`"


def _argument(
    body: Body,
    argument: ast.Expr,
    operand: ast.Tensor,
    definition: ast.Definition,
    call_id: str,
    before: list[Statement],
    temporaries: list[str],
) -> Local | None:
    """The tensor an argument is. Scalar arithmetic in an op's argument belongs to that call's kernel (R3); in a
    block's it is a statement of its own.
    """
    if isinstance(argument, ast.Name):
        local = body.lookup(argument.text)
        if local is None and argument.text not in body.names:
            report_unknown(body, argument.text, argument.span, tuple(body.names), "tensor")
        return local
    if isinstance(argument, ast.Access):
        local = body.lookup(argument.tensor)
        plain = tuple(i.text for i in argument.indices if isinstance(i, ast.Name))
        if local is not None and len(plain) == len(argument.indices) and plain == local.indices:
            return local
    hoisted = hoist(body, argument)
    if hoisted is None:
        return None
    if id(argument) in hoisted:
        return hoisted[id(argument)]
    node = ast.Assign((ast.Tensor(operand.name, None, span=argument.span),), None, argument, span=argument.span)
    tensor_id = body.builder.unique(f"{call_id}.{operand.name}")
    made = statement(body, node, tensor_id, hoisted)
    if made is None:
        return None
    if definition.kind == "op":
        before.append(made[0])
        temporaries.append(tensor_id)
    else:
        inline_call(body, made[0], tensor_id, operand.name, argument.span)
    return made[1]


def make_param(body: Body, tensor: ast.Tensor, tensor_id: str, role: str = "param") -> Local | None:
    """A new parameter or buffer with the extents its indices have in this scope."""
    axes: list[Axis] = []
    for index in tensor.indices or ():
        names = body.dots if isinstance(index, ast.Dots) else (index.text,)
        for name in names:
            size: Size | None = body.env.size(name)
            if size is None:
                _report_extent(body, name, index.span)
                return None
            axes.append(Axis(name, size))
    dtype = tensor.dtype or default_dtype(body, "params")
    loops = tuple(loop for loop in body.loops if not loop.shared)
    made = Tensor(
        tensor_id,
        tensor.name,
        body.path,
        tuple(axes),
        dtype,
        "param" if role == "param" else "buffer",
        loops=loops,
        frozen=tensor.frozen,
        integer=is_integer(body, dtype),
        span=tensor.span,
    )
    body.builder.add_tensor(made)
    return plain_local(made)


def _report_extent(body: Body, name: str, span: Span) -> None:
    if body.definition.kind == "op":
        body.report(
            shapes.UNBOUND_EXTENT,
            span,
            f"the extent of `{name}` is not bound",
            helps=(f"bind it in braces: {body.definition.name}{{{name} = ...}}(...), or declare `dim {name}`",),
        )
        return
    report_unknown(body, name, span, body.env.names, "dim or let")
