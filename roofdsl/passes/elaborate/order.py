"""Arguments in the wrong order: whether those of a call that does not fit would fit in another one."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from roofdsl.errors import shapes
from roofdsl.passes.elaborate.build import Body, Local
from roofdsl.passes.elaborate.header import Header, bind_operand
from roofdsl.passes.elaborate.types import is_integer
from roofdsl.syntax import ast

_MOST = 4
"""Arguments whose orders are tried."""


def check_order(body: Body, node: ast.Call, definition: ast.Definition, given: tuple[Local, ...]) -> bool:
    """False, and reported, where positions are given for numbers and numbers for positions, and another order fits."""
    operands = definition.operands[: len(given)]
    wrong = [
        k for k, operand in enumerate(operands) if _wants_positions(body, operand) != body.tensor(given[k]).integer
    ]
    if len(wrong) < 2:
        return True
    order = fitting_order(body, node, definition, given, {})
    if order is None:
        return True
    operand, tensor = operands[wrong[0]], body.tensor(given[wrong[0]])
    holds = "positions" if tensor.integer else "no positions"
    text = f"`{tensor.name}` holds {tensor.dtype}, {holds}: it cannot be `{operand.name}`"
    span = node.arguments[wrong[0]].span
    body.report(shapes.ARGUMENT_ORDER, span, text, expected=f"`{order}`", found=f"`{node.span.text}`")
    return False


def add_order(
    body: Body, node: ast.Call, definition: ast.Definition, given: tuple[Local, ...], choices: dict[str, str]
) -> None:
    """The other order that would fit, as help to what was reported last."""
    order = fitting_order(body, node, definition, given, choices)
    found = body.sink.found
    if order is not None and found:
        found[-1] = replace(found[-1], helps=(*found[-1].helps, f"in another order the arguments fit: `{order}`"))


def fitting_order(
    body: Body, node: ast.Call, definition: ast.Definition, given: tuple[Local, ...], choices: dict[str, str]
) -> str | None:
    """The call with its arguments in the first other order that fits, or None."""
    if not 2 <= len(given) <= _MOST:
        return None
    plain = tuple(range(len(given)))
    for order in permutations(plain):
        if order != plain and _fits(body, definition, node, tuple(given[k] for k in order), choices):
            head = node.span.text.partition("(")[0]
            return f"{head}({', '.join(node.arguments[k].span.text for k in order)})"
    return None


def _fits(
    body: Body, definition: ast.Definition, node: ast.Call, given: tuple[Local, ...], choices: dict[str, str]
) -> bool:
    """Tried on a header of its own; what the trial reports is taken back."""
    before = len(body.sink.found)
    header = Header()
    pairs = tuple(zip(definition.operands, given, strict=False))
    fits = all(
        _wants_positions(body, operand) <= body.tensor(local).integer
        and bind_operand(body, header, definition, operand, local, choices, node.span) is not None
        for operand, local in pairs
    )
    del body.sink.found[before:]
    return fits


def _wants_positions(body: Body, operand: ast.Tensor) -> bool:
    return operand.dtype is not None and is_integer(body, operand.dtype)
