"""A short run of the fuzzer, so that it stays runnable; the long one is `python tests/fuzz.py 100000`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("fuzz.py")


def test_a_short_run_ends_in_diagnostics_only() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "1500", "--seed", "7"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "fine" in done.stdout
    assert "E0101" in done.stdout
