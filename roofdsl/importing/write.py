"""The text of an import: which shipped model it is, and a config; short enough to be read at a glance.

Nothing of the file reaches the text but numbers and names that are checked to be names.
"""

from __future__ import annotations

import re

from roofdsl.diagnostics import InternalError, Sink
from roofdsl.importing.apply import Imported
from roofdsl.source import Source
from roofdsl.syntax.format import format_text


def roof_text(imported: Imported, name: str, came_from: str, remarks: tuple[str, ...] = ()) -> str:
    """A `.roof` file: comments, `use`, the model and its config, both called `name`."""
    head = [f"# {plain(imported.architecture)}, imported from {plain(came_from)}."]
    head += [f"# {line}" for line in (*imported.notes, *remarks)]
    lines = [*head, f'use "{imported.spec}"', ""]
    lines += [f"default {kind} {dtype}" for kind, dtype in imported.dtypes]
    lines += [""] if imported.dtypes else []
    lines += [f"model {name} = {imported.model}{_braces(imported)}", ""]
    pairs = ", ".join(f"{dim} = {int(value)}" for dim, value in imported.bindings)
    lines.append(f"config {name} {{ {pairs} }}")
    sink = Sink()
    text = format_text(Source("<imported>", "\n".join(lines) + "\n"), sink)
    if sink.errors:
        raise InternalError(f"the text of an import is no text of the language: {sink.errors[0].primary.text}")
    return text


def plain(text: str) -> str:
    """Text of a stranger as it may stand in a comment: letters, digits and a few marks, at most 64."""
    return re.sub(r"[^A-Za-z0-9_.\- ]", "_", text)[:64]


def name_of(text: str) -> str:
    """A name of the language made of a file's or folder's name: `Llama-3.1-8B` is llama_3_1_8b."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:60]
    return name if name[:1].isalpha() else f"model_{name}".rstrip("_")


def _braces(imported: Imported) -> str:
    """`{qkv_rope = qkv_bias_rope}`, joined to those the model's text has."""
    if not imported.swaps:
        return ""
    return "{" + ", ".join(f"{name} = {other}" for name, other in imported.swaps) + "}"
