"""Adjoints as numbers: the backward plan of a graph run by the oracle, against central differences of its forward."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from roofdsl.ir.graph import Graph, Statement, Tensor
from roofdsl.ir.library import Library
from roofdsl.measures.plan import Plan, backward_plan
from roofdsl.passes.adjoint import MARK, is_adjoint
from roofdsl.passes.declared import renamed_statement
from tests.oracle import Environment, Values, evaluate, made_up, observe

STEP = 1e-5
TOLERANCE = 1e-6


def check_adjoints(graph: Graph, library: Library, env: Environment) -> int:
    """Compare every adjoint of an input or parameter with differences, element by element; how many were compared."""
    plan = backward_plan(graph, library)
    leaves = [
        t for t in graph.tensors.values() if t.id in plan.live and t.role in ("input", "param") and t.alias is None
    ]
    start = {leaf.id: made_up(leaf, env) for leaf in leaves}
    forward = run_forward(graph, library, start, env)
    backward = run_backward(plan, library, forward, env)
    compared = 0
    for leaf in leaves:
        for element in start[leaf.id]:
            expected = _slope(graph, library, start, leaf.id, element, env)
            found = backward.get(MARK + leaf.id, {}).get(element, 0.0)
            error = abs(found - expected)
            assert error <= TOLERANCE * max(1.0, abs(expected)), f"{leaf.id}{list(element)}: {found} for {expected}"
            compared += 1
    return compared


def objective(graph: Graph, values: Values, env: Environment) -> float:
    """The results weighted by made-up incoming adjoints and added up."""
    total = 0.0
    for result in floating_results(graph):
        weights = incoming(graph.tensors[result], env)
        total += sum(weight * values.get(result, {}).get(element, 0.0) for element, weight in weights.items())
    return total


def incoming(tensor: Tensor, env: Environment) -> dict[tuple[int, ...], float]:
    return made_up(replace(tensor, id=f"incoming {tensor.id}"), env)


def floating_results(graph: Graph) -> tuple[str, ...]:
    return tuple(dict.fromkeys(graph.resolve(name).id for name in graph.results if not graph.tensors[name].integer))


def _statements(graph: Graph) -> tuple[Statement, ...]:
    """All statements with views of the same shape replaced by what they are views of."""
    names = base_names(graph.tensors)
    return tuple(renamed_statement(s, names) for call in graph.calls for s in call.statements)


def base_names(tensors: Mapping[str, Tensor]) -> dict[str, str]:
    found: dict[str, str] = {}
    for tensor in tensors.values():
        base = tensor
        while base.alias is not None:
            base = tensors[base.alias]
        if base is not tensor and not is_adjoint(tensor.id):
            assert len(base.axes) == len(tensor.axes), "a view of another shape"
            found[tensor.id] = base.id
    return found


def run_forward(graph: Graph, library: Library, start: Values, env: Environment) -> Values:
    return evaluate(_statements(graph), graph.tensors, start, library.scalars, env)


def _slope(
    graph: Graph, library: Library, start: Values, leaf: str, element: tuple[int, ...], env: Environment
) -> float:
    sides: list[float] = []
    for step in (STEP, -STEP):
        moved = {**start, leaf: {**start[leaf], element: start[leaf][element] + step}}
        sides.append(objective(graph, run_forward(graph, library, moved, env), env))
    return (sides[0] - sides[1]) / (2 * STEP)


def run_backward(plan: Plan, library: Library, forward: Values, env: Environment) -> Values:
    """Run the adjoints in order on zeros, every contribution added; adjoints that are views are tensors here."""
    names = {MARK + view: MARK + base for view, base in base_names(plan.graph.tensors).items()}
    names.update(base_names(plan.graph.tensors))
    tensors = {name: replace(t, alias=None) if is_adjoint(name) else t for name, t in plan.tensors.items()}
    values: Values = {name: dict(held) for name, held in forward.items()}
    values.update({name: dict(held) for name, held in temporaries(plan, library, forward, env).items()})
    for name in tensors:
        if is_adjoint(name):
            values[name] = {}
    for result in floating_results(plan.graph):
        values[MARK + result] = incoming(plan.graph.tensors[result], env)
    for statement in _adjoint_statements(plan, names):
        values = observe((statement,), tensors, library.scalars, env, values).values
    return values


def temporaries(plan: Plan, library: Library, forward: Values, env: Environment) -> Values:
    """What the simple statements of the forward pass compute between its own."""
    names = base_names(plan.graph.tensors)
    simple = (renamed_statement(s, names) for call in plan.graph.calls for s in plan.simple.calls[call.id])
    written = {s.target.tensor for call in plan.graph.calls for s in call.statements}
    start = {name: held for name, held in forward.items() if name not in written}
    return evaluate(tuple(simple), plan.simple.tensors, start, library.scalars, env)


def _adjoint_statements(plan: Plan, names: Mapping[str, str]) -> Iterable[Statement]:
    for part in reversed(plan.kernels):
        for adjoint in part.adjoints:
            statement = renamed_statement(adjoint.statement, names)
            yield replace(statement, accumulate=statement.accumulate or is_adjoint(statement.target.tensor))
