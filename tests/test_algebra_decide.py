"""Verdicts: never wrong. Rewritten formulas are never refuted, altered ones never proved, witnesses are the smallest.

ROOFDSL_EXAMPLES raises the number of random formulas (100 by default).
"""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import product as every

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roofdsl.algebra.decide import Empty, Proved, Refuted, Undecided, decide, decide_equal, decide_order
from roofdsl.algebra.domain import Condition, Domain, domain_of, whole_lets
from roofdsl.algebra.normal import Normal, normal
from roofdsl.algebra.scope import Scope
from roofdsl.ir.size import Function, Power, Size, Symbol, add, const, divide, product
from tests.sizes_by_hand import (
    NAMES,
    ceiling,
    floored,
    less,
    maximum,
    minimum,
    monomials,
    over,
    polynomials,
    value_of,
)

SCOPE = Scope(order=NAMES)
DOMAIN = domain_of(SCOPE)
S, B, H, A = (Symbol(name) for name in "sbha")
MANY = settings(
    max_examples=int(os.environ.get("ROOFDSL_EXAMPLES", "100")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def form(size: Size) -> Normal:
    return normal(size, SCOPE)


# ---------------------------------------------------------------- identities: pairs equal for all positive integers


def max_and_min(x: Size, y: Size) -> tuple[Size, Size]:
    return add(maximum(x, y), minimum(x, y)), add(x, y)


def product_of_extremes(x: Size, y: Size) -> tuple[Size, Size]:
    return product(maximum(x, y), minimum(x, y)), product(x, y)


def modulus(x: Size, y: Size) -> tuple[Size, Size]:
    return product(const(2), minimum(x, y)), less(add(x, y), Function("abs", (less(x, y),)))


def scaled_max(x: Size, y: Size) -> tuple[Size, Size]:
    return product(B, maximum(x, y)), maximum(product(B, x), product(B, y))


def shifted_max(x: Size, y: Size) -> tuple[Size, Size]:
    return add(H, maximum(x, y)), maximum(add(x, H), add(H, y))


def reordered(x: Size, y: Size) -> tuple[Size, Size]:
    return maximum(x, maximum(y, S)), maximum(maximum(S, x), y)


def distributed(x: Size, y: Size) -> tuple[Size, Size]:
    return minimum(x, maximum(y, S)), maximum(minimum(x, y), minimum(x, S))


def halves(x: Size, _: Size) -> tuple[Size, Size]:
    return add(ceiling(over(x, 2)), floored(over(x, 2))), x


def tiles(x: Size, _: Size) -> tuple[Size, Size]:
    return ceiling(over(x, 5)), floored(over(add(x, const(4)), 5))


def nested_tiles(x: Size, _: Size) -> tuple[Size, Size]:
    return ceiling(over(ceiling(over(x, 2)), 3)), ceiling(over(x, 6))


def whole_part(x: Size, y: Size) -> tuple[Size, Size]:
    return ceiling(add(y, over(x, 3))), add(y, ceiling(over(x, 3)))


def negated(x: Size, _: Size) -> tuple[Size, Size]:
    return product(const(-1), floored(over(product(const(-1), x), 4))), ceiling(over(x, 4))


def symbolic_tiles(x: Size, _: Size) -> tuple[Size, Size]:
    return ceiling(divide(add(x, S), B)), floored(divide(add(x, S, B, const(-1)), B))


def expanded(x: Size, y: Size) -> tuple[Size, Size]:
    return Power(add(x, y), Fraction(2)), add(product(x, x), product(const(2), x, y), product(y, y))


def ratios(x: Size, y: Size) -> tuple[Size, Size]:
    return add(divide(S, x), divide(B, y)), divide(add(product(S, y), product(B, x)), product(x, y))


IDENTITIES = (
    max_and_min,
    product_of_extremes,
    modulus,
    scaled_max,
    shifted_max,
    reordered,
    distributed,
    halves,
    tiles,
    nested_tiles,
    whole_part,
    negated,
    symbolic_tiles,
    expanded,
    ratios,
)
ALWAYS_PROVED = tuple(i for i in IDENTITIES if i is not symbolic_tiles)


@st.composite
def rewritten(draw: st.DrawFn, identities: tuple = IDENTITIES) -> tuple[Size, Size]:
    """A formula and another that equals it everywhere: an identity, perhaps a second, a common factor, more terms."""
    left, right = draw(st.sampled_from(identities))(draw(monomials), draw(polynomials))
    if draw(st.booleans()):
        factor, more = draw(monomials), draw(polynomials)
        left, right = add(product(factor, left), more), add(more, product(right, factor))
    return left, right


alterations = st.sampled_from(
    (
        const(1),
        const(-1),
        S,
        product(const(-1), B),
        product(S, H),
        product(const(Fraction(1, 3)), H),
        floored(over(S, 3)),  # zero at s = 1 and s = 2
        less(maximum(S, const(4)), const(4)),  # zero up to s = 4
        product(less(S, const(1)), less(B, const(1))),  # zero at s = 1 and at b = 1
        less(ceiling(over(S, 2)), floored(over(S, 2))),  # zero at even s
    )
)


@MANY
@given(rewritten())
def test_rewritten_formulas_are_never_refuted(pair: tuple[Size, Size]) -> None:
    verdict = decide_equal(form(pair[0]), form(pair[1]), DOMAIN)
    assert isinstance(verdict, (Proved, Undecided)), (pair, verdict)


@MANY
@given(rewritten(), alterations)
def test_altered_formulas_are_refuted_with_the_smallest_witness(pair: tuple[Size, Size], by: Size) -> None:
    left, right = pair[0], add(pair[1], by)
    verdict = decide_equal(form(left), form(right), DOMAIN)
    assert isinstance(verdict, Refuted), (pair, verdict)
    witness = {**dict.fromkeys(NAMES, 1), **verdict.witness}
    assert (verdict.left, verdict.right) == (value_of(left, witness), value_of(right, witness))
    assert verdict.left != verdict.right
    names = tuple(verdict.witness)
    smallest = next(p for p in points_by_size(names) if value_of(left, p) != value_of(right, p))
    assert {name: smallest[name] for name in names} == verdict.witness


def points_by_size(names: tuple[str, ...]) -> list[dict[str, int]]:
    """All points up to 6, by their largest value, then in the order of declaration."""
    points = sorted(every(range(1, 7), repeat=len(names)), key=lambda point: (max(point, default=0), point))
    return [{**dict.fromkeys(NAMES, 1), **dict(zip(names, point, strict=True))} for point in points]


@MANY
@given(rewritten(ALWAYS_PROVED))
def test_most_identities_are_proved(pair: tuple[Size, Size]) -> None:
    verdict = decide_equal(form(pair[0]), form(pair[1]), DOMAIN)
    moduli_are_small = not isinstance(verdict, Undecided)
    assert moduli_are_small, (pair, verdict)


@MANY
@given(polynomials, polynomials, st.sampled_from(("<", "<=", ">=", ">")))
def test_orders_agree_with_values(left: Size, right: Size, relation: str) -> None:
    verdict = decide_order(form(left), form(right), relation, DOMAIN)
    holds = {"<": float.__lt__, "<=": float.__le__, ">=": float.__ge__, ">": float.__gt__}[relation]
    values = [(float(value_of(left, p)), float(value_of(right, p))) for p in points_by_size(NAMES)]
    if isinstance(verdict, Proved):
        assert all(holds(x, y) for x, y in values)
    if isinstance(verdict, Refuted):
        assert not holds(float(verdict.left), float(verdict.right))
    if not all(holds(x, y) for x, y in values):
        assert isinstance(verdict, Refuted)


# ---------------------------------------------------------------- the identities SymPy gets wrong, one by one


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (add(ceiling(over(S, 2)), floored(over(S, 2))), S),
        (ceiling(over(S, 128)), floored(over(add(S, const(127)), 128))),
        (ceiling(over(ceiling(over(S, 2)), 3)), ceiling(over(S, 6))),
        (ceiling(divide(ceiling(divide(S, B)), H)), ceiling(divide(S, product(B, H)))),
        (ceiling(divide(S, B)), floored(divide(add(S, B, const(-1)), B))),
        (add(maximum(S, B, H), minimum(S, B, H), minimum(maximum(S, B), maximum(S, H), maximum(B, H))), add(S, B, H)),
        (maximum(product(B, add(S, const(1))), H), maximum(add(product(B, S), B), H)),
        (Power(product(S, S), Fraction(1, 2)), S),
        (Function("log", (product(S, B),)), add(Function("log", (S,)), Function("log", (B,)))),
    ],
)
def test_known_identities_are_proved(left: Size, right: Size) -> None:
    assert isinstance(decide_equal(form(left), form(right), DOMAIN), Proved)


