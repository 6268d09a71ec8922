"""Adjoints as numbers: the backward plan of a graph run by the oracle, against central differences of its forward."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from roofdsl.ir.graph import Graph, Statement, Tensor
from roofdsl.ir.library import Library
from roofdsl.measures.plan import Plan, backward_plan
from roofdsl.passes.adjoint import MARK, is_adjoint
from tests.layout import home
from tests.oracle import Element, Environment, Values, evaluate, made_up, observe

STEP = 1e-4
TOLERANCE = 1e-6
MANY = 12
ROUNDS = 50
Run = Callable[[Plan, Library, Values, Environment], Values]


def check_adjoints(graph: Graph, library: Library, env: Environment) -> int:
    """Compare every adjoint of an input or parameter with differences, element by element; how many were compared.
    Of a tensor with many elements every few are.
    """
    start, gradients = _gradients(graph, library, env, run_backward)
    chosen = {leaf: list(start[leaf])[:: 1 + len(start[leaf]) // MANY] for leaf in gradients}
    moves: list[Values] = [{leaf: {element: 1.0}} for leaf, elements in chosen.items() for element in elements]
    for move in moves:
        _compare(graph, library, start, move, gradients, env)
    return len(moves)


def check_adjoints_along(graph: Graph, library: Library, env: Environment, run: Run | None = None) -> int:
    """The same along one direction in which every element of every input and parameter moves: for large graphs."""
    start, gradients = _gradients(graph, library, env, run or run_backward)
    move = {leaf: made_up(replace(graph.tensors[leaf], id=f"direction of {leaf}"), env) for leaf in gradients}
    _compare(graph, library, start, move, gradients, env)
    return len(gradients)


def _gradients(graph: Graph, library: Library, env: Environment, run: Run) -> tuple[Values, Values]:
    """Made-up values of all that is given, and the adjoints of its live part."""
    plan = backward_plan(graph, library)
    given = [t for t in graph.tensors.values() if t.role in ("input", "param", "buffer") and t.alias is None]
    start = {t.id: made_up(t, env) for t in given if not t.integer and not t.joined}
    forward = run_forward(graph, library, start, env)
    backward = run(plan, library, forward, env)
    leaves = [t.id for t in given if t.id in plan.live and t.id in start and t.role != "buffer"]
    return start, {leaf: backward.get(MARK + leaf, {}) for leaf in leaves}


def _compare(graph: Graph, library: Library, start: Values, move: Values, gradients: Values, env: Environment) -> None:
    """By differences over four points, whose error is of the fourth order in the step. Of a large objective little of
    the difference is left when it is taken, which the tolerance allows for.
    """
    values = [
        objective(graph, run_forward(graph, library, _moved(start, move, k * STEP), env), env) for k in (-2, -1, 1, 2)
    ]
    expected = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * STEP)
    found = sum(
        gradients[leaf].get(element, 0.0) * weight for leaf, held in move.items() for element, weight in held.items()
    )
    scale = max(1.0, abs(expected), abs(values[1]) / 100)
    assert abs(found - expected) <= TOLERANCE * scale, f"{', '.join(move)}: {found} for {expected}"


def _moved(start: Values, move: Values, step: float) -> Values:
    moved = {leaf: {e: start[leaf][e] + step * weight for e, weight in held.items()} for leaf, held in move.items()}
    return {**start, **{leaf: {**start[leaf], **held} for leaf, held in moved.items()}}


def objective(graph: Graph, values: Values, env: Environment) -> float:
    """The results weighted by made-up incoming adjoints and added up."""
    total = 0.0
    for result in floating_results(graph):
        for element, weight in incoming(graph.tensors[result], env).items():
            name, place = home(result, element, graph.tensors, env)
            total += weight * values.get(name, {}).get(place, 0.0)
    return total


def incoming(tensor: Tensor, env: Environment) -> dict[tuple[int, ...], float]:
    return made_up(replace(tensor, id=f"incoming {tensor.id}"), env)


def floating_results(graph: Graph) -> tuple[str, ...]:
    return tuple(dict.fromkeys(graph.resolve(name).id for name in graph.results if not graph.tensors[name].integer))


def _statements(graph: Graph) -> tuple[Statement, ...]:
    return tuple(s for call in graph.calls for s in call.statements)


def run_forward(graph: Graph, library: Library, start: Values, env: Environment) -> Values:
    return evaluate(_statements(graph), graph.tensors, start, library.scalars, env)


def run_backward(plan: Plan, library: Library, forward: Values, env: Environment) -> Values:
    """Run the adjoints in order on zeros, every contribution added."""
    tensors = apart(plan)
    values = {**temporaries(plan, library, forward, env), **first_adjoints(plan, tensors, env)}
    for statement in _adjoint_statements(plan):
        values = observe((statement,), tensors, library.scalars, env, values).values
    return values


def settle_backward(plan: Plan, library: Library, forward: Values, env: Environment) -> Values:
    """The same where statements of a recurrence need one another position by position: all are run on what the round
    before came to, until nothing changes.
    """
    tensors = apart(plan)
    known = temporaries(plan, library, forward, env)
    first = first_adjoints(plan, tensors, env)
    before: Values = first
    for _ in range(ROUNDS):
        after = {name: dict(held) for name, held in first.items()}
        for statement in _adjoint_statements(plan):
            name = statement.target.tensor
            new = f"{name} of this round"
            renamed = replace(statement, target=replace(statement.target, tensor=new), accumulate=True)
            room = {**tensors, new: replace(tensors[name], id=new)}
            found = observe((renamed,), room, library.scalars, env, {**known, **before}).values
            for element, value in found[new].items():
                after[name][element] = after[name].get(element, 0.0) + value
        if all(_alike(after[name], before[name]) for name in after):
            return {**known, **after}
        before = after
    raise AssertionError("the adjoints do not settle")


def _alike(one: Mapping[Element, float], other: Mapping[Element, float]) -> bool:
    return all(math.isclose(one.get(e, 0.0), other.get(e, 0.0), abs_tol=1e-12) for e in {*one, *other})


def apart(plan: Plan) -> dict[str, Tensor]:
    """All tensors, with adjoints that are the incoming ones as they stand as tensors of their own: here they are
    copied. Adjoints of views are views.
    """
    found = dict(plan.tensors)
    for name, tensor in plan.tensors.items():
        if is_adjoint(name):
            shown = plan.tensors.get(name.removeprefix(MARK))
            alias = None if shown is None or shown.alias is None else MARK + shown.alias
            found[name] = replace(tensor, alias=alias)
    return found


def first_adjoints(plan: Plan, tensors: Mapping[str, Tensor], env: Environment) -> Values:
    """Zeros, and what comes in for the results; each where its tensor is stored."""
    values: Values = {name: {} for name in tensors if is_adjoint(name)}
    for result in floating_results(plan.graph):
        for element, weight in incoming(plan.graph.tensors[result], env).items():
            name, place = home(MARK + result, element, tensors, env)
            values[name][place] = weight
    return values


def temporaries(plan: Plan, library: Library, forward: Values, env: Environment) -> Values:
    """What the simple statements of the forward pass compute between its own, and all that forward has."""
    simple = [s for call in plan.graph.calls for s in plan.simple.calls[call.id] if s.target.tensor not in forward]
    return evaluate(simple, plan.simple.tensors, forward, library.scalars, env)


def _adjoint_statements(plan: Plan) -> Iterable[Statement]:
    for part in reversed(plan.kernels):
        for adjoint in part.adjoints:
            statement = adjoint.statement
            yield replace(statement, accumulate=statement.accumulate or is_adjoint(statement.target.tensor))
