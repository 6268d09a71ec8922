"""Single changes with which a printed number agrees, and pairs of changes where it is exact enough.

A number of few digits agrees with something by chance. Candidates are tried in order of likelihood, and a fit is shown
only while fewer than one number in a hundred would have fitted any of those tried so far.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from math import floor, log, log10

from roofdsl.quantities.session import Session
from roofdsl.syntax import ast
from roofdsl.verify.alternatives import plain_readings
from roofdsl.verify.causes import groups_of, single_parameters
from roofdsl.verify.printed import bare_number, printed
from roofdsl.verify.question import Question
from roofdsl.verify.reading import Point, Reading, Remedy, Sort, point_of
from roofdsl.verify.recounts import recounts
from roofdsl.verify.taken import left_numerals, sizes_taken

FEWEST_DIGITS = 3
DIGITS_OF_PAIRS = 5
MOST_BY_CHANCE = 0.01
RANGE = log(100)
"""Wrong numbers lie within a factor of ten of the right one, as a rule."""
EXACT = Fraction(1, 10**12)


@dataclass(frozen=True, slots=True)
class Target:
    """A number a claim states: it is fulfilled by what lies within `half` of it."""

    value: Fraction
    half: Fraction
    digits: int

    def met_by(self, value: Fraction | None) -> bool:
        return value is not None and abs(value - self.value) <= self.half

    @property
    def window(self) -> float:
        """The share of the numbers in range that meet it."""
        width = max(self.half / abs(self.value), EXACT)
        return float(2 * width) / RANGE


@dataclass(slots=True)
class _Tries:
    """Different values looked at so far; used up while one claim is explained."""

    target: Target
    derived: Fraction
    seen: set[Fraction] = field(default_factory=set)

    def fits(self, value: Fraction | None) -> bool:
        if value is None or value in self.seen or value == self.derived:
            return False
        self.seen.add(value)
        return self.target.met_by(value) and len(self.seen) * self.target.window <= MOST_BY_CHANCE


def target_of(claim: ast.Claim, question: Question, right: Fraction) -> Target | None:
    """What a claim about numbers demands; None if it has too few digits to suggest anything, or is zero."""
    if right == 0:
        return None
    shown = printed(claim.right)
    if claim.relation == "=":
        exact = len(str(abs(right.numerator)).rstrip("0"))
        return Target(right, Fraction(0), exact) if exact >= FEWEST_DIGITS else None
    tolerance = question.clauses.within
    if tolerance is not None:
        share = tolerance.value if isinstance(tolerance, ast.Number) else Fraction(1)
        digits = 1 - floor(log10(2 * share)) if share else DIGITS_OF_PAIRS
        return Target(right, share * abs(right), digits) if digits > FEWEST_DIGITS else None
    if shown is None or shown.digits < FEWEST_DIGITS:
        return None
    return Target(right, shown.half_unit * abs(right / bare_number(claim.right)), shown.digits)


def number_remedies(question: Question, session: Session, target: Target) -> Iterator[Remedy]:
    """Single changes, then pairs, that agree with a number."""
    at = point_of(question.scope)
    derived = at.value(question.left.size)
    if derived is None or derived == 0:
        return
    tries = _Tries(target, derived)
    plain = plain_readings(question, session)
    factors = tuple(_unit_slips(question))
    yield from _fitting(tries, tuple(left_numerals(question, session)), at)
    yield from _fitting(tries, plain, at)
    yield from (Remedy(sort, text) for sort, text, factor in factors if tries.fits(derived * factor))
    ways = recounts(question, session), _without_groups(question)
    slots = any(
        quantity.name == "state" for quantity in question.left_quantities
    )  # of these a part is left out oftener
    counted = tuple(chain(*(reversed(ways) if slots else ways)))
    yield from _fitting(tries, counted, at)
    yield from (Remedy(sort, text) for sort, text, factor in _multiples() if tries.fits(derived * factor))
    yield from sizes_taken(question, session, at, tries.fits)
    if target.digits >= DIGITS_OF_PAIRS:
        yield from _pairs(tries, (*plain, *counted), (*factors, *_multiples()), at)


def _fitting(tries: _Tries, readings: tuple[Reading, ...], at: Point) -> Iterator[Remedy]:
    for reading in readings:
        if tries.fits(at.value(reading.left, reading.causal)):
            yield reading.remedy


def _pairs(
    tries: _Tries, readings: tuple[Reading, ...], factors: tuple[tuple[Sort, str, Fraction], ...], at: Point
) -> Iterator[Remedy]:
    for reading in readings:
        value = at.value(reading.left, reading.causal)
        for _, text, factor in factors:
            if value is not None and tries.fits(value * factor):
                yield Remedy(reading.sort, f"{reading.text}, and {text.removeprefix('holds ')}")


def _unit_slips(question: Question) -> Iterator[tuple[Sort, str, Fraction]]:
    """Factors people slip by, as what the derived value must be multiplied by to give the printed one."""
    named = {name for name, _ in question.dimension.factors} if question.dimension is not None else set()
    if "byte" in named:
        yield from _of_bytes(_prefix(question.claim.right))
    if question.left_quantities and all(q.name in ("params", "active_params") for q in question.left_quantities):
        yield "unit", "holds with billions: B is the byte, so write `e9`", Fraction(1, 10**9)


def _multiples() -> Iterator[tuple[Sort, str, Fraction]]:
    """Factors without a name of their own, behind all that have one."""
    yield "unit", "holds with half the printed number", Fraction(2)
    yield "unit", "holds with twice the printed number", Fraction(1, 2)
    yield "factor", "holds with a thousand times the printed number", Fraction(1, 1000)
    yield "factor", "holds with a thousandth of the printed number", Fraction(1000)


def _of_bytes(prefix: str) -> Iterator[tuple[Sort, str, Fraction]]:
    """Binary for decimal prefixes of the unit as printed, bits for bytes."""
    power = "KMGTPE".find(prefix[:1].upper()) + 1
    binary = Fraction(1024, 1000) ** power
    if power and prefix.endswith("i"):
        yield "unit", f"holds with {prefix[:1]}B, decimal, not {prefix}B", binary
    elif power:
        yield "unit", f"holds with {prefix[:1].upper()}iB, binary, not {prefix}B", 1 / binary
    yield "unit", "holds with bits, not bytes", Fraction(8)
    yield "unit", "holds with bytes, not bits", Fraction(1, 8)


def _prefix(expr: ast.Expr) -> str:
    """The prefix of the unit of bytes a number was printed in: `G` or `Gi`."""
    match expr:
        case ast.Measured(_, unit):
            return next((u.name[:-1] for u in unit if u.name.endswith("B") and len(u.name) > 1), "")
        case ast.Negate(inner) | ast.Per(inner) | ast.Quoted(_, inner):
            return _prefix(inner)
        case _:
            return ""


def _without_groups(question: Question) -> Iterator[Reading]:
    """The left side without one named group of contributions."""
    for name, size in (*groups_of(question), *single_parameters(question)):
        yield Reading("count", f"holds without {name}", size, question.scope.causal)
