"""The catalogue of all diagnostics: which modules hold them, and look-up by code."""

from __future__ import annotations

from importlib import import_module

from roofdsl.diagnostics import Kind

TOPICS = (
    "syntax",
    "names",
    "statements",
    "shapes",
    "regions",
    "adjoint",
    "kernels",
    "units",
    "evaluation",
    "performance",
    "algebra",
    "claims",
    "importing",
    "usage",
)
"""The modules of this package that declare kinds; a test finds one that is missing here."""


def all_kinds() -> tuple[Kind, ...]:
    """Every kind, ordered by code: errors (E) before notes (N)."""
    modules = (import_module(f"roofdsl.errors.{topic}") for topic in TOPICS)
    kinds = {value for module in modules for value in vars(module).values() if isinstance(value, Kind)}
    return tuple(sorted(kinds, key=lambda kind: kind.code))


def find_kind(code: str) -> Kind | None:
    """The kind of a code, in any case of letters."""
    wanted = code.strip().upper()
    return next((kind for kind in all_kinds() if kind.code == wanted), None)
