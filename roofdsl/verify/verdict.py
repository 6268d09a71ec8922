"""The verdict of a claim: what was found, whether the claim stands, and everything a reader needs to believe it.

`verify_claim` is the entry. A refutation comes with its causes: entries whose terms differ, contributions that explain
the difference, and single changes under which the claim would hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from roofdsl.algebra.form import Normal
from roofdsl.quantities.session import Session
from roofdsl.syntax import ast
from roofdsl.verify.causes import Cause, find_causes
from roofdsl.verify.changes import find_remedies
from roofdsl.verify.judge import judge, judge_off
from roofdsl.verify.judgement import Judgement, Outcome
from roofdsl.verify.pinpoint import Fault, find_fault
from roofdsl.verify.provenance import Origin, origins_of
from roofdsl.verify.question import Question, forms, pose
from roofdsl.verify.reading import Remedy


@dataclass(frozen=True, slots=True)
class Verdict:
    """`outcome` is about what the claim says with its `not` aside; `passed` whether the claim stands as written. `left`
    and `right` are the expanded forms, `difference` right − left. `off` is what was found about `off by`; `fault` the
    smallest part of the right side that is wrong, where one is to blame alone.
    """

    claim: ast.Claim
    question: Question
    outcome: Outcome
    passed: bool
    judgement: Judgement
    left: Normal
    right: Normal
    difference: Normal
    off: Judgement | None = None
    origins: tuple[Origin, ...] = ()
    causes: tuple[Cause, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    fault: Fault | None = None

    @property
    def decided(self) -> bool:
        """Whether the claim, `not` and `off by` included, was decided at all (else exit code 3)."""
        undecided_off = self.off is not None and self.off.outcome == "undecided"
        return self.outcome != "undecided" and not (self.outcome == "refuted" and undecided_off)


def verify_claim(claim: ast.Claim, session: Session) -> Verdict:
    """The verdict of one claim. Raises `RoofError` if the claim cannot be judged at all (E07xx, or the model is wrong)."""
    question = pose(claim, session)
    judgement = judge(question)
    left, right = forms(question)
    off = judge_off(question) if claim.negated and question.off is not None else None
    passed = _passes(claim, judgement, off)
    difference = right - left
    if judgement.outcome != "refuted" or claim.relation not in ("=", "~") or question.order is not None:
        return Verdict(claim, question, judgement.outcome, passed, judgement, left, right, difference, off)
    origins = origins_of(question, difference)
    causes = find_causes(question, difference)
    remedies = () if passed else find_remedies(claim, session, question)
    fault = None if passed or claim.relation != "=" else find_fault(question, left, difference, session)
    return Verdict(
        claim, question, "refuted", passed, judgement, left, right, difference, off, origins, causes, remedies, fault
    )


def _passes(claim: ast.Claim, judgement: Judgement, off: Judgement | None) -> bool:
    if not claim.negated:
        return judgement.outcome == "proved"
    return judgement.outcome == "refuted" and (off is None or off.outcome == "proved")
