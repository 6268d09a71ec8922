"""Exit codes, as documented."""

from __future__ import annotations

from typing import Final

FINE: Final = 0
WRONG: Final = 1
USAGE: Final = 2
UNDECIDED: Final = 3
FAULT: Final = 70
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
