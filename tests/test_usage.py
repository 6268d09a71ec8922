"""Diagnostics of usage (E08xx) as their user sees them: `tests/usage/E0802_name.args` holds the arguments, one a line,
and `E0802_name.err` what is said on standard error. And: every code of the catalogue has a golden somewhere.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from roofdsl.cli import app, codes
from roofdsl.errors.catalogue import all_kinds
from roofdsl.report import render

FOLDER = Path(__file__).parent / "usage"
GOLDENS = (FOLDER, *(Path(__file__).parent / name for name in ("errors", "importing", "limits", "performance")))
CASES = sorted(FOLDER.glob("*.args"))
STUBS = {"E0803": None, "E0804": Path("/bin/false")}
"""What is found in place of a program that draws."""


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_message(path: Path, golden, capsys, monkeypatch, tmp_path: Path) -> None:
    code = path.name.split("_")[0]
    if code in STUBS:
        monkeypatch.setattr(render, "find_program", lambda: (STUBS[code], True))
    if code == "E0812":
        (tmp_path / "empty.roof").write_text("dim s\n", encoding="utf-8")
    if code == "E0813":
        (tmp_path / "out.roof").touch()
    monkeypatch.chdir(tmp_path)
    assert app.run(shlex.split(path.read_text(encoding="utf-8"))) == codes.USAGE
    message = capsys.readouterr().err
    assert f"[{code}]" in message
    golden(path.with_suffix(".err"), message)


def test_every_kind_has_a_golden() -> None:
    shown = {path.name.split("_")[0] for folder in GOLDENS for path in folder.glob("*.err")}
    assert sorted({kind.code for kind in all_kinds()} - shown) == []
