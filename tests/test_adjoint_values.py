"""Adjoints agree with finite differences (R5): every shipped op, and statements of every form."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.diagnostics import Sink
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import symbols_of
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.gather import load
from roofdsl.passes.listing import load_operators
from roofdsl.passes.place import place
from roofdsl.source import Source
from tests.finite_differences import check_adjoints
from tests.oracle import number


@cache
def _library() -> Library:
    sink = Sink()
    library = load_operators(sink)
    sink.stop_on_errors()
    return library


OPS = tuple(name for name, definition in _library().definitions.items() if definition.kind == "op")
WITHOUT_GRADIENT = frozenset[str]()


def _graph(library: Library, root: str) -> Graph:
    sink = Sink()
    graph = elaborate(library, root, None, "train", sink)
    sink.stop_on_errors()
    assert graph is not None
    return place(graph)


def _environment(graph: Graph, sizes: int) -> dict[str, int]:
    """Extents of 2 or so, different ones for different names, even where a half is taken."""
    extents = [axis.extent for tensor in graph.tensors.values() for axis in tensor.axes]
    names = sorted({name for extent in extents for name in symbols_of(extent)})
    env = {name: 2 + (k + sizes) % 2 for k, name in enumerate(names)}
    for name in names:
        alone = [e for e in extents if symbols_of(e) == {name}]
        if any(number(extent, {name: 1}).denominator != 1 for extent in alone):
            env[name] = 4
    if graph.name == "rope":
        env["i"] = 2 * env["j"]
    return env


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("sizes", [0, 1])
def test_adjoints_of_shipped_ops(op: str, sizes: int) -> None:
    graph = _graph(_library(), op)
    assert check_adjoints(graph, _library(), _environment(graph, sizes)) > 0


STATEMENTS = {
    "contraction": "op f(x[..., i], w[i, o]) -> y { y[..., o] = sum(x[..., i] * w[i, o]) }",
    "epilogue": "op f(x[n, i], w[i, o], b[o]) -> y { y[n, o] = exp(sum(x[n, i] * w[i, o]) / sqrt(size(i)) + b[o]) }",
    "two reductions": "op f(x[n, i], w[i], v[n, i]) -> y { y[n] = sum(x[n, i] * w[i]) * sum(v[n, i]) - sum(x[n, i]) }",
    "nested": "op f(x[n, i], w[i, j]) -> y { t[n, j] = sum(x[n, i] * w[i, j]) \n y[n] = sum(tanh(t[n, j]) * t[n, j]) }",
    "three factors": "op f(x[n, i], w[i, o], g[n, o]) -> y { y[n, o] = sum(x[n, i] * w[i, o] * g[n, o] * x[n, i]) }",
    "maximum": "op f(x[n, i], w[n]) -> y { y[n] = amax(x[n, i] * w[n] - 2 * x[n, i]) * w[n] }",
    "minimum": "op f(x[n, i]) -> y { y[n] = amin(x[n, i] * x[n, i]) }",
    "stopped": "op f(x[n, i]) -> y { m[n] = sum(x[n, i]) \n y[n, i] = x[n, i] * m[n] + stop(0 * m[n]) }",
    "powers": "op f(x[n]) -> y { y[n] = (2 + x[n])^3 / (3 + x[n])^2 - (2 + x[n])^(1/2) + x[n]^2 }",
    "functions": "op f(x[n]) -> y { y[n] = log(3 + x[n]) + sin(x[n]) * cos(x[n]) + abs(x[n]) + erf(x[n]) }",
    "more functions": "op f(x[n], z[n]) -> y { y[n] = max(x[n], z[n]) - min(x[n] * z[n], 1) + rsqrt(2 + x[n]) / sqrt(2 + z[n]) }",
    "broadcast": "op f(x[n], z[n, m]) -> y { y[n, m] = x[n] / (2 + z[n, m]) }",
    "transposed": "op f(x[n, m]) -> y { y[m, n] = x[n, m] }",
    "convolution": "op f(x[b, c, p], w[c, k, o]) -> y[b, o, p] { y[b, o, p] = sum(x[b, c, p + k - 1] * w[c, k, o]) }",
    "strided": "op f(x[p], w[k]) -> y { dim q \n y[q] = sum(x[2q + k] * w[k]) }",
    "pooling": "op f(x[p], w[k]) -> y { dim q \n y[q] = amax(x[2q + k] * w[k]) }",
    "gather": "op f(E[v, h], ids[n]: int32, g[n]) -> y { y[n, h] = E[ids[n], h] * g[n] }",
    "scatter": "op f(x[n, h], g[n], ids[n]: int32) -> y[m, h] { y[ids[n], h] += x[n, h] * g[n] }",
    "grouped": "op f(x[n, i], W[e, i, o], ids[n]: int32) -> y { y[n, o] = sum(x[n, i] * W[ids[n], i, o]) }",
    "pairs": "op f(x[n, i], g[j]) -> y[n, i] { y[n, 2j] = x[n, 2j] * g[j] + x[n, 2j + 1] \n y[n, 2j + 1] = x[n, 2j + 1] * x[n, 2j] * g[j] }",
    "causal": "op f(q[s, d], k[t, d], v[t, d]) -> c { S[s, t] = sum(q[s, d] * k[t, d]) where t <= s \n c[s, d] = sum(S[s, t] * v[t, d]) }",
    "window": "op f(q[s], k[t]) -> y { S[s, t] = exp(q[s] * k[t]) where s - 2 < t <= s \n y[s] = sum(S[s, t]) }",
    "result used inside": "op f(x[n]) -> (y, z) { y[n] = exp(x[n]) \n z[n] = y[n] * x[n] }",
    "variance": "op f(x[n, i]) -> y { m[n] = sum(x[n, i]) / size(i) \n y[n] = sum((x[n, i] - m[n])^2) / size(i) }",
    "positions": "op f(x[n, i]) -> y { y[n] = sum(x[n, i] * pos(i)) }",
    "declared": "op f(x[n, i], g[i]) -> y { y[n, i] = x[n, i]^2 * g[i] \n adjoint { dx[n, i] = dy[n, i] * 2 * x[n, i] * g[i] \n dg[i] = sum(dy[n, i] * x[n, i]^2) } }",
}  # fmt: skip

PREAMBLE = 'use "ops"\n'


@pytest.mark.parametrize("form", STATEMENTS)
@pytest.mark.parametrize("sizes", [0, 1])
def test_adjoints_of_statements(form: str, sizes: int) -> None:
    sink = Sink()
    library = load(Source(form, PREAMBLE + STATEMENTS[form] + "\n"), sink, folder=None)
    sink.stop_on_errors()
    graph = _graph(library, "f")
    env = _environment(graph, sizes)
    if form in {"strided", "pooling"}:
        env.update(q=2, k=3, p=5)
    if form == "pairs":
        env["i"] = 2 * env["j"]
    assert check_adjoints(graph, library, env) > 0


BLOCK = """
use "ops"
dim s
dim h
dim a
dim t
let d = h/a
block attention(x[s, h]) -> y {
    param Wq[h, a, d], Wk[h, a, d], Wv[h, a, d], Wo[a, d, h]
    n = rmsnorm(x)
    q[s, a, d] = sum(n[s, h] * Wq[h, a, d])
    k[s, a, d] = sum(n[s, h] * Wk[h, a, d])
    v[s, a, d] = sum(n[s, h] * Wv[h, a, d])
    cache K[s, a, d] from k
    S[a, s, t] = sum(q[s, a, d] * K[t, a, d]) / sqrt(d) where t <= s
    P = softmax(2 * S)
    c[s, a, d] = sum(P[a, s, t] * v[t, a, d])
    o[s, h] = sum(c[s, a, d] * Wo[a, d, h])
    y = x + dropout(gelu(o + x))
}
"""


def test_adjoints_of_a_block() -> None:
    """Views, arithmetic in arguments, a residual, guards and a declared adjoint where they meet."""
    sink = Sink()
    library = load(Source("block", BLOCK.replace("dim t\n", "let t = s\n")), sink, folder=None)
    sink.stop_on_errors()
    graph = _graph(library, "attention")
    compared = 6 + 4 * 8 + 4  # every other element of the input and the four matrices, and the gain
    assert check_adjoints(graph, library, {"s": 3, "h": 4, "a": 2, "d": 2, "t": 3}) == compared


_LEAVES = ("x[n, i]", "z[n, i]", "g[i]", "r[n]", "2")
_INSIDE = ("x[n, i]", "w[i, k]", "v[n, k]", "c[k]", "3")


def _expressions(leaves: tuple[str, ...], *, reductions: bool) -> st.SearchStrategy[str]:
    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        grown = [
            st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
            st.builds("{} / (2 + ({})^2)".format, inner, inner).map("({})".format),
            st.builds("{}({})".format, st.sampled_from(("tanh", "exp", "sin", "erf")), inner.map("tanh({})".format)),
            st.builds("({})^2".format, inner),
        ]
        if reductions:
            body = _expressions(_INSIDE, reductions=False)
            grown.append(st.builds("sum(({}) * c[k])".format, body))
        return st.one_of(*grown)

    return st.recursive(st.sampled_from(leaves), grow, max_leaves=5)


@settings(max_examples=60, deadline=None)
@given(value=_expressions(_LEAVES, reductions=True), outer=_expressions(("y[n, i]", "x[n, i]"), reductions=False))
def test_adjoints_of_random_statements(value: str, outer: str) -> None:
    """A random value with reductions, and a second statement that reads it and may read x again."""
    text = f"""
op f(x[n, i], z[n, i], g[i], r[n], w[i, k], v[n, k], c[k]) -> (y, u, e) {{
    y[n, i] = {value} + 0 * x[n, i]
    u[n, i] = {outer} + 0 * x[n, i]
    e[k] = c[k]
}}
"""
    sink = Sink()
    library = load(Source("random", PREAMBLE + text), sink, folder=None)
    sink.stop_on_errors()
    graph = _graph(library, "f")
    assert check_adjoints(graph, library, {"n": 2, "i": 3, "k": 2}) > 0
