"""Input beyond the limits ends in a quick diagnostic: what is too large to keep as a file is made here, its message kept
as `tests/limits/CODE_name.err`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import roofdsl

FOLDER = Path(__file__).parent / "limits"


def too_many_tokens(folder: Path) -> Path:
    path = folder / "tokens.roof"
    path.write_text("dim s\n" * 400_000, encoding="utf-8")
    return path


def too_many_files(folder: Path) -> Path:
    for k in range(20):
        following = f'use "./file{k + 1}.roof"\n' if k < 19 else ""
        (folder / f"file{k}.roof").write_text(f"{following}dim s{k}\n", encoding="utf-8")
    return folder / "file0.roof"


def too_large(folder: Path) -> Path:
    path = folder / "large.roof"
    path.write_text("# " + "x" * 4_200_000, encoding="utf-8")
    return path


def a_folder(folder: Path) -> Path:
    path = folder / "folder.roof"
    path.mkdir()
    return path


def too_many_calls(folder: Path) -> Path:
    """Seventeen blocks, each calling the one before twice: 2^17 calls from a page of text."""
    lines = ["dim s", "block f0(x[s]) -> y {", "    y[s] = x[s] * 2", "}"]
    for k in range(1, 18):
        lines += [f"block f{k}(x[s]) -> y {{", f"    z = f{k - 1}(x)", f"    y = f{k - 1}(z)", "}"]
    path = folder / "doubling.roof"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


CASES = {
    "E0108_tokens": too_many_tokens,
    "E0207_files": too_many_files,
    "E0209_large": too_large,
    "E0210_folder": a_folder,
    "E0406_calls": too_many_calls,
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_too_large_is_said_to_be(name: str, tmp_path: Path, golden, monkeypatch) -> None:
    path = CASES[name](tmp_path)
    monkeypatch.chdir(tmp_path)
    verb = ("derive", path.name, "flops(f17)") if name == "E0406_calls" else ("check", path.name)
    ran = roofdsl(*verb)
    assert f"[{name[:5]}]" in ran.err
    assert ran.code in (1, 2)
    golden(FOLDER / f"{name}.err", ran.err)
