"""What a mistyped name may have meant: the nearest declared one by edit distance."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate within edit distance 3 (and less than the length of the name) that is closest, or None."""
    limit = min(3, max(1, len(name) - 1))
    best = min(((edit_distance(name, other), other) for other in candidates), default=None)
    return best[1] if best is not None and best[0] <= limit else None


def edit_distance(left: str, right: str) -> int:
    """Insertions, deletions and replacements that turn one name into the other."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def suggestion(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """A help line naming the nearest candidate, or none."""
    found = nearest(name, candidates)
    return () if found is None else (f"did you mean `{found}`?",)
