"""Graphs of shipped and written models by subject and placement, and amounts at given sizes, for tests of backward."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from types import SimpleNamespace

from roofdsl.diagnostics import Sink
from roofdsl.ir.entry import Entry
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.gather import load
from roofdsl.passes.load import load_named
from roofdsl.passes.place import place
from roofdsl.source import Source
from roofdsl.syntax import ast
from tests.oracle import number

Formula = Callable[[SimpleNamespace], int | Fraction]


def gpt_sizes(s: int, b: int, h: int, a: int, **others: int) -> dict[str, int]:
    return {"s": s, "t": s, "b": b, "h": h, "a": a, "d": h // a, "f": 4 * h, **others}


GPT_SIZES = (
    gpt_sizes(8, 2, 12, 3, L=5, V=17, N=8),
    gpt_sizes(3, 1, 8, 2, L=1, V=5, N=3),
    gpt_sizes(16, 3, 20, 4, L=7, V=101, N=32),
)


@cache
def gpt() -> Library:
    sink = Sink()
    library = load_named("gpt3", sink)[1]
    sink.stop_on_errors()
    return library


def library_of(text: str) -> Library:
    sink = Sink()
    library = load(Source("test", text), sink, folder=None)
    sink.stop_on_errors()
    return library


def placed_graph(library: Library, root: str, *placements: str) -> Graph:
    """A subject in training, with placements such as `checkpoint attention.core`."""
    items = tuple(
        ast.Placement("fused" if kind == "fused" else "checkpoint", tuple(path.split(".")))
        for kind, path in (placement.split() for placement in placements)
    )
    sink = Sink()
    graph = elaborate(library, root, ast.Braces(items) if items else None, "train", sink)
    sink.stop_on_errors()
    assert graph is not None
    return place(graph)


@cache
def gpt_graph(root: str, *placements: str) -> Graph:
    return placed_graph(gpt(), root, *placements)


def value(entries: Iterable[Entry], env: dict[str, int]) -> Fraction:
    return sum((number(e.amount, env) * number(e.multiplicity, env) for e in entries), Fraction(0))


def contractions(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(e for e in entries if e.kind == "contraction" and not e.lookup)
