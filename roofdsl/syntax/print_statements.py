"""Statements of bodies to pieces of text."""

from __future__ import annotations

from typing import assert_never

from roofdsl.syntax import ast
from roofdsl.syntax.document import Group, Line, Piece
from roofdsl.syntax.print_expressions import print_expr, print_guards, print_indices, print_tiles


def print_tensor(tensor: ast.Tensor) -> str:
    """`param W[h,f]: fp8_e4m3 frozen`."""
    text = ("param " if tensor.param else "") + tensor.name
    if tensor.indices is not None:
        text += print_indices(tensor.indices)
    return text + (f": {tensor.dtype}" if tensor.dtype else "") + (" frozen" if tensor.frozen else "")


def print_doc(doc: str | None) -> str:
    """What follows a declaration in quotes."""
    return f' "{doc}"' if doc is not None else ""


def print_dim(dim: ast.Dim) -> str:
    bound = f" >= {dim.minimum}" if dim.minimum != 1 else ""
    bound += f" <= {dim.most}" if dim.most is not None else ""
    return f"dim {dim.name}{bound}{print_doc(dim.doc)}"


def print_let(let: ast.Let) -> str:
    return f"let {let.name} = {print_expr(let.value)}{print_doc(let.doc)}"


def print_assign(assign: ast.Assign) -> str:
    """`y[s, h]: fp32 = e where t <= s`."""
    if len(assign.targets) == 1:
        target = assign.targets[0]
        indices = print_indices(assign.target_access) if assign.target_access is not None else ""
        left = target.name + indices + (f": {target.dtype}" if target.dtype else "")
    else:
        left = ", ".join(print_tensor(target) for target in assign.targets)
    guards = f" where {print_guards(assign.guards, 'index')}" if assign.guards else ""
    return f"{left} {'+=' if assign.accumulate else '='} {print_expr(assign.value, 'body')}{guards}"


def print_statement(statement: ast.Statement) -> Piece:
    """A statement as a line or a group."""
    match statement:
        case ast.Region(kind, name, body, tiles):
            return Group(f"{kind} {name}{print_tiles(tiles)}", print_body(body), statement.span)
        case ast.Repeat(count, body, shared):
            head = f"repeat {print_expr(count, 'index')}{' shared' if shared else ''}"
            return Group(head, print_body(body), statement.span)
        case ast.Adjoint(body):
            return Group("adjoint", print_body(body), statement.span)
        case ast.Cost(items):
            lines = tuple(Line(f"{' '.join(item.words)} = {print_expr(item.value)}", item.span) for item in items)
            return Group("cost", lines, statement.span, listed=True)
        case _:
            return Line(_line(statement), statement.span)


def print_body(body: tuple[ast.Statement, ...]) -> tuple[Piece, ...]:
    return tuple(print_statement(statement) for statement in body)


def _line(statement: ast.Assign | ast.Params | ast.View | ast.Cache | ast.Keeps | ast.Dim | ast.Let) -> str:
    match statement:
        case ast.Assign():
            return print_assign(statement)
        case ast.Params(role, tensors):
            return f"{role} {', '.join(print_tensor(tensor) for tensor in tensors)}"
        case ast.View(target, of):
            return f"view {print_tensor(target)} of {', '.join(print_expr(source, 'index') for source in of)}"
        case ast.Cache():
            return _cache(statement)
        case ast.Keeps(names):
            return f"keeps {', '.join(names)}"
        case ast.Dim():
            return print_dim(statement)
        case ast.Let():
            return print_let(statement)
        case _:
            assert_never(statement)


def _cache(cache: ast.Cache) -> str:
    if cache.source is None:
        return f"carry {print_tensor(cache.target)}"
    keep = f" keep {print_expr(cache.keep, 'index')}" if cache.keep is not None else ""
    return f"cache {print_tensor(cache.target)} from {print_expr(cache.source, 'index')}{keep}"
