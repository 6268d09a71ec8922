"""Builder functions of machines and number formats."""

from __future__ import annotations

from typing import Any

from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.build_expressions import first
from roofdsl.syntax.build_numbers import whole
from roofdsl.syntax.build_statements import sound, texts, unquoted
from roofdsl.syntax.driver import Build, Builders


def dtype(build: Build, kids: list[Any], span: Span) -> ast.Dtype:
    name, bits, *shared, words = kids
    groups = tuple(part for part in shared if isinstance(part, tuple))
    once = sum(part for part in shared if isinstance(part, int))
    return ast.Dtype(name.text, whole(build, bits, "the width of a dtype"), groups, words or (), once, span)


def dtype_group(build: Build, kids: list[Any], _: Span) -> tuple[int, int]:
    bits, group = kids
    size = whole(build, group, "the size of a group")
    if size < 1:
        build.sink.add(
            errors.BAD_NUMERAL, Span(build.source, group.start, group.end), "a group has at least one element"
        )
    return whole(build, bits, "the width of a group's own value"), size


def dtype_tensor(build: Build, kids: list[Any], _: Span) -> int:
    return whole(build, kids[0], "the width of a tensor's own value")


def machine(_: Build, kids: list[Any], span: Span) -> ast.Machine:
    name, title, *items = kids
    return ast.Machine(name.text, unquoted(title), sound(items), span)


def peak(_: Build, kids: list[Any], span: Span) -> ast.Peak:
    sparse, kind, precision, accumulator, value, clock = kids
    return ast.Peak(
        kind.text,
        precision.text if precision else None,
        value,
        clock,
        accumulator.text if accumulator else None,
        sparse is not None,
        span,
    )


def memory(_: Build, kids: list[Any], span: Span) -> ast.MemoryLevel:
    role, name, size, bandwidth, usable = kids
    return ast.MemoryLevel(role.text, name.text, size, bandwidth, usable, span)


def bus(_: Build, kids: list[Any], span: Span) -> ast.Bus:
    return ast.Bus(kids[0], kids[1], span)


def link(_: Build, kids: list[Any], span: Span) -> ast.Link:
    return ast.Link(kids[0].text, kids[1], kids[2], span)


def figure(_: Build, kids: list[Any], span: Span) -> ast.Figure:
    return ast.Figure(kids[0].text, kids[1], span)


def note(_: Build, kids: list[Any], span: Span) -> ast.Note:
    return ast.Note(kids[0].text, unquoted(kids[1]) or "", span)


MACHINES: Builders = {
    "dtype": dtype,
    "dtype_group": dtype_group,
    "dtype_tensor": dtype_tensor,
    "dtype_words": lambda _, kids, __: texts(kids),
    "machine": machine,
    "peak": peak,
    "accumulator": first,
    "memory": memory,
    "bus": bus,
    "link": link,
    "one_way": lambda _, __, ___: "one",
    "both_ways": lambda _, __, ___: "both",
    "figure": figure,
    "note": note,
}
