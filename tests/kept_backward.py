"""A backward pass that has nothing but what `saved` says is kept: it must come to the same gradients (R6, R7)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from roofdsl.ir.graph import Graph, Kernel, Statement, Tensor
from roofdsl.ir.library import Library
from roofdsl.measures.plan import KernelAdjoint, Plan, backward_plan
from roofdsl.measures.saved import saved
from roofdsl.passes.adjoint import MARK, is_adjoint
from tests.finite_differences import apart, first_adjoints, run_backward, run_forward, temporaries
from tests.oracle import Environment, Values, made_up, observe


@dataclass
class _Machine:
    """`kept` is what forward leaves behind; `again` what checkpoints have computed again; `seen` all that was read."""

    plan: Plan
    library: Library
    env: Environment
    tensors: dict[str, Tensor]
    kept: Values
    adjoints: Values
    again: dict[str, Values] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def run(self, statement: Statement, values: Values) -> None:
        """Run one statement in place; reading what is not there is the failure looked for."""
        gathers = replace(statement, accumulate=statement.accumulate or is_adjoint(statement.target.tensor))
        if statement.recurrence:
            values.setdefault(statement.target.tensor, {})
        trace = observe((gathers,), self.tensors, self.library.scalars, self.env, values)
        lacking = set(trace.read) - set(values)
        assert not lacking, f"{statement.target.tensor} needs {sorted(lacking)}, which is not there"
        self.seen |= set(trace.read)
        values.update({name: trace.values[name] for name in trace.written})


def check_saved(graph: Graph, library: Library, env: Environment) -> set[str]:
    """Run backward on what is saved, and compare with one that has everything. Also everything saved must be read.
    Gives the ids of what is saved.
    """
    plan = backward_plan(graph, library)
    start = {t.id: made_up(t, env) for t in graph.tensors.values() if _given(t)}
    forward = run_forward(graph, library, start, env)
    forward.update(temporaries(plan, library, forward, env))
    kept = {entry.what for entry in saved(graph, library, plan)}
    held = {n: v for n, v in forward.items() if n in kept or _is_there(graph, n)}
    tensors = apart(plan)
    machine = _Machine(plan, library, env, tensors, held, first_adjoints(plan, tensors, env))
    for part in reversed(plan.kernels):
        _backward(machine, part)
    expected = run_backward(plan, library, forward, env)
    leaves = [t.id for t in graph.tensors.values() if t.id in plan.live and t.role in ("input", "param")]
    for leaf in leaves:
        assert machine.adjoints[MARK + leaf] == expected[MARK + leaf], leaf
    assert leaves
    assert kept <= machine.seen, f"saved and never read: {sorted(kept - machine.seen)}"
    return kept


def _given(tensor: Tensor) -> bool:
    return tensor.alias is None and not tensor.integer and tensor.role in ("input", "param", "buffer")


def _is_there(graph: Graph, name: str) -> bool:
    """Parameters, buffers and index inputs need not be saved."""
    tensor = graph.tensors.get(name)
    return tensor is not None and (tensor.role in ("param", "buffer") or (tensor.role == "input" and tensor.integer))


def _backward(machine: _Machine, part: KernelAdjoint) -> None:
    """One kernel's backward: what is rebuilt, then the adjoints; nothing but adjoints outlives it."""
    if not part.adjoints:
        return
    values = {**machine.kept, **machine.adjoints, **_again(machine, part.kernel)}
    for rebuilt in part.needs.rebuilt:
        machine.run(rebuilt.statement, values)
    for adjoint in part.adjoints:
        machine.run(adjoint.statement, values)
    machine.adjoints = {name: values[name] for name in machine.adjoints}


def _again(machine: _Machine, kernel: Kernel) -> Values:
    """What the checkpoint around a kernel computes again, from what is kept: results and masks of its kernels."""
    if not kernel.checkpoints:
        return {}
    region = kernel.checkpoints[0]
    if region not in machine.again:
        values = dict(machine.kept)
        found: Values = {}
        for part in machine.plan.kernels:
            if region not in part.kernel.checkpoints:
                continue
            for call in part.kernel.calls:
                for statement in machine.plan.simple.calls[call.id]:
                    machine.run(statement, values)
                masks = [n for n in call.internal if machine.tensors[n].kept and part.kernel.fused is None]
                found.update({name: values[name] for name in masks})
            found.update({name: values[name] for name in part.kernel.results})
        machine.again[region] = found
    return machine.again[region]
