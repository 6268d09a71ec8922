"""Times as cases: no max inside a sum, conditions that cover every size, and the same values as the roofline gives."""

from __future__ import annotations

import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.algebra.evaluation import evaluate
from roofdsl.algebra.normal import normal
from roofdsl.algebra.piecewise import cases_of, has_inner_extremum
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.signs import Known
from roofdsl.diagnostics import Sink
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.model import bind_subject, evaluate_subject
from roofdsl.evaluate.opening import open_session
from roofdsl.evaluate.settings import read_setting
from roofdsl.ir.size import Function, Symbol, add, const, product
from roofdsl.passes.load import load_named
from roofdsl.quantities.subject import Subject
from roofdsl.report.derived import derive
from roofdsl.report.shape import Shape
from tests.commands import roofdsl

PRIMER = open_session(load_named("primer", Sink())[1])
GPT3 = open_session(load_named("gpt3", Sink())[1])
H100 = named_machine("h100_sxm", GPT3.library, Sink())
x, y = Symbol("x"), Symbol("y")
SIZE = st.integers(1, 20_000)


def largest(*parts):
    return Function("max", parts)


def checked(form, values: dict[str, int]) -> None:
    """The cases whose conditions hold all give the value, and there is one."""
    cases = cases_of(form, Known())
    assert cases is not None
    holding = [c for c in cases if all(evaluate(condition, values) >= 0 for condition in c.conditions)]
    assert holding
    assert {evaluate(case.form, values) for case in holding} == {evaluate(form, values)}
    assert not any(has_inner_extremum(case.form) for case in cases)


@given(a=st.integers(1, 9), b=st.integers(1, 9), c=st.integers(1, 60), at=st.tuples(SIZE, SIZE))
@settings(max_examples=80, deadline=None)
def test_cases_cover_every_size(a: int, b: int, c: int, at: tuple[int, int]) -> None:
    first = largest(product(const(a), x, y), product(const(b * c), x))
    second = largest(product(x, x), product(const(c), y), const(c * c))
    form = normal(add(first, product(const(2), second), y), Scope(("x", "y")))
    if cases_of(form, Known()) is not None:
        checked(form, dict(zip(("x", "y"), at, strict=True)))


@given(T=SIZE, d=st.integers(1, 600))
@settings(max_examples=40, deadline=None)
def test_an_attention_head_has_two_regimes(T: int, d: int) -> None:  # noqa: N803 - the paper's symbol
    found = derive(PRIMER, "time(attn, h100_sxm)")
    assert found.cases is not None
    assert len(found.cases) == 2
    checked(found.form, {"T": T, "d": d})


@given(s=st.integers(1, 9000), a=st.sampled_from([8, 16, 64]), d=st.sampled_from([32, 64, 128]), b=st.integers(1, 9))
@settings(max_examples=25, deadline=None)
def test_a_layer_agrees_with_its_roofline_at_any_size(s: int, a: int, d: int, b: int) -> None:
    assert derive(GPT3, "time(layer, h100_sxm)").cases is None
    found = derive(GPT3, "time(layer, h100_sxm)", shape=Shape(cases=True))
    assert found.cases is not None
    assert len(found.cases) == 8
    sizes = {"s": s, "h": a * d, "a": a, "b": b}
    checked(found.form, sizes)
    given_sizes = [r for n, v in sizes.items() if (r := read_setting(f"{n}={v}", Sink())) is not None]
    layer = Subject("layer", text="layer")
    binding = bind_subject(GPT3, layer, (), given_sizes)
    assert evaluate(found.form, sizes) == evaluate_subject(GPT3, layer, H100, binding).time


def test_one_kernel_keeps_its_maximum() -> None:
    assert derive(PRIMER, "time(attn_fused, h100_sxm)").cases is None
    assert roofdsl("derive", "primer", "time(attn_fused, h100_sxm)").out.count("max(") == 1


def test_every_notation_has_the_cases() -> None:
    asked = ("derive", "primer", "time(attn, h100_sxm)")
    text = roofdsl(*asked).out
    assert "max(" not in text
    assert "if 2T²d/π ≥ (4Td + 2T²)/β" in text
    assert "\\begin{cases}" in roofdsl(*asked, "--format", "latex").out
    assert roofdsl(*asked, "--format", "markdown").out.startswith("$\\begin{cases}")
    (line,) = roofdsl(*asked, "--format", "sympy").out.splitlines()
    parsed = sympy.sympify(line)
    assert isinstance(parsed, sympy.Piecewise)
    assert parsed.subs({"T": 4096, "d": 128}) == sympy.Rational(4096 * 128, 418750000000) + sympy.Rational(
        4096**2, 418750000000
    )
    assert "if " in roofdsl(*asked, "--json").document["results"][0]["formula"]["text"]


def test_too_many_regimes_are_said() -> None:
    assert "more than 24 regimes" in roofdsl("derive", "gpt3", "time(gpt, h100_sxm, train)").out
    assert "regimes are not listed" in roofdsl("derive", "gpt3", "time(gpt, h100_sxm) + time(layer, a10)").out
