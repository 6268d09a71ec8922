"""Memory levels, overlap, efficiencies and launches: which roof binds, and that the closed form says the same."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as every

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.closed_time import time_formula, time_of
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.model import bind_subject, evaluate_subject
from roofdsl.evaluate.opening import open_session
from roofdsl.evaluate.roofline import Roofline
from roofdsl.evaluate.settings import read_setting
from roofdsl.passes.load import load
from roofdsl.quantities.conventions import ALL_WORK, Convention, Efficiency, find_convention
from roofdsl.quantities.quantity import timed
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject
from roofdsl.source import Source

TEXT = """
dim M "rows"
dim K "inner"
dim N "columns"
block gemm(x[M, K]) -> y {
    param w[K, N]
    y[M, N] = sum(x[M, K] * w[K, N])
}
block tiled(x[M, K]) -> y {
    param w[K, N]
    fused product tile M = 128 at l2 tile N = 256 at l2 {
        y[M, N] = sum(x[M, K] * w[K, N])
    }
}
block scaled(x[M, N]) -> y {
    y[M, N] = exp(x[M, N]) + 1
}
convention careful {
    overhead = launch
    overlap = none
    gemm = 0.5 per peak
    contraction = 0.9 per peak
    hbm = 0.8 per peak
}
machine box {
    source "made up"
    peak contraction bf16 = 1000 TFLOP/s
    peak vector fp32 = 100 TFLOP/s
    peak special = 4 TFLOP/s
    memory hbm = 80 GB at 4 TB/s
    cache l2 = 50 MB at 5 TB/s
    cache smem = 30 MB at 20 TB/s
    launch = 5 us
}
"""


@pytest.fixture(scope="module")
def session() -> Session:
    sink = Sink()
    found = open_session(load(Source("t.roof", TEXT), sink, folder=None))
    assert not sink.found
    return found


@pytest.fixture(scope="module")
def box(session: Session) -> Machine:
    return named_machine("box", session.library, Sink())


def evaluated(
    session: Session, name: str, machine: Machine, convention: Convention = ALL_WORK, **sizes: int
) -> Roofline:
    settings = [read_setting(f"{size}={value}", Sink()) for size, value in sizes.items()]
    subject = Subject(name, text=name)
    binding = bind_subject(session, subject, (), [s for s in settings if s is not None])
    return evaluate_subject(session, subject, machine, binding, convention=convention)


def test_an_inner_level_binds_where_its_tile_is_declared(session: Session, box: Machine) -> None:
    sizes = {"M": 8192, "K": 1024, "N": 8192}
    plain = evaluated(session, "gemm", box, **sizes)
    tiled = evaluated(session, "tiled", box, **sizes)
    (kernel,) = tiled.kernels
    read = 2 * (8192 * 1024 * 32 + 1024 * 8192 * 64)
    assert kernel.levels == {"l2": read + 2 * 8192 * 8192}
    assert kernel.traffic == plain.kernels[0].traffic
    assert (kernel.bound, kernel.roof) == ("memory", "l2")
    assert kernel.time == Fraction(read + 2 * 8192 * 8192, 5 * 10**12)
    assert (plain.kernels[0].bound, plain.kernels[0].roof) == ("compute", "contraction")
    assert (plain.left_out, tiled.left_out) == (("l2", "smem"), ("smem",))


def test_without_overlap_the_roofs_add_up(session: Session, box: Machine) -> None:
    at_once = evaluated(session, "scaled", box, M=1024, N=1024)
    in_turn = evaluated(session, "scaled", box, Convention("in turn", overlap="none"), M=1024, N=1024)
    (kernel,) = in_turn.kernels
    assert kernel.time == sum(kernel.roofs.values()) > at_once.time == max(kernel.roofs.values())
    assert kernel.bound == at_once.kernels[0].bound == "memory"


def test_efficiencies_are_the_users(session: Session, box: Machine) -> None:
    sizes = {"M": 8192, "K": 8192, "N": 8192}
    ideal = evaluated(session, "gemm", box, **sizes)
    half = evaluated(session, "gemm", box, Convention("half", efficiencies=(Efficiency("y", Fraction(1, 2)),)), **sizes)
    unit = Convention("unit", efficiencies=(Efficiency("contraction", Fraction(1, 2)),))
    assert half.time == 2 * ideal.time == evaluated(session, "gemm", box, unit, **sizes).time
    memory = Convention("memory", efficiencies=(Efficiency("memory", Fraction(1, 2)),))
    assert evaluated(session, "gemm", box, memory, **sizes).time == ideal.time


@pytest.mark.parametrize("overhead", ["none", "launch", "graph"])
def test_a_small_product_is_bound_by_its_launch(session: Session, overhead: str) -> None:
    h100 = named_machine("h100_sxm", session.library, Sink())
    convention = Convention(overhead, overhead=overhead)  # type: ignore[arg-type]
    found = evaluated(session, "gemm", h100, convention, M=512, K=512, N=512)
    (kernel,) = found.kernels
    busy = max(2 * 512**3 / Fraction("989.4e12"), 3 * 2 * 512**2 / Fraction("3.35e12"))
    assert kernel.bound == ("overhead" if overhead == "launch" else "memory")
    assert found.time == busy + (0 if overhead == "none" else Fraction(5, 10**6))
    assert found.by_bound.get("overhead", 0) == {"none": 0, "launch": found.time, "graph": Fraction(5, 10**6)}[overhead]


def test_the_closed_form_says_the_same(session: Session, box: Machine) -> None:
    careful = find_convention("careful", session.library)
    assert dict(careful.settings)["hbm"] == "0.8 per peak"
    for name, convention in every(("gemm", "tiled", "scaled"), (ALL_WORK, careful)):
        subject = Subject(name, text=name)
        asked = timed(session, subject, "forward", convention)
        formula = time_formula(time_of((*asked.work, *asked.traffic), box, Sink(), convention))
        for sizes in ({"M": 1, "K": 7, "N": 130}, {"M": 300, "K": 4096, "N": 1000}, {"M": 9999, "K": 64, "N": 9999}):
            settings = [read_setting(f"{size}={value}", Sink()) for size, value in sizes.items()]
            binding = bind_subject(session, subject, (), [s for s in settings if s is not None])
            assert binding.value(formula) == evaluated(session, name, box, convention, **sizes).time
