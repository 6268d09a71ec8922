"""Headers: binding a callee's indices to the arguments' extents (design §3).

`...` takes the dimensions the named indices leave; an op reduces its last index unless braces tell it which.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from roofdsl.diagnostics import Label
from roofdsl.errors import shapes
from roofdsl.ir.show import show_size
from roofdsl.ir.size import Size
from roofdsl.passes.elaborate.build import Body, Local
from roofdsl.passes.elaborate.equal import same_size
from roofdsl.source import Span
from roofdsl.syntax import ast


@dataclass(slots=True)
class Header:
    """The binding so far: `extents` of header indices with the argument each came from, `outer` the caller's name for
    each, `dots` what `...` stands for (in the callee's names).
    """

    extents: dict[str, tuple[Size, Span, str]] = field(default_factory=dict)
    outer: dict[str, str] = field(default_factory=dict)
    dots: tuple[str, ...] = ()
    has_dots: bool = False


def own_names(definition: ast.Definition) -> frozenset[str]:
    """Index names the header itself uses."""
    tensors = (*definition.operands, *definition.results)
    return frozenset(i.text for t in tensors for i in t.indices or () if isinstance(i, ast.Name))


def check_header(body: Body, definition: ast.Definition) -> bool:
    """Whether every name of a header means one thing: an operand, a position of a tensor, an extent the arguments give."""
    taken: dict[str, Span] = {}
    for operand in definition.operands:
        if operand.name in taken:
            first = (Label(taken[operand.name], "first here"),)
            body.report(shapes.REBOUND, operand.span, f"two operands are called `{operand.name}`", secondary=first)
            return False
        taken[operand.name] = operand.span
    for tensor in (*definition.operands, *definition.results):
        names = ["..." if isinstance(index, ast.Dots) else index.text for index in tensor.indices or ()]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            helps = (f"give one of them a name of its own: `let {twice}2 = {twice}`",) if twice != "..." else ()
            body.report(shapes.REBOUND, tensor.span, f"`{twice}` stands twice in `{tensor.name}`", helps=helps)
            return False
    return _check_own_sizes(body, definition)


def _check_own_sizes(body: Body, definition: ast.Definition) -> bool:
    given = {
        i.text: operand for operand in definition.operands for i in operand.indices or () if isinstance(i, ast.Name)
    }
    for item in definition.body:
        if isinstance(item, ast.Dim | ast.Let) and item.name in given:
            operand = given[item.name]
            text = f"the arguments say what `{item.name}` is, an index of `{operand.name}`"
            secondary = (Label(operand.span, "operand declared here"),)
            body.report(shapes.REBOUND, item.span, text, secondary=secondary, helps=("give the size another name",))
            return False
    return True


def bind_operand(
    body: Body,
    header: Header,
    definition: ast.Definition,
    operand: ast.Tensor,
    argument: Local,
    choices: dict[str, str],
    span: Span,
) -> Local | None:
    """The operand as the callee knows it; its indices are bound in `header`. None after a diagnostic."""
    outer = argument.indices
    if operand.indices is None:
        names = _fresh(outer, own_names(definition), header)
        return _bind(body, header, operand, argument, names, span)
    named = [index.text for index in operand.indices if isinstance(index, ast.Name)]
    with_dots = len(named) != len(operand.indices)
    missing = len(outer) - len(named)
    if missing < 0 or (missing > 0 and not with_dots):
        _report_rank(body, definition, operand, argument, span)
        return None
    places = _places(operand, outer, choices, missing)
    bound_names: list[str] = [""] * len(outer)
    for name, place in places.items():
        bound_names[place] = name
    rest = [k for k in range(len(outer)) if not bound_names[k]]
    dots = _dots(header, definition, tuple(outer[k] for k in rest))
    for k, name in zip(rest, dots, strict=True):
        bound_names[k] = name
    if with_dots and not header.has_dots:
        header.dots, header.has_dots = dots, True
    bound = _bind(body, header, operand, argument, tuple(bound_names), span)
    if bound is None:
        return None
    formal = _formal_order(operand, dots)
    axis_names = [bound.indices[p] for p in bound.order]
    return Local(argument.tensor, formal, tuple(formal.index(name) for name in axis_names), dots)


def _formal_order(operand: ast.Tensor, dots: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for index in operand.indices or ():
        if isinstance(index, ast.Dots):
            found += dots
        else:
            found.append(index.text)
    return tuple(found)


def _places(operand: ast.Tensor, outer: tuple[str, ...], choices: dict[str, str], missing: int) -> dict[str, int]:
    """Where each named index of the operand stands among the argument's indices. Chosen ones (`i = t`) first; the
    others by position, those after `...` counted from the end.
    """
    places: dict[str, int] = {}
    for index in operand.indices or ():
        if isinstance(index, ast.Name) and choices.get(index.text) in outer:
            places[index.text] = outer.index(choices[index.text])
    free = [k for k in range(len(outer)) if k not in places.values()]
    before = 0
    for index in operand.indices or ():
        if isinstance(index, ast.Dots):
            before += missing
        elif index.text not in places:
            places[index.text] = free[before]
            before += 1
    return places


def _fresh(outer: tuple[str, ...], own: frozenset[str], header: Header) -> tuple[str, ...]:
    return tuple(name if name not in own or header.outer.get(name) == name else f"{name}_" for name in outer)


def _dots(header: Header, definition: ast.Definition, outer: tuple[str, ...]) -> tuple[str, ...]:
    """Names for the dimensions `...` covers: those of an earlier operand where the caller calls them alike, or where
    the number agrees; else the caller's names, kept apart from the callee's own.
    """
    if not header.has_dots:
        return _fresh(outer, own_names(definition), header)
    inner = {header.outer[name]: name for name in header.dots}
    if all(name in inner for name in outer):
        return tuple(inner[name] for name in outer)
    if len(outer) == len(header.dots):
        return header.dots
    return _fresh(outer, own_names(definition), header)


def _extent(body: Body, argument: Local, position: int) -> Size:
    tensor = body.tensor(argument)
    return tensor.axes[argument.order.index(position)].extent


def _bind(
    body: Body, header: Header, operand: ast.Tensor, argument: Local, names: tuple[str, ...], span: Span
) -> Local | None:
    tensor = body.tensor(argument)
    origin = f"`{operand.name}` is given `{tensor.name}`"
    for position, name in enumerate(names):
        extent = _extent(body, argument, position)
        known = header.extents.get(name)
        if known is None:
            header.extents[name] = (extent, span, origin)
            header.outer.setdefault(name, argument.indices[position])
        elif not same_size(body, known[0], extent):
            body.report(
                shapes.EXTENT_MISMATCH,
                span,
                f"`{name}` is {show_size(extent)} in `{operand.name}`",
                secondary=(
                    Label(known[1], f"and {show_size(known[0])} here, where {known[2]}"),
                    Label(tensor.span, f"`{tensor.name}` declared here"),
                ),
                expected=f"an extent of {show_size(known[0])}",
                found=f"{show_size(extent)}",
            )
            return None
    return Local(argument.tensor, names, argument.order, ())


def _report_rank(body: Body, definition: ast.Definition, operand: ast.Tensor, argument: Local, span: Span) -> None:
    wanted = ", ".join("..." if isinstance(i, ast.Dots) else i.text for i in operand.indices or ())
    tensor = body.tensor(argument)
    body.report(
        shapes.RANK_MISMATCH,
        span,
        f"`{definition.name}` takes {operand.name}[{wanted}]",
        secondary=(
            Label(operand.span, "operand declared here"),
            Label(tensor.span, f"`{tensor.name}` declared here"),
        ),
        expected=f"{operand.name}[{wanted}]",
        found=f"{tensor.name}[{', '.join(argument.indices)}]",
    )
