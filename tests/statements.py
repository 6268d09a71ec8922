"""Short ways to build statements, tensors and graphs by hand, for tests of the measures."""

from __future__ import annotations

from fractions import Fraction

from roofdsl.ir.expr import Access, Affine, Apply, Constant, Expr, Gather, Read, Reduce
from roofdsl.ir.graph import Axis, AxisGuard, Call, Graph, Guard, Loop, Placed, Role, Statement, Tensor
from roofdsl.ir.library import Dtype, Library
from roofdsl.ir.size import ONE, ZERO, Const, Size, Symbol
from roofdsl.syntax import ast

SCALARS = {
    name: ast.Scalar(name, ("x", "y"), kind, ())
    for name, kind in {
        **dict.fromkeys(("add", "sub", "mul", "div", "neg", "max"), "vector"),
        **dict.fromkeys(("exp", "sqrt", "rsqrt", "log", "pow"), "special"),
    }.items()
}


def _dtype(name: str, bits: int, *, integer: bool = False) -> Dtype:
    return Dtype(name, Fraction(bits), integer, ast.Dtype(name, bits))


DTYPES = {
    dtype.name: dtype
    for dtype in (
        _dtype("bf16", 16),
        _dtype("fp32", 32),
        _dtype("int32", 32, integer=True),
        _dtype("mask", 8, integer=True),
    )
}
LIBRARY = Library(
    dtypes=DTYPES,
    defaults={"activations": "bf16", "params": "bf16", "vector": "fp32", "special": "fp32"},
    scalars=SCALARS,
)


def size(of: str | int | Size) -> Size:
    if isinstance(of, str):
        return Symbol(of)
    return Const(Fraction(of)) if isinstance(of, int) else of


def affine(*terms: tuple[str | int, str], offset: str | int | Size = 0) -> Affine:
    """`affine((2, "i"), (1, "k"))` is 2i + k."""
    return Affine(tuple((size(coefficient), index) for coefficient, index in terms), size(offset))


def at(tensor: str, *positions: str | Affine | Access) -> Access:
    """`at("E", at("ids", "s"), "h")` is E[ids[s], h]."""
    return Access(tensor, tuple(_position(position) for position in positions))


def _position(position: str | Affine | Access) -> Affine | Gather:
    match position:
        case str():
            return Affine(((ONE, position),), ZERO)
        case Access():
            return Gather(position)
        case Affine():
            return position


def read(tensor: str, *positions: str | Affine | Access) -> Read:
    return Read(at(tensor, *positions))


def apply(function: str, *arguments: Expr | int | str) -> Apply:
    return Apply(function, tuple(Constant(size(a)) if isinstance(a, int | str) else a for a in arguments))


def total(body: Expr, *indices: str) -> Reduce:
    return Reduce("sum", indices, body)


def tensor(
    name: str,
    *extents: str | int | Size,
    dtype: str = "bf16",
    role: Role = "activation",
    loops: tuple[Loop, ...] = (),
    guards: tuple[AxisGuard, ...] = (),
    alias: str | None = None,
) -> Tensor:
    """A tensor whose axes are named after their extents where those are symbols."""
    axes = tuple(Axis(e if isinstance(e, str) else f"i{k}", size(e)) for k, e in enumerate(extents))
    integer = DTYPES[dtype].integer
    return Tensor(name, name, (), axes, dtype, role, loops, guards, alias, integer=integer)


def statement(
    target: Access,
    value: Expr,
    extents: dict[str, str | int | Size],
    *,
    guards: tuple[Guard, ...] = (),
    accumulate: bool = False,
) -> Statement:
    return Statement(target, value, tuple((i, size(e)) for i, e in extents.items()), guards, accumulate)


def call(
    name: str,
    statements: tuple[Statement, ...],
    operands: tuple[str, ...],
    results: tuple[str, ...],
    *,
    placed: tuple[Placed, ...] = (),
    loops: tuple[Loop, ...] = (),
) -> Call:
    return Call(name, name, (), None, statements, operands, results, placed=placed, loops=loops)


def graph(
    tensors: tuple[Tensor, ...], calls: tuple[Call, ...], results: tuple[str, ...], *, mode: str = "train"
) -> Graph:
    inputs = tuple(t.id for t in tensors if t.role == "input")
    held = {t.id: t for t in tensors}
    return Graph("test", "block", "infer" if mode == "infer" else "train", held, calls, (), inputs, results, True)
