"""Diagnostics of crossovers, utilisation, tiles and plots as their user sees them: `tests/performance/E0640_name.args`
holds the arguments and `E0640_name.err` what is said on standard error.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from roofdsl.cli import codes
from roofdsl.diagnostics import Kind
from roofdsl.errors import performance
from tests.commands import roofdsl

SCALE = "dim n\nblock scale(x[n]) -> y {\n    param w[n]\n    y[n] = x[n] * w[n]\n}\n"
CASES = sorted((Path(__file__).parent / "performance").glob("*.args"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_message(path: Path, golden, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = path.name.split("_")[0]
    if code == "E0825":
        monkeypatch.setattr("roofdsl.report.plot_draw.find_spec", lambda _: None)
    (tmp_path / "scale.roof").write_text(SCALE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ran = roofdsl(*shlex.split(path.read_text(encoding="utf-8")))
    assert ran.code == (codes.USAGE if code.startswith("E08") else codes.WRONG)
    assert f"[{code}]" in ran.err
    golden(path.with_suffix(".err"), ran.err)


def test_every_kind_is_here() -> None:
    kinds = {kind.code for kind in vars(performance).values() if isinstance(kind, Kind)}
    assert kinds == {path.name.split("_")[0] for path in CASES}
