"""Maxima compared one to one: what is left is never above the form, and times are ordered by their kernels."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.algebra.evaluation import evaluate
from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.normal import normal
from roofdsl.algebra.paired import without_pairs
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known
from roofdsl.ir.size import Function, Size, Symbol, add, const, product
from tests.asking import spec, verdict

x, y = Symbol("x"), Symbol("y")
SCOPE = Scope(("x", "y"))
SMALL = st.integers(0, 5)
TERMS = st.tuples(SMALL, SMALL, SMALL, SMALL)


def amount(numbers: tuple[int, int, int, int]) -> Size:
    one, two, three, four = numbers
    return add(product(const(one), x), product(const(two), y), product(const(three), x, y), const(four))


def largest(left: tuple[int, int, int, int], right: tuple[int, int, int, int]) -> Size:
    return Function("max", (amount(left), amount(right)))


PARTS = st.lists(st.tuples(st.integers(-4, 4), st.sampled_from([const(1), x]), TERMS, TERMS), min_size=2, max_size=5)


@given(parts=PARTS, rest=TERMS, at=st.tuples(st.integers(1, 60), st.integers(1, 60)))
@settings(max_examples=150, deadline=None)
def test_what_is_left_is_never_above(parts, rest, at: tuple[int, int]) -> None:
    sums = (product(const(c), count, largest(left, right)) for c, count, left, right in parts)
    form = normal(add(*sums, amount(rest)), SCOPE)
    bound = without_pairs(form, Known())
    values = dict(zip(("x", "y"), at, strict=True))
    assert evaluate(bound, values) <= evaluate(form, values)
    assert len(maxima(bound)) <= len(maxima(form))


def maxima(form: Normal) -> set[str]:
    return {name for name in form.generators if name in form.atoms}


def test_a_cover_takes_in_all_of_what_it_reaches() -> None:
    taken = product(const(2), largest((0, 0, 1, 0), (3, 3, 0, 0)))
    there = product(const(3), largest((0, 0, 1, 2), (3, 4, 0, 0)))
    form = normal(add(there, product(const(-1), taken)), SCOPE)
    assert len(maxima(without_pairs(form, Known()))) == 1


def test_terms_that_are_lacking_are_paid_for() -> None:
    taken, there = largest((0, 0, 1, 3), (3, 3, 0, 0)), largest((0, 0, 1, 0), (3, 3, 0, 0))
    form = normal(add(there, product(const(-1), taken)), SCOPE)
    assert without_pairs(form, Known()) == number(-3)


TRUE = (
    "time(gpt, h100_sxm, train) >= 2 time(gpt, h100_sxm)",
    "time(layer, a100_80gb, backward) >= time(layer, a100_80gb)",
    "time(layer{fused attention.core}, h100_sxm) <= time(layer, h100_sxm)",
    "time(gpt, b200, train) < time(gpt, a100_80gb, train)",
    "time(layer, a100_80gb) <= 4 time(layer, h100_sxm)",
)
FALSE = (
    "time(layer, h100_sxm, train) >= 3 time(layer, h100_sxm)",
    "time(layer, a100_80gb) <= 2 time(layer, h100_sxm)",
    "time(layer, h100_sxm) <= time(layer{fused attention.core}, h100_sxm)",
)


@pytest.mark.parametrize("claim", TRUE)
def test_times_are_ordered_kernel_by_kernel(claim: str) -> None:
    assert verdict(spec("gpt3"), claim).outcome == "proved"


@pytest.mark.parametrize("claim", FALSE)
def test_what_fails_somewhere_is_not_proved(claim: str) -> None:
    assert verdict(spec("gpt3"), claim).outcome == "refuted"


LIMITS = (
    "flops(layer)/time(layer, h100_sxm) -> peak(h100_sxm, bf16) for h -> oo when b s >= 1000",
    "flops(layer)/time(layer, h100_sxm) -> b s bandwidth(h100_sxm)/1 [B/FLOP] for h -> oo when b s <= 200",
    "time(layer, h100_sxm) ~ 24 [FLOP] b s h²/peak(h100_sxm, bf16) for h >> s when b >= 1000",
    "time(gpt, h100_sxm, train)/time(gpt, h100_sxm) -> 3 for h -> oo when b s >= 1000",
)


@pytest.mark.parametrize("claim", LIMITS)
def test_limits_of_times_use_what_the_domain_says(claim: str) -> None:
    assert verdict(spec("gpt3"), claim).outcome == "proved"


@pytest.mark.parametrize("claim", LIMITS)
def test_without_it_the_regime_is_open(claim: str) -> None:
    assert verdict(spec("gpt3"), claim.split(" when ", maxsplit=1)[0]).outcome == "undecided"


def test_a_condition_on_what_grows_is_not_used() -> None:
    claim = "flops(layer)/time(layer, h100_sxm) -> peak(h100_sxm, bf16) for h -> oo when h <= b, s >= 1000"
    assert verdict(spec("gpt3"), claim).outcome == "proved"
    only = "flops(layer)/time(layer, h100_sxm) -> peak(h100_sxm, bf16) for h -> oo when h <= 20, b s >= h"
    assert verdict(spec("gpt3"), only).outcome == "undecided"


def test_what_goes_to_infinity_either_way_has_no_limit() -> None:
    assert verdict(spec("primer"), "time(gemm, h100_sxm) -> 1 [s] for M -> oo").outcome == "refuted"
