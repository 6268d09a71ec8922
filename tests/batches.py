"""A batch of random trials from the command line: `python -m tests.random_proofs 3000 SEED` prints what came of them."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable


def print_batch(run: Callable[[int, int], Counter[str]]) -> None:
    """Run as many trials as the first argument says (300), from the seed of the second (0); a wrong one raises."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    start = time.perf_counter()
    found = run(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    for what, number in sorted(found.items()):
        print(f"{number:>7}  {what}")
    print(f"{found.total():>7}  in {time.perf_counter() - start:.0f} s, none wrong")
