"""Verdicts about two normal forms on a domain: proved, refuted with the smallest witness, or undecided (design §7).

Proved only by identity of normal forms, in all cases; refuted only by an admissible exact binding. Nothing else counts:
neither `simplify`, nor `.equals`, nor floating point take part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice

from roofdsl.algebra.allowance import Allowance, Spent
from roofdsl.algebra.cases import Budget, in_every_case, whole_substitution
from roofdsl.algebra.domain import Domain, Relation, related
from roofdsl.algebra.enclosure import surely_sign
from roofdsl.algebra.evaluation import Value, compiled, substitute
from roofdsl.algebra.finite import few_values
from roofdsl.algebra.form import Normal, canonical, unify
from roofdsl.algebra.limits import LIMITS
from roofdsl.algebra.measured import measured_sign
from roofdsl.algebra.polynomials import times
from roofdsl.algebra.relaxed import bounded_sign
from roofdsl.algebra.rooted import without_roots
from roofdsl.algebra.search import Effort, completed, is_finite, points, shrunk, spread
from roofdsl.algebra.signs import Known, sign
from roofdsl.diagnostics import RoofError

_FIRST_POINTS = 60
_EVALUATED = 400_000
"""Terms evaluated in search of a witness."""
_ACCEPTED: Mapping[Relation, tuple[str, ...]] = {
    "=": ("0",),
    "<": ("-",),
    "<=": ("-", "0-", "0"),
    ">=": ("+", "0+", "0"),
    ">": ("+",),
}


@dataclass(frozen=True, slots=True)
class Proved:
    """`cases` is 1 if the difference's normal form decided it."""

    cases: int = 1


@dataclass(frozen=True, slots=True)
class Refuted:
    """Admissible sizes at which it fails, and both values there (floats where irrational). `smallest` unless a search
    through all smaller ones would take too long.
    """

    witness: Mapping[str, int]
    left: Value
    right: Value
    smallest: bool = True


