"""Index expressions: from brackets to affine positions and gathers, and the extents indices take (R1).

A name that stands alone in some bracket of the statement is a running index there; in an affine expression such as
`p*g + i` the others are sizes (design §3). `size(x)` and `pos(x)` force the reading.
"""

from __future__ import annotations

from typing import assert_never

from roofdsl.diagnostics import Label
from roofdsl.errors import shapes, statements
from roofdsl.ir import size as sz
from roofdsl.ir.expr import Access, Affine, Gather, Position
from roofdsl.ir.show import show_size
from roofdsl.ir.size import Size
from roofdsl.passes.elaborate.affine import Indexing, affine
from roofdsl.passes.elaborate.build import Body, Local
from roofdsl.passes.elaborate.equal import same_size
from roofdsl.passes.elaborate.unknown import counted, report_unknown
from roofdsl.source import Span
from roofdsl.syntax import ast


def running_names(body: Body, items: tuple[ast.Expr | ast.Dots, ...]) -> frozenset[str]:
    """Names that stand alone in a bracket of these expressions, or under `pos(...)`, plus what dots and bare tensors
    stand for.
    """
    found: set[str] = set(body.dots)
    for item in items:
        _collect(body, item, found)
    return frozenset(found)


def _collect(body: Body, item: ast.Expr | ast.Dots, found: set[str]) -> None:
    match item:
        case ast.Access(tensor, indices):
            _collect_bracket(body, indices, found)
            local = body.lookup(tensor)
            found.update(local.dots if local is not None else ())
        case ast.Name(text):
            local = body.lookup(text)
            found.update(local.indices if local is not None else ())
        case ast.Call(function, arguments):
            if function == "pos" and len(arguments) == 1 and isinstance(arguments[0], ast.Name):
                found.add(arguments[0].text)
            for argument in arguments:
                _collect(body, argument, found)
        case ast.Negate(operand):
            _collect(body, operand, found)
        case ast.Binary(_, left, right):
            _collect(body, left, found)
            _collect(body, right, found)
        case ast.Juxtaposed(factors):
            for factor in factors:
                _collect(body, factor, found)
        case ast.Number() | ast.Dots() | ast.Path() | ast.Measured() | ast.Per() | ast.Quoted():
            return
        case _:
            assert_never(item)


def _collect_bracket(body: Body, indices: tuple[ast.Expr | ast.Dots, ...], found: set[str]) -> None:
    for index in indices:
        match index:
            case ast.Name(text) if body.lookup(text) is None or text in body.env:
                found.add(text)
            case ast.Access() | ast.Name() | ast.Call():
                _collect(body, index, found)
            case ast.Binary() | ast.Negate() | ast.Juxtaposed():
                bare, sized = _mentioned(index)
                found.update(bare & sized)
            case _:
                continue


def _mentioned(index: ast.Expr) -> tuple[frozenset[str], frozenset[str]]:
    """Names an index expression mentions bare, and those under `size(...)`. Whoever writes both means different things."""
    parts: tuple[ast.Expr, ...]
    match index:
        case ast.Name(text):
            return frozenset((text,)), frozenset()
        case ast.Call("size", (ast.Name(text),)):
            return frozenset(), frozenset((text,))
        case ast.Call("pos", (ast.Name(text),)):  # said outright
            return frozenset((text,)), frozenset((text,))
        case ast.Binary(_, left, right):
            parts = (left, right)
        case ast.Juxtaposed(factors):
            parts = factors
        case ast.Negate(operand):
            parts = (operand,)
        case _:
            return frozenset(), frozenset()
    found = [_mentioned(part) for part in parts]
    return frozenset().union(*(bare for bare, _ in found)), frozenset().union(*(sized for _, sized in found))


def check_target_runs(body: Body, target: Access, local: Local, brackets: tuple[ast.Expr | ast.Dots, ...]) -> bool:
    """Whether something runs in every position of a target that names an index: a slip would write one element."""
    indices = expand_dots(brackets, local.dots)
    for k, position in zip(local.order, target.positions, strict=True):
        bare, _ = _mentioned(indices[k])
        if bare and isinstance(position, Affine) and not position.terms:
            helps = ("write pos(x) for an index x that runs here, size(x) for its size",)
            body.report(statements.BAD_TARGET, indices[k].span, "no index runs here", helps=helps)
            return False
    return True


def expand_dots(indices: tuple[ast.Expr | ast.Dots, ...], dots: tuple[str, ...]) -> tuple[ast.Expr, ...]:
    """The indices with `...` replaced by the names it stands for."""
    expanded: list[ast.Expr] = []
    for index in indices:
        if isinstance(index, ast.Dots):
            expanded += [ast.Name(name, index.span) for name in dots]
        else:
            expanded.append(index)
    return tuple(expanded)


