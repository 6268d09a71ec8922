"""Normal forms: exact, canonical, linear in the number of terms, and refused where they would not end."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.algebra.asymptotic import Diverges, Finite, NoLimit, leading, limit, ratio_tends_to_one
from roofdsl.algebra.expr import to_expr
from roofdsl.algebra.normal import evaluate, normal, number, substitute, symbol, total
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.symbols import symbol_table
from roofdsl.diagnostics import RoofError
from roofdsl.ir.size import Const, Function, Power, Size, Symbol, add, const, divide, product
from tests.sizes_by_hand import NAMES, ceiling, less, maximum, minimum, over, polynomials, value_of

S, B, H, A = (Symbol(name) for name in "sbha")
SCOPE = Scope(("s", "b", "h", "a", "t", "d", "f"), {"t": S, "d": divide(H, A), "f": product(const(4), H)})


def key(size: Size, scope: Scope = SCOPE) -> str:
    return normal(size, scope).key


# ---------------------------------------------------------------- lets, bindings


def test_lets_are_expanded_and_detached_and_bound() -> None:
    size = product(Symbol("f"), Symbol("t"))
    assert key(size) == "4*h*s"
    assert key(size, Scope(SCOPE.order, SCOPE.lets, free=frozenset(("f",)))) == "f*s"
    assert key(size, Scope(SCOPE.order, SCOPE.lets, bindings={"t": const(7), "h": Symbol("b")})) == "28*b"


def test_the_denominator_of_a_let_cancels_over_a_total() -> None:
    heads = product(const(4), S, B, A, Symbol("d"), H)
    assert total((heads, product(const(2), S, B)), SCOPE).key == "4*b*h^2*s+2*b*s"


def test_unknown_names_are_symbols() -> None:
    assert key(product(Symbol("measured"), S)) == "measured*s"


def test_circular_bindings_are_an_error() -> None:
    with pytest.raises(RoofError, match="E0752"):
        normal(Symbol("t"), Scope(SCOPE.order, SCOPE.lets, bindings={"s": Symbol("t")}))


def test_a_name_bound_to_itself_is_a_symbol() -> None:
    assert key(S, Scope(("s",), bindings={"s": S})) == "s"


def test_division_by_zero_is_an_error() -> None:
    with pytest.raises(RoofError, match="E0751"):
        normal(divide(S, less(Symbol("t"), S)), SCOPE)


# ---------------------------------------------------------------- canonical forms


@settings(max_examples=200, deadline=None)
@given(polynomials, polynomials, polynomials)
def test_forms_evaluate_like_trees_and_cancel(one: Size, two: Size, three: Size) -> None:
    tree = add(divide(product(one, three), product(two, three)), minimum(one, two), ceiling(over(three, 3)))
    shorter = add(minimum(two, one), ceiling(over(three, 3)), divide(one, two))
    form = normal(tree, SCOPE)
    assert form == normal(shorter, SCOPE)
    assert hash(form) == hash(normal(shorter, SCOPE))
    for point in ({"s": 3, "b": 5, "h": 2}, {"s": 1, "b": 1, "h": 1}, {"s": 100, "b": 7, "h": 64}):
        assert evaluate(form, point) == value_of(tree, point)


@settings(max_examples=100, deadline=None)
@given(polynomials, polynomials, st.integers(-2, 3))
def test_operators_agree_with_trees(one: Size, two: Size, exponent: int) -> None:
    left, right = normal(one, SCOPE), normal(two, SCOPE)
    assert left + right == normal(add(one, two), SCOPE)
    assert left - right == normal(less(one, two), SCOPE)
    assert left * right == normal(product(one, two), SCOPE)
    assert left / right == normal(divide(one, two), SCOPE)
    assert left**exponent == normal(Power(one, Fraction(exponent)), SCOPE)
    assert 2 * left - Fraction(1, 2) == normal(add(product(const(2), one), Const(Fraction(-1, 2))), SCOPE)
    assert (left - left).is_zero


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (minimum(S, add(S, B)), "s"),
        (maximum(S, Symbol("t"), const(1)), "s"),
        (minimum(S, minimum(H, B), S), "min(b,h,s)"),
        (minimum(add(minimum(S, B), const(1)), H), "min(1+b,1+s,h)"),
        (maximum(const(3), const(7)), "7"),
        (ceiling(Const(Fraction(7, 2))), "4"),
        (ceiling(add(S, over(B, 2))), "ceil(1/2*b)+s"),
        (ceiling(product(S, B)), "b*s"),
        (ceiling(divide(const(1), S)), "1"),
        (Function("floor", (divide(S, add(S, B)),)), "0"),
        (Function("abs", (product(const(-2), S),)), "2*s"),
        (Function("exp", (Function("log", (S,)),)), "s"),
        (Function("log", (const(1),)), "0"),
        (Power(product(const(12), S, S, B), Fraction(1, 2)), "2*s*root2(3)*root2(b)"),
        (product(Power(S, Fraction(1, 2)), Power(S, Fraction(1, 2))), "s"),
        (Power(Power(add(S, B), Fraction(2)), Fraction(1, 2)), "b+s"),
        (Power(S, Fraction(-1, 2)), "[root2(s)]/[s]"),
        (Power(const(8), Fraction(2, 3)), "4"),
    ],
)
def test_functions_simplify_where_that_is_certain(size: Size, shown: str) -> None:
    assert key(size) == shown


def test_minima_decide() -> None:
    assert key(maximum(S, const(1)), Scope(("s",), minimum={"s": 0})) == "max(1,s)"
    assert key(maximum(S, const(5)), Scope(("s",), minimum={"s": 5})) == "s"


@pytest.mark.parametrize("size", [Function("log", (const(0),)), Power(const(-2), Fraction(1, 2))])
def test_functions_outside_their_domain_are_an_error(size: Size) -> None:
    with pytest.raises(RoofError, match="E0753"):
        normal(size, SCOPE)


def test_degree_constant_and_symbols() -> None:
    form = normal(divide(product(S, S, minimum(B, H)), A), SCOPE)
    assert (form.degree("s"), form.degree("a"), form.degree("zzz")) == (2, -1, 0)
    assert form.symbols == {"s", "b", "h", "a"}
    assert normal(const(3), SCOPE).constant == 3
    assert form.constant is None


def test_irrational_values_are_marked_by_their_type() -> None:
    root = normal(Power(S, Fraction(1, 2)), SCOPE)
    assert evaluate(root, {"s": 49}) == Fraction(7)
    assert isinstance(evaluate(root, {"s": 2}), float)
    assert isinstance(evaluate(normal(Function("log", (S,)), SCOPE), {"s": 1}), Fraction)


def test_substitution_reaches_into_functions() -> None:
    form = normal(add(S, ceiling(over(S, 4)), minimum(S, B)), SCOPE)
    assert substitute(form, {"s": symbol("b") * 4}).key == normal(product(const(6), B), SCOPE).key
    assert substitute(form, {"s": number(8), "b": 3}).constant == 8 + 2 + 3


# ---------------------------------------------------------------- cost


def many_terms(count: int) -> list[Size]:
    names = [*(Symbol(n) for n in ("s", "b", "h", "a")), Symbol("t"), Symbol("d"), Symbol("f")]
    return [product(const(i), names[i % 7], names[i // 7 % 7], names[i // 49 % 7], S, B) for i in range(1, count + 1)]


def seconds(count: int) -> float:
    terms = many_terms(count)
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        total(terms, SCOPE)
        best = min(best, time.perf_counter() - start)
    return best


def test_totals_are_linear_in_their_terms() -> None:
    """Ten times the terms may take at most 25 times as long; quadratic growth would take 100 times."""
    assert seconds(10_000) < 25 * seconds(1_000)


@pytest.mark.parametrize(
    "size",
    [
        Power(add(A, B, H, S), Fraction(200)),
        Power(const(2), Fraction(2**99)),
        Power(S, Fraction(2**99)),
        Power(add(S, const(10**30)), Fraction(4_000)),
        product(*(add(*(Symbol(f"x{i}{j}") for j in range(10))) for i in range(12))),
        add(*(minimum(Symbol(f"x{i}"), Symbol(f"y{i}")) for i in range(2_000))),
        add(*(divide(const(1), add(Symbol(f"x{i}"), Symbol(f"y{i}"))) for i in range(200))),
        minimum(*(Symbol(f"x{i}") for i in range(500))),
    ],
)
def test_what_would_not_end_is_refused_at_once(size: Size) -> None:
    start = time.perf_counter()
    with pytest.raises(RoofError, match="E0750"):
        normal(size, SCOPE)
    assert time.perf_counter() - start < 10


# ---------------------------------------------------------------- limits and leading terms


@pytest.mark.parametrize(
    ("size", "value"),
    [
        (divide(product(const(2), S, S, H), add(product(const(2), S, H), product(S, S))), "2*h"),
        (divide(ceiling(divide(S, B)), S), "[1]/[b]"),
        (divide(minimum(S, H), H), "1"),
        (ceiling(divide(B, S)), "1"),
        (divide(H, S), "0"),
        (divide(Power(S, Fraction(1, 2)), add(const(1), Power(S, Fraction(1, 2)))), "1"),
    ],
)
def test_limits(size: Size, value: str) -> None:
    found = limit(normal(size, SCOPE), "s", SCOPE)
    assert isinstance(found, Finite)
    assert found.value.key == value


def test_limits_that_are_not_numbers() -> None:
    assert limit(normal(maximum(S, H), SCOPE), "s", SCOPE) == Diverges(1)
    assert limit(normal(product(const(-1), S), SCOPE), "s", SCOPE) == Diverges(-1)
    for unsettled in (
        less(ceiling(divide(S, B)), divide(S, B)),
        product(less(A, B), S),
        divide(const(1), less(A, B)),
        Function("log", (S,)),
    ):
        assert isinstance(limit(normal(unsettled, SCOPE), "s", SCOPE), NoLimit)


LAYER = add(product(const(24), B, S, H, H), product(const(4), B, S, S, H))


@pytest.mark.parametrize(
    ("size", "value"),
    [
        (LAYER, "24*b*h^2*s"),
        (add(H, product(S, S)), "h+s^2"),
        (divide(add(H, S), add(H, const(3))), "1"),
        (minimum(H, S), "s"),
        (ceiling(divide(S, H)), "1"),
        (ceiling(divide(H, S)), "[h]/[s]"),
    ],
)
def test_leading_terms(size: Size, value: str) -> None:
    found = leading(normal(size, SCOPE), "h", "s", SCOPE)
    assert found is not None
    assert found.key == value


def test_ratios_that_tend_to_one() -> None:
    layer, right, wrong = (normal(z, SCOPE) for z in (LAYER, product(const(24), B, S, H, H), product(B, S, H, H)))
    assert ratio_tends_to_one(layer, right, "h", "s", SCOPE) is True
    assert ratio_tends_to_one(layer, wrong, "h", "s", SCOPE) is False
    assert ratio_tends_to_one(normal(less(A, B), SCOPE), number(1), "h", "s", SCOPE) is None


# ---------------------------------------------------------------- the SymPy edge


def test_expressions_are_built_on_one_table_of_symbols() -> None:
    table = symbol_table(NAMES, {"b": 0})
    assert table.s.is_positive
    assert table.s.is_integer
    assert table.b.is_nonnegative
    assert table.b.is_positive is None
    assert table["h"] is table.h
    form = normal(divide(add(product(const(24), B, S), minimum(S, B)), add(H, const(1))), SCOPE)
    expr = to_expr(form, table)
    assert expr.free_symbols == {table.s, table.b, table.h}
    assert expr.subs({table.s: 3, table.b: 2, table.h: 4}) == Fraction(146, 5)


def test_fractions_that_cancel_to_nothing() -> None:
    whole = add(S, H)
    assert normal(add(divide(S, whole), divide(H, whole), const(-1)), SCOPE).is_zero
    assert normal(add(divide(const(1), whole), divide(const(-2), add(whole, whole))), SCOPE).is_zero
