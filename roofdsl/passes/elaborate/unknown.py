"""Small parts of messages: unknown names with the nearest ones, and numbers of things."""

from __future__ import annotations

from roofdsl.errors.names import UNKNOWN_NAME
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.names import suggest
from roofdsl.passes.outline import shipped_operators
from roofdsl.source import Span


def report_unknown(body: Body, name: str, span: Span, candidates: tuple[str, ...], what: str) -> None:
    near = suggest(name, candidates)
    helps = (f"did you mean `{near}`?",) if near is not None else ()
    if what.startswith("op") and name in shipped_operators():
        helps = ('the shipped library has it: add `use "ops"`',)
    body.report(UNKNOWN_NAME, span, f"no {what} named `{name}`", helps=helps)


def counted(number: int, noun: str) -> str:
    """`1 result`, `2 results`, `3 indices`."""
    plural = "indices" if noun == "index" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