def test_the_witness_is_the_smallest_by_largest_value_then_declaration() -> None:
    left = product(S, less(S, const(1)), less(S, const(2)), less(B, const(3)))
    verdict = decide_equal(form(left), form(const(0)), DOMAIN)
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"s": 3, "b": 1}


def test_irrational_values_refute_only_by_guaranteed_intervals() -> None:
    root = Power(S, Fraction(1, 2))
    verdict = decide_equal(form(root), form(over(add(S, const(1)), 2)), DOMAIN)
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"s": 2}


# ---------------------------------------------------------------- domains

ATTENTION = Scope(order=("s", "b", "h", "a", "d"), lets={"d": divide(H, A)})


def attention_domain(*conditions: Condition) -> Domain:
    return domain_of(ATTENTION, whole_lets(ATTENTION, ("d",)), conditions)


def attention(size: Size) -> Normal:
    return normal(size, ATTENTION)


def test_divisibility_is_part_of_the_domain() -> None:
    rounded, exact = attention(ceiling(divide(H, A))), attention(divide(H, A))
    assert isinstance(decide_equal(rounded, exact, attention_domain()), Proved)
    assert isinstance(decide_equal(rounded, exact, domain_of(ATTENTION)), Refuted)


def test_witnesses_fulfil_divisibility_and_conditions() -> None:
    conditions = (Condition(attention(A), ">=", attention(const(3))), Condition(attention(H), ">", attention(S)))
    verdict = decide_equal(attention(product(H, S)), attention(const(0)), attention_domain(*conditions))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"s": 1, "h": 3, "a": 3}


