"""An op's `adjoint {…}`: its statements over operands, results, internals and the adjoints `dNAME` (R5)."""

from __future__ import annotations

from dataclasses import replace

from roofdsl.ir.graph import DeclaredAdjoint, Statement, Tensor
from roofdsl.passes.elaborate.assign import statement
from roofdsl.passes.elaborate.build import Body, Local
from roofdsl.syntax import ast


def declared_adjoint(inner: Body, node: ast.Adjoint, call_id: str) -> DeclaredAdjoint:
    """The declared backward. `dx` has the shape and dtype of x; other targets are local to the block."""
    body = replace(inner, names=dict(inner.names), declared={}, bound_at={})
    adjoint_of: list[tuple[str, str]] = []
    definition = inner.definition
    for tensor in (*definition.operands, *definition.results):
        local = inner.names.get(tensor.name)
        if local is None:
            continue
        made = _adjoint_tensor(inner, local, f"{call_id}.d{tensor.name}")
        body.names[f"d{tensor.name}"] = Local(made.id, local.indices, local.order, local.dots)
        adjoint_of.append((made.id, local.tensor))
    for operand in definition.operands:
        local = inner.names.get(operand.name)
        if local is not None:
            body.declared[f"d{operand.name}"] = replace(operand, dtype=inner.tensor(local).dtype)
    statements: list[Statement] = []
    locals_: list[Tensor] = []
    for item in node.body:
        name = item.targets[0].name
        is_adjoint = name in body.declared
        found = statement(body, item, f"{call_id}.adjoint.{name}", {})
        if found is None:
            body.names.setdefault(name, None)
            continue
        body.names[name] = found[1]
        statements.append(found[0])
        if not is_adjoint:
            locals_.append(inner.builder.tensors[found[0].target.tensor])
    return DeclaredAdjoint(tuple(statements), tuple(adjoint_of), tuple(locals_))


def _adjoint_tensor(inner: Body, local: Local, tensor_id: str) -> Tensor:
    primal = inner.builder.tensors[local.tensor]
    return inner.builder.add_tensor(
        replace(primal, id=tensor_id, name=f"d{primal.name}", role="activation", alias=None, carried=None, kept=False)
    )