@dataclass(frozen=True, slots=True)
class Undecided:
    """The exact points at which it held."""

    points: tuple[Mapping[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """No sizes fulfil the conditions, as far as was searched."""


Verdict = Proved | Refuted | Undecided | Empty


def decide_equal(left: Normal, right: Normal, domain: Domain) -> Verdict:
    """Whether two forms are equal on a domain."""
    return decide(left, "=", right, domain)


def decide_order(left: Normal, right: Normal, relation: Relation, domain: Domain) -> Verdict:
    """Whether `left relation right` on a domain."""
    return decide(left, relation, right, domain)


def decide(left: Normal, relation: Relation, right: Normal, domain: Domain) -> Verdict:
    """Few points first, since most false statements fail there; then proof; then the other points."""
    if domain.contradicts_itself:
        return Empty()
    difference = _difference(left, right, relation, domain)
    effort = Effort()
    stream = points(domain, difference.symbols, effort)
    first = next(stream, None)
    smallest = None if first is None else completed(domain, first, left.symbols | right.symbols, Effort())
    if first is None or smallest is None:
        return Empty()
    question = _Question(left, relation, right, difference, domain, smallest, compiled(left), compiled(right))
    tried = _Tried()
    found = _failure(question, islice(chain((first,), stream), _FIRST_POINTS), tried)
    if found is not None:
        return found
    far = _far_failure(question)
    if far is None:
        cases = _prove(question)
        if cases is not None:
            return Proved(cases)
    most = min(LIMITS.points, _EVALUATED // (1 + len(question.difference.numer)))
    found = _failure(question, islice(stream, most), tried) or far
    if found is not None:
        return found
    everywhere = (
        domain.is_rational and is_finite(domain, difference.symbols) and next(stream, None) is None and effort.left >= 0
    )
    return Proved(len(tried.held)) if everywhere and not tried.unclear else Undecided(tuple(tried.held))


@dataclass(slots=True)
class _Tried:
    """Points at which it held, and how many there were at which that could not be told. Filled while points are tried."""

    held: list[Mapping[str, int]] = field(default_factory=list)
    unclear: int = 0


@dataclass(frozen=True, slots=True)
class _Question:
    """`difference` has the zeros of left − right and no denominator; for an order, its sign too. `smallest` is the
    smallest admissible point, over all symbols.
    """

    left: Normal
    relation: Relation
    right: Normal
    difference: Normal
    domain: Domain
    smallest: Mapping[str, int]
    left_value: Callable[[Mapping[str, int]], Value]
    right_value: Callable[[Mapping[str, int]], Value]


def _difference(left: Normal, right: Normal, relation: Relation, domain: Domain) -> Normal:
    """Left − right times its denominator (or, for an order, the denominator's sign), which spares cancelling."""
    one, two = unify(left, right)
    same = one.denom == two.denom
    numer = one.numer - two.numer if same else times(one.numer, two.denom) - times(two.numer, one.denom)
    form = canonical(numer, one.ring.one, one.atoms)
    denom = canonical(one.denom if same else times(one.denom, two.denom), one.ring.one, one.atoms)
    if relation == "=" or denom.constant == 1:
        return form
    side = sign(denom, domain.known)
    return form if side == "+" else -form if side == "-" else form * denom


def _failure(question: _Question, candidates: Iterable[Mapping[str, int]], tried: _Tried) -> Refuted | None:
    """The first point at which the relation certainly fails; points where it holds are noted."""
    for point in candidates:
        holds = _holds_at(question, point)
        if holds is None:
            tried.unclear += 1
            continue
        if holds:
            tried.held.append(point)
            continue
        witness = {**question.smallest, **point}
        return Refuted(witness, question.left_value(witness), question.right_value(witness))
    return None


def _far_failure(question: _Question) -> Refuted | None:
    """A failure at large sizes, brought down as far as is quickly done."""
    domain, symbols = question.domain, question.difference.symbols
    for point in spread(domain, symbols):
        if _holds_at(question, point) is not False:
            continue
        least = shrunk(domain, point, lambda smaller: _holds_at(question, smaller) is False)
        witness = {**question.smallest, **least}
        return Refuted(witness, question.left_value(witness), question.right_value(witness), smallest=False)
    return None


def _holds_at(question: _Question, point: Mapping[str, int]) -> bool | None:
    """None where a side is not defined or both cannot be told apart."""
    everything = {**question.smallest, **point}
    try:
        left, right = question.left_value(everything), question.right_value(everything)
    except RoofError:
        return None
    if isinstance(left, float) or isinstance(right, float):
        side = surely_sign(question.left - question.right, everything)
        return None if side is None else related(Fraction(side), question.relation, Fraction(0))
    return related(left, question.relation, right)


def _prove(question: _Question) -> int | None:
    """The number of cases of a proof, or None if none was found within the allowance."""
    try:
        return _proof(question, replace(question.domain.known, allowance=Allowance()))
    except (Spent, RoofError):  # too long, or something is not defined at a value that is put in
        return None


def _proof(question: _Question, known: Known) -> int | None:
    """One proof for every combination of values of the symbols that have few."""
    domain, budget = question.domain, Budget()
    for values in few_values(question.difference.symbols, domain.minimum, domain.maximum):
        facts = _facts_at(values, known)
        if facts is None or any((form.constant or 0) < 0 for form in facts.nonnegative):
            continue  # no such sizes
        whole = tuple(substitute(form, values, facts) for form in domain.whole)
        if values and not budget.open(1):
            return None
        if not _proved(substitute(question.difference, values, facts), question.relation, whole, facts, budget):
            return None
    return max(1, budget.opened)


def _facts_at(values: Mapping[str, int], known: Known) -> Known | None:
    """What is known with values put in; None where a condition is not defined, so that no sizes are admissible."""
    try:
        return known.assuming(substitute(form, values, known) for form in known.nonnegative)
    except RoofError:
        return None


def _proved(form: Normal, relation: Relation, whole: tuple[Normal, ...], known: Known, budget: Budget) -> bool:
    values, minimum = whole_substitution(whole, known)
    if values:
        bare = Known({**known.minimum, **minimum}, allowance=known.allowance)
        known = bare.assuming(substitute(fact, values, bare) for fact in known.nonnegative)
        form = substitute(form, values, known)
    form, known = without_roots(form, known)
    if relation != "=" and (_bounded(form, relation, known) or _measured(form, relation, known)):
        return True
    return in_every_case(form, known, _holds(relation), budget)


def _measured(form: Normal, relation: Relation, known: Known) -> bool:
    return measured_sign(form, known) in _ACCEPTED[relation]


def _bounded(form: Normal, relation: Relation, known: Known) -> bool:
    """Whether one bound for all functions shows the order."""
    if not any(name in form.atoms for name in form.generators):
        return False
    above = bounded_sign(form if relation in (">", ">=") else -form, known)
    return above is True or (above is False and relation in ("<=", ">="))


def _holds(relation: Relation) -> Callable[[Normal, Known], bool]:
    """The test of a case: whether the difference stands in the relation to zero."""
    if relation == "=":
        return lambda form, _: form.is_zero
    accepted = _ACCEPTED[relation]
    return lambda form, known: (
        sign(form, known) in accepted or (is_free(form) and measured_sign(form, known) in accepted)
    )


def is_free(form: Normal) -> bool:
    """Whether no function is left in a form."""
    return not any(name in form.atoms for name in form.generators)
