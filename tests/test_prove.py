"""Formulas given as Python functions of symbols: proved, refuted, or refused with what is no formula in them."""

# ruff: noqa: ARG005, N803, PLW0108

from __future__ import annotations

import pytest
import sympy

import roofdsl as rd


@pytest.fixture(scope="module")
def model() -> rd.Model:
    return rd.load("gpt3")


def test_a_function_of_symbols_is_proved(model: rd.Model) -> None:
    assert model.prove("saved(layer)", lambda s, b, h, a: s * b * h * (34 + 5 * a * s / h))
    assert model.prove("flops(layer)", lambda s, b, h, f: 2 * b * s * h * (4 * h + 2 * f) + 4 * b * s**2 * h)
    assert model.prove(
        "params(gpt) when N = s", lambda h, L, V, s, *, N=0: L * (12 * h**2 + 13 * h) + (V + s) * h + 2 * h
    )
    assert model.prove("not saved(layer) off by sbh", lambda s, b, h, a: s * b * h * 35 + 5 * a * b * s**2)


def test_a_wrong_function_is_refuted(model: rd.Model) -> None:
    def mine(s, b, h, a, width=4):
        return s * b * h * (26 + 2 * width) + 4 * a * b * s**2

    verdict = model.prove("saved(layer)", mine)
    assert verdict.outcome == "refuted"
    assert verdict.claim == "saved(layer) = mine(s, b, h, a)"
    assert "difference  -as²b" in str(verdict)


def test_functions_keep_ceilings_of_lets_apart() -> None:
    """A let may be a fraction, so a ceiling of it is not the let."""
    halves = rd.load_text('use "ops"\ndim s\nlet w = s/2\nblock f(x[s]) -> y { y[s] = 2 * x[s] }\n')
    assert not halves.prove("bytes(f)", lambda w: 8 * sympy.ceiling(w))
    assert halves.prove("bytes(f)", lambda w: 8 * w)
    assert halves.prove("bytes(f)", lambda s: sympy.Max(4 * s, 0))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda s: 0.5 * s, "exact"),
        (lambda s: 0.5, "exact"),
        (lambda s: sympy.Symbol("s"), "made elsewhere"),
        (lambda s: sympy.Symbol("q"), "no size of the model"),
        (lambda s: sympy.gamma(s), "no part of a formula"),
        (lambda s: 2**s, "an exponent must be a number"),
        (lambda s: "s", "not a formula"),
        (lambda s: s > 1, "no part of a formula"),
        (lambda s: sympy.nan, "no part of a formula"),
        (lambda q: q, "no size of the model"),
        (lambda *s: s, "no name to go by"),
        (None, "not known"),
    ],
)
def test_functions_that_give_no_formula(model: rd.Model, function, said: str) -> None:
    with pytest.raises(rd.RoofError, match="E0815") as caught:
        model.prove("saved(layer)", function)
    (diagnostic,) = caught.value.diagnostics
    assert said in " ".join((diagnostic.primary.text, *diagnostic.helps))


def test_what_a_function_raises_is_seen(model: rd.Model) -> None:
    with pytest.raises(ZeroDivisionError):
        model.prove("saved(layer)", lambda s: 1 // 0)
