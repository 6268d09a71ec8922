"""What a call names: definitions through aliases and callees bound in braces, and what its braces say."""

from __future__ import annotations

from dataclasses import dataclass

from roofdsl.diagnostics import Label
from roofdsl.errors import shapes
from roofdsl.passes.elaborate.build import Body, Target
from roofdsl.passes.elaborate.unknown import report_unknown
from roofdsl.passes.names import did_you_mean
from roofdsl.syntax import ast

_ALIASES = 32


def find_target(body: Body, name: str, braces: ast.Braces | None) -> Target | None:
    """The definition called `name` means here, or None if it names none."""
    library = body.builder.library
    name = body.env.callees.get(name, name)
    found = () if braces is None else (braces,)
    for _ in range(_ALIASES):
        alias = library.aliases.get(name)
        if alias is None:
            break
        found = found if alias.braces is None else (alias.braces, *found)
        name = alias.target
    definition = library.definitions.get(name)
    return None if definition is None else Target(definition, found)


def is_call(body: Body, node: ast.Expr) -> bool:
    """Whether an expression is a call of an op, block or model."""
    return isinstance(node, ast.Call) and find_target(body, node.function, node.braces) is not None


@dataclass(frozen=True, slots=True)
class Braced:
    """The braces of a call, sorted: sizes, callees and index choices by name, and placements."""

    bindings: tuple[ast.Binding, ...]
    callees: tuple[tuple[str, str], ...]
    placements: tuple[ast.Placement, ...]


def sort_braces(body: Body, target: Target) -> Braced:
    """Later braces (the caller's) come last, so that they win. A callee bound in them is the caller's of that name:
    `llama{qkv_rope = qkv_bias_rope}` reaches a call written `gqa{qkv = qkv_rope}`.
    """
    bindings: list[ast.Binding] = []
    callees: list[tuple[str, str]] = []
    placements: list[ast.Placement] = []
    for braces in target.braces:
        for item in braces.items:
            match item:
                case ast.Placement():
                    placements.append(item)
                case ast.Binding(name, ast.Name(value)) if _is_definition(body, name):
                    bound = body.env.callees.get(value, value)
                    callees += [(name, bound)] if _check_header(body, item, name, bound) else []
                case ast.Binding():
                    bindings.append(item)
    return Braced(tuple(bindings), tuple(callees), tuple(placements))


def _is_definition(body: Body, name: str) -> bool:
    library = body.builder.library
    return name in library.definitions or name in library.aliases


def _check_header(body: Body, item: ast.Binding, name: str, value: str) -> bool:
    """A callee may be bound to another one of the same header."""
    old, new = find_target(body, name, None), find_target(body, value, None)
    if new is None:
        library = body.builder.library
        report_unknown(body, value, item.value.span, (*library.definitions, *library.aliases), "op or block")
        return False
    if old is None or _header(old.definition) == _header(new.definition):
        return True
    body.report(
        shapes.HEADER_MISMATCH,
        item.span,
        f"`{value}` has another header than `{name}`",
        secondary=(
            Label(old.definition.name_span, f"`{name}` declared here"),
            Label(new.definition.name_span, f"`{value}` declared here"),
        ),
        expected=_show_header(old.definition),
        found=_show_header(new.definition),
    )
    return False


def _header(definition: ast.Definition) -> tuple[int, int]:
    return len([o for o in definition.operands if not o.param]), len(definition.results)


def _show_header(definition: ast.Definition) -> str:
    operands = ", ".join(o.name for o in definition.operands)
    return f"({operands}) -> {', '.join(r.name for r in definition.results)}"


def report_unused(body: Body, binding: ast.Binding, candidates: tuple[str, ...]) -> None:
    """A name in braces that binds nothing."""
    body.report(
        shapes.UNUSED_BRACES,
        binding.span,
        f"`{binding.name}` is no dim, let or callee here",
        helps=did_you_mean(binding.name, candidates),
    )
