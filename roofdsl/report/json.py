"""Documents for `--json`: plain dicts with a schema number, written the same way each time.

Their form is documented in `schema.json` beside this file, which tests hold against real output. Exact numbers are
strings of a fraction (`"67/20"`) beside a float; formulas are given as printed, as LaTeX and as one SymPy line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from roofdsl import __version__
from roofdsl.diagnostics import Diagnostic
from roofdsl.source import Span

SCHEMA = 2
"""Raised when a key changes its meaning or goes away; new keys may come without."""


def document(kind: str, **content: Any) -> str:
    """The text of a document: its kind, the schema's number, and its content in the order given."""
    envelope = {"schema": SCHEMA, "roofdsl": __version__, "kind": kind, **content}
    return json.dumps(envelope, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def schema_file() -> Path:
    """The JSON Schema of all documents."""
    return Path(__file__).with_name("schema.json")


def exact_number(value: Fraction) -> dict[str, Any]:
    """A number as an exact fraction and as the nearest float (null beyond its range)."""
    try:
        near: float | None = float(value)
    except OverflowError:
        near = None
    return {"exact": str(value), "value": near}


def place_of(span: Span) -> dict[str, Any]:
    """File, line and column, from 1."""
    line, column = span.source.position(span.start)
    return {"file": span.source.name, "line": line, "column": column}


def span_of(span: Span) -> dict[str, Any]:
    """Where a span begins and ends, lines and columns from 1, the end excluded."""
    line, column = span.source.position(span.end)
    return {**place_of(span), "end_line": line, "end_column": column}


def diagnostics_of(diagnostics: Iterable[Diagnostic]) -> list[Mapping[str, Any]]:
    """Diagnostics as data, in the order found: the schema's `diagnostic`."""
    return [
        {
            "code": d.kind.code,
            "severity": d.kind.severity,
            "title": d.kind.title,
            "message": d.primary.text,
            "span": span_of(d.primary.span),
            "notes": [{"message": label.text, "span": span_of(label.span)} for label in d.secondary],
            "expected": d.expected,
            "found": d.found,
            "help": list(d.helps),
        }
        for d in diagnostics
    ]


def error_document(diagnostics: Iterable[Diagnostic], exit_code: int) -> str:
    """The document a command ends with that could not do what it was asked for."""
    return document("error", exit_code=exit_code, diagnostics=diagnostics_of(diagnostics))
