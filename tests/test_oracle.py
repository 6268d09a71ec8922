"""Derived work and traffic against the brute-force oracle, over hand-built statements and random small extents (R1, R2, R4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.ir.graph import AxisGuard, Guard, Statement, Tensor
from roofdsl.ir.size import ONE, Size, Symbol, add, const, divide, product, subtract, symbols_of
from roofdsl.measures.traffic import kernel_traffic
from roofdsl.measures.work import statement_work
from roofdsl.passes.normalise import normalise_all
from roofdsl.passes.place import place
from tests import statements as make
from tests.oracle import evaluate, made_up, number, observe

CAUSAL = (Guard("s", "t", None, const(0)),)
WINDOW = (Guard("s", "t", Symbol("w"), const(0)),)


@dataclass(frozen=True)
class Case:
    """Statements as one kernel. `least` are the smallest values the dims take where one would be out of domain."""

    tensors: tuple[Tensor, ...]
    statements: tuple[Statement, ...]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    least: dict[str, int] = field(default_factory=dict)
    derived: dict[str, str] = field(default_factory=dict)


def _matmul() -> Case:
    body = make.apply("mul", make.read("x", "s", "h"), make.read("w", "h", "f"))
    value = make.apply("add", make.total(body, "h"), make.read("b", "f"))
    return Case(
        (
            make.tensor("x", "s", "h", role="input"),
            make.tensor("w", "h", "f", role="param"),
            make.tensor("b", "f", role="param"),
            make.tensor("y", "s", "f"),
        ),
        (make.statement(make.at("y", "s", "f"), value, {"s": "s", "f": "f", "h": "h"}),),
        ("x", "w", "b"),
        ("y",),
    )


def _scores(guards: tuple[Guard, ...], axis_guards: tuple[AxisGuard, ...]) -> Case:
    body = make.apply("mul", make.read("q", "s", "d"), make.read("k", "t", "d"))
    value = make.apply("div", make.total(body, "d"), make.apply("sqrt", "d"))
    return Case(
        (
            make.tensor("q", "s", "d", role="input"),
            make.tensor("k", "t", "d", role="input"),
            make.tensor("S", "s", "t", guards=axis_guards),
        ),
        (make.statement(make.at("S", "s", "t"), value, {"s": "s", "t": "t", "d": "d"}, guards=guards),),
        ("q", "k"),
        ("S",),
    )


def _softmax(guards: tuple[Guard, ...], axis_guards: tuple[AxisGuard, ...]) -> Case:
    st_axes = {"s": "s", "t": "t"}
    largest = make.read("m", "s")
    return Case(
        (
            make.tensor("x", "s", "t", role="input", guards=axis_guards),
            make.tensor("m", "s"),
            make.tensor("e", "s", "t", guards=axis_guards),
            make.tensor("z", "s"),
            make.tensor("y", "s", "t", guards=axis_guards),
        ),
        (
            make.statement(
                make.at("m", "s"),
                make.Reduce("amax", ("t",), make.read("x", "s", "t")),
                st_axes,
                guards=guards,
            ),
            make.statement(
                make.at("e", "s", "t"),
                make.apply("exp", make.apply("sub", make.read("x", "s", "t"), largest)),
                st_axes,
                guards=guards,
            ),
            make.statement(make.at("z", "s"), make.total(make.read("e", "s", "t"), "t"), st_axes, guards=guards),
            make.statement(
                make.at("y", "s", "t"),
                make.apply("div", make.read("e", "s", "t"), make.read("z", "s")),
                st_axes,
                guards=guards,
            ),
        ),
        ("x",),
        ("y",),
    )


def _convolution(*, padded: bool) -> Case:
    """y[o, i] = Σ x[c, i + k − p]·w[o, c, k]: without padding n = j − K + 1."""
    position = make.affine((1, "i"), (1, "k"), offset=-1 if padded else 0)
    body = make.apply("mul", make.read("x", "c", position), make.read("w", "o", "c", "k"))
    out = Symbol("j") if padded else add(subtract(Symbol("j"), Symbol("K")), ONE)
    return Case(
        (
            make.tensor("x", "c", "j", role="input"),
            make.tensor("w", "o", "c", "K", role="param"),
            make.tensor("y", "o", out),
        ),
        (make.statement(make.at("y", "o", "i"), make.total(body, "c", "k"), {"o": "o", "i": out, "c": "c", "k": "K"}),),
        ("x", "w"),
        ("y",),
        least={"j": 4},
    )


def _strided() -> Case:
    """y[i] = Σ_k x[2i + k]: with one tap every second element, with more all but the rest."""
    body = make.read("x", make.affine((2, "i"), (1, "k")))
    long = add(product(const(2), Symbol("i")), Symbol("K"))
    return Case(
        (make.tensor("x", long, role="input"), make.tensor("y", "i")),
        (make.statement(make.at("y", "i"), make.total(body, "k"), {"i": "i", "k": "K"}),),
        ("x",),
        ("y",),
    )


def _patches() -> Case:
    """y[g, o] = Σ_i x[p·g + i]·w[i, o]: each element once."""
    body = make.apply("mul", make.read("x", make.affine(("p", "g"), (1, "i"))), make.read("w", "i", "o"))
    return Case(
        (
            make.tensor("x", product(Symbol("p"), Symbol("g")), role="input"),
            make.tensor("w", "p", "o", role="param"),
            make.tensor("y", "g", "o"),
        ),
        (make.statement(make.at("y", "g", "o"), make.total(body, "i"), {"g": "g", "o": "o", "i": "p"}),),
        ("x", "w"),
        ("y",),
    )


def _embedding() -> Case:
    return Case(
        (
            make.tensor("E", "V", "h", role="param"),
            make.tensor("ids", "s", "b", dtype="int32", role="input"),
            make.tensor("y", "s", "b", "h"),
        ),
        (
            make.statement(
                make.at("y", "s", "b", "h"),
                make.read("E", make.at("ids", "s", "b"), "h"),
                {"s": "s", "b": "b", "h": "h"},
            ),
        ),
        ("E", "ids"),
        ("y",),
    )


def _picked() -> Case:
    """loss[s] = −x[s, target[s]]: one element per row, whatever the width."""
    return Case(
        (
            make.tensor("x", "s", "V", role="input"),
            make.tensor("target", "s", dtype="int32", role="input"),
            make.tensor("y", "s"),
        ),
        (
            make.statement(
                make.at("y", "s"), make.apply("neg", make.read("x", "s", make.at("target", "s"))), {"s": "s"}
            ),
        ),
        ("x", "target"),
        ("y",),
    )


def _experts() -> Case:
    """y[s, k, f] = Σ_h x[s, h]·W[e[s, k], h, f]: at most s·k experts are touched."""
    body = make.apply("mul", make.read("x", "s", "h"), make.read("W", make.at("e", "s", "k"), "h", "f"))
    return Case(
        (
            make.tensor("x", "s", "h", role="input"),
            make.tensor("W", "X", "h", "f", role="param"),
            make.tensor("e", "s", "k", dtype="int32", role="input"),
            make.tensor("y", "s", "k", "f"),
        ),
        (make.statement(make.at("y", "s", "k", "f"), make.total(body, "h"), {"s": "s", "k": "k", "f": "f", "h": "h"}),),
        ("x", "W", "e"),
        ("y",),
    )


def _scatter() -> Case:
    """y[src[n], h] += g[n]·z[n, h]: a product and an addition per point, all of it vector work (R2)."""
    value = make.apply("mul", make.read("g", "n"), make.read("z", "n", "h"))
    return Case(
        (
            make.tensor("g", "n", role="input"),
            make.tensor("z", "n", "h", role="input"),
            make.tensor("src", "n", dtype="int32", role="input"),
            make.tensor("y", "s", "h"),
        ),
        (make.statement(make.at("y", make.at("src", "n"), "h"), value, {"n": "n", "h": "h"}, accumulate=True),),
        ("g", "z", "src"),
        ("y",),
    )


def _outer() -> Case:
    return Case(
        (make.tensor("u", "s", role="input"), make.tensor("v", "t", role="input"), make.tensor("y", "s", "t")),
        (
            make.statement(
                make.at("y", "s", "t"),
                make.apply("mul", make.read("u", "s"), make.read("v", "t")),
                {"s": "s", "t": "t"},
            ),
        ),
        ("u", "v"),
        ("y",),
    )


def _norm() -> Case:
    """Two statements with reductions inside, a square that is no contraction, an integer power."""
    x = make.read("x", "s", "h")
    mean = make.apply("div", make.total(x, "h"), "h")
    c = make.read("c", "s", "h")
    square = make.apply("div", make.total(make.apply("pow", c, 2), "h"), "h")
    scaled = make.apply(
        "mul", make.apply("mul", c, make.apply("rsqrt", make.apply("add", square, 1))), make.read("g", "h")
    )
    return Case(
        (
            make.tensor("x", "s", "h", role="input"),
            make.tensor("g", "h", role="param"),
            make.tensor("c", "s", "h"),
            make.tensor("y", "s", "h"),
        ),
        (
            make.statement(make.at("c", "s", "h"), make.apply("sub", x, mean), {"s": "s", "h": "h"}),
            make.statement(make.at("y", "s", "h"), scaled, {"s": "s", "h": "h"}),
        ),
        ("x", "g"),
        ("y",),
    )


def _halves() -> Case:
    """Two reads of halves that do not meet, two writes that do not meet (rotary embedding)."""
    half = divide(Symbol("d"), const(2))
    upper = make.affine((1, "i"), offset=half)
    extents: dict[str, str | int | Size] = {"s": "s", "i": half}
    return Case(
        (make.tensor("x", "s", "d", role="input"), make.tensor("y", "s", "d")),
        (
            make.statement(
                make.at("y", "s", "i"), make.apply("sub", make.read("x", "s", "i"), make.read("x", "s", upper)), extents
            ),
            make.statement(
                make.at("y", "s", upper),
                make.apply("add", make.read("x", "s", "i"), make.read("x", "s", upper)),
                extents,
            ),
        ),
        ("x",),
        ("y",),
        derived={"d": "even"},
    )


def _pairs() -> Case:
    """x[2i] and x[2i + 1] do not meet."""
    half = divide(Symbol("d"), const(2))
    even, odd = make.affine((2, "i")), make.affine((2, "i"), offset=1)
    return Case(
        (make.tensor("x", "d", role="input"), make.tensor("y", half)),
        (make.statement(make.at("y", "i"), make.apply("mul", make.read("x", even), make.read("x", odd)), {"i": half}),),
        ("x",),
        ("y",),
        derived={"d": "even"},
    )


def _recurrence() -> Case:
    """H[t] = A[t]·H[t−1] + u[t]: a statement like any other; what it reads of itself moves nothing."""
    before = make.read("H", make.affine((1, "t"), offset=-1))
    value = make.apply("add", make.apply("mul", make.read("A", "t"), before), make.read("u", "t"))
    return Case(
        (make.tensor("A", "t", role="input"), make.tensor("u", "t", role="input"), make.tensor("H", "t")),
        (make.statement(make.at("H", "t"), value, {"t": "t"}),),
        ("A", "u"),
        ("H",),
    )


def _shifted() -> Case:
    """y[t] = x[t] − x[t−1], with x[−1] padding; another tensor is read only shifted."""
    shift = make.affine((1, "t"), offset=-1)
    value = make.apply("sub", make.apply("sub", make.read("x", "t"), make.read("x", shift)), make.read("z", shift))
    return Case(
        (make.tensor("x", "t", role="input"), make.tensor("z", "t", role="input"), make.tensor("y", "t")),
        (make.statement(make.at("y", "t"), value, {"t": "t"}),),
        ("x", "z"),
        ("y",),
    )


CAUSAL_AXES = (AxisGuard(0, 1, None, const(0)),)
WINDOW_AXES = (AxisGuard(0, 1, Symbol("w"), const(0)),)
CASES = {
    "matmul with bias": _matmul(),
    "scores": _scores((), ()),
    "causal scores": _scores(CAUSAL, CAUSAL_AXES),
    "window scores": _scores(WINDOW, WINDOW_AXES),
    "softmax": _softmax((), ()),
    "causal softmax": _softmax(CAUSAL, CAUSAL_AXES),
    "window softmax": _softmax(WINDOW, WINDOW_AXES),
    "convolution": _convolution(padded=False),
    "padded convolution": _convolution(padded=True),
    "strided": _strided(),
    "patches": _patches(),
    "embedding": _embedding(),
    "picked": _picked(),
    "experts": _experts(),
    "scatter": _scatter(),
    "outer product": _outer(),
    "norm": _norm(),
    "halves": _halves(),
    "pairs": _pairs(),
    "recurrence": _recurrence(),
    "shifted": _shifted(),
}


@st.composite
def _environment(draw: st.DrawFn, case: Case) -> dict[str, int]:
    names = sorted({symbol for tensor in case.tensors for axis in tensor.axes for symbol in symbols_of(axis.extent)})
    env = {name: draw(st.integers(case.least.get(name, 1), case.least.get(name, 1) + 3)) for name in (*names, "w")}
    for name in case.derived:
        env[name] *= 2
    if "t" in env and "s" in env:
        env["t"] += env["s"]  # cached positions before the new ones
    return env


def _graph(case: Case):
    call = make.call("kernel", case.statements, case.operands, case.results)
    return place(make.graph(case.tensors, (call,), case.results))


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_derived_work_is_what_the_oracle_counts(name: str, data: st.DataObject) -> None:
    case = CASES[name]
    env = data.draw(_environment(case))
    tensors = {tensor.id: tensor for tensor in case.tensors}
    simple = normalise_all(case.statements, tensors)
    known = {**tensors, **{tensor.id: tensor for tensor in simple.temporaries}}
    derived: Counter[str] = Counter()
    for statement in simple.statements:
        for kind, amount in statement_work(statement, known, make.SCALARS):
            derived[kind] += int(number(amount, env))
    assert +derived == +observe(case.statements, tensors, make.SCALARS, env).work


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_derived_traffic_is_what_the_oracle_touches(name: str, data: st.DataObject) -> None:
    case = CASES[name]
    env = data.draw(_environment(case))
    tensors = {tensor.id: tensor for tensor in case.tensors}
    seen = observe(case.statements, tensors, make.SCALARS, env)
    graph = _graph(case)
    (kernel,) = graph.kernels
    for entry in kernel_traffic(kernel, graph, make.LIBRARY):
        touched = (seen.read if entry.access == "read" else seen.written).get(entry.what, set())
        bits = make.DTYPES[tensors[entry.what].dtype].bits
        assert number(entry.amount, env) == len(touched) * bits / 8, (entry.what, entry.because)


@pytest.mark.parametrize("name", CASES)
def test_normalised_statements_give_the_same_values(name: str) -> None:
    case = CASES[name]
    env = dict.fromkeys("abcdefghijklmnopqrstuvwxyzVXK", 4)
    tensors = {tensor.id: tensor for tensor in case.tensors}
    given_values = {t.id: made_up(t, env) for t in case.tensors if t.id in case.operands and not t.integer}
    simple = normalise_all(case.statements, tensors)
    known = {**tensors, **{tensor.id: tensor for tensor in simple.temporaries}}
    whole = evaluate(case.statements, tensors, given_values, env=env)
    parts = evaluate(simple.statements, known, given_values, env=env)
    for result in case.results:
        assert parts[result] == pytest.approx(whole[result])
        assert whole[result]
