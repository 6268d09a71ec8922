"""Work and traffic of backward and of what is rebuilt, against the brute-force oracle (R4, R5, R7): every shipped op,
and blocks with guards, views, arithmetic in arguments and fusion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest

from roofdsl.ir.entry import Entry
from roofdsl.ir.expr import Reduce, reads
from roofdsl.ir.graph import Graph, Statement, resolved
from roofdsl.ir.library import Library
from roofdsl.ir.size import symbols_of
from roofdsl.measures.backward import backward_traffic, backward_work
from roofdsl.measures.groups import backward_kernels, runs
from roofdsl.measures.plan import Plan, backward_plan
from roofdsl.measures.recompute import recompute_traffic, recompute_work
from roofdsl.measures.traffic import base_ids
from tests.models import library_of, placed_graph
from tests.oracle import Environment, Trace, made_up, number, observe

TEXT = """
use "ops"
dim s
dim h
dim a
dim w
let t = s
dim V
let d = h/a
block attention(x[s, h]) -> y {
    param Wq[h, a, d], Wk[h, a, d], Wv[h, a, d], Wo[a, d, h], bq[a, d]
    n = layernorm(x)
    q[s, a, d] = sum(n[s, h] * Wq[h, a, d]) + bq[a, d]
    k[s, a, d] = sum(n[s, h] * Wk[h, a, d])
    v[s, a, d] = sum(n[s, h] * Wv[h, a, d])
    cache K[t, a, d] from k
    cache U[t, a, d] from v
    region core {
        S[a, s, t] = sum(q[s, a, d] * K[t, a, d]) / sqrt(d) where t <= s
        P = softmax(2 * S)
        D = dropout(P)
        c[s, a, d] = sum(D[a, s, t] * U[t, a, d])
    }
    o[s, h] = sum(c[s, a, d] * Wo[a, d, h])
    y = x + dropout(gelu(o + x))
}
block window(q[s, d], k[t, d], v[t, d]) -> c {
    S[s, t] = sum(q[s, d] * k[t, d]) where s - w < t <= s
    P = softmax(S)
    c[s, d] = sum(P[s, t] * v[t, d])
}
block mlp(x[s, h], E[V, h], ids[s]: int32, targets[s]: int32) -> loss {
    param W[h, V], G[h, V]
    e = embedding(E, ids)
    g[s, V] = sum(x[s, h] * G[h, V])
    u[s, V] = sum(e[s, h] * W[h, V])
    m = swiglu(g, u)
    loss = cross_entropy(m + u, targets)
}
op whole(x[n, i], w[i, j], u[j, o]) -> y {
    p[n, j] = sum(x[n, i] * w[i, j])
    r[n, j] = max(p[n, j], 0)
    y[n, o] = sum(r[n, j] * u[j, o])
}
op convolution(x[b, c, p], w[c, k, o]) -> y[b, o, p] {
    y[b, o, p] = sum(x[b, c, p + k - 1] * w[c, k, o])
}
"""
LIBRARY = library_of(TEXT)
SUBJECTS: tuple[tuple[str, ...], ...] = (
    *((name,) for name, definition in LIBRARY.definitions.items() if definition.kind == "op"),
    ("attention",),
    ("attention", "fused attention.core"),
    ("attention", "fused attention"),
    ("window",),
    ("window", "fused window"),
    ("mlp",),
    ("mlp", "fused mlp"),
)


def _environment(graph: Graph, library: Library) -> dict[str, int]:
    names = sorted({n for t in graph.tensors.values() for axis in t.axes for n in symbols_of(axis.extent)})
    env = {name: 2 + k % 2 for k, name in enumerate(names)} | {"w": 2}
    if "h" in library.dims and graph.kind == "block":
        env |= {"s": 3, "t": 3, "h": 4, "a": 2, "d": 2}
    if graph.name == "rope":
        env["i"] = 2 * env["j"]
    return env


def _run(statements: Iterable[Statement], plan: Plan, env: Environment) -> Trace:
    """Run statements by themselves on positive values, so that roots of rebuilt variances are real."""
    statements = tuple(statements)
    named = {a.tensor for s in statements for a in (*reads(s.value), s.target)}
    bases = [resolved(plan.tensors, name) for name in named]
    values = {t.id: {e: abs(v) + 0.5 for e, v in made_up(t, env).items()} for t in bases if not t.integer}
    return observe(statements, plan.tensors, LIBRARY.scalars, env, values)


def _plan(subject: tuple[str, ...]) -> tuple[Plan, dict[str, int]]:
    graph = placed_graph(LIBRARY, *subject)
    return backward_plan(graph, LIBRARY), _environment(graph, LIBRARY)


def _derived_work(entries: Iterable[Entry], env: Environment) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        if entry.lookup or "added to an adjoint" in entry.because:
            continue
        kind = "special" if entry.kind == "special" else "other"
        found[entry.kernel, kind] += int(number(entry.amount, env) * number(entry.multiplicity, env))
    return +found


def _observed_work(statements: Iterable[tuple[str, Statement]], plan: Plan, env: Environment) -> Counter:
    """Operations counted one by one. Where a sum scatters its result, the sum's additions are all there are (R5)."""
    found: Counter[tuple[str, str]] = Counter()
    for kernel, statement in statements:
        scattered_sum = statement.accumulate and isinstance(statement.value, Reduce)
        trace = _run((replace(statement, accumulate=statement.accumulate and not scattered_sum),), plan, env)
        for kind, count in trace.work.items():
            found[kernel, "special" if kind == "special" else "other"] += count
    return +found


