"""Which measure derives a sheet: the one place that knows the measures by name."""

from __future__ import annotations

from typing import assert_never

from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.ir.entry import Measure, Phase, Sheet
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.measures.cache import cache
from roofdsl.measures.params import active_params, param_bytes, params
from roofdsl.measures.state import state
from roofdsl.measures.traffic import forward_traffic
from roofdsl.measures.work import forward_work
from roofdsl.source import NOWHERE
from roofdsl.syntax import ast


def derive_sheet(graph: Graph, library: Library, measure: Measure, phase: Phase) -> Sheet:
    """All entries of one measure and phase of a graph."""
    match measure:
        case "work":
            return _work(graph, library, phase)
        case "traffic":
            return _traffic(graph, library, phase)
        case "saved":
            return ()
        case "params":
            return params(graph)
        case "active_params":
            return active_params(graph)
        case "param_bytes":
            return param_bytes(graph, library)
        case "cache":
            return cache(graph, library)
        case "state":
            return state(graph, library, optimizer_of(library))
        case _:
            assert_never(measure)


def _work(graph: Graph, library: Library, phase: Phase) -> Sheet:
    return forward_work(graph, library) if phase in ("forward", "infer") else ()


def _traffic(graph: Graph, library: Library, phase: Phase) -> Sheet:
    return forward_traffic(graph, library) if phase in ("forward", "infer") else ()


def optimizer_of(library: Library) -> ast.Optimizer:
    """The optimizer in force: the first one of the last file that declares any, so that a user's own wins."""
    declared = tuple(library.optimizers.values())
    if not declared:
        fail(errors.NO_OPTIMIZER, NOWHERE, "no optimizer is declared", helps=("`optimizer adam { grad: bf16, … }`",))
    last = declared[-1].span.source
    return next(optimizer for optimizer in declared if optimizer.span.source is last)
