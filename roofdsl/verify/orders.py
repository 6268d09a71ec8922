"""Claims of order, `Q = Θ(F)`, `O(F)` and `Ω(F)`: whether they hold.

With `for s -> oo` (or `for h >> s`) the ratio Q/F has a limit, all other sizes fixed: finite and positive for Θ, finite
for O, positive or infinite for Ω. Without it there are constants c1, c2 > 0 with c1·F <= Q <= c2·F on the whole domain;
O has the upper one alone, Ω the lower.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from roofdsl.algebra.asymptotic import Diverges, Finite, NoLimit, limits
from roofdsl.algebra.decide import Empty, Proved, Refuted, Undecided, decide
from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.growth import Bound, Bounded, Fails, Open, Unbounded, bounded
from roofdsl.algebra.rays import Ray, Seen, admissible_ray, goes_above_zero, limit_along, seen_along
from roofdsl.algebra.regimes import limit_in_regime
from roofdsl.diagnostics import InternalError
from roofdsl.quantities.orders import OrderWord
from roofdsl.units.display import significant
from roofdsl.verify.judgement import Judgement, Witness
from roofdsl.verify.question import Question, forms, unbounded

Side = Literal["above", "below"]
_PATHS = ((1, 0), (2, 1), (3, 1), (3, 2))
"""Powers of the large and the small size along which a ratio without a limit may show what it does."""
_SIDES: dict[OrderWord, tuple[Side, ...]] = {"Θ": ("above", "below"), "O": ("above",), "Ω": ("below",)}
_PLAIN, _DIGITS = 1000, 3
_GROWS, _VANISHES = "the ratio grows without bound", "the ratio goes to 0"


def judge_order(question: Question) -> Judgement:
    """Whether the order holds."""
    if question.order is None:
        raise InternalError("an order without a word was let through")
    if question.clauses.limit is not None:
        return _growing(question, question.order, question.clauses.limit.name)
    if question.clauses.regime is not None:
        large, small, _ = question.clauses.regime
        return _outgrowing(question, question.order, large, small)
    return _everywhere(question, question.order)


# ---------------------------------------------------------------- on the whole domain


def _everywhere(question: Question, word: OrderWord) -> Judgement:
    left, right = forms(question)
    found: dict[Side, Bound] = {}
    for side in _SIDES[word]:
        found[side] = bounded(*((left, right) if side == "above" else (right, left)), question.domain)
        refuted = _refuted(side, found[side])
        if refuted is not None:
            return refuted
    if any(isinstance(bound, Open) for bound in found.values()):
        return Judgement("undecided", "neither a constant nor sizes along which the ratio leaves all bounds were found")
    return Judgement("proved", _constants(found))


def _refuted(side: Side, bound: Bound) -> Judgement | None:
    match bound:
        case Unbounded(ray, seen):
            text = f"{_path(ray)} {_GROWS if side == 'above' else _VANISHES}"
            return Judgement("refuted", text, trail=_trail(seen, side))
        case Fails(sizes, upper, lower):
            values = (upper, lower) if side == "above" else (lower, upper)
            text = (
                f"the {'claimed' if side == 'above' else 'derived'} formula is not above zero there, the other one is"
            )
            return Judgement("refuted", text, Witness(sizes, *values))
        case Bounded() | Open():
            return None


def _trail(seen: tuple[Seen, ...], side: Side) -> tuple[Seen, ...]:
    """The ratio derived/claimed, which for a bound from below was looked at upside down."""
    if side == "above":
        return seen
    return tuple(Seen(one.sizes, 1 / one.ratio) for one in seen if one.ratio)


def _path(ray: Ray) -> str:
    """`for s → ∞`, `for h, a → ∞ alike`, `for h = t², s = t, t → ∞`."""
    powers = {name: power for name, power in ray.powers.items() if power}
    if set(powers.values()) == {1}:
        alike = " alike" if len(powers) > 1 else ""
        return f"for {', '.join(powers)} → ∞{alike}"
    superscripts = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    raised = {n: "t" if p == 1 else "t" + str(p).translate(superscripts) for n, p in powers.items()}
    sizes = (f"{n} = {ray.base[n] if ray.base[n] != 1 else ''}{shown}" for n, shown in raised.items())
    return f"for {', '.join(sizes)}, t → ∞"


def _constants(found: dict[Side, Bound]) -> str:
    """`the ratio is at least 4 and at most 28 for all sizes`, as far as constants are known."""
    factors = {side: bound.factor for side, bound in found.items() if isinstance(bound, Bounded)}
    above, below = factors.get("above"), factors.get("below")
    if above and below and above * below == 1:
        return f"the ratio is {_outward(above, up=True)} for all sizes"
    parts = [f"at least {_outward(1 / below, up=False)}"] if below else []
    parts += [f"at most {_outward(above, up=True)}"] if above else []
    if len(parts) < len(found):
        return "the ratio is bounded for all sizes"
    return f"the ratio is {' and '.join(parts)} for all sizes"


def _outward(value: Fraction, *, up: bool) -> str:
    """A constant, with many digits rounded away from what it bounds."""
    if value.denominator <= _PLAIN:
        return str(value)
    scale = Fraction(10) ** (_DIGITS + len(str(value.denominator)) - len(str(value.numerator)))
    return significant(Fraction(ceil(value * scale) if up else floor(value * scale)) / scale, _DIGITS + 2)


# ---------------------------------------------------------------- where something grows


def _growing(question: Question, word: OrderWord, name: str) -> Judgement:
    """`for s -> oo`: by the limit of the ratio, all other sizes fixed."""
    question = unbounded(question, name)
    left, right = forms(question)
    if right.is_zero:
        return Judgement("undecided", "the claimed formula is zero")
    ratio, judged = left / right, []
    for found in limits(ratio, name, question.scope, question.domain.known.nonnegative):
        if isinstance(found, NoLimit):
            return Judgement("undecided", f"no limit of the ratio for {name} → ∞ was found: {found.reason}")
        judged.append(_by_limit(question, word, found, ratio, ({name: 1},), f"for {name} → ∞"))
    if len({one.outcome for one in judged}) == 1:
        return judged[0] if len(judged) == 1 else replace(judged[0], limit=None)
    return Judgement("undecided", f"the limit of the ratio for {name} → ∞ depends on other sizes")


def _outgrowing(question: Question, word: OrderWord, large: str, small: str) -> Judgement:
    """`for h >> s`: by the limit of the ratio as h/s grows without bound."""
    question = unbounded(question, large, small)
    left, right = forms(question)
    if right.is_zero:
        return Judgement("undecided", "the claimed formula is zero")
    ratio = left / right
    found = limit_in_regime(ratio, large, small, question.scope, question.domain.known.nonnegative)
    paths = tuple({large: high, small: low} for high, low in _PATHS)
    if not isinstance(found, NoLimit):
        return _by_limit(question, word, found, ratio, paths, f"as {large}/{small} → ∞")
    for powers in paths:
        refuted = _along(question, word, ratio, powers)
        if refuted is not None:
            return refuted
    return Judgement("undecided", f"no limit of the ratio as {large}/{small} → ∞ was found: {found.reason}")


def _along(question: Question, word: OrderWord, ratio: Normal, powers: dict[str, int]) -> Judgement | None:
    """A refutation by one path on which the ratio leaves what the order allows."""
    ray = _admissible(question, powers)
    if ray is None or not goes_above_zero(forms(question)[1], ray):
        return None
    found = limit_along(ratio, ray)
    grows = isinstance(found, Diverges) and found.sign > 0
    vanishes = isinstance(found, Finite) and found.value.is_zero
    if (grows and word != "Ω") or (vanishes and word != "O"):
        text = f"{_path(ray)} {_GROWS if grows else _VANISHES}"
        return Judgement("refuted", text, trail=seen_along(ratio, ray))
    return None


def _by_limit(
    question: Question,
    word: OrderWord,
    found: Finite | Diverges,
    ratio: Normal,
    paths: tuple[dict[str, int], ...],
    to: str,
) -> Judgement:
    if isinstance(found, Diverges):
        holds = word == "Ω" and found.sign > 0
        text = f"{to} {_GROWS if found.sign > 0 else 'the ratio goes to minus infinity'}"
        return Judgement(
            "proved" if holds else "refuted", text, trail=() if holds else _numbers(question, ratio, paths)
        )
    if found.value.is_zero:
        holds = word == "O"
        return Judgement(
            "proved" if holds else "refuted",
            f"{to} {_VANISHES}",
            trail=() if holds else _numbers(question, ratio, paths),
        )
    if word == "O":
        return Judgement("proved", f"{to} the ratio has a finite limit", limit=found.value)
    return _positive(question, found.value, to)


def _positive(question: Question, value: Normal, to: str) -> Judgement:
    """Whether a limit is above zero for all other sizes."""
    decision = decide(value, ">", number(0), question.domain)
    match decision:
        case Proved():
            return Judgement("proved", f"{to} the ratio has a finite and positive limit", limit=value)
        case Refuted(sizes, limit_there, _, smallest):
            text = f"{to} the limit of the ratio is not positive there"
            return Judgement("refuted", text, Witness(sizes, limit_there, Fraction(0), smallest), limit=value)
        case Undecided() | Empty():
            return Judgement("undecided", f"whether the limit of the ratio {to} is positive was not found", limit=value)


def _numbers(question: Question, ratio: Normal, paths: tuple[dict[str, int], ...]) -> tuple[Seen, ...]:
    ray = next((ray for powers in paths if (ray := _admissible(question, powers)) is not None), None)
    return () if ray is None else seen_along(ratio, ray)


def _admissible(question: Question, powers: dict[str, int]) -> Ray | None:
    left, right = forms(question)
    return admissible_ray(question.domain, left.symbols | right.symbols, powers)
