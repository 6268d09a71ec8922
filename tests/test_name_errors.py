"""Names and loading: each program in `errors/` gives exactly the message beside it.

`UPDATE_GOLDEN=1` writes the messages anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.errors import names
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.load import load_named
from roofdsl.report.message import render_diagnostics

FOLDER = Path(__file__).parent / "errors"
PROGRAMS = sorted([*FOLDER.glob("E02*.roof"), *FOLDER.glob("N02*.roof")])


def message_of(name: str) -> str:
    """All diagnostics of a program: loading first, then each definition."""
    sink = Sink()
    try:
        _, library = load_named(name, sink)
        for definition in () if sink.errors else library.definitions:
            elaborate(library, definition, None, "train", sink)
    except RoofError as error:
        return render_diagnostics(error.diagnostics)
    return render_diagnostics(sink.found)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_message_is_the_one_beside_the_program(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    message = message_of(program.name)
    golden = program.with_suffix(".err")
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(message)
    assert f"[{program.stem.split('_')[0]}]" in message
    assert message == golden.read_text()


def test_every_kind_of_a_file_has_a_program() -> None:
    shown = {program.stem.split("_")[0] for program in PROGRAMS}
    declared = {kind.code for kind in vars(names).values() if isinstance(kind, names.Kind)}
    without_a_program = {"E0207", "E0209", "E0210"}  # many files, a huge one, none: in test_load.py
    assert declared - shown == without_a_program
