"""The algebra knows no positions: whoever asks says which text is to blame for what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from roofdsl.diagnostics import Label, RoofError
from roofdsl.source import NOWHERE, Span


@contextmanager
def blamed_on(span: Span) -> Iterator[None]:
    """Gives diagnostics raised inside that have no position this one."""
    try:
        yield
    except RoofError as error:
        placed = (
            replace(d, primary=Label(span, d.primary.text)) if d.primary.span is NOWHERE else d
            for d in error.diagnostics
        )
        raise RoofError(tuple(placed)) from None
