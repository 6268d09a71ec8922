"""Builder functions of what stands in bodies: tensors, assignments, guards, regions, repeats, costs, braces."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.build_expressions import listed
from roofdsl.syntax.build_numbers import whole
from roofdsl.syntax.driver import BAD, Build, Builders
from roofdsl.syntax.lexer import Token


def sound(kids: list[Any]) -> tuple[Any, ...]:
    """Without the marks of skipped text."""
    return tuple(kid for kid in kids if not (isinstance(kid, Token) and kid.kind == BAD))


def texts(kids: list[Any]) -> tuple[str, ...]:
    """The texts of tokens."""
    return tuple(kid.text for kid in kids)


def unquoted(token: Any) -> str | None:
    """What stands between the quotes of an optional string."""
    return None if token is None else str(token.text[1:-1])


def tensor(_: Build, kids: list[Any], span: Span) -> ast.Tensor:
    name, indices, dtype, frozen = kids
    return ast.Tensor(name.text, indices, dtype.text if dtype else None, frozen is not None, span=span)


def target(_: Build, kids: list[Any], span: Span) -> tuple[ast.Tensor, tuple[Any, ...] | None]:
    """A target and its indices as written; only plain ones are the tensor's own."""
    name, indices, dtype = kids
    plain = indices is not None and all(isinstance(index, ast.Name | ast.Dots) for index in indices)
    made = ast.Tensor(name.text, indices if plain else None, dtype.text if dtype else None, span=span)
    return made, indices


def assign(build: Build, kids: list[Any], span: Span) -> ast.Assign:
    targets, accumulate, value, guards = kids
    indices = targets[0][1] if len(targets) == 1 else None
    tensors = tuple(made for made, _ in targets)
    if len(targets) > 1 and accumulate:
        build.sink.add(errors.BAD_FORM, span, "`+=` has one target", found=f"{len(targets)} targets")
    for made, written in targets if len(targets) > 1 else ():
        if written is not None and made.indices is None:
            build.sink.add(errors.BAD_FORM, made.span, "one of several targets has plain indices only")
    return ast.Assign(tensors, indices, value, accumulate, guards or (), span)


def plain(_: Build, __: list[Any], ___: Span) -> bool:
    return False


def accumulate(_: Build, __: list[Any], ___: Span) -> bool:
    return True


def chain(_: Build, kids: list[Any], __: Span) -> tuple[ast.Comparison, ...]:
    """`a < b <= c` is two comparisons."""
    sides, relations = kids[::2], kids[1::2]
    return tuple(
        ast.Comparison(left, relation, right, left.span.to(right.span))
        for (left, right), relation in zip(pairwise(sides), relations, strict=True)
    )


def where(_: Build, kids: list[Any], __: Span) -> tuple[ast.Comparison, ...]:
    return tuple(comparison for comparisons in kids for comparison in comparisons)


def params(_: Build, kids: list[Any], span: Span) -> ast.Params:
    return ast.Params(kids[0].text, tuple(kids[1:]), span)


def view(_: Build, kids: list[Any], span: Span) -> ast.View:
    return ast.View(kids[0], tuple(kids[1:]), span)


def cache(_: Build, kids: list[Any], span: Span) -> ast.Cache:
    _, made, source, keep = kids
    return ast.Cache(made, source, keep, span=span)


def carry(_: Build, kids: list[Any], span: Span) -> ast.Cache:
    return ast.Cache(kids[0], None, carry=True, span=span)


def region(_: Build, kids: list[Any], span: Span) -> ast.Region:
    kind, name, *rest = kids
    tiles = tuple(kid for kid in rest if isinstance(kid, ast.Tile))
    body = tuple(kid for kid in sound(rest) if not isinstance(kid, ast.Tile))
    return ast.Region(kind.text, name.text, body, tiles, span)


def binding(_: Build, kids: list[Any], span: Span) -> ast.Binding:
    return ast.Binding(kids[0].text, kids[1], span)


def repeat(_: Build, kids: list[Any], span: Span) -> ast.Repeat:
    count, shared, *body = kids
    return ast.Repeat(count, sound(body), shared is not None, span)


def keeps(_: Build, kids: list[Any], span: Span) -> ast.Keeps:
    return ast.Keeps(texts(kids), span)


def adjoint(_: Build, kids: list[Any], span: Span) -> ast.Adjoint:
    return ast.Adjoint(sound(kids), span)


def cost(_: Build, kids: list[Any], span: Span) -> ast.Cost:
    return ast.Cost(kids[0] or (), span)


def cost_item(_: Build, kids: list[Any], span: Span) -> ast.CostItem:
    return ast.CostItem(texts(kids[:-1]), kids[-1], span)


def dim(build: Build, kids: list[Any], span: Span) -> ast.Dim:
    name, minimum, most, doc = kids
    least = 1 if minimum is None else whole(build, minimum, "the least value of a dim")
    return ast.Dim(name.text, unquoted(doc), least, None if most is None else most.text, span)


def let(_: Build, kids: list[Any], span: Span) -> ast.Let:
    name, value, doc = kids
    return ast.Let(name.text, value, unquoted(doc), span)


def braces(build: Build, kids: list[Any], span: Span) -> ast.Braces:
    items = kids[0] or ()
    check_distinct(build, [item for item in items if isinstance(item, ast.Binding)])
    return ast.Braces(items, span)


def tile(_: Build, kids: list[Any], span: Span) -> ast.Tile:
    name, value, level = kids
    return ast.Tile(name.text, value, level.text if level else None, span)


def placement(_: Build, kids: list[Any], span: Span) -> ast.Placement:
    kind, path, *tiles = kids
    return ast.Placement(kind.text, tuple(path.text.split(".")), tuple(tiles), span)


def check_distinct(build: Build, bindings: list[ast.Binding]) -> None:
    """A name may be bound once in a list."""
    seen: dict[str, Span] = {}
    for made in bindings:
        if made.name in seen:
            build.sink.add(errors.REPEATED, made.span, f"`{made.name}` is bound a second time in this list")
        seen[made.name] = made.span


STATEMENTS: Builders = {
    "tensor": tensor,
    "shape": listed,
    "target": target,
    "targets": listed,
    "assign": assign,
    "plain": plain,
    "accumulate": accumulate,
    "chain": chain,
    "fchain": chain,
    "where": where,
    "lt": lambda _, __, ___: "<",
    "le": lambda _, __, ___: "<=",
    "eq": lambda _, __, ___: "=",
    "ge": lambda _, __, ___: ">=",
    "gt": lambda _, __, ___: ">",
    "agrees": lambda _, __, ___: "~",
    "tends": lambda _, __, ___: "->",
    "params": params,
    "view": view,
    "cache": cache,
    "carry": carry,
    "region": region,
    "tile": tile,
    "repeat": repeat,
    "keeps": keeps,
    "adjoint": adjoint,
    "cost": cost,
    "cost_items": listed,
    "cost_item": cost_item,
    "dim": dim,
    "let": let,
    "braces": braces,
    "items": listed,
    "binding": binding,
    "placement": placement,
}
