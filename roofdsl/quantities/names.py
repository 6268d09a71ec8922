"""Help lines for mistyped names, as diagnostics take them."""

from __future__ import annotations

from collections.abc import Iterable

from roofdsl.passes.names import suggest


def suggestion(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """A help line naming the candidate that was probably meant, or none."""
    found = suggest(name, candidates)
    return () if found is None else (f"did you mean `{found}`?",)
