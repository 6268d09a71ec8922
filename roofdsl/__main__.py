"""The command `roofdsl`. Starts fast: what a verb needs is imported when the verb runs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

_COLLECT_AFTER = 200_000
"""Objects made before the cyclic collector looks: importing SymPy makes many, and none of them is garbage."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 fine, 1 the user's file is wrong or a claim fails, 2 usage,
    3 undecided, 70 a fault of ours.
    """
    gc.set_threshold(_COLLECT_AFTER)
    from roofdsl.cli.app import run

    try:
        return run(sys.argv[1:] if arguments is None else list(arguments))
    finally:
        # The process ends: a last search for cycles through all of SymPy would cost a quarter of its import.
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
