"""Names of tensors: bound once in a body, apart from the sizes in sight, and not to themselves (design §3)."""

from __future__ import annotations

from roofdsl.diagnostics import Label
from roofdsl.errors import shapes, statements
from roofdsl.ir.expr import Affine, Expr, Position, reads
from roofdsl.ir.size import ZERO, Const, Product, Size, Sum, Symbol
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.elaborate.header import own_names
from roofdsl.source import Span

_BACKWARDS = "to run from the end, turn the others around: `H[t] = A * H[t - 1] + u[size(t) - 1 - pos(t)]`"


def check_rebound(body: Body, name: str, span: Span) -> bool:
    """A name is bound once, but for a carried one, and may not be a visible dim. Names in an op are its own: there
    only the op's own indices are taken. A block does not know the sizes of other files: its tensors hide them.
    """
    taken = name in body.own if body.definition.kind == "op" else name in body.env
    if taken and body.definition.kind != "op" and _foreign(body, name):
        body.env = body.env.hide(name)
        taken = False
    if taken:
        body.report(shapes.REBOUND, span, f"`{name}` is a dim or let", helps=("choose another name for the tensor",))
        return False
    if name in body.carried or name in body.declared or name not in body.names:
        return True
    first = body.bound_at.get(name)
    secondary = (Label(first, "bound here first"),) if first is not None else ()
    body.report(shapes.REBOUND, span, f"`{name}` is bound already", secondary=secondary)
    return False


def check_earlier(body: Body, own: str, tensor_id: str, value: Expr) -> bool:
    """A recurrence reads its own target where it was written before, `H[t - 1]`, and nowhere else."""
    for read in reads(value):
        shifted = [p for p in read.positions if isinstance(p, Affine) and _shifted(p)]
        if read.tensor != tensor_id or not all(_later(position.offset) for position in shifted):
            continue
        where = "after the position" if shifted else "where it is only"
        body.report(
            statements.BAD_TARGET,
            read.span,
            f"`{own}` is read {where} being made",
            expected=f"an earlier position along one index, as in `{own}[t - 1]`",
            helps=(_BACKWARDS,) if shifted else (),
        )
        return False
    return True


def _shifted(position: Position) -> bool:
    return isinstance(position, Affine) and bool(position.terms) and position.offset != ZERO


def _later(offset: Size) -> bool:
    """Whether an offset is certainly greater than zero."""
    match offset:
        case Const(value):
            return value > 0
        case Sum(parts) | Product(parts):
            return all(_later(part) for part in parts)
        case _:
            return isinstance(offset, Symbol)


def _foreign(body: Body, name: str) -> bool:
    """Whether a size of that name is declared in another file than the definition being read, and not by its header."""
    library = body.builder.library
    declared = library.dims.get(name) or library.lets.get(name)
    if declared is None or name in own_names(body.definition) or name in body.env.local:
        return False
    return declared.span.source is not body.definition.span.source
