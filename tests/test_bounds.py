"""Bounds of windows, of single sizes and of sums: decided, and rightly. Every truth stands beside a near miss."""

from __future__ import annotations

import pytest

from roofdsl.algebra.asymptotic import NoLimit, leading, limit
from roofdsl.algebra.finite import tightened
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.ir.size import Symbol, add, const, divide, product
from tests.asking import session_of, verdict
from tests.sizes_by_hand import floored, less

TEXT = """
use "ops"
dim s
dim w "window"
dim h
dim q
let t = s

block win(x[s,h]) -> y {
    S[s,t] = sum(x[s,h] * x[t,h]) where s - w < t <= s
    y[s,h] = sum(S[s,t] * x[t,h])
}
block tri(x[s,h]) -> y {
    S[s,t] = sum(x[s,h] * x[t,h]) where t <= s
    y[s,h] = sum(S[s,t] * x[t,h])
}
block lin(x[s,q]) -> y {
    param W[q,h]
    y[s,h] = sum(x[s,q] * W[q,h])
}
"""
SMALL = session_of(TEXT)
HOLDS = (
    "flops(win) <= 2h s(s+1) under exact",
    "flops(win) <= 4h s w under exact",
    "flops(win) <= flops(tri) under exact",
    "flops(win) < flops(tri) when w < s under exact",
    "flops(win) = flops(tri) when w >= s under exact",
    "flops(win) = 4h s w - 2h w(w - 1) when w <= s under exact",
    "flops(lin) <= 2s h when q < 2",
    "flops(lin) = 4s h when q^2 = 4",
    "flops(lin) <= 6s h when q^2 < 16",
    "flops(lin) >= 6s h when q² > 4",
    "params(lin) <= 100 when q + h <= 20",
    "params(lin) = 6 when q h = 6",
    "params(lin) <= 25 when q² + h² <= 50",
    "params(lin) <= (q + h)²/4",
    "q flops(lin) + 2h s³ >= 4s²h q",
    "flops(lin) + 2s h >= 4s h sqrt(q)",
    "flops(lin) <= 2w² when s h <= w, q <= w",
    "flops(lin) <= 2s h w ceil(q/w)",
)
FAILS = (
    "flops(win) <= 2h s(s+1) - 1 [FLOP] under exact",
    "flops(win) < flops(tri) when w <= s under exact",
    "flops(win) = flops(tri) when w >= s - 1 under exact",
    "flops(lin) <= 2s h when q < 3",
    "flops(lin) = 4s h when q^2 <= 4",
    "flops(lin) <= 6s h when q^2 <= 16",
    "flops(lin) >= 6s h when q² >= 4",
    "params(lin) <= 99 when q + h <= 20",
    "params(lin) <= 24 when q² + h² <= 50",
    "params(lin) <= (q + h)²/4 - 1",
    "flops(lin) + 2s h > 4s h sqrt(q)",
    "flops(lin) <= 2s h w floor(q/w)",
)


@pytest.mark.parametrize("text", HOLDS)
def test_what_holds_is_proved(text: str) -> None:
    assert verdict(SMALL, text).outcome == "proved"


@pytest.mark.parametrize("text", FAILS)
def test_what_nearly_holds_is_refuted(text: str) -> None:
    assert verdict(SMALL, text).outcome == "refuted"


# ------------------------------------------------------------------------------------------ bounds of single sizes

S, H, X = Symbol("s"), Symbol("h"), Symbol("X")
SCOPE = Scope(order=("s", "h", "X"))


def test_bounds_are_those_of_the_integers_that_fulfil() -> None:
    for low in range(4):
        for top in range(1, 60):
            form = normal(less(const(top), product(S, S)), SCOPE)
            lower, upper = tightened((form,), {"s": low}, {})
            fine = [q for q in range(low, 70) if q * q <= top]
            assert (lower["s"], upper["s"]) == ((fine[0], fine[-1]) if fine else (low, low - 1))


def test_a_lower_bound_leaves_the_end_open() -> None:
    form = normal(less(product(S, S), const(17)), SCOPE)
    assert tightened((form,), {}, {}) == ({"s": 5}, {})


# ------------------------------------------------------------------------------------------ what outgrows what


def test_a_coefficient_that_may_vanish_outgrows_nothing() -> None:
    factor = less(X, const(1))  # zero at X = 1, where h falls out and s counts
    size = add(product(factor, H), product(S, S), S)
    assert leading(normal(size, SCOPE), "h", "s", SCOPE) is None


def test_terms_of_opposite_signs_that_cannot_cancel_outgrow_nothing() -> None:
    fine = normal(add(less(product(const(2), H, S, S), product(H, S)), S), SCOPE)
    assert leading(fine, "h", "s", SCOPE) == normal(less(product(const(2), H, S, S), product(H, S)), SCOPE)


def test_a_fraction_that_need_not_vanish_is_not_rounded_away() -> None:
    below = add(product(less(X, const(1)), S, S), S)  # s at X = 1
    found = limit(normal(floored(divide(S, below)), SCOPE), "s", SCOPE)
    assert isinstance(found, NoLimit)


def test_conditions_on_what_grows_simplify_nothing() -> None:
    capped = "flops(lin)/(2s h) * min(s, w)"  # min(s, w) is w in the end, and s only where s <= w
    assert verdict(SMALL, f"{capped} -> q w for s -> oo when s <= w").outcome == "proved"
    assert verdict(SMALL, f"{capped} ~ q s for s >> h when s <= w").outcome != "proved"
