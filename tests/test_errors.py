"""Every diagnostic as its user sees it: `tests/errors/E0301_name.roof` is checked and gives `E0301_name.err`."""

from __future__ import annotations

import contextlib
import io
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.passes.read import decode
from roofdsl.report.message import render_diagnostics
from roofdsl.source import NOWHERE
from roofdsl.syntax.parser import parse_file
from roofdsl.syntax.tables import load_tables

FOLDER = Path(__file__).parent / "errors"
CHECKS = find_spec("roofdsl.cli.check") is not None
FILES = sorted(FOLDER.glob("*.roof"))
EVALUATED = ("E06", "N06")  # bound and evaluated as their first line says: test_errors_evaluation.py
CASES = [p for p in FILES if (CHECKS or p.name.startswith("E01")) and not p.name.startswith(EVALUATED)]


def syntax_message(path: Path) -> str:
    sink = Sink()
    source = decode(path.read_bytes(), path.name, sink, NOWHERE)
    if source is not None:
        parse_file(source, sink)
    return render_diagnostics(sink.found)


def whole_message(path: Path) -> str:
    """What `roofdsl check` says on standard error, with the path normalised."""
    from roofdsl.cli.app import run

    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        run(["check", str(path)])
    return err.getvalue().replace(str(path), path.name).replace(f"{path.parent}/", "")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_message(path: Path, golden) -> None:
    message = syntax_message(path) if path.name.startswith("E01") else whole_message(path)
    code = path.name.split("_")[0]
    assert f"[{code}]" in message
    assert "Traceback" not in message
    golden(path.with_suffix(".err"), message)


@pytest.mark.parametrize("path", [p for p in CASES if p.name.startswith("E01")], ids=lambda path: path.stem)
def test_no_name_of_a_terminal_reaches_a_user(path: Path) -> None:
    message = re.sub(r"\|.*", "", syntax_message(path))
    terminals = [name for name in load_tables().symbols if name.isupper() and len(name) > 1]
    assert "_NL" in terminals
    assert not [name for name in terminals if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message)]


def test_no_golden_without_its_program() -> None:
    assert {path.stem for path in FOLDER.glob("*.err")} <= {path.stem for path in FILES}
