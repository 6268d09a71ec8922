"""Unknown names: one diagnostic with the nearest names."""

from __future__ import annotations

from roofdsl.errors.names import UNKNOWN_NAME
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.names import suggest
from roofdsl.source import Span


def report_unknown(body: Body, name: str, span: Span, candidates: tuple[str, ...], what: str) -> None:
    near = suggest(name, candidates)
    helps = (f"did you mean `{near}`?",) if near is not None else ()
    body.report(UNKNOWN_NAME, span, f"no {what} named `{name}`", helps=helps)
