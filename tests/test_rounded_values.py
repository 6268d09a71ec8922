"""Nothing rests on a rounded value: irrational sides are compared by intervals that surely hold them, or not at all.

Each of these was once judged wrong, by a float that stood for the value or by a bound that a search overstepped.
"""

from __future__ import annotations

import pytest

from roofdsl.diagnostics import RoofError
from roofdsl.quantities.session import Session
from roofdsl.verify.judge import judge
from roofdsl.verify.question import pose
from tests.asking import claim, session_of

TEXT = """
dim s
dim h
dim m
dim a >= 0
dim b >= 0
dim c >= 0
dim d >= 0
dim e >= 0
block p(x[m]) -> y {
    param w[m]
    y[m] = x[m] * w[m]
}
block lin(x[s,h]) -> y {
    param w[h,m]
    y[s,m] = sum(x[s,h] * w[h,m])
}
"""
BIG = 2**30


@pytest.fixture(scope="module")
def small() -> Session:
    return session_of(TEXT)


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("flops(lin)*(a+b+c+d+e+1)^2 = O(s*h*m*(a+b+c+d+e+1))", {"refuted", "undecided"}),
        ("params(p) + a = params(p) when a <= 0", {"proved"}),
        (f"params(p)*ceil(sqrt(h*h+1)) = params(p)*h when h >= {BIG}, h <= {BIG + 4}, m <= 1", {"refuted"}),
        (
            f"params(p)*ceil(sqrt(h*h+1)) = params(p)*(h+1) when h >= {BIG}, h <= {BIG + 4}, m <= 1",
            {"proved", "undecided"},
        ),
        ("params(p)*ceil(log(s)/log(5)) <= 3*params(p) when s = 125", {"proved", "undecided"}),
        ("params(p)*(ceil(h/128) + log(h)) <= params(p)*(h + 1)", {"proved", "undecided"}),
        (
            "params(p) <= (2*h-s)/600+299/300 when 2*h - s >= 2, m <= ceil((2*h-s)/600)",
            {"refuted", "undecided"},
        ),
        ("params(p)*(ceil(sqrt(h)) - sqrt(h)) -> 0 for h -> oo", {"refuted", "undecided"}),
        (f"sqrt(params(lin)^2 + 1) - params(lin) ~ 0.00000000047 at h = {BIG}, m = 1", {"proved"}),
        (f"sqrt(params(lin)^2 + 1) - params(lin) ~ 0.00000000057 at h = {BIG}, m = 1", {"refuted"}),
        (f"params(lin) ~ sqrt(h*h+1) within 0% at h = {BIG}, m = 1", {"refuted"}),
        ("params(lin) <= h*m*s when h >= 30000", {"proved"}),
        ("params(p)*h <= params(p)*h*h when 6/(h-2) >= 1, h <= 4", {"proved"}),
        ("params(p)*max(h, sqrt(h*h+1)) = params(p)*h when h >= 94906266", {"refuted"}),
    ],
)
def test_the_verdict_is_not_wrong(text: str, outcomes: set[str], small: Session) -> None:
    assert judge(pose(claim(text), small)).outcome in outcomes


def test_a_condition_that_rounding_alone_fulfils_admits_nothing(small: Session) -> None:
    with pytest.raises(RoofError, match="no sizes satisfy"):
        judge(pose(claim(f"params(p) = 1 when sqrt(h*h+1) <= h, h >= {BIG}"), small))
