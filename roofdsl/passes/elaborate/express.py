"""Values of statements: from syntax to `ir.expr`, calls of ops and blocks hoisted out.

Arithmetic becomes applications of the library's scalar functions, so that no operator is special here. Reductions get
their indices from the target (`reduce_over`), after the whole value has been read.
"""

from __future__ import annotations

from typing import Literal, assert_never

from roofdsl.diagnostics import InternalError
from roofdsl.errors import shapes, statements
from roofdsl.ir import size as sz
from roofdsl.ir.expr import Apply, Constant, Expr, Read, Reduce, Running, Stop, free_indices
from roofdsl.passes.elaborate.affine import Indexing
from roofdsl.passes.elaborate.build import Body, Local
from roofdsl.passes.elaborate.index import access
from roofdsl.passes.elaborate.unknown import counted, report_unknown
from roofdsl.passes.sizes import size_of
from roofdsl.source import Span
from roofdsl.syntax import ast

_ARITHMETIC: dict[ast.Operator, str] = {"+": "add", "-": "sub", "*": "mul", "/": "div", "^": "pow"}
_REDUCTIONS: dict[str, Literal["sum", "amax", "amin"]] = {"sum": "sum", "amax": "amax", "amin": "amin"}
RESERVED_CALLS = frozenset((*_REDUCTIONS, "stop", "size", "pos"))


def express(body: Body, indexing: Indexing, node: ast.Expr, hoisted: dict[int, Local]) -> Expr | None:
    """The value of an expression, or None after a diagnostic. `hoisted` maps calls (by identity) to their results."""
    match node:
        case ast.Number(value):
            return Constant(sz.Const(value))
        case ast.Name() | ast.Access():
            return _read(body, indexing, node)
        case ast.Negate(operand):
            inner = express(body, indexing, operand, hoisted)
            return None if inner is None else Apply("neg", (inner,))
        case ast.Binary(operator, left, right):
            pair = _all(body, indexing, (left, right), hoisted)
            return None if pair is None else Apply(_ARITHMETIC[operator], pair)
        case ast.Call():
            return _call(body, indexing, node, hoisted)
        case ast.Quoted(_, value):
            return express(body, indexing, value, hoisted)
        case ast.Juxtaposed(factors):
            size = size_of(node, lambda name, _span: body.env.size(name), body.env)
            if size is not None:
                return Constant(size)
            return _product(body, indexing, factors, hoisted)
        case ast.Path() | ast.Measured() | ast.Per():
            raise InternalError(f"the grammar keeps formulas out of bodies: {node}")
        case _:
            assert_never(node)


def _product(body: Body, indexing: Indexing, factors: tuple[ast.Expr, ...], hoisted: dict[int, Local]) -> Expr | None:
    parts = _all(body, indexing, factors, hoisted)
    if parts is None:
        return None
    value = parts[0]
    for part in parts[1:]:
        value = Apply("mul", (value, part))
    return value


def _all(
    body: Body, indexing: Indexing, nodes: tuple[ast.Expr, ...], hoisted: dict[int, Local]
) -> tuple[Expr, ...] | None:
    parts = [express(body, indexing, node, hoisted) for node in nodes]
    found = tuple(part for part in parts if part is not None)
    return found if len(found) == len(parts) else None


def _read(body: Body, indexing: Indexing, node: ast.Name | ast.Access) -> Expr | None:
    name = node.text if isinstance(node, ast.Name) else node.tensor
    local = body.lookup(name)
    if local is not None:
        found = access(body, indexing, local, node)
        return None if found is None else Read(found)
    if name in body.names:  # its own statement was wrong and has been reported
        return None
    if isinstance(node, ast.Name):
        size = size_of(node, lambda text, _span: body.env.size(text), body.env)
        if size is not None:
            return Constant(size)
    candidates = (*body.names, *body.env.names) if isinstance(node, ast.Name) else tuple(body.names)
    report_unknown(body, name, node.span, candidates, "tensor" if isinstance(node, ast.Access) else "tensor or size")
    return None


def _call(body: Body, indexing: Indexing, node: ast.Call, hoisted: dict[int, Local]) -> Expr | None:
    result = hoisted.get(id(node))
    if result is not None:
        found = access(body, indexing, result, ast.Name(node.function, node.span))
        return None if found is None else Read(found)
    if node.function in RESERVED_CALLS:
        return _reserved(body, indexing, node, hoisted)
    scalar = body.builder.library.scalars.get(node.function)
    if scalar is None:
        _report_call(body, node)
        return None
    arguments = _all(body, indexing, node.arguments, hoisted)
    if len(node.arguments) != len(scalar.arguments):
        body.report(
            shapes.ARGUMENT_COUNT,
            node.span,
            f"`{scalar.name}` takes {len(scalar.arguments)}",
            expected=f"{scalar.name}({', '.join(scalar.arguments)})",
            found=counted(len(node.arguments), "argument"),
            helps=(f"over an index it is `a{scalar.name}(…)`",) if f"a{scalar.name}" in _REDUCTIONS else (),
        )
        return None
    return None if arguments is None else Apply(scalar.name, arguments)


def _report_call(body: Body, node: ast.Call) -> None:
    """A call in an op's body; in a block's it was hoisted, and what was wrong reported there."""
    if body.definition.kind != "op":
        return
    library = body.builder.library
    if node.function in library.definitions or node.function in library.aliases:
        body.report(shapes.NOT_HERE, node.span, "an op may not call an op or block", helps=("make it a block",))
    else:
        name = Span(node.span.source, node.span.start, node.span.start + len(node.function))
        report_unknown(body, node.function, name, (*library.scalars, *RESERVED_CALLS), "op or function")


def _reserved(body: Body, indexing: Indexing, node: ast.Call, hoisted: dict[int, Local]) -> Expr | None:
    if len(node.arguments) != 1:
        body.report(
            shapes.ARGUMENT_COUNT,
            node.span,
            f"`{node.function}` takes one argument",
            found=f"{len(node.arguments)}",
            helps=("it runs over the indices that the target lacks",) if node.function in _REDUCTIONS else (),
        )
        return None
    argument = node.arguments[0]
    if node.function == "size":
        size = body.size(argument)
        return None if size is None else Constant(size)
    if node.function == "pos":
        return _running(body, indexing, argument)
    inner = express(body, indexing, argument, hoisted)
    if inner is None:
        return None
    return Stop(inner) if node.function == "stop" else Reduce(_REDUCTIONS[node.function], (), inner)


def _running(body: Body, indexing: Indexing, argument: ast.Expr) -> Expr | None:
    if isinstance(argument, ast.Name) and argument.text in indexing.running:
        return Running(argument.text)
    body.report(statements.BAD_INDEX, argument.span, "pos(...) takes an index of the statement")
    return None


def reduce_over(value: Expr, kept: frozenset[str]) -> Expr:
    """The value with every reduction over the indices of its body that `kept` (the target's) lacks."""
    match value:
        case Constant() | Running() | Read():
            return value
        case Apply(function, arguments):
            return Apply(function, tuple(reduce_over(a, kept) for a in arguments))
        case Stop(inner):
            return Stop(reduce_over(inner, kept))
        case Reduce(kind, _, inner):
            reduced = reduce_over(inner, kept)
            return Reduce(kind, tuple(i for i in free_indices(reduced) if i not in kept), reduced)
        case _:
            assert_never(value)
