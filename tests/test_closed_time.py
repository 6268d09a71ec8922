"""A time as a formula is the time as a number: at any sizes, on any machine, under any of the assumptions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.model import bind_subject, evaluate_subject
from roofdsl.evaluate.opening import open_session
from roofdsl.evaluate.settings import read_setting
from roofdsl.passes.load import load_named
from roofdsl.quantities.assumptions import Assumptions
from roofdsl.quantities.conventions import ALL_WORK, Efficiency, Tile, find_convention
from roofdsl.quantities.quantity import quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import resolve_subject
from roofdsl.source import Source
from roofdsl.syntax.parser import parse_subject
from tests.commands import roofdsl

SUBJECTS = (
    ("gpt3", "layer", "train"),
    ("gpt3", "layer{fused attention.core tile s = 100 at l2}", "hardware"),
    ("gpt3", "gpt{checkpoint layer}", "hardware"),
    ("primer", "gemm", "forward"),
    ("primer", "attn_tiled{Br = 64}", "backward"),
    ("llama", "llama", "infer"),
    ("mixtral", "mixtral", "train"),
)
MACHINES = ("h100_sxm", "a100_80gb", "h200", "b200")
NAMES = ("compute", "memory", "vector", "S", "softmax", "hbm", "l2", "y")
ASSUMED = st.builds(
    Assumptions,
    st.sampled_from([None, "none", "launch", "graph"]),
    st.sampled_from([None, "full", "none"]),
    st.lists(
        st.builds(Efficiency, st.sampled_from(NAMES), st.fractions(Fraction(1, 10), 1, max_denominator=20)),
        max_size=2,
    ).map(tuple),
    st.none() | st.builds(Tile, *(st.sampled_from(n) for n in ([64, 100, 256], [32, 128], [1, 16]))),
)


@cache
def opened(file: str) -> Session:
    return open_session(load_named(file, Sink())[1])


def sizes_of(name: str, draw: st.DataObject) -> list[str]:
    """Sizes that make every extent whole."""
    a, d = draw.draw(st.sampled_from([2, 8, 12])), draw.draw(st.sampled_from([4, 64, 128]))
    free = {n: draw.draw(st.integers(1, 3000)) for n in ("s", "T", "M", "n", "K")}
    given_sizes = {**free, "a": a, "h": a * d, "d": d, "b": draw.draw(st.integers(1, 40)), "L": 3, "V": 5003, "N": 4000}
    given_sizes |= {
        "g": 2,
        "f": 4 * a * d,
        "B": 8,
        "t": free["s"],
        "E": 8,
        "k": 2,
        "X": 8,
        "m": 2,
        "F": 96,
        "s": 8 * free["s"],
    }
    known = opened(name).library
    return [f"{size}={value}" for size, value in given_sizes.items() if size in known.dims]


@pytest.mark.parametrize(("file", "text", "phase"), SUBJECTS, ids=[text for _, text, _ in SUBJECTS])
@given(draw=st.data(), machine=st.sampled_from(MACHINES), assumed=ASSUMED)
@settings(max_examples=8, deadline=None, phases=[Phase.generate])
def test_the_formula_gives_the_number(file: str, text: str, phase, draw, machine: str, assumed: Assumptions) -> None:
    session = opened(file)
    expr = parse_subject(Source("subject", text), Sink())
    assert expr is not None
    subject = resolve_subject(expr, session.library)
    given_sizes = [r for s in sizes_of(file, draw) if (r := read_setting(s, Sink())) is not None]
    binding = bind_subject(session, subject, (), given_sizes, phase)
    convention = assumed.applied(ALL_WORK)
    found = quantity(session, "time", subject, convention=convention, phase=phase, machine=machine)
    on = named_machine(machine, session.library, Sink())
    expected = evaluate_subject(session, subject, on, binding, phase=phase, convention=convention).time
    assert binding.value(found.size, convention.causal) == expected


def test_the_formula_follows_the_convention_of_guards() -> None:
    session = opened("gpt3")
    expr = parse_subject(Source("subject", "gpt{fused attention.core}"), Sink())
    assert expr is not None
    subject = resolve_subject(expr, session.library)
    on = named_machine("h100_sxm", session.library, Sink())
    settings_ = [
        r for s in ("s=4096", "b=1", "h=1024", "a=8", "L=2", "V=500", "N=4096") if (r := read_setting(s, Sink()))
    ]
    binding = bind_subject(session, subject, (), settings_)
    for name in ("exact", "causal_half", "paper"):
        convention = find_convention(name, session.library)
        found = quantity(session, "time", subject, convention=convention, machine="h100_sxm")
        expected = evaluate_subject(session, subject, on, binding, convention=convention).time
        assert binding.value(found.size, convention.causal) == expected


OPTIONS = ("--tile", "256x128", "--overhead", "launch", "--overlap", "none", "--efficiency", "hbm=0.5")


def test_the_options_change_every_verb_that_asks_for_a_time() -> None:
    sizes = ("--set", "M=1793", "--set", "n=1793", "--set", "K=1793")
    table = roofdsl("eval", "primer", "--of", "gemm", "--machine", "a100_80gb", "--json", *sizes, *OPTIONS)
    seconds = Fraction(table.document["totals"]["time"]["exact"])
    asked = roofdsl("eval", "primer", "time(gemm, a100_80gb)", "--json", *sizes, *OPTIONS)
    assert Fraction(asked.document["results"][0]["number"]["exact"]) == seconds
    claim = f"time(gemm{{M = 1793, n = 1793, K = 1793}}, a100_80gb) = {seconds.numerator} [s]/{seconds.denominator}"
    assert roofdsl("verify", "primer", "--claim", claim, *OPTIONS).code == 0
    assert roofdsl("verify", "primer", "--claim", claim).code == 1
    derived = roofdsl("derive", "primer", "time(gemm, a100_80gb)", *OPTIONS).out
    assert "ceil(" in derived
    assert "tile = 256x128" in derived


def test_an_efficiency_that_nothing_has_is_said_of_formulas_too() -> None:
    assert "N0638" in roofdsl("derive", "primer", "time(gemm, h100_sxm)", "--efficiency", "matmul=0.7").err
