"""What was found about a statement: proved, refuted or undecided, and by what (design §7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from roofdsl.algebra.decide import Empty, Proved, Refuted, Undecided
from roofdsl.algebra.decide import Verdict as Decision
from roofdsl.algebra.evaluation import Value
from roofdsl.algebra.form import Normal
from roofdsl.algebra.rays import Seen
from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.source import Span

Outcome = Literal["proved", "refuted", "undecided"]


@dataclass(frozen=True, slots=True)
class Witness:
    """Admissible sizes, in the order of declaration, and the exact values of both sides there. `smallest`: no smaller
    sizes would do.
    """

    sizes: Mapping[str, int]
    left: Value
    right: Value
    smallest: bool = True


@dataclass(frozen=True, slots=True)
class Judgement:
    """`reason` says in a few words by what; `witness` belongs to a refutation over sizes. `points` is how many exact
    points agreed where nothing was proved; `limit` is the limit found; `trail` are ratios of the sides, along sizes on
    which a claim of order fails.
    """

    outcome: Outcome
    reason: str = ""
    witness: Witness | None = None
    points: int = 0
    limit: Normal | None = field(default=None)
    trail: tuple[Seen, ...] = ()


def judgement_of(decision: Decision, span: Span, reason: str = "the difference is zero") -> Judgement:
    """The algebra's decision as a judgement; E0708 where the domain is empty."""
    match decision:
        case Proved(cases):
            return Judgement("proved", reason if cases == 1 else f"in every one of {cases} cases")
        case Refuted(sizes, left, right, smallest):
            return Judgement("refuted", "", Witness(sizes, left, right, smallest))
        case Undecided(points):
            return Judgement("undecided", "", None, len(points))
        case Empty():
            fail(errors.EMPTY_DOMAIN, span, "no sizes were found that fulfil the conditions")
