"""Every shipped op, elaborated and measured, against the brute-force oracle over random small extents (R1, R2, R4)."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.diagnostics import Sink
from roofdsl.ir.entry import Entry
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import symbols_of
from roofdsl.measures.traffic import forward_traffic
from roofdsl.measures.work import forward_work
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.listing import load_operators
from roofdsl.passes.place import place
from tests.oracle import Trace, number, observe

TIED = {"rope": ("i", "j")}
"""Dims of an op on its own that its calls tie together: the first is twice the second."""


@cache
def _library() -> Library:
    sink = Sink()
    library = load_operators(sink)
    sink.stop_on_errors()
    return library


OPS = tuple(name for name, definition in _library().definitions.items() if definition.kind == "op")


@cache
def _graph(op: str) -> Graph:
    sink = Sink()
    graph = elaborate(_library(), op, None, "train", sink)
    sink.stop_on_errors()
    assert graph is not None
    return place(graph)


@st.composite
def _environment(draw: st.DrawFn, graph: Graph) -> dict[str, int]:
    names: set[str] = set()
    halved: set[str] = set()
    for tensor in graph.tensors.values():
        for axis in tensor.axes:
            found = symbols_of(axis.extent)
            names |= found
            halved |= {name for name in found if number(axis.extent, dict.fromkeys(found, 1)).denominator != 1}
    env = {name: draw(st.integers(1, 4)) * (2 if name in halved else 1) for name in sorted(names)}
    if graph.name in TIED:
        whole, half = TIED[graph.name]
        env[whole] = 2 * env[half]
    return env


def _observed(graph: Graph, env: dict[str, int]) -> Trace:
    statements = tuple(statement for call in graph.calls for statement in call.statements)
    return observe(statements, graph.tensors, _library().scalars, env)


def _derived(entries: tuple[Entry, ...], env: dict[str, int]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for entry in entries:
        if not (entry.lookup or entry.declared):
            counted[str(entry.kind)] += int(number(entry.amount, env) * number(entry.multiplicity, env))
    return counted


def test_every_shipped_op_is_tried() -> None:
    assert len(OPS) >= 20


@pytest.mark.parametrize("op", OPS)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_work_of_a_shipped_op(op: str, data: st.DataObject) -> None:
    graph = _graph(op)
    env = data.draw(_environment(graph))
    if any(cost.measure == "work" for call in graph.calls for cost in call.declared):
        assert all(entry.declared for entry in forward_work(graph, _library()))
        return
    assert +_derived(forward_work(graph, _library()), env) == +_observed(graph, env).work


@pytest.mark.parametrize("op", OPS)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_traffic_of_a_shipped_op(op: str, data: st.DataObject) -> None:
    graph = _graph(op)
    env = data.draw(_environment(graph))
    seen = _observed(graph, env)
    entries = forward_traffic(graph, _library())
    assert {e.what for e in entries if e.access == "read"} >= {i for i in graph.inputs if i in seen.read}
    for entry in entries:
        touched = (seen.read if entry.access == "read" else seen.written).get(entry.what)
        if touched is None:  # a result that no statement writes, because the op's cost is declared
            assert any(call.declared for call in graph.calls)
            continue
        bits = _library().dtypes[graph.tensors[entry.what].dtype].bits
        assert number(entry.amount, env) == len(touched) * bits / 8, (entry.what, entry.because)
