"""Elaboration: names, extents, guards, instances, repeats, views and caches become the graph the rules count on."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.ir import size as sz
from roofdsl.ir.graph import AxisGuard, Graph, Guard, Mode
from roofdsl.ir.show import show_size
from roofdsl.ir.size import Symbol
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.load import load, load_named
from roofdsl.source import Source
from roofdsl.syntax.parser import parse_subject

LAYER = """
use "ops"
dim s
dim b
dim h
dim u "encoder positions"
dim w "window"
dim L
let t = s
let f = 4h
"""


def graph(text: str, root: str, mode: Mode = "train", braces: str = "") -> Graph:
    sink = Sink()
    library = load(Source("test.roof", LAYER + text), sink, folder=Path())
    sink.stop_on_errors()
    bound = None
    if braces:
        subject = parse_subject(Source("braces", f"{root}{{{braces}}}"), sink)
        bound = subject.braces
    made = elaborate(library, root, bound, mode, sink)
    sink.stop_on_errors()
    assert made is not None
    return made


def shape(made: Graph, tensor: str) -> list[str]:
    return [f"{axis.name}={show_size(axis.extent)}" for axis in made.tensors[tensor].axes]


def test_a_bare_tensor_means_its_declared_indices_and_broadcasts_by_name() -> None:
    made = graph("block g(x[s,b,h], p[s,h]) -> y {\n y = p + x\n}", "g")
    assert shape(made, "g.y") == ["s=s", "b=b", "h=h"]


def test_an_op_takes_its_index_from_where_it_is_told_and_the_result_keeps_the_order() -> None:
    text = "block g(x[s,b,h]) -> z {\n y = softmax{i = b}(x)\n z[s,b,h] = y[s,b,h] * x[s,b,h]\n}"
    made = graph(text, "g")
    target = made.calls[0].statements[-1].target
    assert [position.terms[0][1] for position in target.positions] == ["s", "h", "i"]
    read = made.calls[1].statements[0].value
    assert [p.terms[0][1] for p in read.arguments[0].access.positions] == ["s", "h", "b"]


def test_a_let_follows_what_the_header_binds_anew() -> None:
    text = """block inner(x[s,h]) -> y {\n param W[h,f]\n y[s,f] = sum(x[s,h] * W[h,f])\n}
block g(x[u,h], z[u,f]) -> y {\n a = inner(x)\n y = a + z\n}"""
    made = graph(text, "g")
    assert shape(made, "g.inner.y") == ["s=u", "f=f"]
    wide = graph(text, "g", braces="h = 2u")
    assert shape(wide, "g.inner.y") == ["s=u", "f=8·u"]


def test_braces_win_over_the_let_and_reach_inner_instances() -> None:
    text = """block inner(x[s,h]) -> y {\n param W[h,f]\n y[s,f] = sum(x[s,h] * W[h,f])\n}
block g(x[s,h]) -> y {\n y = inner{f = 3h}(x)\n}"""
    assert shape(graph(text, "g"), "g.inner.W") == ["h=h", "f=3·h"]


def test_guards_restrict_the_tensor_and_are_inherited() -> None:
    text = "block g(q[s,h], k[t,h]) -> P {\n S[s,t] = sum(q[s,h] * k[t,h]) where s - w < t <= s\n P = softmax(S)\n}"
    made = graph(text, "g")
    assert made.tensors["g.S"].guards == (AxisGuard(0, 1, Symbol("w"), sz.ZERO),)
    softmax = made.calls[1].statements
    assert all(statement.guards == (Guard("s", "i", Symbol("w"), sz.ZERO),) for statement in softmax)


def test_a_window_without_causality_is_a_lower_edge() -> None:
    text = "block g(q[s,h], k[t,h]) -> S {\n S[s,t] = sum(q[s,h] * k[t,h]) where s - w < t\n}"
    assert graph(text, "g").calls[0].statements[0].guards == (Guard("s", "t", Symbol("w"), None),)


def test_a_repeat_is_not_unrolled_and_carries_one_tensor() -> None:
    text = """block step(x[s,h]) -> y {\n param W[h]\n y[s,h] = x[s,h] * W[h]\n}
block g(x[s,h]) -> y {\n z = x\n repeat L { z = step(z) }\n y = z\n}"""
    made = graph(text, "g")
    entering = made.tensors["g.z@in"]
    assert entering.carried == ("g.z", "g.step.y")
    assert [show_size(loop.count) for loop in made.tensors["g.step.W"].loops] == ["L"]
    assert made.calls[-1].operands == ("g.step.y",)


def test_a_shared_repeat_has_one_set_of_weights() -> None:
    text = """block step(x[s,h]) -> y {\n param W[h]\n y[s,h] = x[s,h] * W[h]\n}
