"""Which measure derives a sheet: the one place that knows the measures by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from roofdsl.diagnostics import InternalError
from roofdsl.ir.entry import Measure, Phase, Sheet
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.measures.backward import backward_level_traffic, backward_traffic, backward_work
from roofdsl.measures.cache import cache
from roofdsl.measures.params import active_params, param_bytes, params
from roofdsl.measures.plan import Plan
from roofdsl.measures.recompute import recompute_level_traffic, recompute_traffic, recompute_work
from roofdsl.measures.saved import saved
from roofdsl.measures.state import state
from roofdsl.measures.traffic import forward_traffic, level_traffic
from roofdsl.measures.work import forward_work
from roofdsl.syntax import ast


def derive_sheet(graph: Graph, library: Library, measure: Measure, phase: Phase, plan: Callable[[], Plan]) -> Sheet:
    """All entries of one measure and phase of a graph. `plan` gives its backward plan, made when first needed."""
    match measure:
        case "work":
            return _work(graph, library, phase, plan)
        case "traffic":
            return _traffic(graph, library, phase, plan)
        case "level_traffic":
            return _level_traffic(graph, library, phase, plan)
        case "saved":
            return saved(graph, library, plan())
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


def _work(graph: Graph, library: Library, phase: Phase, plan: Callable[[], Plan]) -> Sheet:
    match phase:
        case "forward" | "infer":
            return forward_work(graph, library)
        case "backward":
            return backward_work(graph, library, plan())
        case "recompute":
            return recompute_work(graph, library, plan())
        case _:
            assert_never(phase)


def _traffic(graph: Graph, library: Library, phase: Phase, plan: Callable[[], Plan]) -> Sheet:
    match phase:
        case "forward" | "infer":
            return forward_traffic(graph, library)
        case "backward":
            return backward_traffic(graph, library, plan())
        case "recompute":
            return recompute_traffic(graph, library, plan())
        case _:
            assert_never(phase)


def _level_traffic(graph: Graph, library: Library, phase: Phase, plan: Callable[[], Plan]) -> Sheet:
    match phase:
        case "forward" | "infer":
            return level_traffic(graph, library)
        case "backward":
            return backward_level_traffic(graph, library, plan())
        case "recompute":
            return recompute_level_traffic(graph, library, plan())
        case _:
            assert_never(phase)


def optimizer_of(library: Library) -> ast.Optimizer:
    """The optimizer in force: the first one of the last file that declares any, so that a user's own wins."""
    declared = tuple(library.optimizers.values())
    if not declared:
        raise InternalError("no optimizer is in force, though some ship")
    last = declared[-1].span.source
    return next(optimizer for optimizer in declared if optimizer.span.source is last)
