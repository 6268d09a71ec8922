"""Names: which are reserved, and which declared ones a misspelt name may have meant.

Takes and gives plain strings; knows nothing of where names are declared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from roofdsl.paths import specs_folder

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
        "capacity",
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

Topic = Literal["format", "op", "quantity", "phase", "command"]

_LEAST = 3
"""Letters a beginning or ending has at least to say anything."""
_MOST = 6


def did_you_mean(name: str, candidates: Iterable[str], topic: Topic | None = None) -> tuple[str, ...]:
    """A help line with the names a misspelt one may have meant; none if none is near. With a topic, what other tools
    call things of that kind (`specs/name_hints.txt`) is known too.
    """
    known = tuple(dict.fromkeys(candidates))
    near = nearest(name, known)
    same = near and near[0].lower().replace("_", "") == name.lower().replace("_", "")
    if not same and topic is not None and (hint := _hint(name, topic)) is not None:
        return (hint,)
    return (f"did you mean {_alternatives(near)}?",) if near else ()


def some(names: Iterable[str], most: int = 12) -> str:
    """The first of some names, for a message: `s, b, h, …`."""
    known = tuple(names)
    return ", ".join((*known[:most], "…") if len(known) > most else known)


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate a misspelt name most likely meant, or None."""
    return next(iter(nearest(name, candidates)), None)


def nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The candidates a misspelt name may have meant, likeliest first: the one that differs in case or `_` only; those
    that the name begins, or that begin it (at most six); the one at the smallest distance,
    which grows with the length of the name, up to 3; those that end with the name. The first kind there is.
    """
    known = [candidate for candidate in dict.fromkeys(candidates) if candidate != name]
    plain = name.lower().replace("_", "")
    same = [c for c in known if c.lower().replace("_", "") == plain]
    if same:
        return (same[0],)
    begun = [c for c in known if _begins(name.lower(), c.lower()) or _begins(c.lower(), name.lower())]
    if 0 < len(begun) <= _MOST:
        return tuple(sorted(begun, key=len))
    limit = 0 if len(name) < 3 else min(3, 1 + (len(name) - 3) // 3)
    distances = [(distance, k) for k, c in enumerate(known) if 0 < (distance := _distance(name, c, limit)) <= limit]
    if distances:
        return (known[min(distances)[1]],)
    ending = [c for c in known if len(name) >= _LEAST and c.lower().endswith(name.lower())]
    return tuple(ending) if len(ending) <= _MOST else ()


def _begins(part: str, whole: str) -> bool:
    """Whether a name is the beginning of another that says enough of it."""
    return len(part) >= _LEAST and 3 * len(part) >= len(whole) and whole.startswith(part)


def _alternatives(names: tuple[str, ...]) -> str:
    *others, last = (f"`{name}`" for name in names)
    return f"{', '.join(others)} or {last}" if others else last


def _hint(name: str, topic: Topic) -> str | None:
    """What to write for a name of another tool; read only when a message is made."""
    text = (specs_folder() / "name_hints.txt").read_text(encoding="utf-8")
    for line in text.partition(f"[{topic}]\n")[2].partition("\n[")[0].splitlines():
        written, separator, meaning = line.partition(" ; ")
        if separator and written == name.lower() and not line.startswith("#"):
            return meaning
    return None


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
