"""Work and traffic of whole blocks, kernel by kernel, against the brute-force oracle: guards, caches, views, fusion,
gathers and repeats in the places where they meet (R1–R4).
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.ir.graph import Graph, Kernel, Mode
from roofdsl.ir.library import Library
from roofdsl.measures.traffic import kernel_traffic
from roofdsl.measures.work import forward_work
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.gather import load
from roofdsl.passes.place import place
from roofdsl.source import Source
from tests.oracle import number, observe

TEXT = """
use "ops"
dim s "sequence length"
dim b "batch"
dim h "hidden size"
dim a "heads"
dim g "key heads"
dim d "head size"
dim w "window"
dim X "experts"
dim k "experts per token"
dim f "width"
dim V "vocabulary"
dim Br "tile"
let t = s "key positions"
let r = a/g "heads per key head"
let n = a*d "all heads"

block causal(x[s, b, h]) -> o {
    param Wq[h, a, d], Wk[h, a, d], Wv[h, a, d], Wo[a, d, h]
    q[s, b, a, d] = sum(x[s, b, h] * Wq[h, a, d])
    u[s, b, a, d] = sum(x[s, b, h] * Wk[h, a, d])
    v[s, b, a, d] = sum(x[s, b, h] * Wv[h, a, d])
    cache K[t, b, a, d] from u
    cache U[t, b, a, d] from v
    region core {
        S[b, a, s, t] = sum(q[s, b, a, d] * K[t, b, a, d]) / sqrt(d) where t <= s
        P = softmax(S)
        D = dropout(P)
        c[s, b, a, d] = sum(D[b, a, s, t] * U[t, b, a, d])
    }
    o[s, b, h] = sum(c[s, b, a, d] * Wo[a, d, h])
}

block window(q[s, d], K[t, d], U[t, d]) -> c {
    S[s, t] = sum(q[s, d] * K[t, d]) where s - w < t <= s
    P = softmax(S)
    c[s, d] = sum(P[s, t] * U[t, d])
}

block grouped(q[s, g, r, d], K[t, g, d]) -> S {
    S[g, r, s, t] = sum(q[s, g, r, d] * K[t, g, d]) / sqrt(d)
}

block experts(x[s, h], e[s, k]: int32, m[s, k]) -> y {
    param W1[X, h, f], W2[X, f, h]
    u[s, k, f] = sum(x[s, h] * W1[e[s, k], h, f])
    z = silu(u)
    y[s, h] = sum(z[s, k, f] * W2[e[s, k], f, h] * m[s, k])
}

block split(x[s, h]) -> y {
    param W[h, n]
    u[s, n] = sum(x[s, h] * W[h, n])
    view z[s, a, d] of u
    y[s, a] = sum(z[s, a, d])
}

model lm(tokens[s, b]: int32, targets[s, b]: int32) -> loss {
    param E[V, h]
    x = embedding(E, tokens)
    repeat 3 { x = x + causal(x) }
    logits[s, b, V]: fp32 = sum(x[s, b, h] * E[V, h])
    loss = cross_entropy(logits, targets)
}
"""
BASE = {
    "s": 3,
    "b": 2,
    "h": 4,
    "a": 2,
    "g": 1,
    "d": 2,
    "w": 2,
    "X": 3,
    "k": 2,
    "f": 4,
    "V": 5,
    "Br": 2,
    "t": 3,
    "r": 2,
    "n": 4,
}
DECODE = {**BASE, "s": 1, "t": 5}
TRIALS: tuple[tuple[str, Mode, dict[str, int]], ...] = (
    ("causal", "train", BASE),
    ("causal{fused core}", "train", BASE),
    ("causal{checkpoint core}", "train", BASE),
    ("causal", "infer", DECODE),
    ("causal{fused core}", "infer", DECODE),
    ("window", "train", BASE),
    ("window", "train", {**BASE, "s": 2, "t": 5}),
    ("grouped", "train", BASE),
    ("experts", "train", BASE),
    ("split", "train", BASE),
    ("lm", "train", BASE),
    ("lm", "infer", DECODE),
)


@cache
def _library() -> Library:
    sink = Sink()
    library = load(Source("models", TEXT), sink, folder=None)
    sink.stop_on_errors()
    return library


@cache
def _graph(subject: str, mode: Mode) -> Graph:
    """The subject under braces: an alias of the text's own, so that the parser reads the braces."""
    sink = Sink()
    name, _, braces = subject.partition("{")
    kind = "model" if name == "lm" else "block"
    text = f"{TEXT}\n{kind} subject = {name}{{{braces}" if braces else TEXT
    library = load(Source("models", text), sink, folder=None) if braces else _library()
    graph = elaborate(library, "subject" if braces else name, None, mode, sink)
    sink.stop_on_errors()
    assert graph is not None
    return place(graph)


def _statements(kernel: Kernel) -> tuple:
    return tuple(statement for call in kernel.calls for statement in call.statements)


@pytest.mark.parametrize(("subject", "mode", "env"), TRIALS)
def test_work_of_a_block(subject: str, mode: Mode, env: dict[str, int]) -> None:
    graph = _graph(subject, mode)
    derived: Counter[tuple[str, str]] = Counter()
    for entry in forward_work(graph, _library()):
        if not entry.lookup:
            derived[entry.kernel, str(entry.kind)] += int(number(entry.amount, env))
    counted: Counter[tuple[str, str]] = Counter()
    for kernel in graph.kernels:
        work = observe(_statements(kernel), graph.tensors, _library().scalars, env).work
        counted.update({(kernel.id, kind): times for kind, times in work.items()})
    assert +derived == +counted


@pytest.mark.parametrize(("subject", "mode", "env"), TRIALS)
def test_traffic_of_a_block(subject: str, mode: Mode, env: dict[str, int]) -> None:
    graph = _graph(subject, mode)
    for kernel in graph.kernels:
        seen = observe(_statements(kernel), graph.tensors, _library().scalars, env)
        entries = kernel_traffic(kernel, graph, _library())
        assert {entry.what for entry in entries if entry.access == "read"} == set(seen.read) - set(seen.written)
        for entry in entries:
            touched = (seen.read if entry.access == "read" else seen.written)[entry.what]
            bits = _library().dtypes[graph.tensors[entry.what].dtype].bits
            assert number(entry.amount, env) == len(touched) * bits / 8, (kernel.id, entry.what, entry.because)
