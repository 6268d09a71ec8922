"""Every command and code block of the README and the other documents is run, and prints what it says it prints."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/new_block.md")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`(\S+\.(?:json|tex))`:\n\n```(?:json|tex)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"sh", "console", "python", "roof", "text", "json", "tex", ""}


def blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        found += [(name, body) for kind, body in FENCE.findall(text) if kind == language]
    return found


def commands(body: str) -> list[tuple[str, str]]:
    """Each `$ command` of a console block with the output that follows it."""
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


CONSOLE = [(name, command, output) for name, body in blocks("console") for command, output in commands(body)]


def test_documents_use_only_languages_that_are_checked() -> None:
    for name in DOCUMENTS:
        kinds = {kind for kind, _ in FENCE.findall((ROOT / name).read_text(encoding="utf-8"))}
        assert kinds <= LANGUAGES, name


def test_the_set_up_commands_are_those_ci_runs() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    lines = [line for name, body in blocks("sh") if name == "README.md" for line in body.strip().splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert line in ci


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(command)
    if words[0] == "roofdsl":
        words = [sys.executable, "-m", "roofdsl", *words[1:]]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the documents' commands run: with the README's own example files in it, as a reader would have them."""
    made = tmp_path_factory.mktemp("reader")
    for _, body in blocks("roof"):
        first = body.partition("\n")[0]
        if match := re.fullmatch(r"# (\w+\.roof)(:.*)?", first):
            (made / match.group(1)).write_text(body, encoding="utf-8")
    for name, body in NAMED.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(body, encoding="utf-8")
    return made


@pytest.mark.parametrize(("name", "command", "output"), CONSOLE, ids=[c for _, c, _ in CONSOLE])
def test_commands_print_what_the_documents_show(name: str, command: str, output: str, folder: Path) -> None:
    done = run(command, folder)
    printed = done.stdout + done.stderr
    assert done.returncode in (0, 1, 3), printed
    shown = [line.rstrip() for line in output.rstrip("\n").splitlines()]
    lines = [line.rstrip() for line in printed.rstrip("\n").splitlines()]
    if "…" in shown:  # the document leaves out the middle
        cut = shown.index("…")
        tail = len(shown) - cut - 1
        lines = [*lines[:cut], "…", *lines[len(lines) - tail :]]
    assert lines == shown, f"{name}: {command}"


@pytest.mark.parametrize(("name", "body"), blocks("python"))
def test_python_blocks_run(name: str, body: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", body], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, f"{name}: {done.stderr}"


@pytest.mark.parametrize(("name", "body"), blocks("roof"))
def test_roof_blocks_are_sound(name: str, body: str, tmp_path: Path) -> None:
    path = tmp_path / "block.roof"
    path.write_text(body, encoding="utf-8")
    done = run(f"roofdsl check {shlex.quote(str(path))}", tmp_path)
    assert done.returncode == 0, f"{name}: {done.stderr}"
