"""Kernels, tiles, parameters, training state and caches: what R3, R4 and R8 say, on small texts."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from roofdsl.algebra.normal import evaluate, total
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import RoofError, Sink
from roofdsl.ir.entry import Sheet
from roofdsl.ir.graph import Graph, Mode
from roofdsl.ir.library import Library
from roofdsl.measures.cache import cache
from roofdsl.measures.params import active_params, param_bytes, params
from roofdsl.measures.state import state
from roofdsl.measures.traffic import dtype_bytes, forward_traffic
from roofdsl.measures.work import forward_work
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.gather import load
from roofdsl.passes.place import place
from roofdsl.source import Source
from tests import statements as make
from tests.oracle import number

HEAD = """
use "ops"
dim s
dim b
dim h
dim f
dim d
dim L
dim V
dim X
dim k
dim w
dim Br
let t = s
"""


def _load(text: str) -> Library:
    sink = Sink()
    library = load(Source("test", HEAD + text), sink, folder=None)
    sink.stop_on_errors()
    return library


def _graph(library: Library, subject: str, mode: Mode = "train") -> Graph:
    sink = Sink()
    graph = elaborate(library, subject, None, mode, sink)
    sink.stop_on_errors()
    assert graph is not None
    return place(graph)


def _amounts(sheet: Sheet, env: dict[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for entry in sheet:
        name = entry.what.rsplit(".", 1)[-1]
        amount = number(entry.amount, env) * number(entry.multiplicity, env)
        assert amount.denominator == 1
        found[name] = found.get(name, 0) + int(amount)
    return found


ATTENTION = """
block attention(q[s, d], K[t, d], U[t, d]) -> c {
    fused core tile s = Br {
        S[s, t] = sum(q[s, d] * K[t, d])
        P = softmax(S)
        c[s, d] = sum(P[s, t] * U[t, d])
    }
}
"""


def test_a_fused_region_is_one_kernel_and_what_is_inside_moves_nothing() -> None:
    graph = _graph(_load(ATTENTION), "attention")
    (kernel,) = graph.kernels
    assert [call.label for call in kernel.calls] == ["S", "P", "c"]
    assert kernel.operands == ("attention.q", "attention.K", "attention.U")
    assert kernel.results == ("attention.c",)


def test_an_operand_without_the_tiled_index_is_read_once_per_tile() -> None:
    library = _load(ATTENTION)
    moved = _amounts(forward_traffic(_graph(library, "attention"), library), {"s": 10, "t": 7, "d": 2, "Br": 4})
    assert moved == {"q": 2 * 10 * 2, "K": 3 * 2 * 7 * 2, "U": 3 * 2 * 7 * 2, "c": 2 * 10 * 2}


def test_the_tile_of_a_cache_asks_the_cache_for_its_index_not_what_it_is_made_of() -> None:
    text = """
    block attention(q[s, d], v[s, d]) -> c {
        cache U[t, d] from v
        fused core tile s = Br { c[s, d] = sum(q[s, d] * U[t, d]) }
    }
    """
    library = _load(text)
    moved = _amounts(forward_traffic(_graph(library, "attention"), library), {"s": 8, "t": 8, "d": 2, "Br": 4})
    assert moved["v"] == 2 * moved["q"]


def test_an_unknown_tile_is_an_error() -> None:
    library = _load(ATTENTION.replace("tile s", "tile w"))
    with pytest.raises(RoofError, match="E0511"):
        _graph(library, "attention")


def test_guards_that_share_an_index_are_an_error() -> None:
    text = "block chained(x[s, t, w]) -> y {\n y[s, t, w] = -x[s, t, w] where t <= s, w <= t\n}"
    with pytest.raises(RoofError, match="E0305"):
        _graph(_load(text), "chained")


def test_two_edges_of_one_pair_make_one_band() -> None:
    text = "block band(x[s, t]) -> y {\n y[s, t] = -x[s, t] where t <= s, s - w < t\n}"
    library = _load(text)
    (entry,) = forward_work(_graph(library, "band"), library)
    assert number(entry.amount, {"s": 5, "t": 5, "w": 2}) == 9


def test_what_a_repeat_carries_leaves_a_fused_region() -> None:
    text = """
    block step(x[s, h]) -> y { fused all {
        u = relu(x)
        y = x + u
    } }
    block net(x[s, h]) -> y {
        repeat L { x = step(x) }
        y = relu(x)
    }
    """
    graph = _graph(_load(text), "net")
    fused = graph.kernels[0]
    assert fused.results == ("net.step.y",)
    assert [loop.count for loop in fused.loops] == [make.size("L")]


LAYERS = """
block mlp(x[s, h]) -> y {
    param W1[h, f], W2[f, h]
    u = relu(linear(x, W1))
    y = linear(u, W2)
}
block net(x[s, h]) -> y {
    repeat L { x = mlp(x) }
    repeat 3 shared { x = mlp(x) }
    y = relu(x)
}
model lm(tokens[s, b]: int32) -> logits {
    param E[V, h], G[h]: fp32 frozen
    x = scale(embedding(E, tokens), G)
    logits[s, b, V] = sum(x[s, b, h] * E[V, h])
}
"""


def test_parameters_count_per_repeat_shared_ones_once() -> None:
    env = {"h": 3, "f": 5, "L": 7}
    assert _amounts(params(_graph(_load(LAYERS), "net")), env) == {"W1": 8 * 15, "W2": 8 * 15}


def test_a_tied_parameter_counts_once_and_state_follows_the_optimizer() -> None:
    library = _load(LAYERS)
    graph = _graph(library, "lm")
    env = {"V": 11, "h": 3, "s": 2, "b": 2}
    assert _amounts(params(graph), env) == {"E": 33, "G": 3}
    assert _amounts(param_bytes(graph, library), env) == {"E": 66, "G": 12}
    assert _amounts(state(graph, library, library.optimizers["adam"]), env) == {"E": 16 * 33, "G": 12}


def test_the_master_copy_exists_only_for_narrower_weights() -> None:
    library = _load("block wide(x[s, h]) -> y {\n param W[h, f]: fp32\n y = linear(x, W)\n}")
    graph = _graph(library, "wide")
    weights = {"W": 6 * (4 + 2 + 4 + 4)}
    assert _amounts(state(graph, library, library.optimizers["adam"]), {"h": 2, "f": 3}) == weights


def test_active_parameters_are_what_one_token_touches() -> None:
    text = """
    block experts(x[s, h], e[s, k]: int32) -> y {
        param W[X, h, f], U[h, f]
        y[s, k, f] = sum(x[s, h] * W[e[s, k], h, f]) + sum(x[s, h] * U[h, f])
    }
    model table(tokens[s, b]: int32) -> x {
        param E[V, h]
        x = embedding(E, tokens)
    }
    """
    library = _load(text)
    env = {"s": 64, "b": 2, "h": 2, "f": 3, "X": 8, "k": 2, "V": 100}
    assert _amounts(active_params(_graph(library, "experts")), env) == {"W": 2 * 6, "U": 6}
    assert _amounts(active_params(_graph(library, "table")), env) == {"E": 2}


CACHED = """
block core(x[s, d]) -> y {
    cache K[t, d] from x
    y[s, d] = sum(x[s, d] * K[t, d])
}
block window(x[s, d]) -> y {
    cache K[t, d] from x keep w
    y[s] = sum(x[s, d] * K[t, d])
}
block net(x[s, d]) -> y {
    repeat L shared { x = core(x) }
    y = relu(x)
}
"""


def test_caches_are_there_in_inference_once_per_repeat_even_of_shared_weights() -> None:
    library = _load(CACHED)
    env = {"s": 1, "t": 9, "d": 2, "L": 5, "w": 4}
    assert cache(_graph(library, "net"), library) == ()
    assert _amounts(cache(_graph(library, "net", "infer"), library), env) == {"K": 5 * 2 * 9 * 2}


def test_in_inference_what_a_cache_keeps_is_written_and_the_cache_is_read_in_full() -> None:
    text = """
    block core(x[s, d]) -> y { fused all {
        u = relu(x)
        cache K[t, d] from u
        y[s] = sum(x[s, d] * K[t, d])
    } }
    """
    library = _load(text)
    env = {"s": 1, "t": 9, "d": 2}
    moved = _amounts(forward_traffic(_graph(library, "core", "infer"), library), env)
    assert moved == {"x": 2 * 2, "K": 2 * 9 * 2, "u": 2 * 2, "y": 2}
    trained = _amounts(forward_traffic(_graph(library, "core"), library), {**env, "s": 9})
    assert trained == {"x": 2 * 18, "y": 2 * 9}


def test_bytes_of_grouped_formats_are_exact() -> None:
    assert dtype_bytes(_load(""), "mxfp4") == (4 + number(make.size(8), {}) / 32) / 8


def test_a_lookup_is_no_work_but_knows_its_matmul() -> None:
    library = _load(LAYERS)
    env = {"V": 11, "h": 3, "s": 2, "b": 2}
    sheet = forward_work(_graph(library, "lm"), library)
    (lookup,) = [entry for entry in sheet if entry.lookup]
    assert number(lookup.amount, env) == 2 * (2 * 2 * 3) * 11
    assert all(entry.what != "lm.embedding" for entry in sheet if not entry.lookup)


def test_declared_work_replaces_what_statements_give() -> None:
    library = _load("block routed(p[s, X]) -> m {\n m, ids = topk{t = s}(p)\n}")
    (entry,) = forward_work(_graph(library, "routed"), library)
    assert entry.declared
    assert number(entry.amount, {"k": 2, "s": 3, "X": 5}) == 30


def test_measuring_is_linear_in_the_number_of_statements() -> None:
    taken = []
    for count in (500, 4000):
        tensors = tuple(make.tensor(f"x{n}", "s", role="input" if n == 0 else "activation") for n in range(count + 1))
        calls = tuple(
            make.call(
                f"x{n + 1}",
                (make.statement(make.at(f"x{n + 1}", "s"), make.apply("neg", make.read(f"x{n}", "s")), {"s": "s"}),),
                (f"x{n}",),
                (f"x{n + 1}",),
            )
            for n in range(count)
        )
        began = time.perf_counter()
        graph = place(make.graph(tensors, calls, (f"x{count}",)))
        assert len(forward_work(graph, make.LIBRARY)) == count
        assert len(forward_traffic(graph, make.LIBRARY)) == 2 * count
        taken.append(time.perf_counter() - began)
    assert taken[1] < 30 * taken[0]


WINDOW = """
block window(q[s, d], K[t, d], U[t, d]) -> c {
    S[s, t] = sum(q[s, d] * K[t, d]) where s - w < t <= s
    P = softmax(S)
    c[s, d] = sum(P[s, t] * U[t, d])
}
"""


def test_the_closed_form_of_many_bands_is_the_sum_of_their_pairs() -> None:
    library = _load(WINDOW)
    graph = _graph(library, "window")
    amounts = [entry.amount for entry in (*forward_work(graph, library), *forward_traffic(graph, library))]
    scope = Scope(order=library.symbols, lets={"t": make.size("s")}, causal="exact")
    form = total(amounts, scope)
    for s, w in ((5, 2), (3, 7), (1, 1)):
        counted = sum((number(amount, {"s": s, "t": s, "d": 2, "w": w}) for amount in amounts), Fraction(0))
        assert evaluate(form, {"s": Fraction(s), "d": Fraction(2), "w": Fraction(w)}) == counted
