"""Elaborated expressions: index statements over tensors of one graph, with every name resolved.

Tensors are named by their unique id in the graph; indices by their name within the statement. Scalar operations are
names of `ScalarFunction`s of the library (text in `specs/scalar.roof`), including the arithmetic ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from roofdsl.ir.size import Size
from roofdsl.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Affine:
    """Σ coefficient × index + offset, one position of an access. A plain index has one term with coefficient 1."""

    terms: tuple[tuple[Size, str], ...]
    offset: Size


@dataclass(frozen=True, slots=True)
class Gather:
    """The position is read from an integer tensor: `ids[s,b]` in `E[ids[s,b], h]`."""

    access: Access


Position = Affine | Gather


@dataclass(frozen=True, slots=True)
class Access:
    """A tensor at one position per axis: `x[s, 2i + k]`."""

    tensor: str
    positions: tuple[Position, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of the statement: a number or a size used as a number (`sqrt(d)` has the size d). Costs no work."""

    value: Size


@dataclass(frozen=True, slots=True)
class Running:
    """The running value of an index used as a number."""

    index: str


@dataclass(frozen=True, slots=True)
class Read:
    """The value a tensor holds there."""

    access: Access


@dataclass(frozen=True, slots=True)
class Apply:
    """A scalar function of the library applied: `add`, `sub`, `mul`, `div`, `neg`, `exp`, … `constant` says that all
    arguments are constants of the statement (`sqrt(d)`): evaluated once, no work.
    """

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Reduce:
    """`sum`, `amax` or `amin` of `body` over `indices`."""

    kind: Literal["sum", "amax", "amin"]
    indices: tuple[str, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class Stop:
    """Not differentiated."""

    body: Expr


Expr = Constant | Running | Read | Apply | Reduce | Stop


def reads(expr: Expr) -> tuple[Access, ...]:
    """All accesses in reading order, with those inside gathers after the access that uses them."""
    match expr:
        case Constant() | Running():
            return ()
        case Read(access):
            return (access, *gathered(access))
        case Apply(_, arguments):
            return tuple(a for argument in arguments for a in reads(argument))
        case Reduce(_, _, body) | Stop(body):
            return reads(body)


def gathered(access: Access) -> tuple[Access, ...]:
    """The index tensors an access reads its positions from, nested ones included."""
    found: list[Access] = []
    for position in access.positions:
        if isinstance(position, Gather):
            found += [position.access, *gathered(position.access)]
    return tuple(found)


def indices_of_access(access: Access) -> tuple[str, ...]:
    """Index names an access depends on, in order of first use, gathers included."""
    found: dict[str, None] = {}
    for position in access.positions:
        match position:
            case Affine(terms, _):
                found.update(dict.fromkeys(name for _, name in terms))
            case Gather(inner):
                found.update(dict.fromkeys(indices_of_access(inner)))
    return tuple(found)


def free_indices(expr: Expr) -> tuple[str, ...]:
    """Index names an expression depends on, less those it reduces, in order of first use."""
    match expr:
        case Constant():
            return ()
        case Running(index):
            return (index,)
        case Read(access):
            return indices_of_access(access)
        case Apply(_, arguments):
            return tuple(dict.fromkeys(i for argument in arguments for i in free_indices(argument)))
        case Stop(body):
            return free_indices(body)
        case Reduce(_, indices, body):
            return tuple(i for i in free_indices(body) if i not in indices)
