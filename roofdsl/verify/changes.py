"""Single changes under which a refuted claim holds (design §7.4, §7.5), the plainest first, three at most.

A symbolic claim must hold identically after the change; what a number agrees with is only consistent with it. The
single number or exponent that would have to be another is offered where nothing explains the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice

from roofdsl.algebra.evaluation import evaluate, substitute
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.algebra.normal import normal
from roofdsl.diagnostics import RoofError
from roofdsl.ir.show import show_size
from roofdsl.quantities.session import Session
from roofdsl.syntax import ast
from roofdsl.verify.alternatives import block_readings, placed_readings, plain_readings
from roofdsl.verify.meanings import about, meaning_of, repeat_counts
from roofdsl.verify.numbers import FEWEST_DIGITS, number_remedies, target_of
from roofdsl.verify.pairs import paired_remedies
from roofdsl.verify.per_parameter import per_parameter
from roofdsl.verify.printed import bare_number, printed
from roofdsl.verify.question import Question, forms
from roofdsl.verify.reading import Point, Reading, Remedy, point_of
from roofdsl.verify.recounts import recounts
from roofdsl.verify.sizes import size_of_form
from roofdsl.verify.slips import constant_slips, equal_sizes, symbol_slips

MOST_SHOWN = 3
MOST_RESORTS = 2
FEWEST_TERMS = 2


def find_remedies(claim: ast.Claim, session: Session, question: Question) -> tuple[Remedy, ...]:
    """Single changes that make the claim hold, the plainest first, at most a few."""
    grows = question.clauses.regime is not None or question.order is not None
    if claim.negated or claim.relation not in ("=", "~") or grows:
        return ()
    left, right = forms(question)
    if left.symbols or right.symbols:
        return _few(_symbolic(question, session, left, right)) if claim.relation == "=" else ()
    value = Fraction(evaluate(right, {}))
    if claim.relation == "=" and _is_rounded(claim, Fraction(evaluate(left, {})), value):
        return (Remedy("rounding", "holds as a rounded number: `~` agrees to the last digit that is printed"),)
    target = target_of(claim, question, value)
    if target is None:
        return ()
    return tuple(replace(remedy, consistent=True) for remedy in _few(number_remedies(question, session, target)))


def _is_rounded(claim: ast.Claim, left: Fraction, right: Fraction) -> bool:
    """Whether a printed number with `=` before it is the derived one, rounded."""
    shown = printed(claim.right)
    if shown is None or shown.digits < FEWEST_DIGITS or right == 0:
        return False
    return abs(left - right) <= shown.half_unit * abs(right / bare_number(claim.right))


def _few(candidates: Iterable[Remedy]) -> tuple[Remedy, ...]:
    """The first plain ones, else the first last resorts."""
    found: dict[str, Remedy] = {}
    resorts: dict[str, Remedy] = {}
    for remedy in candidates:
        (resorts if remedy.last_resort else found).setdefault(remedy.text, remedy)
        if len(found) == MOST_SHOWN or (not found and len(resorts) == MOST_RESORTS):
            break
    return tuple(found.values()) or tuple(resorts.values())


def _symbolic(question: Question, session: Session, left: Normal, right: Normal) -> Iterator[Remedy]:
    at, other = point_of(question.scope), point_of(question.scope, 1)
    plain = plain_readings(question, session)
    found = False
    for remedy in chain(
        _holding(plain, question, right, at),
        _known_factors(question, left, right),
        _holding(recounts(question, session), question, right, at),
        per_parameter(question, session, right),
        symbol_slips(question, left, at),
    ):
        found = True
        yield remedy
    if found:
        return
    for remedy in chain(
        _off_by_one(question, session, left, right),
        _holding(block_readings(question, session), question, right, at),
        _pairs(question, session, left, right),
    ):
        found = True
        yield remedy
    if not found:
        yield from _last_resorts(question, session, (left, right), (at, other), plain)


def _last_resorts(
    question: Question,
    session: Session,
    sides: tuple[Normal, Normal],
    points: tuple[Point, Point],
    plain: tuple[Reading, ...],
) -> Iterator[Remedy]:
    left, right = sides
    at, other = points
    equal = list(equal_sizes(question, at))
    yield from (remedy for remedy in equal if not remedy.last_resort)
    yield from _factors(question, session, left, right)
    yield from constant_slips(question, left, at, other)
    yield from (remedy for remedy in equal if remedy.last_resort)
    yield from _multiples(plain, question, right, points)
    yield from _holding(placed_readings(question, session), question, right, at)


def _pairs(question: Question, session: Session, left: Normal, right: Normal) -> Iterator[Remedy]:
    """Two changes, where the sides differ by more than a number; the first that fits."""
    ratio = _ratio(left, right)
    if ratio is None or ratio.constant is None:
        yield from islice(paired_remedies(question, session, right), 1)


def _off_by_one(question: Question, session: Session, left: Normal, right: Normal) -> Iterator[Remedy]:
    """One repeat too many or too few: L + 1 layers."""
    for name in repeat_counts(question, session):
        for step, shown in ((1, f"{name} + 1"), (-1, f"{name} − 1")):
            if name in left.symbols and substitute(left, {name: symbol(name) + step}) == right:
                yield Remedy("count", f"holds with {shown} in place of {name}{about(name, session.library)}")


def _holding(readings: Iterable[Reading], question: Question, right: Normal, at: Point) -> Iterator[Remedy]:
    """Readings of the left side that are the right side, identically; one of each meaning."""
    goal = at.value(question.right.size)
    seen: set[tuple[str, str]] = set()
    for reading in readings:
        if goal is None or at.value(reading.left, reading.causal) != goal:
            continue
        try:
            form = normal(reading.left, replace(question.scope, causal=reading.causal))
        except RoofError:
            continue
        if form == right and (reading.sort, "") not in seen:
            seen.add((reading.sort, "" if reading.sort in ("convention", "dtype") else reading.text))
            yield reading.remedy


def _known_factors(question: Question, left: Normal, right: Normal) -> Iterator[Remedy]:
    """The sides differ by a number with a name."""
    ratio = _ratio(left, right)
    value = None if ratio is None else ratio.constant
    meaning = "" if value is None else meaning_of(value, question, len(right.numer))
    if meaning:
        yield Remedy("factor", f"the claimed formula is {value} times the derived one: {meaning}")


def _ratio(left: Normal, right: Normal) -> Normal | None:
    if left.is_zero or right.is_zero:
        return None
    ratio = right / left
    return ratio if len(ratio.numer) == 1 and len(ratio.denom) == 1 else None


def _multiples(
    readings: Iterable[Reading], question: Question, right: Normal, points: tuple[Point, Point]
) -> Iterator[Remedy]:
    """The right side is a number times another reading of the left one, term by term."""
    left = normal(question.left.size, question.scope)
    whole = _ratio(left, right)
    if len(right.numer) < FEWEST_TERMS or (whole is not None and whole.constant is not None):
        return
    for reading in readings:
        ratios = {_quotient(question, reading, at) for at in points}
        if len(ratios) != 1 or None in ratios:
            continue
        form = normal(reading.left, replace(question.scope, causal=reading.causal))
        ratio = _ratio(form, right)
        if ratio is not None and ratio.constant is not None:
            told = reading.text.removeprefix("holds ").replace("right as it stands under", "under")
            yield Remedy("factor", f"every term is {ratio.constant} times the derived one {told}", last_resort=True)
            return


def _quotient(question: Question, reading: Reading, at: Point) -> Fraction | None:
    above, below = at.value(question.right.size), at.value(reading.left, reading.causal)
    return None if above is None or not below else above / below


def _factors(question: Question, session: Session, left: Normal, right: Normal) -> Iterator[Remedy]:
    """The sides differ by a number, or by one product of symbols, in several terms alike."""
    ratio = _ratio(left, right)
    if ratio is None or len(right.numer) < FEWEST_TERMS:
        return
    for name in question.scope.symbols:
        if ratio == symbol(name):
            yield Remedy("factor", f"the claimed formula is the derived one times {name}{about(name, session.library)}")
            return
        if ratio * symbol(name) == number(1):
            text = f"the claimed formula is the derived one divided by {name}{about(name, session.library)}"
            yield Remedy("factor", text)
            return
    size = size_of_form(ratio)
    if size is not None:
        shown = ratio.constant if ratio.constant is not None else show_size(size)
        yield Remedy("factor", f"the claimed formula is {shown} times the derived one", last_resort=True)
