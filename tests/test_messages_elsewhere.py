"""Messages that neither a `.roof` file nor a plain command line can bring about, kept as `tests/limits/CODE_name.err`."""

from __future__ import annotations

from pathlib import Path

import pytest

import roofdsl as rd
from roofdsl.diagnostics import Sink
from roofdsl.report.message import render_diagnostics
from roofdsl.source import Source
from roofdsl.syntax import format as formatter
from tests.commands import roofdsl

FOLDER = Path(__file__).parent / "limits"


def test_a_file_that_cannot_be_reprinted(golden, monkeypatch) -> None:
    monkeypatch.setattr(formatter, "_aligned", lambda lines: [line.text for line in lines])
    sink = Sink()
    formatter.format_text(Source("kept.roof", "dim   s # kept\n"), sink)
    golden(FOLDER / "E0115_reprint.err", render_diagnostics(sink.found))


def test_a_marker_without_an_equation(golden, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper.tex").write_text("% roofdsl: saved(mlp)\nno equation follows\n", encoding="utf-8")
    ran = roofdsl("verify", "gpt3", "--tex", "paper.tex")
    assert "[E0120]" in ran.err
    golden(FOLDER / "E0120_marker.err", ran.err)


def test_a_rename_that_is_none(golden) -> None:
    ran = roofdsl("verify", "gpt3", "--rename", "s")
    assert ran.code == 2
    golden(FOLDER / "E0814_rename.err", ran.err)


def test_a_function_that_is_no_formula(golden) -> None:
    with pytest.raises(rd.RoofError, match="E0815") as caught:
        rd.load("gpt3").prove("saved(layer)", lambda s: 2**s)
    golden(FOLDER / "E0815_function.err", render_diagnostics(caught.value.diagnostics))