def access(
    body: Body, indexing: Indexing, local: Local, node: ast.Access | ast.Name, *, part: bool = False
) -> Access | None:
    """The access a tensor name with or without brackets stands for; None after a diagnostic.

    A bare index runs over the whole axis, so the extents must agree; not so where an expression was written, or where
    a target writes a part of a tensor (`part`).
    """
    if isinstance(node, ast.Name):
        indices: tuple[ast.Expr, ...] = tuple(ast.Name(name, node.span) for name in local.indices)
    else:
        indices = expand_dots(node.indices, local.dots)
    if len(indices) != len(local.indices):
        _report_rank(body, local, node, len(indices))
        return None
    positions = [_position(body, indexing, index) for index in indices]
    if any(position is None for position in positions):
        return None
    formal = [position for position in positions if position is not None]
    tensor = body.tensor(local)
    helps = _other_order(local, indices, node)
    for k, axis in zip(local.order, tensor.axes, strict=True):
        if isinstance(indices[k], ast.Name) and not part:
            origin = (f"`{tensor.name}` has it here", tensor.span)
            if not _unify(body, indexing, formal[k], axis.extent, node.span, *origin, helps) and helps:
                break
    return Access(tensor.id, tuple(formal[k] for k in local.order), node.span)


def _other_order(local: Local, indices: tuple[ast.Expr, ...], node: ast.Access | ast.Name) -> tuple[str, ...]:
    """Help where the brackets hold the declared indices in another order."""
    written = tuple(index.text if isinstance(index, ast.Name) else "" for index in indices)
    if written == local.indices or sorted(written) != sorted(local.indices) or isinstance(node, ast.Name):
        return ()
    return (f"its indices are declared in this order: `{node.tensor}[{','.join(local.indices)}]`",)


def _report_rank(body: Body, local: Local, node: ast.Access | ast.Name, found: int) -> None:
    tensor = body.tensor(local)
    shape = ", ".join(local.indices)
    body.report(
        shapes.RANK_MISMATCH,
        node.span,
        f"{counted(found, 'index')} given",
        secondary=(Label(tensor.span, f"`{tensor.name}` declared here"),),
        expected=f"{len(local.indices)}: {tensor.name}[{shape}]",
        found=f"{found}",
    )


def _unify(
    body: Body,
    indexing: Indexing,
    position: Position,
    extent: Size,
    span: Span,
    origin: str,
    declared: Span,
    helps: tuple[str, ...] = (),
) -> bool:
    """A plain index takes the extent of the axis it runs over; two different ones are an error."""
    name = plain_index(position)
    if name is None:
        return True
    known = indexing.extents.get(name)
    if known is None:
        indexing.extents[name] = (extent, declared, origin)
        return True
    if same_size(body, known[0], extent):
        return True
    body.report(
        shapes.EXTENT_MISMATCH,
        span,
        f"index `{name}` runs over {show_size(extent)} here",
        secondary=(Label(known[1], f"and over {show_size(known[0])} here"), Label(declared, origin)),
        expected=f"an extent of {show_size(known[0])}",
        found=f"{show_size(extent)}",
        helps=helps,
    )
    return False


def plain_index(position: Position) -> str | None:
    """The index's name where a position is one index and nothing else."""
    match position:
        case Affine(((coefficient, name),), offset) if coefficient == sz.ONE and offset == sz.ZERO:
            return name
        case _:
            return None


def target_extent(body: Body, indexing: Indexing, name: str, span: Span) -> Size | None:
    """The extent of a target's index: the dim or let of that name, which the accesses must agree with."""
    size = body.env.size(name)
    if size is None:
        known = indexing.extents.get(name)
        if known is not None:
            return known[0]
        report_unknown(body, name, span, body.env.names, "index")
        return None
    _unify(body, indexing, Affine(((sz.ONE, name),), sz.ZERO), size, span, f"`{name}` is declared", span)
    return size


def _position(body: Body, indexing: Indexing, index: ast.Expr) -> Position | None:
    match index:
        case ast.Access(tensor):
            local = body.lookup(tensor)
            if local is None:
                if tensor not in body.names:
                    report_unknown(body, tensor, index.span, tuple(body.names), "tensor")
                return None
            return gather(body, indexing, local, index)
        case ast.Name(text) if (local := body.lookup(text)) is not None and text not in body.env:
            return gather(body, indexing, local, index)
        case _:
            return affine(body, indexing, index)


def gather(body: Body, indexing: Indexing, local: Local, index: ast.Access | ast.Name) -> Gather | None:
    """A position that a tensor of integers says; None after a diagnostic."""
    tensor = body.tensor(local)
    if not tensor.integer:
        secondary = (Label(tensor.span, f"`{tensor.name}` declared here"),)
        help_text = f"if it holds positions, say so: `{tensor.name}[...]: int32`"
        text = f"`{tensor.name}` holds {tensor.dtype} numbers, no positions"
        body.report(statements.BAD_INDEX, index.span, text, secondary=secondary, helps=(help_text,))
        return None
    inner = access(body, indexing, local, index)
    return None if inner is None else Gather(inner)
