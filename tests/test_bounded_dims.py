"""`dim m <= X`: formulas are simplified by the bound, claims speak of such sizes only, and values must keep to it."""

from __future__ import annotations

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.report.derived import derive
from roofdsl.source import Source
from roofdsl.syntax.parser import parse_file
from roofdsl.syntax.printer import print_file
from tests.asking import code_of, session_of, spec, verdict

MODELS = ("mixtral", "qwen3_moe", "gpt_oss", "deepseek_v3", "olmoe", "dbrx", "qwen2_moe", "deepseek_v2")
TEXT = """
use "ops"
dim X
dim m <= X "of them"
dim h
block f(x[m,h]) -> y {
    param W[X,h]
    y[m,X] = sum(x[m,h] * W[X,h])
}
op two(x[..., X, m]) -> y {
    y[...] = sum(x[..., X, m])
}
"""
SMALL = session_of(TEXT)


@pytest.mark.parametrize("model", MODELS)
def test_a_token_uses_its_own_experts(model: str) -> None:
    found = derive(spec(f"models/{model}"), f"active_params({model})")
    assert "min" not in found.printed()
    assert "hmFL" in found.printed()


def test_claims_speak_of_such_sizes_alone() -> None:
    assert verdict(SMALL, "flops(f) <= 2X² h").outcome == "proved"
    assert verdict(SMALL, "flops(f) = 2h X min(m, X)").outcome == "proved"
    found = verdict(SMALL, "flops(f) = 2h X²")
    assert found.judgement.witness is not None
    assert dict(found.judgement.witness.sizes) == {"X": 2, "m": 1, "h": 1}
    assert code_of(SMALL, "flops(f) = 2h when m > X") == "E0708"


def test_names_of_an_op_are_its_own() -> None:
    assert verdict(SMALL, "flops(two) <= n X² under exact").outcome == "refuted"


def test_a_file_that_declares_the_dim_has_the_say() -> None:
    both = session_of('use "models/dense"\nuse "models/mixtral"\n')  # in `dense`, m is the rows of a matrix
    assert "min(m, X)" in derive(both, "active_params(mixtral)").printed()


def test_a_bound_is_a_dim() -> None:
    with pytest.raises(RoofError, match="E0201"):
        session_of("dim m <= Y\n")


def test_it_is_printed_as_written() -> None:
    text = 'dim un >= 0 <= X "length"\ndim m <= X\ndim X\n'
    file = parse_file(Source("t", text), Sink())
    assert print_file(file).strip() == text.strip()
