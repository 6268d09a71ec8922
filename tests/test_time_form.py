"""Times as people read them: what is printed, that its terms are the time, and that names of rates never mislead."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.algebra.evaluation import evaluate
from roofdsl.algebra.form import number
from roofdsl.diagnostics import Sink
from roofdsl.evaluate.opening import open_session
from roofdsl.passes.load import load_named
from roofdsl.quantities.assumptions import NONE, Assumptions
from roofdsl.quantities.session import Session
from roofdsl.report.derived import derive
from roofdsl.report.shape import Shape
from roofdsl.report.time_form import TimeForm
from tests.commands import roofdsl

GOLDEN = Path(__file__).parent / "golden" / "times.txt"
ASKED = (
    ("gpt3", "time(layer, h100_sxm)"),
    ("gpt3", "time(layer, h100_sxm)", "--cases"),
    ("gpt3", "time(gpt, h100_sxm, train)", "--overhead", "launch"),
    ("llama", "time(llama, h100_sxm, infer)"),
    ("llama", "time(llama{s = 1, t = 8192, b = 64}, mi300x, infer)"),
    ("primer", "time(attn, h100_sxm)", "--overlap", "none"),
    ("primer", "time(attn_fused, a100_80gb)", "--efficiency", "hbm=0.9"),
    ("primer", "time(gemm, a100_80gb)", "--tile", "256x128"),
    ("primer", "time(attn, h100_sxm)", "--format", "latex"),
)
TIMES = (
    ("gpt3", "time(layer, h100_sxm)", NONE),
    ("gpt3", "time(gpt{checkpoint layer}, a100_80gb, hardware)", Assumptions("launch")),
    ("gpt3", "time(layer, b200, train)", Assumptions("graph", "none")),
    ("llama", "time(llama, h100_sxm, infer)", NONE),
    ("primer", "time(attn, rtx_4090)", NONE),
)


@cache
def opened(file: str, assumed: Assumptions) -> Session:
    return open_session(load_named(file, Sink())[1], assumed)


def time_of(file: str, text: str, assumed: Assumptions, *, cases: bool = False) -> TimeForm:
    found = derive(opened(file, assumed), text, shape=Shape(cases=cases)).timed
    assert found is not None
    return found


def test_times_are_printed_as_they_were(golden: Callable[[Path, str], None]) -> None:
    parts = []
    for file, quantity, *options in ASKED:
        ran = roofdsl("derive", file, quantity, *options)
        assert ran.code == 0
        parts.append(" ".join(("$ roofdsl derive", file, f'"{quantity}"', *options)) + f"\n{ran.out}")
    golden(GOLDEN, "\n".join(parts))


@pytest.mark.parametrize(("file", "text", "assumed"), TIMES, ids=[text for _, text, _ in TIMES])
@given(draw=st.data())
@settings(max_examples=10, deadline=None)
def test_the_terms_are_the_time(file: str, text: str, assumed: Assumptions, draw) -> None:
    found = derive(opened(file, assumed), text)
    assert found.timed is not None
    values = {name: draw.draw(st.integers(1, 5000)) for name in sorted(found.form.symbols)}
    terms = found.timed.terms
    total = evaluate(terms.launches, values) * terms.launch
    total += sum(evaluate(d.part.seconds, values) for d in terms.decided)
    for opened_ in terms.opened:
        total += evaluate(opened_.count, values) * max(evaluate(part.seconds, values) for part in opened_.parts)
    assert total == evaluate(found.form, values)


@given(values=st.fixed_dictionaries({n: st.integers(1, 9000) for n in "sbha"}))
@settings(max_examples=30, deadline=None)
def test_every_regime_is_the_time_where_it_holds(values: dict[str, int]) -> None:
    found = derive(opened("gpt3", NONE), "time(layer, h100_sxm)", shape=Shape(cases=True))
    holding = [c for c in found.cases or () if all(evaluate(x, values) >= 0 for x in c.conditions)]
    assert holding
    assert {evaluate(case.form, values) for case in holding} == {evaluate(found.form, values)}


def test_no_kernel_is_lost_and_none_is_twice() -> None:
    found = time_of("gpt3", "time(gpt, h100_sxm, train)", NONE)
    named = [name for line in found.lines for name in line.kernels]
    asked = ("eval", "gpt3", "--of", "gpt", "--phase", "train", "--config", "gpt3_175b", "--machine", "h100_sxm")
    table = {kernel["kernel"] for kernel in roofdsl(*asked, "--json").document["kernels"]}
    assert len(named) == len(set(named))
    assert set(named) == table


def test_what_is_decided_is_no_maximum() -> None:
    form = time_of("primer", "time(gemm{M = 1, n = 4096, K = 4096}, h100_sxm)", NONE)
    assert not form.terms.opened
    assert form.layout.terms[0].below[0].name == "β"


def test_names_that_a_model_has_are_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "greek.roof"
    path.write_text(
        "dim β\ndim n\ndim m\nblock f(x[β, n]) -> y {\n    param w[n, m]\n    y[β, m] = sum(x[β, n] * w[n, m])\n}\n",
        encoding="utf-8",
    )
    out = roofdsl("derive", str(path), "time(f, h100_sxm)").out
    assert "β_h100_sxm = 3.35 TB/s (hbm)" in out
    assert "/β_h100_sxm" in out


def test_rates_of_one_kind_are_told_apart() -> None:
    out = roofdsl("derive", "primer", "time(attn, h100_sxm)", "--efficiency", "S=0.5", "--overlap", "none").out
    names = re.findall(r"(π\w*|β\w*) = ", out)
    assert len(names) == len(set(names)) >= 6
    assert "50 % of it reached" in out


def test_another_shape_is_in_numbers_of_seconds() -> None:
    out = roofdsl("derive", "primer", "time(gemm, h100_sxm)", "--leading", "M").out
    assert "π" not in out


def test_a_regime_with_one_kernel_keeps_its_maximum_until_asked() -> None:
    form = time_of("primer", "time(gemm, h100_sxm)", NONE)
    assert form.regimes is None
    assert len(time_of("primer", "time(gemm, h100_sxm)", NONE, cases=True).printed_cases()) == 2
    assert form.terms.launches == number(0)
