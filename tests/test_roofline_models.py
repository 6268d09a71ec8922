"""Rooflines of shipped specs, from text to seconds: what the issue asks of eval, derived and not typed in."""

from __future__ import annotations

from fractions import Fraction

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.errors import evaluation as errors
from roofdsl.evaluate.closed_time import time_formula, time_of
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.figures import open_session
from roofdsl.evaluate.model import bind_subject, evaluate_subject
from roofdsl.evaluate.roofline import Roofline
from roofdsl.evaluate.settings import read_setting
from roofdsl.passes.load import load_named
from roofdsl.quantities.conventions import ALL_WORK
from roofdsl.quantities.quantity import entries_of
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject, resolve_subject
from roofdsl.source import NOWHERE
from roofdsl.syntax import ast

MICRO = 10**6


def opened(spec: str, subject: str) -> tuple[Session, Subject]:
    sink = Sink()
    _, library = load_named(spec, sink, mentions=subject)
    sink.stop_on_errors()
    return open_session(library), resolve_subject(ast.Name(subject), library)


def run(spec: str, subject: str, config: str | None, machine: str, *settings: str, phase="forward") -> Roofline:
    session, of = opened(spec, subject)
    stated = [read_setting(text, Sink(), session.library.symbols) for text in settings]
    configs = [(config, NOWHERE)] if config else []
    binding = bind_subject(session, of, configs, [s for s in stated if s], phase)
    return evaluate_subject(session, of, named_machine(machine, session.library, Sink()), binding, phase=phase)


def test_attention_on_an_h100():
    naive = run("primer", "attn", "long", "h100_sxm")
    fused = run("primer", "attn_fused", "long", "h100_sxm")
    assert float(naive.time * MICRO) == pytest.approx(41.3, abs=0.05)
    assert float(fused.time * MICRO) == pytest.approx(8.68, abs=0.005)
    assert [k.bound for k in naive.kernels] == ["memory"] * 3
    assert [(k.label, k.bound) for k in fused.kernels] == [("core", "compute")]
    assert sum(k.total_work for k in naive.kernels) == fused.kernels[0].total_work
    whole = sum(k.total_work for k in naive.kernels) / sum(k.traffic for k in naive.kernels)
    assert float(whole) == pytest.approx(62.7, abs=0.05)
    assert float(fused.kernels[0].intensity) == pytest.approx(2068, abs=0.5)


@pytest.mark.parametrize(
    ("subject", "settings", "intensity"),
    [
        ("gemm", ("M=8192", "K=4096", "n=4096"), 1638.4),
        ("gemm", ("M=1", "K=n", "n=65536"), 1.0),
        ("square", ("n=3000",), 1000.0),
        ("add_one", ("n=1000",), 0.25),
    ],
)
def test_intensities(subject, settings, intensity):
    (kernel,) = run("primer", subject, None, "a100_80gb", *settings).kernels
    assert float(kernel.intensity) == pytest.approx(intensity, rel=1e-4)


def test_a_gpt3_layer_lists_its_kernels_in_order_and_sums_to_the_whole():
    result = run("gpt3", "layer", "gpt3_175b", "h100_sxm")
    labels = [kernel.label for kernel in result.kernels]
    assert labels[0] == "layernorm"
    assert labels[-1] == "y"
    assert len(labels) == len({kernel.kernel for kernel in result.kernels}) >= 13
    assert sum(kernel.time for kernel in result.kernels) == result.time == sum(result.by_bound.values())
    contractions = sum(kernel.work.get("contraction", Fraction(0)) for kernel in result.kernels)
    s, h = 2048, 12288
    assert 0 <= contractions - (24 * s * h * h + 4 * s * s * h) < contractions / 100


def test_all_layers_take_as_long_as_one_times_their_number():
    one = run("gpt3", "layer", "gpt3_175b", "h100_sxm")
    whole = run("gpt3", "gpt", "gpt3_175b", "h100_sxm")
    of_layers = sum(kernel.time for kernel in whole.kernels if "layer" in kernel.path)
    assert of_layers == 96 * one.time
    assert {kernel.count for kernel in whole.kernels} == {1, 96}


def test_training_takes_the_backward_kernels_too():
    forward = run("gpt3", "layer", "gpt3_175b", "h100_sxm")
    train = run("gpt3", "layer", "gpt3_175b", "h100_sxm", phase="train")
    contractions = [sum(k.work.get("contraction", Fraction(0)) for k in r.kernels) for r in (forward, train)]
    assert 2.9 < contractions[1] / contractions[0] <= 3
    phases = [kernel.phase for kernel in train.kernels]
    assert phases == sorted(phases, key=["forward", "backward"].index)
    assert {kernel.primal for kernel in train.kernels} == {kernel.kernel for kernel in forward.kernels}


def test_the_head_size_must_divide_unless_it_is_rebound():
    sizes = ("s=4", "b=1", "h=10", "a=3")
    with pytest.raises(RoofError) as caught:
        run("gpt3", "layer", None, "h100_sxm", *sizes)
    assert [d.kind for d in caught.value.diagnostics] == [errors.NOT_AN_INTEGER]
    assert run("gpt3", "layer", None, "h100_sxm", *sizes, "d=4").time > 0


def test_a_dtype_without_a_peak_is_reported_once():
    with pytest.raises(RoofError) as caught:
        run("gpt3", "layer", "gpt3_175b", "laptop_ddr5")
    missing = [d for d in caught.value.diagnostics if d.kind is errors.MISSING_PEAK]
    assert [d.found for d in missing] == ["contraction bf16"]


@pytest.mark.parametrize("subject", ["layer", "gpt"])
def test_the_closed_form_is_the_sum_over_kernels(subject):
    session, of = opened("gpt3", subject)
    binding = bind_subject(session, of, [("gpt3_175b", NOWHERE)])
    machine = named_machine("h100_sxm", session.library, Sink())
    entries = [e for m in ("work", "traffic") for e in entries_of(session, m, of, "forward", ALL_WORK)]
    closed = binding.value(time_formula(time_of(entries, machine, Sink())))
    assert closed == evaluate_subject(session, of, machine, binding).time
