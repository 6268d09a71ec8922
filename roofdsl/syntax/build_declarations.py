"""Builder functions of what stands at the top of a file: definitions, small declarations, claims."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.build_expressions import first, listed
from roofdsl.syntax.build_machines import MACHINES
from roofdsl.syntax.build_numbers import exact, whole
from roofdsl.syntax.build_statements import check_distinct, sound, texts, unquoted, where
from roofdsl.syntax.claims import Marker
from roofdsl.syntax.driver import Build, Builders


def file(_: Build, kids: list[Any], span: Span) -> ast.File:
    return ast.File(sound(kids), span)


def use(_: Build, kids: list[Any], span: Span) -> ast.Use:
    return ast.Use(unquoted(kids[0]) or "", span)


def default(_: Build, kids: list[Any], span: Span) -> ast.Default:
    return ast.Default(kids[0].text, kids[1].text, span)


def scalar(build: Build, kids: list[Any], span: Span) -> ast.Scalar:
    name, arguments, kind, weight, derivatives = kids
    if kind.text not in ("vector", "special"):
        at = Span(build.source, kind.start, kind.end)
        build.sink.add(
            errors.BAD_FORM, at, "not a kind of scalar work", expected="`vector` or `special`", found=f"`{kind.text}`"
        )
    count = 1 if weight is None else whole(build, weight, "the cost of a scalar function")
    return ast.Scalar(name.text, arguments, kind.text, derivatives or (), count, span)


def named_value(_: Build, kids: list[Any], span: Span) -> ast.Binding:
    return ast.Binding(kids[0].text, kids[1], span)


def optimizer(_: Build, kids: list[Any], span: Span) -> ast.Optimizer:
    return ast.Optimizer(kids[0].text, kids[1] or (), span)


def config(build: Build, kids: list[Any], span: Span) -> ast.Config:
    check_distinct(build, list(kids[1] or ()))
    return ast.Config(kids[0].text, kids[1] or (), span)


def convention(_: Build, kids: list[Any], span: Span) -> ast.Convention:
    return ast.Convention(kids[0].text, kids[1] or (), span)


def setting(_: Build, kids: list[Any], span: Span) -> ast.Setting:
    name, value, word = kids
    return ast.Setting(name.text, value, word.text if word else None, span)


def measured(_: Build, kids: list[Any], span: Span) -> ast.MeasuredFact:
    name, value, source = kids
    return ast.MeasuredFact(name.text, value, unquoted(source), span)


def quantity(_: Build, kids: list[Any], span: Span) -> ast.QuantityDef:
    name, arguments, value = kids
    return ast.QuantityDef(name.text, arguments, value, span)


def reference(_: Build, kids: list[Any], span: Span) -> ast.Reference:
    name, text, fields = kids
    return ast.Reference(name.text, unquoted(text) or "", fields or (), span)


def names(_: Build, kids: list[Any], __: Span) -> tuple[str, ...]:
    return texts(kids)


def definition(build: Build, kids: list[Any], span: Span) -> ast.Definition:
    training, kind, name, operands, results, doc, *body = kids
    at = Span(build.source, name.start, name.end)
    if training is not None and kind.text != "op":
        head = Span(build.source, training.start, kind.end)
        build.sink.add(errors.BAD_FORM, head, "only an op can be for training alone", found=f"`{kind.text}`")
    return ast.Definition(
        kind.text, name.text, operands or (), results, sound(body), training is not None, unquoted(doc), span, at
    )


def operand(_: Build, kids: list[Any], span: Span) -> ast.Tensor:
    param, made = kids
    whole_tensor: ast.Tensor = made
    return replace(whole_tensor, param=True, span=span) if param is not None else whole_tensor


def alias(_: Build, kids: list[Any], span: Span) -> ast.Alias:
    kind, name, target, braces = kids
    return ast.Alias(kind.text, name.text, target.text, braces, span)


# --------------------------------------------------------------------------- claims


def claim(_: Build, kids: list[Any], span: Span) -> ast.Claim:
    negated, label, left, relation, right, *clauses = kids
    name = label.text if label else None
    return ast.Claim(left, relation, right, tuple(clauses), negated is not None, name, span)


def claim_body(build: Build, kids: list[Any], span: Span) -> ast.Claim:
    """A claim as an argument, where the word `claim` may be left out."""
    return claim(build, kids, span)


def marker(_: Build, kids: list[Any], span: Span) -> Marker:
    negated, left, relation, equation, *clauses = kids
    label = equation.text.partition("{")[2].rstrip("}") if equation else None
    return Marker(left, relation, label, tuple(clauses), negated is not None, span)


def everywhere(_: Build, kids: list[Any], span: Span) -> Marker:
    return Marker(None, clauses=tuple(kids), span=span)


def when(build: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("when", comparisons=where(build, kids, span), span=span)


def at(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    """Configs by name and bindings; each kind keeps its order, bindings win over configs."""
    configs = tuple(kid.text for kid in kids if isinstance(kid, ast.Name))
    return ast.Clause("at", configs, bindings=tuple(kid for kid in kids if isinstance(kid, ast.Binding)), span=span)


def on(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("on", texts(kids), span=span)


def under(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("under", texts(kids), span=span)


def free(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("free", texts(kids), span=span)


def limit(build: Build, kids: list[Any], span: Span) -> ast.Clause:
    """`for s -> oo`; `∞` is the same."""
    name, to = kids
    value = to if not hasattr(to, "kind") else ast.Name("oo", Span(build.source, to.start, to.end))
    return ast.Clause("limit", bindings=(ast.Binding(name.text, value, span),), span=span)


def regime(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("regime", texts(kids), span=span)


def reading(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("reading", texts(kids), span=span)


def source(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("from", text=unquoted(kids[0]), span=span)


def within(build: Build, kids: list[Any], span: Span) -> ast.Clause:
    """`within 1%` is the number 1/100."""
    token, percent = kids
    where_ = Span(build.source, token.start, token.end)
    value = exact(build, token.text, where_)
    text = token.text + (percent.text if percent else "")
    return ast.Clause("within", exprs=(ast.Number(value / 100 if percent else value, text, where_),), span=span)


def off(_: Build, kids: list[Any], span: Span) -> ast.Clause:
    return ast.Clause("off", exprs=(kids[0],), span=span)


DECLARATIONS: Builders = {
    **MACHINES,
    "file": file,
    "use": use,
    "default": default,
    "scalar": scalar,
    "derivatives": listed,
    "derivative": named_value,
    "optimizer": optimizer,
    "slots": listed,
    "slot": lambda _, kids, __: texts(kids),
    "config": config,
    "bindings_block": listed,
    "convention": convention,
    "settings": listed,
    "setting": setting,
    "measured": measured,
    "quantity": quantity,
    "reference": reference,
    "fields": listed,
    "names": names,
    "definition": definition,
    "operands": listed,
    "operand": operand,
    "results": listed,
    "alias": alias,
    "claim": claim,
    "claim_body": claim_body,
    "label": first,
    "marker": marker,
    "everywhere": everywhere,
    "when": when,
    "at": at,
    "on": on,
    "under": under,
    "free": free,
    "limit": limit,
    "regime": regime,
    "reading": reading,
    "from": source,
    "within": within,
    "off": off,
    "formula": first,
    "expression": first,
    "statement": first,
    "claim_text": first,
    "subject": first,
    "bindings": first,
    "braces_text": first,
    "unit_text": first,
    "quantity_text": first,
}
