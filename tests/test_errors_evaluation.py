"""Goldens of units, machines and evaluation: the whole message, as a user reads it (E06xx, N06xx)."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofdsl.diagnostics import Kind
from roofdsl.errors import evaluation, units
from roofdsl.report.message import render_diagnostics
from tests.evaluating import evaluate_file

FILES = sorted(p for p in (Path(__file__).parent / "errors").glob("*.roof") if p.name[1:3] == "06")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_message_is_as_agreed(path: Path, golden) -> None:
    found = evaluate_file(path)
    assert {d.kind.code for d in found} == {path.name[:5]}
    golden(path.with_suffix(".err"), render_diagnostics(found))


def test_every_kind_has_a_golden() -> None:
    kinds = {v.code for module in (units, evaluation) for v in vars(module).values() if isinstance(v, Kind)}
    assert kinds == {path.name[:5] for path in FILES}
