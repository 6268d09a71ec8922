"""`--rename h=d_model,a=n_h`: what a paper calls our symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.syntax import ast

OPTION = "--rename"


def read_renames(text: str | None) -> dict[str, str]:
    """Our names and the paper's (E0814 for what is no renaming)."""
    from roofdsl.diagnostics import fail
    from roofdsl.errors.usage import BAD_RENAME
    from roofdsl.source import word

    if text is None:
        return {}
    span = word(text, OPTION)
    found: dict[str, str] = {}
    for pair in text.split(","):
        ours, sign, theirs = (part.strip() for part in pair.partition("="))
        if not sign or not ours.isidentifier() or not theirs.isidentifier():
            fail(BAD_RENAME, span, "not a renaming", expected="OURS=THEIRS, such as h=d_model", found=pair)
        if ours in found or theirs in found.values():
            fail(BAD_RENAME, span, f"`{ours if ours in found else theirs}` stands twice")
        found[ours] = theirs
    return found


def with_reading(claim: ast.Claim, renames: Mapping[str, str]) -> ast.Claim:
    """A claim in the paper's symbols."""
    from dataclasses import replace

    from roofdsl.source import word
    from roofdsl.syntax import ast

    clauses = tuple(
        ast.Clause("reading", (theirs, ours), span=word(f"{ours}={theirs}", OPTION)) for ours, theirs in renames.items()
    )
    return replace(claim, clauses=(*clauses, *claim.clauses)) if clauses else claim
