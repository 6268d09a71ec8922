"""Small parts of messages: unknown names with the nearest ones, targets of no known shape, and numbers of things."""

from __future__ import annotations

from roofdsl.errors import statements
from roofdsl.errors.names import UNKNOWN_NAME
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.names import suggest
from roofdsl.passes.outline import shipped_operators
from roofdsl.source import Span
from roofdsl.syntax import ast


def report_unknown(body: Body, name: str, span: Span, candidates: tuple[str, ...], what: str) -> None:
    near = suggest(name, candidates)
    helps = (f"did you mean `{near}`?",) if near is not None else ()
    if what.startswith("op") and name in shipped_operators():
        helps = ('the shipped library has it: add `use "ops"`',)
    body.report(UNKNOWN_NAME, span, f"no {what} named `{name}`", helps=helps)


def report_shapeless(body: Body, node: ast.Assign) -> None:
    """Only a header says how large a tensor is that statements fill part by part, and only an op's: one kernel fills it."""
    result = "a result declared with its indices in the header: -> y[n, h]"
    in_op = body.definition.kind == "op"
    body.report(
        statements.BAD_TARGET,
        node.targets[0].span,
        "the shape of this target is not known" if in_op else "only an op can fill a tensor part by part, or scatter",
        expected=result if in_op else f"an op with {result}",
        helps=() if in_op else ("move the statement into an op, and call it",),
    )


def counted(number: int, noun: str) -> str:
    """`1 result`, `2 results`, `3 indices`."""
    plural = "indices" if noun == "index" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
