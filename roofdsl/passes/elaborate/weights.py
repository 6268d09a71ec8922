"""Number formats of parameters, where a file says more than one: matrix weights apart from the rest, and some by name.

`default weights fp8_e4m3` is about the parameters that products with activations are made of, as those who store fewer
bits mean it: neither norms and biases, nor tables that are looked up, nor taps of a convolution. `default weights.head
bf16` or `default params.router fp32` is about those of the calls, or the tensors, of these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from roofdsl.ir.expr import Apply, Expr, Gather, Read, Reduce, Stop, indices_of_access, reads
from roofdsl.ir.graph import Call, Tensor
from roofdsl.ir.library import Library
from roofdsl.passes.formats import OF_PARAMETERS


def with_formats(tensors: Mapping[str, Tensor], calls: Iterable[Call], library: Library) -> dict[str, Tensor]:
    """The tensors with the formats of their parameters as the library's defaults have them; annotated ones keep theirs."""
    found = dict(tensors)
    said = {role: dtype for role, dtype in library.defaults.items() if role.partition(".")[0] in OF_PARAMETERS}
    if set(said) <= {"params"}:
        return found
    weights = _weights(tensors, calls)
    plain = library.defaults.get("params", "")
    for tensor in tensors.values():
        if tensor.role != "param" or tensor.alias is not None or tensor.dtype != plain:
            continue
        roles = OF_PARAMETERS if tensor.id in weights else ("params",)
        found[tensor.id] = replace(tensor, dtype=_said(tensor, roles, said) or plain)
    return found


def _said(tensor: Tensor, roles: tuple[str, ...], said: Mapping[str, str]) -> str | None:
    """What the longest name says that the tensor's path has, a matrix weight's own role before that of all parameters."""
    path = (*tensor.path, tensor.name)
    best: tuple[int, int] | None = None
    chosen = None
    for role, dtype in said.items():
        kind, *words = role.split(".")
        if kind in roles and _within(tuple(words), path):
            rank = len(words), roles.index(kind)
            if best is None or rank >= best:
                best, chosen = rank, dtype
    return chosen


def _within(words: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return any(path[start : start + len(words)] == words for start in range(len(path) - len(words) + 1))


def _weights(tensors: Mapping[str, Tensor], calls: Iterable[Call]) -> set[str]:
    multiplied: set[str] = set()
    looked_up: set[str] = set()
    for call in calls:
        for statement in call.statements:
            for product in _sums(statement.value):
                multiplied |= _matrices(product, tensors)
            looked_up |= _tables(statement.value)
    return multiplied - looked_up


def _sums(expr: Expr) -> tuple[Reduce, ...]:
    match expr:
        case Reduce():
            return (expr,) if expr.kind == "sum" else ()
        case Apply(_, arguments):
            return tuple(found for argument in arguments for found in _sums(argument))
        case Stop(body):
            return _sums(body)
        case _:
            return ()


def _matrices(product: Reduce, tensors: Mapping[str, Tensor]) -> set[str]:
    """Parameters with an index that is summed with an activation's, and one that the activation lacks."""
    accesses = reads(product.body)
    active = [
        a for a in accesses if tensors[a.tensor].role not in ("param", "buffer") and not tensors[a.tensor].integer
    ]
    found = set()
    for access in accesses:
        own = set(indices_of_access(access))
        others = [set(indices_of_access(a)) for a in active if a.tensor != access.tensor]
        summed = own & set(product.indices)
        if tensors[access.tensor].role == "param" and any(summed & o and own - o for o in others):
            found.add(_origin(access.tensor, tensors))
    return found


def _origin(name: str, tensors: Mapping[str, Tensor]) -> str:
    alias = tensors[name].alias
    return name if alias is None else _origin(alias, tensors)


def _tables(expr: Expr) -> set[str]:
    """What is looked up outside a sum: a table of embeddings, also where its rows are multiplied elsewhere."""
    match expr:
        case Read(access):
            return {access.tensor} if any(isinstance(p, Gather) for p in access.positions) else set()
        case Apply(_, arguments):
            return {name for argument in arguments for name in _tables(argument)}
        case Stop(body):
            return _tables(body)
        case _:
            return set()
