"""Small parts of messages: unknown names with the nearest ones, targets of no known shape, and numbers of things."""

from __future__ import annotations

from roofdsl.errors import shapes, statements
from roofdsl.errors.names import UNKNOWN_NAME
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.names import did_you_mean
from roofdsl.passes.outline import shipped_operators
from roofdsl.source import Span
from roofdsl.syntax import ast


def report_unknown(body: Body, name: str, span: Span, candidates: tuple[str, ...], what: str) -> None:
    """An unknown name, once per file and kind of name: what is missing is declared once."""
    text = f"no {what} named `{name}`"
    told = (d.primary for d in body.sink.found if d.kind is UNKNOWN_NAME)
    if any(label.text == text and label.span.source is span.source for label in told):
        return
    body.report(UNKNOWN_NAME, span, text, helps=_helps(body, name, candidates, what))


def _helps(body: Body, name: str, candidates: tuple[str, ...], what: str) -> tuple[str, ...]:
    if what.startswith("op") and name in shipped_operators():
        return ('the shipped library has it: add `use "ops"`',)
    if what.startswith("op") and (local := body.lookup(name)) is not None:
        return (f"`{name}` is a tensor, and its indices stand in square brackets: `{name}[{','.join(local.indices)}]`",)
    if what.startswith("tensor") and name in body.env:
        return (f"`{name}` is a size: `let` and `dim` declare sizes, tensors are assigned without",)
    near = did_you_mean(name, candidates, "op" if what.startswith("op") else None)
    if not near and what in ("dim or let", "index"):
        return (f"declare it: `dim {name}`, or `let {name} = …` of other sizes",)
    return near


def report_shapeless(body: Body, node: ast.Assign) -> None:
    """Only a header says how large a tensor is that statements fill part by part, and only an op's: one kernel fills it."""
    result = "a result declared with its indices in the header: -> y[n, h]"
    in_op = body.definition.kind == "op"
    helps = () if in_op else ("move the statement into an op, and call it",)
    if any(isinstance(index, ast.Number) for index in node.target_access or ()):
        helps = ("an index is a name, and `dim` or `let` says how far it runs: `let n = 64`",)
    body.report(
        statements.BAD_TARGET,
        node.targets[0].span,
        "the shape of this target is not known" if in_op else "only an op can fill a tensor part by part, or scatter",
        expected=result if in_op else f"an op with {result}",
        helps=helps,
    )


def report_unassigned(body: Body, result: ast.Tensor) -> None:
    """A result of the header that no statement makes."""
    given = {operand.name for operand in body.definition.operands}
    made = [name for name in body.bound_at if body.names.get(name) is not None and name not in given]
    near = did_you_mean(result.name, made)
    helps = near or ((f"the body assigns {', '.join(made)}",) if made else ())
    body.report(shapes.NO_RESULT, result.span, f"`{result.name}` is never assigned", helps=helps)


def counted(number: int, noun: str) -> str:
    """`1 result`, `2 results`, `3 indices`."""
    plural = "indices" if noun == "index" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
