"""A brute-force interpreter of index statements: walks every point, one at a time, and writes down what it does.

It is independent of the compiler: it takes statements as elaborated (not normalised), counts every scalar operation
it executes, and collects every element it reads and writes. A reduction is executed once per value of its own free
indices (R1), which is what its memory of earlier results stands for. `evaluate` gives the values themselves, for
finite differences. Sizes become numbers by plain arithmetic; a guarded pair is counted by trying all pairs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product as cartesian
from typing import assert_never

from roofdsl.ir import expr as ex
from roofdsl.ir.graph import Guard, Statement, Tensor
from roofdsl.syntax import ast
from tests.layout import home
from tests.sizes_of_oracle import Environment, inside, number

Point = dict[str, int]
Element = tuple[int, ...]
Values = dict[str, dict[Element, float]]

# --------------------------------------------------------------------------- the machine


@dataclass
class Trace:
    """What a run did: operations by kind, elements touched by tensor, and the values of everything written."""

    work: Counter[str] = field(default_factory=Counter)
    read: dict[str, set[Element]] = field(default_factory=dict)
    written: dict[str, set[Element]] = field(default_factory=dict)
    values: Values = field(default_factory=dict)


@dataclass
class _Run:
    statement: Statement
    tensors: Mapping[str, Tensor]
    scalars: Mapping[str, ast.Scalar]
    env: Environment
    trace: Trace
    extents: dict[str, int]
    remembered: dict[tuple[int, tuple[int, ...]], float] = field(default_factory=dict)


def observe(
    statements: Iterable[Statement],
    tensors: Mapping[str, Tensor],
    scalars: Mapping[str, ast.Scalar],
    env: Environment | None = None,
    values: Values | None = None,
) -> Trace:
    """Run statements in order. Tensors without values hold made-up ones; index tensors spread over their tables."""
    listed = tuple(statements)
    trace = Trace(values={name: dict(held) for name, held in (values or {}).items()})
    for statement in listed:
        for access in _all_accesses(statement):
            _fill_index_tensors(access, tensors, env or {}, trace)
    for statement in listed:
        _execute(_Run(statement, tensors, scalars, env or {}, trace, _extents(statement, env or {})))
    return trace


def evaluate(
    statements: Iterable[Statement],
    tensors: Mapping[str, Tensor],
    values: Values,
    scalars: Mapping[str, ast.Scalar] | None = None,
    env: Environment | None = None,
) -> Values:
    """The values of all tensors after running statements in order on the given ones; elements nobody wrote are 0."""
    return observe(statements, tensors, scalars or _Any(), env, values).values


def made_up(tensor: Tensor, env: Environment | None = None) -> dict[Element, float]:
    """Values for every element of a tensor: spread in (−1, 1), none of them 0, no two alike nearby."""
    ranges = [range(int(number(axis.extent, env or {}))) for axis in tensor.axes]
    return {element: _made_up(tensor.id, element) for element in cartesian(*ranges)}


def _made_up(name: str, element: Element) -> float:
    seed = sum(ord(letter) * (k + 1) for k, letter in enumerate(name)) + sum(
        (position + 1) * (37 + 61 * k) for k, position in enumerate(element)
    )
    return math.sin(seed * 12.9898 + 0.5)


class _Any(dict[str, ast.Scalar]):
    """Scalars nobody asked to weigh."""

    def __missing__(self, key: str) -> ast.Scalar:
        return ast.Scalar(key, (), "vector", ())


def _extents(statement: Statement, env: Environment) -> dict[str, int]:
    return {index: int(number(extent, env)) for index, extent in statement.extents}


def _all_accesses(statement: Statement) -> tuple[ex.Access, ...]:
    return (*ex.reads(statement.value), statement.target, *ex.gathered(statement.target))


def _fill_index_tensors(access: ex.Access, tensors: Mapping[str, Tensor], env: Environment, trace: Trace) -> None:
    """Index tensors without values count through the table they index, so that rows repeat as late as they can."""
    for position, axis in zip(access.positions, tensors[access.tensor].axes, strict=True):
        if not isinstance(position, ex.Gather):
            continue
        name = position.access.tensor
        if name not in trace.values:
            rows = int(number(axis.extent, env))
            ranges = [range(int(number(inner.extent, env))) for inner in tensors[name].axes]
            trace.values[name] = {element: float(k % rows) for k, element in enumerate(cartesian(*ranges))}
        _fill_index_tensors(position.access, tensors, env, trace)


def _execute(run: _Run) -> None:
    statement = run.statement
    indices = ex.indices_of_access(statement.target)
    points = _points(run, indices, {})
    for point in reversed(tuple(points)) if _runs_back(statement) else points:
        value = _value(statement.value, point, run, contraction=False)
        seen = _element(statement.target, point, run)
        if seen is None:
            continue
        name, element = home(statement.target.tensor, seen, run.tensors, run.env)
        held = run.trace.values.setdefault(name, {})
        if statement.accumulate:
            run.trace.work["vector"] += 1
            value += held.get(element, 0.0)
        held[element] = value
        run.trace.written.setdefault(name, set()).add(element)


def _runs_back(statement: Statement) -> bool:
    """Whether a statement reads its own target at a later position than it writes: the adjoint of a recurrence."""
    target = statement.target
    return any(
        isinstance(own, ex.Affine) and isinstance(read, ex.Affine) and _offset(read) > _offset(own)
        for access in ex.reads(statement.value)
        if access.tensor == target.tensor
        for own, read in zip(target.positions, access.positions, strict=True)
    )


def _offset(position: ex.Affine) -> Fraction:
    return number(position.offset, {})


def _points(run: _Run, indices: tuple[str, ...], outer: Point) -> Iterator[Point]:
    """Every point over these indices (the others as in `outer`) that no guard between known indices forbids."""
    for combination in cartesian(*(range(run.extents[index]) for index in indices)):
        point = {**outer, **dict(zip(indices, combination, strict=True))}
        if all(_allowed(guard, point, run) for guard in run.statement.guards):
            yield point


def _allowed(guard: Guard, point: Point, run: _Run) -> bool:
    if guard.row not in point or guard.column not in point:
        return True
    lower, upper = (None if edge is None else number(edge, run.env) for edge in (guard.lower, guard.upper))
    rows, columns = run.extents[guard.row], run.extents[guard.column]
    return inside(point[guard.row], point[guard.column], rows, columns, lower, upper)


def _element(access: ex.Access, point: Point, run: _Run) -> Element | None:
    """The element an access names at a point; None where it leaves the tensor. Index tensors are read on the way."""
    found: list[int] = []
    for position, axis in zip(access.positions, run.tensors[access.tensor].axes, strict=True):
        match position:
            case ex.Affine(terms, offset):
                at = number(offset, run.env) + sum(number(c, run.env) * point[index] for c, index in terms)
            case ex.Gather(inner):
                at = Fraction(_read(inner, point, run))
            case _:
                assert_never(position)
        if at.denominator != 1 or not 0 <= at < number(axis.extent, run.env):
            return None
        found.append(int(at))
    return tuple(found)


def _read(access: ex.Access, point: Point, run: _Run) -> float:
    seen = _element(access, point, run)
    if seen is None:
        return 0.0
    name, element = home(access.tensor, seen, run.tensors, run.env)
    run.trace.read.setdefault(name, set()).add(element)
    held = run.trace.values.get(name)
    if held is None:
        return _made_up(name, element)
    return held.get(element, 0.0)


# --------------------------------------------------------------------------- expressions


def _value(expr: ex.Expr, point: Point, run: _Run, *, contraction: bool) -> float:
    match expr:
        case ex.Constant(value):
            return float(number(value, run.env))
        case ex.Running(index):
            return float(point[index])
        case ex.Read(access):
            return _read(access, point, run)
        case ex.Stop(body):
            return _value(body, point, run, contraction=contraction)
        case ex.Apply(function, arguments):
            _count(expr, run, contraction=contraction)
            return _apply(
                function, [_value(argument, point, run, contraction=contraction) for argument in arguments], point
            )
        case ex.Reduce():
            return _reduce(expr, point, run)
        case _:
            assert_never(expr)


def _reduce(expr: ex.Reduce, point: Point, run: _Run) -> float:
    """A reduction, executed once per value of its free indices."""
    free = ex.free_indices(expr)
    key = (id(expr), tuple(point[index] for index in free))
    if key in run.remembered:
        return run.remembered[key]
    contraction = expr.kind == "sum" and _mixes(expr.body)
    values: list[float] = []
    for inner in _points(run, expr.indices, {index: point[index] for index in free}):
        run.trace.work["contraction" if contraction else "vector"] += 1
        values.append(_value(expr.body, inner, run, contraction=contraction))
    run.remembered[key] = _reduced(expr, values)
    return run.remembered[key]


def _reduced(expr: ex.Reduce, values: list[float]) -> float:
    if expr.kind == "sum":
        return math.fsum(values)
    if not values:
        return 0.0
    return max(values) if expr.kind == "amax" else min(values)


def _mixes(expr: ex.Expr) -> bool:
    """Whether some product in an expression has two factors that read different tensors over different indices."""
    match expr:
        case ex.Apply("mul", _):
            factors = [factor for factor in _flat(expr) if ex.reads(factor)]
            for one in factors:
                for other in factors:
                    tensors = [{a.tensor for a in ex.reads(factor)} for factor in (one, other)]
                    indices = [set(ex.free_indices(factor)) for factor in (one, other)]
                    if tensors[0] != tensors[1] and indices[0] != indices[1]:
                        return True
            return any(_mixes(factor) for factor in factors)
        case ex.Apply(_, arguments):
            return any(_mixes(argument) for argument in arguments)
        case ex.Stop(body):
            return _mixes(body)
        case _:
            return False


def _flat(expr: ex.Expr) -> list[ex.Expr]:
    if isinstance(expr, ex.Apply) and expr.function == "mul":
        return [factor for argument in expr.arguments for factor in _flat(argument)]
    return [expr]


def _count(expr: ex.Apply, run: _Run, *, contraction: bool) -> None:
    if all(_fixed(argument) for argument in expr.arguments):
        return
    scalar = run.scalars[expr.function]
    times, kind = scalar.weight, scalar.kind
    if expr.function == "pow":
        exponent = expr.arguments[1]
        if isinstance(exponent, ex.Constant) and number(exponent.value, run.env).denominator == 1:
            power = int(number(exponent.value, run.env))
            times, kind = (power - 1 if power > 0 else -power), "vector"
    run.trace.work["special" if kind == "special" else "contraction" if contraction else "vector"] += times


def _fixed(expr: ex.Expr) -> bool:
    match expr:
        case ex.Constant():
            return True
        case ex.Apply(_, arguments):
            return all(_fixed(argument) for argument in arguments)
        case _:
            return False


def _apply(function: str, values: list[float], point: Point) -> float:
    """A scalar function; the draw of a mask is the same at every run."""
    match function, values:
        case "add", [x, y]:
            return x + y
        case "sub", [x, y]:
            return x - y
        case "mul", [x, y]:
            return x * y
        case "div", [x, y]:
            return x / y
        case "neg", [x]:
            return -x
        case "pow", [x, n]:
            return x**n
        case "max", [x, y]:
            return max(x, y)
        case "min", [x, y]:
            return min(x, y)
        case "abs", [x]:
            return abs(x)
        case "step", [x]:
            return 1.0 if x > 0 else 0.0
        case "equal", [x, y]:
            return 1.0 if x == y else 0.0
        case "rsqrt", [x]:
            return 1 / math.sqrt(x)
        case "random", [q]:
            return 1.0 if abs(_made_up("random", tuple(point.values()))) < q else 0.0
        case _, [x] if hasattr(math, function):
            return float(getattr(math, function)(x))
    raise NotImplementedError(f"the oracle does not know {function}/{len(values)}")
