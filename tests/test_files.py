"""Output files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError
from roofdsl.files import write_atomic


def test_a_file_is_replaced_and_nothing_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    path.write_text("old")
    path.chmod(0o640)
    write_atomic(path, "new ²")
    assert path.read_text(encoding="utf-8") == "new ²"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_atomic(tmp_path / "a", b"x")
    finally:
        os.umask(mask)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_folder_is_never_overwritten(tmp_path: Path) -> None:
    with pytest.raises(RoofError, match="E0801"):
        write_atomic(tmp_path, "x")


def test_a_missing_folder_is_a_diagnostic_with_help(tmp_path: Path) -> None:
    with pytest.raises(RoofError) as caught:
        write_atomic(tmp_path / "no" / "out.svg", "x")
    (diagnostic,) = caught.value.diagnostics
    assert "mkdir" in diagnostic.helps[0]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RoofError, match="No space left"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_into() -> None:
    write_atomic(Path(os.devnull), "x")
    assert not Path(os.devnull).is_file()
