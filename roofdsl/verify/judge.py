"""Judging a question: each form of claim by what decides it (design §5, §7).

Equality and order are the algebra's; printed numbers are compared exactly with half a unit of their last digit; limits
and regimes are read off leading terms. Floating point takes no part: where a root or logarithm is irrational, intervals
that surely hold it are compared, and what they do not tell is undecided.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from roofdsl.algebra.asymptotic import Diverges, Finite, NoLimit, limit, ratio_tends_to_one
from roofdsl.algebra.decide import decide, decide_equal
from roofdsl.algebra.enclosure import surely_sign
from roofdsl.algebra.evaluation import evaluate
from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.normal import normal
from roofdsl.diagnostics import InternalError
from roofdsl.ir.size import Const, Function, product, subtract
from roofdsl.syntax import ast
from roofdsl.verify.judgement import Judgement, Witness, judgement_of
from roofdsl.verify.orders import judge_order
from roofdsl.verify.printed import bare_number, printed
from roofdsl.verify.question import Question, forms, unbounded


def judge(question: Question) -> Judgement:
    """Whether what the claim says (its `not` aside) holds on its domain."""
    try:
        return _judged(question)
    except OverflowError:
        return Judgement("undecided", "an exponential or root lies beyond what can be computed")


def _judged(question: Question) -> Judgement:
    claim = question.claim
    match claim.relation:
        case "=" if question.order is not None:
            return judge_order(question)
        case "=":
            return _decided(question, "=")
        case "<" | "<=" | ">" | ">=":
            return _decided(question, claim.relation)
        case "->":
            return _limit(question)
        case "~":
            return _agreement(question)
        case _:
            assert_never(claim.relation)


def judge_off(question: Question) -> Judgement:
    """Whether F − Q is what `off by` says."""
    if question.off is None:
        return Judgement("proved")
    left, right = forms(question)
    off = normal(question.off.size, question.scope)
    return judgement_of(decide_equal(right - left, off, question.domain), question.claim.span)


def _decided(question: Question, relation: ast.Relation) -> Judgement:
    left, right = forms(question)
    reason = "the difference is zero" if relation == "=" else "the sign of the difference"
    return judgement_of(decide(left, relation, right, question.domain), question.claim.span, reason)


def _agreement(question: Question) -> Judgement:
    if question.clauses.regime is not None:
        large, small, _ = question.clauses.regime
        return _regime(question, large, small)
    if question.clauses.within is not None:
        return _within(question, question.clauses.within)
    return _rounded(question)


def _rounded(question: Question) -> Judgement:
    """`~ 62.7`: the value lies within half a unit of the last printed digit, ends included."""
    shown = printed(question.claim.right)
    if shown is None:
        raise InternalError("a number without digits was let through")
    left, right = forms(question)
    value = evaluate(right, {})
    half = shown.half_unit * abs(Fraction(value) / bare_number(question.claim.right))
    return _compared(left, right, number(half), question)


def _compared(left: Normal, right: Normal, allowed: Normal, question: Question) -> Judgement:
    """Whether two values lie no further apart than is allowed."""
    witness = Witness(sizes_of(question), evaluate(left, {}), evaluate(right, {}))
    beyond = tuple(_sign_of(distance - allowed) for distance in (left - right, right - left))
    if 1 in beyond:
        return Judgement("refuted", "", witness)
    if None in beyond:
        return Judgement("undecided", "the value is irrational and too near the edge", witness)
    return Judgement("proved", "", witness)


def _sign_of(form: Normal) -> int | None:
    """1, 0 or −1 of a form without symbols; None where that cannot be told."""
    value = evaluate(form, {})
    return surely_sign(form, {}) if isinstance(value, float) else (value > 0) - (value < 0)


def sizes_of(question: Question) -> dict[str, int]:
    """The sizes a claim about numbers was evaluated at."""
    found: dict[str, int] = {}
    for name in question.scope.order:
        size = question.scope.bindings.get(name)
        value = None if size is None else normal(size, question.scope).constant
        if value is not None and value.denominator == 1:
            found[name] = int(value)
    return found


def _within(question: Question, tolerance: ast.Expr) -> Judgement:
    """`within 1%` of |F|: exactly with numbers, else proved for the whole domain."""
    left, right = forms(question)
    share = tolerance.value if isinstance(tolerance, ast.Number) else Fraction(0)
    if not left.symbols and not right.symbols:
        side = _sign_of(right)
        if side is None:
            return Judgement("undecided", "the value is irrational and too near zero")
        return _compared(left, right, right * number(share * side), question)
    distance = Function("abs", (subtract(question.left.size, question.right.size),))
    allowed = product(Const(share), Function("abs", (question.right.size,)))
    decision = decide(normal(distance, question.scope), "<=", normal(allowed, question.scope), question.domain)
    judged = judgement_of(decision, question.claim.span, "the sign of the difference")
    if judged.witness is None:
        return judged
    found = judged.witness
    values = evaluate(left, found.sizes), evaluate(right, found.sizes)
    return replace(judged, witness=Witness(found.sizes, *values, found.smallest))


def _limit(question: Question) -> Judgement:
    """`Q -> F for s -> oo`: lets follow, other dims stay as they are."""
    binding = question.clauses.limit
    if binding is None:
        raise InternalError("a limit without a symbol was let through")
    left, right = forms(unbounded(question, binding.name))
    found = limit(left, binding.name, question.scope, question.domain.known.nonnegative)
    match found:
        case NoLimit(reason):
            return Judgement("undecided", f"no limit for {binding.name} → ∞ was found: {reason}")
        case Diverges(sign):
            text = f"it goes to {'' if sign > 0 else 'minus '}infinity for {binding.name} → ∞"
            return Judgement("refuted", text)
        case Finite(value):
            judged = judgement_of(decide_equal(value, right, question.domain), question.claim.span)
            return replace(judged, limit=value)
        case _:
            assert_never(found)


def _regime(question: Question, large: str, small: str) -> Judgement:
    """`~ F for h >> s`: the ratio of the sides goes to 1 as h/s grows without bound."""
    left, right = forms(unbounded(question, large, small))
    assumed = question.domain.known.nonnegative
    answer = ratio_tends_to_one(left, right, large, small, question.scope, assumed)
    if answer is None:
        return Judgement("undecided", "the leading terms do not tell")
    text = f"the ratio {'goes' if answer else 'does not go'} to 1 as {large}/{small} → ∞"
    return Judgement("proved" if answer else "refuted", text)
