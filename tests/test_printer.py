"""Printing and parsing are inverse: for trees of every node kind, and for every shipped file."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.diagnostics import Sink
from roofdsl.paths import specs_folder
from roofdsl.source import Source
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_braces, parse_file, parse_formula, parse_statement
from roofdsl.syntax.printer import print_braces, print_expr, print_file, print_node

SHIPPED = sorted(specs_folder().rglob("*.roof"))

words = st.sampled_from(
    [
        "s",
        "b",
        "h",
        "a",
        "L",
        "E",
        "I",
        "S",
        "N",
        "O",
        "Q",
        "beta",
        "λ",
        "σ2",
        "d_model",
        "at",
        "on",
        "view",
        "cost",
        "e2",
    ]
)
# Clause words are names only where no blank stands on both sides of them.
names = words.filter(lambda word: word not in {"at", "on"})
tensors = names
texts = st.sampled_from(["", "sequence length", "Korthikanti et al. 2022, eq. 1", "a # b", "√π, λ"])
optional_texts = st.none() | texts
numerals = st.sampled_from(["0", "1", "2", "34", "3.35", "1e9", "2.5e-3", "1000"])
numbers = st.builds(lambda text: ast.Number(Fraction(text), text), numerals)
name_nodes = st.builds(ast.Name, names)
exponents = st.sampled_from([ast.Number(Fraction(2), "2"), ast.Negate(ast.Number(Fraction(1), "1")), ast.Name("n")])
units = st.lists(
    st.builds(ast.UnitFactor, st.sampled_from(["GB", "s", "TFLOP", "$", "µs"]), st.integers(-9, 9)),
    min_size=1,
    max_size=3,
).map(tuple)
paths = st.lists(names, min_size=2, max_size=3).map(tuple)


def binary(operands):
    return st.builds(ast.Binary, st.sampled_from(["+", "-", "*", "/"]), operands, operands)


def some(strategy, most=3, least=1):
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


# --------------------------------------------------------------------------- the three expression languages

indices = st.recursive(
    name_nodes | numbers | st.builds(lambda n, x: ast.Juxtaposed((n, x)), numbers, name_nodes),
    lambda inner: (
        binary(inner)
        | st.builds(ast.Negate, inner)
        | st.builds(ast.Access, tensors, some(inner | st.just(ast.Dots())))
        | st.builds(ast.Call, st.sampled_from(["size", "pos"]), some(inner, 1))
    ),
    max_leaves=5,
)
accesses = st.builds(ast.Access, tensors, some(indices | st.just(ast.Dots()), 3, 0))


def fused(inner):
    placements = st.builds(
        ast.Placement,
        st.sampled_from(["fused", "checkpoint"]),
        some(names, 3),
        some(st.builds(ast.Tile, names, indices, st.none() | names), 2, 0),
    )
    bindings = st.builds(ast.Binding, names, inner)
    return st.lists(bindings | placements, max_size=3, unique_by=lambda item: getattr(item, "name", id(item))).map(
        lambda items: ast.Braces(tuple(items))
    )


def parenthesised(base):
    """A bracketed name under a power is the whole name, a bare one only its last symbol."""
    return ast.Juxtaposed((base,)) if isinstance(base, ast.Name) else base


def formula_step(inner):
    heads = numbers | st.builds(ast.Measured, numbers, units)
    bases = inner | name_nodes.map(parenthesised)
    powers = st.builds(ast.Binary, st.just("^"), bases, exponents)
    factors = inner | powers
    products = st.builds(lambda head, rest: ast.Juxtaposed((head, *rest)), heads | factors, some(factors, 3))
    return (
        binary(inner)
        | st.builds(ast.Negate, inner)
        | powers
        | products
        | st.builds(ast.Call, names, some(inner | st.builds(ast.Per, inner, st.just("token")), 2, 0))
        | st.builds(ast.Path, some(names, 2), fused(inner))
        | st.builds(ast.Measured, inner, units)
    )


quoted = st.sampled_from([r"\frac{s}{6h}", r"34 s b h + 5 a s^2 b", r"d_{model} \cdot \lambda"]).map(
    lambda text: ast.Quoted(text, ast.Number(Fraction(1), "1"))
)
formulas = st.recursive(name_nodes | numbers | st.builds(ast.Path, paths) | quoted, formula_step, max_leaves=6)
bodies = st.recursive(
    name_nodes | numbers | accesses,
    lambda inner: (
        binary(inner)
        | st.builds(ast.Negate, inner)
        | st.builds(ast.Binary, st.just("^"), inner, exponents | accesses)
        | st.builds(lambda a, b, c: ast.Binary("^", a, ast.Binary("^", b, c)), inner, name_nodes, exponents)
        | st.builds(ast.Call, names, some(inner, 3, 0), st.none() | fused(name_nodes))
    ),
    max_leaves=6,
)

# --------------------------------------------------------------------------- statements

axes = some(name_nodes | st.just(ast.Dots()), 3, 0)
dtypes = st.none() | st.sampled_from(["bf16", "fp8_e4m3"])
declared = st.builds(ast.Tensor, tensors, st.none() | axes, dtypes, st.booleans())
guards = st.lists(
    st.builds(ast.Comparison, indices, st.sampled_from(["<", "<=", "=", ">=", ">"]), indices), max_size=3
).map(tuple)


def one_target(name, written, dtype, value, accumulate, guarded):
    plain = written is not None and all(isinstance(index, ast.Name | ast.Dots) for index in written)
    tensor = ast.Tensor(name, written if plain else None, dtype)
    return ast.Assign((tensor,), written, value, accumulate, guarded)


assigns = st.builds(
    one_target, tensors, st.none() | some(indices | st.just(ast.Dots()), 3, 0), dtypes, bodies, st.booleans(), guards
) | st.builds(
    lambda targets, value, guarded: ast.Assign(targets, None, value, guards=guarded),
    some(st.builds(ast.Tensor, tensors, st.none() | axes, dtypes), 3, 2),
    bodies,
    guards,
)
dims = st.builds(ast.Dim, names, optional_texts, st.integers(0, 4), st.none() | names)
lets = st.builds(ast.Let, names, formulas, optional_texts)
tiles = some(st.builds(ast.Tile, names, indices, st.none() | names), 2, 0)
plain_statements = (
    assigns
    | dims
    | lets
    | st.builds(ast.Params, st.sampled_from(["param", "buffer"]), some(declared))
    | st.builds(ast.View, declared, some(name_nodes | accesses))
    | st.builds(ast.Cache, declared, name_nodes | accesses, st.none() | indices)
    | st.builds(ast.Cache, declared, st.none(), st.none(), st.just(value=True))
    | st.builds(ast.Keeps, some(names))
    | st.builds(ast.Adjoint, some(assigns, 2, 0))
    | st.builds(ast.Cost, some(st.builds(ast.CostItem, some(names), formulas), 3, 0))
)
statements = st.recursive(
    plain_statements,
    lambda inner: (
        st.builds(ast.Region, st.sampled_from(["region", "fused", "checkpoint"]), names, some(inner, 3, 0), tiles)
        | st.builds(ast.Repeat, indices, some(inner, 2, 0), st.booleans())
    ),
    max_leaves=4,
)

# --------------------------------------------------------------------------- declarations

rates = st.builds(ast.Measured, numbers, units)
machine_items = (
    st.builds(ast.Peak, names, dtypes, rates, st.none() | rates, dtypes, st.booleans())
    | st.builds(
        ast.MemoryLevel,
        st.sampled_from(["memory", "cache"]),
        names,
        st.none() | rates,
        st.none() | rates | st.builds(ast.Bus, rates, rates),
        st.none() | rates,
    )
    | st.builds(ast.Link, names, rates, st.sampled_from(["one", "both", None]))
    | st.builds(ast.Figure, names, rates | numbers | name_nodes)
    | st.builds(ast.Note, names, texts)
)
clauses = (
    st.builds(
        lambda comparisons: ast.Clause("when", comparisons=comparisons),
        some(st.builds(ast.Comparison, formulas, st.sampled_from(["<", "<=", "=", ">=", ">"]), formulas), 2),
    )
    | st.builds(lambda n: ast.Clause("at", n), some(names))
    | st.builds(lambda n, f: ast.Clause("at", n, bindings=(ast.Binding("s", f),)), some(names), formulas)
    | st.builds(lambda kind, n: ast.Clause(kind, (n,)), st.sampled_from(["on", "under"]), names)
    | st.builds(lambda n: ast.Clause("free", n), some(names))
    | st.builds(lambda n: ast.Clause("reading", n), some(names, 2, 2))
    | st.builds(lambda n: ast.Clause("regime", n), some(names, 2, 2))
    | st.builds(lambda t: ast.Clause("from", text=t), texts)
    | st.just(ast.Clause("within", exprs=(ast.Number(Fraction(1, 100), "1%"),)))
    | st.builds(lambda f: ast.Clause("off", exprs=(f,)), formulas)
    | st.builds(lambda n, f: ast.Clause("limit", bindings=(ast.Binding(n, f),)), names, formulas)
)
sides = formulas | st.builds(ast.Per, formulas, st.sampled_from(["token", "layer", "step"]))
claims = st.builds(
    ast.Claim,
    sides,
    st.sampled_from(["=", "~", "<=", ">=", "<", ">", "->"]),
    sides,
    some(clauses, 3, 0),
    st.booleans(),
    st.none() | names,
)
operands = st.builds(lambda tensor, param: dataclasses.replace(tensor, param=param), declared, st.booleans())
declarations = (
    st.builds(ast.Use, texts)
    | dims
    | lets
    | claims
    | st.builds(
        ast.Dtype,
        names,
        st.integers(1, 64),
        some(st.tuples(st.integers(1, 16), st.integers(1, 64)), 2, 0),
        some(names, 2, 0),
        st.just(0) | st.integers(1, 64),
    )
    | st.builds(ast.Default, names, names)
    | st.builds(
        ast.Scalar,
        names,
        some(names),
        st.sampled_from(["vector", "special"]),
        some(st.builds(ast.Binding, names, bodies), 2, 0),
        st.integers(0, 3),
    )
    | st.builds(
        lambda kind, name, ins, outs, body, training, doc: ast.Definition(
            kind, name, ins, outs, body, training and kind == "op", doc
        ),
        st.sampled_from(["op", "block", "model"]),
        names,
        some(operands, 3, 0),
        some(declared, 2),
        some(statements, 3, 0),
        st.booleans(),
        optional_texts,
    )
    | st.builds(ast.Alias, st.sampled_from(["block", "model"]), names, names, st.none() | fused(formulas))
    | st.builds(ast.Optimizer, names, some(st.tuples(names, names), 2, 0))
    | st.builds(
        lambda name, bindings: ast.Config(name, tuple(bindings)),
        names,
        st.lists(st.builds(ast.Binding, names, formulas), max_size=3, unique_by=lambda binding: binding.name),
    )
    | st.builds(ast.Machine, names, optional_texts, some(machine_items, 3, 0))
    | st.builds(
        ast.Convention, names, some(st.builds(ast.Setting, names, formulas, st.none() | st.just("element")), 2, 0)
    )
    | st.builds(ast.MeasuredFact, names, formulas, optional_texts)
    | st.builds(ast.QuantityDef, names, some(names), sides)
    | st.builds(ast.Reference, names, texts, some(st.builds(ast.Note, names, texts), 2, 0))
)


def reread(parse, text):
    sink = Sink()
    made = parse(Source("printed", text), sink)
    assert not sink.found, (text, [(d.kind.title, d.primary.text, d.primary.span.start) for d in sink.found])
    return made


@given(formulas)
@settings(max_examples=300, deadline=None)
def test_formulas(formula: ast.Expr) -> None:
    assert reread(parse_formula, print_expr(formula)) == formula


@given(bodies)
@settings(max_examples=200, deadline=None)
def test_bodies(body: ast.Expr) -> None:
    assert reread(parse_statement, f"y = {print_expr(body, 'body')}").value == body


@given(fused(formulas))
@settings(max_examples=50, deadline=None)
def test_braces(braces: ast.Braces) -> None:
    assert reread(parse_braces, print_braces(braces)) == braces


@given(some(declarations, 3, 0))
@settings(max_examples=300, deadline=None)
def test_files(found: tuple[ast.Declaration, ...]) -> None:
    file = ast.File(found)
    assert reread(parse_file, print_file(file)) == file


@given(statements)
@settings(max_examples=200, deadline=None)
def test_printing_is_stable(statement: ast.Statement) -> None:
    text = print_node(statement)
    wrapped = f"op f(x) -> y {{\n{text}\n}}\n"
    again = reread(parse_file, wrapped).declarations[0].body
    assert again == (statement,)
    assert print_node(again[0]) == text


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files(path: Path) -> None:
    file = reread(parse_file, path.read_text(encoding="utf-8"))
    assert reread(parse_file, print_file(file)) == file


def test_all_kinds_of_nodes_are_generated() -> None:
    kinds = {kind for kind in vars(ast).values() if dataclasses.is_dataclass(kind)}
    drawn: set[type] = set()

    def visit(value: object) -> None:
        if isinstance(value, tuple):
            for item in value:
                visit(item)
        elif dataclasses.is_dataclass(value):
            drawn.add(type(value))
            for field in dataclasses.fields(value):
                visit(getattr(value, field.name))

    @given(some(declarations, 5, 4), some(statements, 4, 3), some(formulas, 2))
    @settings(max_examples=300, deadline=None, database=None, derandomize=True)
    def draw(declared: tuple, stated: tuple, written: tuple) -> None:
        visit((*declared, *stated, *written))

    drawn.add(ast.File)

    draw()
    assert not kinds - drawn
