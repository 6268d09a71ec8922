"""Small parts of messages: unknown names with the nearest ones, targets of no known shape, and numbers of things."""

from __future__ import annotations

from roofdsl.errors import shapes, statements
from roofdsl.errors.names import UNKNOWN_NAME
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.names import did_you_mean
from roofdsl.passes.outline import shipped_operators
from roofdsl.source import Span
from roofdsl.syntax import ast

_DECLARE = {
    "dim or let": ("declare it: `dim {name}`, or `let {name} = …` of other sizes",),
    "index": ("declare it: `dim {name}`, or `let {name} = …` of other sizes",),
    "tensor": ("a parameter is declared as `param {name}[…]`",),
    "tensor or size": (
        "declare it: `param {name}[…]` if it is a tensor, `dim {name}` or `let {name} = …` if it is a size",
    ),
}


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
    if what.startswith("tensor") and (made := _made_elsewhere(body, name)) is not None:
        return (made,)
    near = did_you_mean(name, candidates, "op" if what.startswith("op") else None)
    return near or tuple(text.format(name=name) for text in _DECLARE.get(what, ()))


def _made_elsewhere(body: Body, name: str) -> str | None:
    """What is made below, by the statement itself, or inside a repeat that is over."""
    for item in body.definition.body:
        if isinstance(item, ast.Repeat) and name in assigned_names(item.body):
            return f"`{name}` stays inside the repeat; a name that was there before leaves it: `repeat L {{ x = layer(x) }}`"
    if name in assigned_names(body.definition.body):
        return f"`{name}` is made here or below; a recurrence reads an earlier position: `{name}[t] = … {name}[t - 1]`"
    return None


def assigned_names(items: tuple[ast.Statement, ...]) -> tuple[str, ...]:
    """Names the statements bind, regions included."""
    found: dict[str, None] = {}
    for item in items:
        match item:
            case ast.Assign(targets):
                found.update(dict.fromkeys(t.name for t in targets))
            case ast.Region(_, _, inner) | ast.Repeat(_, inner):
                found.update(dict.fromkeys(assigned_names(inner)))
            case _:
                continue
    return tuple(found)


def report_shapeless(body: Body, node: ast.Assign) -> None:
    """Only a header says how large a tensor is that statements fill part by part, and only an op's: one kernel fills it."""
    result = "a result declared with its indices in the header: -> y[n, h]"
    in_op = body.definition.kind == "op"
    helps = () if in_op else ("move the statement into an op, and call it",)
    if not in_op and not all(isinstance(index, ast.Name | ast.Dots | ast.Access) for index in node.target_access or ()):
        helps = ("an index of a target is a name, and `dim` or `let` says how far it runs: `let n = w/2`, `y[n] = …`",)
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
    elsewhere = _made_elsewhere(body, result.name)
    helps = (elsewhere,) if elsewhere else near or ((f"the body assigns {', '.join(made)}",) if made else ())
    body.report(shapes.NO_RESULT, result.span, f"`{result.name}` is never assigned", helps=helps)


def counted(number: int, noun: str) -> str:
    """`1 result`, `2 results`, `3 indices`."""
    plural = "indices" if noun == "index" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