block g(x[s,h]) -> x2 {\n z = x\n repeat L shared { z = step(z) }\n x2 = z\n}"""
    made = graph(text, "g")
    assert made.tensors["g.step.W"].loops == ()
    assert len(made.tensors["g.step.y"].loops) == 1


def test_a_cache_is_its_source_in_training_and_longer_in_inference() -> None:
    text = "block g(x[s,b,h]) -> y {\n k[s,b,h] = x[s,b,h] * 2\n cache K[t,b,h] from k\n y[t,b,h] = K[t,b,h] * 2\n}"
    assert graph(text, "g").resolve("g.K").id == "g.k"
    cached = graph(text, "g", "infer").tensors["g.K"]
    assert (cached.role, cached.cached_from, cached.alias) == ("cache", "g.k", None)


def test_training_only_ops_are_the_identity_in_inference_with_their_argument_computed() -> None:
    text = "block g(x[s,h]) -> y {\n y = dropout(x * 2)\n}"
    made = graph(text, "g", "infer")
    assert [call.op for call in made.calls] == [None]
    assert [call.op for call in graph(text, "g").calls] == ["dropout"]


def test_scalar_arithmetic_in_an_ops_argument_belongs_to_its_kernel() -> None:
    made = graph("block g(x[s,h]) -> y {\n y = softmax(x / 2)\n}", "g")
    assert len(made.calls) == 1
    assert made.calls[0].internal[0] == "g.y.x"


def test_affine_targets_define_one_tensor() -> None:
    text = "op halves(x[..., i]) -> y[..., i] {\n let j = i/2\n"
    text += " y[..., j] = x[..., j + size(j)]\n y[..., j + size(j)] = x[..., j + 0]\n}\n"
    text += "block g(x[s,h]) -> y {\n y = halves(x)\n}"
    made = graph(text, "g")
    assert shape(made, "g.y") == ["s=s", "h=h"]
    assert len(made.calls[0].statements) == 2


def test_a_recurrence_reads_its_own_target() -> None:
    text = "block g(A[s], u2[s]) -> H {\n H[s] = A[s] * H[s - 1] + u2[s]\n}"
    statement = graph(text, "g").calls[0].statements[0]
    assert statement.recurrence


def test_instances_of_one_block_have_their_own_parameters_and_paths() -> None:
    text = """block step(x[s,h]) -> y {\n param W[h]\n y[s,h] = x[s,h] * W[h]\n}
block g(x[s,h]) -> y {\n a = step(x)\n y = step(a)\n}"""
    made = graph(text, "g")
    assert {"g.step.W", "g.step#2.W"} <= set(made.tensors)


def test_an_op_alone_has_symbols_of_its_own() -> None:
    made = graph("block g(x[s]) -> y {\n y = softmax(x)\n}", "softmax")
    assert made.symbols == ("n", "i")
    assert shape(made, "softmax.x") == ["n=n", "i=i"]


def test_placements_reach_regions_by_the_end_of_their_path() -> None:
    sink = Sink()
    _, library = load_named("gpt3", sink)
    made = elaborate(library, "gpt_selective", None, "train", sink)
    assert made is not None
    assert not sink.errors
    placed = {call.label for call in made.calls if call.placed}
    assert placed == {"S", "P", "D", "c"}
    assert {p.kind for call in made.calls for p in call.placed} == {"checkpoint"}


def test_all_errors_of_a_body_are_reported_in_one_run() -> None:
    text = "block g(x[s,h]) -> y {\n a[s] = x[s,h] * 2\n c[s,h] = x[s] * 2\n y[s,h] = x[s,h] + zz\n}"
    with pytest.raises(RoofError) as caught:
        graph(text, "g")
    assert [d.kind.code for d in caught.value.diagnostics] == ["E0301", "E0401", "E0201"]


def test_a_dtype_in_a_header_is_that_of_the_result() -> None:
    text = """
op single(x[...]) -> y: fp32 {
    y[...] = x[...] * 1
}
block pair(x[s]) -> z: fp8_e4m3 {
    param gain[s]
    y = single(x)
    z[s] = y[s] * gain[s]
}
block outer(x[s]) -> z: fp32 {
    z = pair(x)
}
"""
    ends = {name: graph(text, name) for name in ("single", "pair", "outer")}
    dtypes = {name: made.tensors[made.results[-1]].dtype for name, made in ends.items()}
    assert dtypes == {"single": "fp32", "pair": "fp8_e4m3", "outer": "fp32"}