def test_conditions_prove() -> None:
    longer = attention_domain(Condition(attention(H), ">=", attention(S)))
    assert isinstance(decide_equal(attention(maximum(H, S)), attention(H), longer), Proved)
    assert isinstance(decide_order(attention(product(B, H)), attention(product(B, S)), ">=", longer), Proved)


def test_conditions_by_numbers_become_bounds() -> None:
    bounded = attention_domain(Condition(attention(S), "<=", attention(const(4))))
    assert bounded.maximum == {"s": 4}
    assert isinstance(decide(attention(S), "<", attention(const(5)), bounded), Proved)


@pytest.mark.parametrize(
    "conditions",
    [
        ((S, "<", const(1)),),
        ((H, ">", S), (S, ">", H)),
        ((S, ">=", const(7)), (S, "<=", const(6))),
        ((product(S, S), "=", const(2)),),
    ],
)
def test_empty_domains_are_reported(conditions: tuple[tuple[Size, str, Size], ...]) -> None:
    forms = (Condition(attention(left), relation, attention(right)) for left, relation, right in conditions)
    assert decide_equal(attention(S), attention(S), attention_domain(*forms)) == Empty()


def test_zero_is_admitted_where_it_is_declared() -> None:
    scope = Scope(order=("n",), minimum={"n": 0})
    n = Symbol("n")
    verdict = decide_equal(normal(product(n, n), scope), normal(n, scope), domain_of(scope))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"n": 2}
    positive = decide_order(normal(n, scope), normal(const(0), scope), ">", domain_of(scope))
    assert isinstance(positive, Refuted)
    assert positive.witness == {"n": 0}
