"""What a verdict says about sizes: those a claim speaks of, and those on the way to where a claim of order fails."""

from __future__ import annotations

from fractions import Fraction

from roofdsl.algebra.evaluation import Value
from roofdsl.units.display import significant
from roofdsl.verify.question import Question
from roofdsl.verify.verdict import Verdict

DIGITS = 6


def domain_text(question: Question) -> str:
    """`d whole; m <= X, un >= 0; s <= h`: extents, what dims are declared to be, and `when`; empty if nothing is said."""
    whole = ", ".join(f"{text} whole" for text in question.whole)
    return "; ".join(part for part in (whole, ", ".join(question.declared), ", ".join(when_texts(question))) if part)


def when_texts(question: Question) -> list[str]:
    """The conditions of `when`, as written."""
    return [f"{c.left.span.text} {c.relation} {c.right.span.text}" for c in question.clauses.when]


def trail_lines(verdict: Verdict) -> list[str]:
    """The ratio of the sides along a path: `10 at h = 1; 82 at h = 10  (s = 1, b = 1)`."""
    seen = verdict.judgement.trail
    if not seen:
        return []
    moving = [name for name in seen[0].sizes if len({one.sizes[name] for one in seen}) > 1]
    shown = (f"{_ratio(one.ratio)} at {', '.join(f'{name} = {one.sizes[name]:,}' for name in moving)}" for one in seen)
    others = ", ".join(f"{name} = {value}" for name, value in seen[0].sizes.items() if name not in moving)
    return [f"ratio       {'; '.join(shown)}{f'  ({others})' if others else ''}"]


def _ratio(value: Value) -> str:
    if isinstance(value, Fraction) and value.denominator == 1:
        return f"{value.numerator:,}"
    return significant(Fraction(value), DIGITS)