@pytest.mark.parametrize("subject", SUBJECTS, ids=" ".join)
def test_work(subject: tuple[str, ...]) -> None:
    plan, env = _plan(subject)
    kernels = [kernel for part in plan.kernels for kernel in backward_kernels(part, plan.tensors)]
    adjoints = [(kernel.id, a.statement) for kernel in kernels for a in kernel.adjoints if not a.identity]
    assert _derived_work(backward_work(plan.graph, LIBRARY, plan), env) == _observed_work(adjoints, plan, env)
    rebuilt = [(kernel.id, r.statement) for kernel in kernels for r in kernel.rebuilt]
    assert _derived_work(recompute_work(plan.graph, LIBRARY, plan), env) == _observed_work(rebuilt, plan, env)


@pytest.mark.parametrize("subject", SUBJECTS, ids=" ".join)
def test_traffic(subject: tuple[str, ...]) -> None:
    """Every tensor that crosses a backward kernel's boundary, once, as far as it is touched."""
    plan, env = _plan(subject)
    kernels = {k.id: k for part in plan.kernels for k in backward_kernels(part, plan.tensors)}
    traffic = (*backward_traffic(plan.graph, LIBRARY, plan), *recompute_traffic(plan.graph, LIBRARY, plan))
    moved = [entry for entry in traffic if entry.rule == "R4"]
    assert {entry.kernel for entry in moved} == set(kernels)
    for entry in moved:
        trace = _run(kernels[entry.kernel].statements, plan, env)
        touched = _touched(trace.read if entry.access == "read" else trace.written, entry.what, plan)
        assert entry.elements is not None
        assert number(entry.elements, env) == len(touched), f"{entry.kernel} {entry.access}s {entry.what}"
    crossing = Counter((entry.kernel, entry.access, entry.what) for entry in moved)
    assert set(crossing.values()) == {1}


def _touched(found: dict[str, set[tuple[int, ...]]], wanted: str, plan: Plan) -> set[tuple[int, ...]]:
    return {e for name, elements in found.items() if wanted in base_ids(plan.tensors, name) for e in elements}


def test_each_backward_kernel_does_something() -> None:
    for subject in SUBJECTS:
        plan, _ = _plan(subject)
        for part in plan.kernels:
            for kernel in backward_kernels(part, plan.tensors):
                assert kernel.rebuilt or any(runs(adjoint) for adjoint in kernel.adjoints)
