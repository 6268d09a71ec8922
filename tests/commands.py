"""The command line run inside a test: exit code, both streams, and JSON held against its schema."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from typing import Any

import jsonschema

from roofdsl.cli.app import run
from roofdsl.report.json import schema_file


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run gave."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The JSON on standard output, valid under the schema."""
        found: dict[str, Any] = json.loads(self.out)
        jsonschema.validate(found, json.loads(schema_file().read_text(encoding="utf-8")))
        return found


def roofdsl(*arguments: str) -> Ran:
    """Runs `roofdsl` with these arguments."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    return Ran(code, out.getvalue(), err.getvalue())
