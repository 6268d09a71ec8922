"""Starting up imports nothing heavy: `--help`, `--version` and usage errors stay instant."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

HEAVY = {"sympy", "mpmath", "pint", "lark", "graphviz", "rich", "numpy", "matplotlib", "jsonschema"}


def imported(*arguments: str) -> tuple[set[str], int]:
    """The top-level packages a run imports, and its exit code."""
    command = [sys.executable, "-X", "importtime", "-m", "roofdsl", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    names = re.findall(r"^import time:.*\|\s*(\S+)$", done.stderr, re.MULTILINE)
    assert names, done.stderr
    return {name.split(".")[0] for name in names}, done.returncode


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("derive", "--help"), ("graph", "--help")])
def test_help_and_version_import_nothing_heavy(arguments: tuple[str, ...]) -> None:
    packages, code = imported(*arguments)
    assert code == 0
    assert "roofdsl" in packages
    assert not packages & HEAVY


def test_a_usage_error_imports_nothing_heavy() -> None:
    packages, code = imported("derive")
    assert code == 2
    assert not packages & HEAVY


def test_importing_the_package_imports_nothing_heavy() -> None:
    script = "import sys, roofdsl; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & HEAVY
