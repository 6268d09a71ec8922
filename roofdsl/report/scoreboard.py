"""The scoreboard of several files: how many claims of each were proved, refuted as documented, left undecided, or failed.

A claim that starts with `not` and is refuted counts as documented: the file says that the source is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from roofdsl.report.table import Table, make_table
from roofdsl.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """Claims of one file by what became of them. `failed` counts those that could not be judged at all too."""

    name: str
    proved: int = 0
    refuted: int = 0
    undecided: int = 0
    failed: int = 0

    @property
    def passed(self) -> int:
        return self.proved + self.refuted

    @property
    def claims(self) -> int:
        return self.passed + self.undecided + self.failed


def tally(name: str, verdicts: Iterable[Verdict], broken: int = 0) -> Tally:
    """The tally of a file's verdicts; `broken` claims could not be judged."""
    found = tuple(verdicts)
    undecided = sum(not verdict.decided for verdict in found)
    refuted = sum(verdict.passed and verdict.claim.negated for verdict in found)
    proved = sum(verdict.passed for verdict in found) - refuted
    return Tally(name, proved, refuted, undecided, len(found) - proved - refuted - undecided + broken)


def total(tallies: Iterable[Tally]) -> Tally:
    """The sum of several tallies."""
    rows = [(t.proved, t.refuted, t.undecided, t.failed) for t in tallies]
    return Tally("total", *(sum(column) for column in zip(*rows, strict=True))) if rows else Tally("total")


def scoreboard_table(tallies: Sequence[Tally]) -> Table:
    """One line per file that has claims, and their sum."""
    rows = [t for t in tallies if t.claims]
    columns = ("file", ">claims", ">proved", ">refuted as documented", ">undecided", ">failed")
    return make_table("", columns, [_row(t) for t in (*rows, total(rows))])


def _row(tally: Tally) -> tuple[str, ...]:
    counts = (tally.claims, tally.proved, tally.refuted, tally.undecided, tally.failed)
    return (tally.name, *(str(count) if count else "–" for count in counts))


def tally_document(tally: Tally) -> dict[str, Any]:
    """The tally as the schema's `tally`."""
    return {
        "file": tally.name,
        "proved": tally.proved,
        "refuted_as_documented": tally.refuted,
        "undecided": tally.undecided,
        "failed": tally.failed,
    }
