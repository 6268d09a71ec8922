"""Declarations to pieces of text."""

from __future__ import annotations

from typing import assert_never

from roofdsl.syntax import ast
from roofdsl.syntax.document import Group, Line, Piece
from roofdsl.syntax.print_claims import print_claim
from roofdsl.syntax.print_expressions import print_binding, print_braces, print_expr
from roofdsl.syntax.print_machines import print_machine_item
from roofdsl.syntax.print_statements import print_body, print_dim, print_doc, print_let, print_tensor


def print_declaration(declaration: ast.Declaration) -> Piece:
    """A declaration as a line or a group."""
    span = declaration.span
    match declaration:
        case ast.Definition():
            return Group(_header(declaration), print_body(declaration.body), span)
        case ast.Machine(name, title, items):
            lines = tuple(Line(print_machine_item(item), item.span) for item in items)
            return Group(f"machine {name}{print_doc(title)}", lines, span)
        case ast.Reference(name, text, fields):
            lines = tuple(Line(print_machine_item(item), item.span) for item in fields)
            return Group(f'source {name} "{text}"', lines, span)
        case ast.Config(name, bindings):
            return Group(f"config {name}", tuple(Line(print_binding(b), b.span) for b in bindings), span, listed=True)
        case ast.Convention(name, settings):
            lines = tuple(Line(_setting(setting), setting.span) for setting in settings)
            return Group(f"convention {name}", lines, span, listed=True)
        case ast.Optimizer(name, slots):
            lines = tuple(Line(f"{slot}: {dtype}", span) for slot, dtype in slots)
            return Group(f"optimizer {name}", lines, span, listed=True)
        case ast.Scalar(derivatives=derivatives) if derivatives:
            lines = tuple(Line(f"{d.name}: {print_expr(d.value, 'body')}", d.span) for d in derivatives)
            return Group(_scalar(declaration), lines, span, listed=True)
        case _:
            return Line(_line(declaration), span)


def _line(
    declaration: ast.Use
    | ast.Dim
    | ast.Let
    | ast.Dtype
    | ast.Default
    | ast.Scalar
    | ast.Alias
    | ast.Claim
    | ast.MeasuredFact
    | ast.QuantityDef,
) -> str:
    match declaration:
        case ast.Use(path):
            return f'use "{path}"'
        case ast.Dim():
            return print_dim(declaration)
        case ast.Let():
            return print_let(declaration)
        case ast.Dtype(name, bits, groups, words, per_tensor):
            shared = "".join(f" + {extra} bit per {size}" for extra, size in groups)
            shared += f" + {per_tensor} bit per tensor" if per_tensor else ""
            return " ".join((f"dtype {name} = {bits} bit{shared}", *words))
        case ast.Default(role, dtype):
            return f"default {role} {dtype}"
        case ast.Scalar():
            return _scalar(declaration)
        case ast.Alias(kind, name, target, braces):
            return f"{kind} {name} = {target}{print_braces(braces) if braces is not None else ''}"
        case ast.Claim():
            return print_claim(declaration)
        case ast.MeasuredFact(name, value, source):
            return f"measured {name} = {print_expr(value)}{f' from{print_doc(source)}' if source is not None else ''}"
        case ast.QuantityDef(name, arguments, value):
            return f"quantity {name}({', '.join(arguments)}) = {print_expr(value)}"
        case _:
            assert_never(declaration)


def _header(definition: ast.Definition) -> str:
    operands = ", ".join(print_tensor(operand) for operand in definition.operands)
    results = ", ".join(print_tensor(result) for result in definition.results)
    if len(definition.results) > 1:
        results = f"({results})"
    training = "training " if definition.training else ""
    return f"{training}{definition.kind} {definition.name}({operands}) -> {results}{print_doc(definition.doc)}"


def _scalar(scalar: ast.Scalar) -> str:
    cost = f" cost {scalar.weight}" if scalar.weight != 1 else ""
    return f"scalar {scalar.name}({', '.join(scalar.arguments)}): {scalar.kind}{cost}"


def _setting(setting: ast.Setting) -> str:
    return f"{setting.name} = {print_expr(setting.value)}{f' per {setting.per}' if setting.per else ''}"
