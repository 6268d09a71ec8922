"""Names: which are reserved, and which declared one a misspelt name probably meant.

Takes and gives plain strings; knows nothing of where names are declared.
"""

from __future__ import annotations

from collections.abc import Iterable

QUANTITIES = frozenset(
    [
        "flops",
        "bytes",
        "intensity",
        "saved",
        "params",
        "active_params",
        "param_bytes",
        "cache",
        "state",
        "comm",
        "time",
        "memory",
        "peak",
        "ridge",
        "bandwidth",
        "price",
    ]
)
PHASES = frozenset(["forward", "backward", "recompute", "train", "hardware", "infer"])
REDUCTIONS = frozenset(("sum", "amax", "amin"))
FORMS = frozenset(("size", "pos", "stop"))
FUNCTIONS = frozenset(["min", "max", "ceil", "floor", "abs", "log", "exp", "sqrt"])

RESERVED_SYMBOLS = QUANTITIES | PHASES | REDUCTIONS | FORMS | FUNCTIONS | {"oo"}
"""What a dim, let, measured fact or quantity may not be called."""

RESERVED_DEFINITIONS = QUANTITIES | REDUCTIONS | FORMS
"""What an op, block or model may not be called. Scalar functions are not among them: an op may wrap one."""


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate a misspelt name most likely meant, or None. The allowed distance grows with the length of the
    name, up to 3; of equally near ones the first wins. A name that differs only in case always counts as near.
    """
    limit = min(3, (len(name) + 1) // 3)
    best: tuple[int, str] | None = None
    for candidate in candidates:
        if candidate == name:
            continue
        distance = 1 if candidate.lower() == name.lower() else _distance(name, candidate, limit)
        near = distance <= limit or candidate.lower() == name.lower()
        if near and (best is None or distance < best[0]):
            best = distance, candidate
    return None if best is None else best[1]


def _distance(left: str, right: str, limit: int) -> int:
    """Number of letters inserted, left out, changed, or swapped with their neighbour; limit + 1 if it is more."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
