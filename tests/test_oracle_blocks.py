"""Every shipped block against the brute-force oracle at small sizes: work by kernel and kind, traffic by tensor (R1–R4)."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.number import evaluate_size
from roofdsl.ir.expr import gathered, reads
from roofdsl.ir.graph import Graph, Kernel, Mode, Statement
from roofdsl.ir.library import Library
from roofdsl.measures.traffic import kernel_traffic
from roofdsl.measures.work import forward_work
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.listing import list_specs
from roofdsl.passes.load import load_named
from roofdsl.passes.place import place
from roofdsl.quantities.lets import let_sizes
from tests.finite_differences import check_adjoints_along, settle_backward
from tests.kept_backward import check_saved
from tests.oracle import number, observe

BLOCKS = [
    (spec.name, block)
    for spec in list_specs()
    if spec.name.startswith(("blocks/", "examples/"))
    for block in spec.of_kind("block")
]
DIMS = {
    "s": 4,
    "b": 2,
    "h": 4,
    "a": 2,
    "g": 1,
    "d": 4,
    "w": 2,
    "p": 2,
    "f": 3,
    "V": 5,
    "C": 3,
    "B": 2,
    "m": 2,
    "X": 4,
    "F": 3,
    "Y": 2,
    "D": 2,
    "R": 3,
    "Q": 2,
    "I": 4,
    "J": 2,
    "M": 2,
    "Rt": 2,
    "Qc": 2,
    "u": 3,
    "Ch": 2,
    "Px": 2,
    "G": 2,
    "Mel": 2,
    "Ra": 2,
    "Hi": 2,
    "Di": 4,
    "Hl": 3,
    "Kt": 3,
    "Am": 4,
    "Dm": 2,
    "Gm": 2,
    "Ak": 2,
    "Dk": 2,
    "Rv": 2,
    "Dv": 2,
    "Km": 2,
    "Kw": 2,
    "Ka": 2,
    "Kv": 2,
    "Kg": 2,
    "L": 2,
    "T": 4,
    "hv": 4,
    "Lv": 1,
    "Lx": 1,
    "Lw": 1,
    "av": 2,
    "fv": 3,
    "Im": 1,
    "wv": 2,
    "Np": 3,
    "Mg": 2,
}
DECODE = {"s": 1, "t": 4}
ONLY_WHOLE = {"core_chunked", "core_boxes", "ssd", "moe_capacity", "patches", "sparse_attention"}
"""Blocks that take a sequence apart, or round, so that a single new position is no instance of them."""
RANDOM = {"experts_expected"}
"""An expectation is no count of one run."""
PLACED = {"embed_images"}
"""Gathers rows of what it computes: the oracle makes up positions for given tables only. Compared with the framework."""
MODES: tuple[Mode, ...] = ("train", "infer")
TRIALS = [
    (file, block, mode)
    for file, block in BLOCKS
    for mode in MODES
    if block not in RANDOM | PLACED and not (mode == "infer" and block in ONLY_WHOLE)
]


@cache
def library(file: str) -> Library:
    sink = Sink()
    found = load_named(file, sink)[1]
    sink.stop_on_errors()
    return found


@cache
def graph(file: str, block: str, mode: Mode) -> Graph:
    sink = Sink()
    made = elaborate(library(file), block, None, mode, sink)
    sink.stop_on_errors()
    assert made is not None
    return place(made)


def sizes(file: str, made: Graph) -> dict[str, int]:
    """Values of all dims, lets and symbols of the block's own: in inference one new position after cached ones, and
    nothing new of what is cached from elsewhere.
    """
    found: dict[str, int] = {**DIMS, **(DECODE if made.mode == "infer" else {}), **dict.fromkeys(made.vacant, 0)}
    found.update((name, 2) for name in made.symbols if name not in found)
    lets = {name: size for name, size in let_sizes(library(file)).items() if name not in found}
    for _ in lets:
        for name, size in lets.items():
            try:
                found[name] = int(evaluate_size(size, found))
            except Exception:  # noqa: BLE001, S112 — a let that waits for another
                continue
    return found


def statements(kernel: Kernel) -> tuple[Statement, ...]:
    return tuple(statement for call in kernel.calls for statement in call.statements)


@pytest.mark.parametrize(("file", "block", "mode"), TRIALS)
def test_work_of_a_shipped_block(file: str, block: str, mode: Mode) -> None:
    made = graph(file, block, mode)
    env = sizes(file, made)
    derived: Counter[tuple[str, str]] = Counter()
    for entry in forward_work(made, library(file)):
        if not entry.lookup and not entry.declared:
            derived[entry.kernel, str(entry.kind)] += int(number(entry.amount, env))
    counted: Counter[tuple[str, str]] = Counter()
    for kernel in made.kernels:
        if not any(call.declared for call in kernel.calls):
            work = observe(statements(kernel), made.tensors, library(file).scalars, env).work
            counted.update({(kernel.id, kind): times for kind, times in work.items()})
    assert +derived == +counted


def plain(made: Graph) -> bool:
    """Whether the oracle's run touches what a kernel touches at most: no choices of experts, no state from before, no
    tensors laid side by side.
    """
    all_statements = [s for kernel in made.kernels for s in statements(kernel)]
    gathers = any(gathered(access) for s in all_statements for access in (s.target, *reads(s.value)))
    before = made.mode == "infer" and any(s.recurrence for s in all_statements)
    return not gathers and not before and not any(tensor.joined for tensor in made.tensors.values())


WITH_TRAFFIC = [trial for trial in TRIALS if plain(graph(*trial))]


@pytest.mark.parametrize(("file", "block", "mode"), WITH_TRAFFIC)
def test_traffic_of_a_shipped_block(file: str, block: str, mode: Mode) -> None:
    made = graph(file, block, mode)
    env = sizes(file, made)
    for kernel in made.kernels:
        seen = observe(statements(kernel), made.tensors, library(file).scalars, env)
        for entry in kernel_traffic(kernel, made, library(file)):
            touched = (seen.read if entry.access == "read" else seen.written).get(entry.what)
            if touched is None:  # read by nothing that runs, or of a declared cost
                assert number(entry.amount, env) == 0 or any(call.declared for call in kernel.calls), entry.what
                continue
            bits = library(file).dtypes[made.tensors[entry.what].dtype].bits
            assert number(entry.amount, env) == len(touched) * bits / 8, (kernel.id, entry.what, entry.because)


INTERLEAVED = {
    "delta_rule",
    "gated_deltanet",
    "delta_scan",
    "gated_delta",
    "kda",
    "rwkv7_scan",
    "rwkv7_time",
    "rwkv7_first",
}
"""A sum over the state inside the recurrence that makes the state: the oracle runs one statement after the other."""

UNTRAINED = {"indexer"}
"""What only chooses: no gradient goes through a choice."""

WITH_BACKWARD = [
    (file, block) for file, block, mode in TRIALS if mode == "train" and block not in INTERLEAVED | UNTRAINED
]


def repeats(made: Graph) -> bool:
    """Whether a body is repeated: what is kept of it stands once for all its runs."""
    return any(tensor.loops for tensor in made.tensors.values())


WITH_KEPT = [(file, block) for file, block in WITH_BACKWARD if not repeats(graph(file, block, "train"))]


@pytest.mark.parametrize(("file", "block"), WITH_KEPT)
def test_backward_of_a_shipped_block_needs_what_is_saved(file: str, block: str) -> None:
    """Its backward comes to the same gradients with nothing but what is kept (R6, R7)."""
    made = graph(file, block, "train")
    check_saved(made, library(file), sizes(file, made))


@pytest.mark.parametrize(("file", "block"), WITH_BACKWARD)
def test_adjoints_of_a_shipped_block(file: str, block: str) -> None:
    """Along a direction of every input and parameter the gradients are what differences say (R5)."""
    made = graph(file, block, "train")
    assert check_adjoints_along(made, library(file), sizes(file, made)) > 0


def test_adjoints_of_the_delta_rule() -> None:
    """Its statements need one another position by position."""
    made = graph("blocks/recurrent", "delta_rule", "train")
    env = sizes("blocks/recurrent", made)
    assert check_adjoints_along(made, library("blocks/recurrent"), env, settle_backward) == 5


def test_most_blocks_are_run_backward() -> None:
    assert len(WITH_BACKWARD) > 70
