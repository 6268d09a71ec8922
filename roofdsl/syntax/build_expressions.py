"""Builder functions of expressions: bodies, index expressions, formulas and LaTeX give the same nodes.

Each takes what the grammar rule of its name kept and the span of the whole. The two readings of `1/2sbh` are told here,
where the text is still at hand.
"""

from __future__ import annotations

from typing import Any

from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.build_numbers import (
    SUPERSCRIPTS,
    formula_power,
    formula_superscript,
    number,
    power,
    superscript,
    whole,
)
from roofdsl.syntax.driver import Build, Builders


def name(_: Build, kids: list[Any], span: Span) -> ast.Name:
    return ast.Name(kids[0].text, span)


def dots(_: Build, __: list[Any], span: Span) -> ast.Dots:
    return ast.Dots(span)


def first(_: Build, kids: list[Any], __: Span) -> Any:
    return kids[0]


def listed(_: Build, kids: list[Any], __: Span) -> tuple[Any, ...]:
    return tuple(kids)


def add(_: Build, kids: list[Any], span: Span) -> ast.Binary:
    return ast.Binary("+", kids[0], kids[1], span)


def sub(_: Build, kids: list[Any], span: Span) -> ast.Binary:
    return ast.Binary("-", kids[0], kids[1], span)


def mul(_: Build, kids: list[Any], span: Span) -> ast.Binary:
    return ast.Binary("*", kids[0], kids[1], span)


def div(_: Build, kids: list[Any], span: Span) -> ast.Binary:
    return ast.Binary("/", kids[0], kids[1], span)


def negate(_: Build, kids: list[Any], span: Span) -> ast.Negate:
    return ast.Negate(kids[0], span)


def divide(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    """Division in a formula, where a numeral over a numeral-led product is refused."""
    left, right = kids
    if _ends_in_numeral(left) and _begins_with_numeral(right) and _bare(build, left, right):
        factors = right.factors
        head = build.source.text[factors[0].span.start : factors[0].span.end]
        rest = build.source.text[factors[1].span.start : right.span.end].strip()
        over = left.right if isinstance(left, ast.Binary) else left
        build.sink.add(
            errors.TWO_READINGS,
            over.span.to(right.span),
            "a number over a product that begins with a number",
            helps=(
                f"write ({over.span.text}/{head}) {rest} if only the numbers are the fraction",
                f"write {over.span.text}/({head}{rest}) if the whole product is below the line",
            ),
        )
    return ast.Binary("/", left, right, span)


def _ends_in_numeral(left: ast.Expr) -> bool:
    if isinstance(left, ast.Binary) and left.operator in ("*", "/"):
        left = left.right
    return isinstance(left, ast.Number)


def _begins_with_numeral(right: ast.Expr) -> bool:
    if not isinstance(right, ast.Juxtaposed):
        return False
    head = right.factors[0]
    return isinstance(head, ast.Number) or (isinstance(head, ast.Binary) and isinstance(head.left, ast.Number))


def _bare(build: Build, left: ast.Expr, right: ast.Expr) -> bool:
    """Whether nothing but the stroke stands between: a bracket there has settled the reading."""
    between = build.source.text[left.span.end : right.span.start]
    return not any(bracket in between for bracket in "(){}[]")


def juxtaposed(_: Build, kids: list[Any], span: Span) -> ast.Juxtaposed:
    return ast.Juxtaposed(tuple(kids), span)


def multiple(build: Build, kids: list[Any], span: Span) -> ast.Juxtaposed:
    """`2i` in an index."""
    head, tail = (Span(build.source, kid.start, kid.end) for kid in kids)
    return ast.Juxtaposed((number(build, kids[:1], head), ast.Name(kids[1].text, tail)), span)


def access(_: Build, kids: list[Any], span: Span) -> ast.Access:
    return ast.Access(kids[0].text, kids[1], span)


def call_with_braces(_: Build, kids: list[Any], span: Span) -> ast.Call:
    callee, braces, arguments = kids
    return ast.Call(callee.text, arguments or (), braces, span)


def call(_: Build, kids: list[Any], span: Span) -> ast.Call:
    return ast.Call(kids[0].text, kids[1] or (), None, span)


def path(_: Build, kids: list[Any], span: Span) -> ast.Path:
    return ast.Path(tuple(kids[0].text.split(".")), kids[1] if len(kids) > 1 else None, span)


def per(_: Build, kids: list[Any], span: Span) -> ast.Per:
    return ast.Per(kids[0], kids[1].text, span)


def with_unit(_: Build, kids: list[Any], span: Span) -> ast.Measured:
    return ast.Measured(kids[0], kids[1], span)


def measure(build: Build, kids: list[Any], span: Span) -> ast.Measured:
    """`80 GB` in a machine."""
    token, unit = kids
    return ast.Measured(number(build, [token], Span(build.source, token.start, token.end)), unit, span)


def unit(_: Build, kids: list[Any], __: Span) -> tuple[ast.UnitFactor, ...]:
    """Factors with their signs: what follows a `/` counts below the line, that factor only."""
    factors = [kids[0]]
    for sign, factor in zip(kids[1::2], kids[2::2], strict=True):
        turned = -factor.exponent if sign.text == "/" else factor.exponent
        factors.append(ast.UnitFactor(factor.name, turned, factor.span))
    return tuple(factors)


def unit_factor(build: Build, kids: list[Any], span: Span) -> ast.UnitFactor:
    match kids:
        case [token, power_token] if power_token is not None:
            exponent = int(power_token.text.translate(SUPERSCRIPTS))
        case [token, minus, digits] if digits is not None:
            exponent = whole(build, digits, "the exponent of a unit") * (-1 if minus else 1)
        case [token, *_]:
            exponent = 1
    if abs(exponent) > 9:
        build.sink.add(errors.LARGE_POWER, span, "the exponent of a unit is between -9 and 9")
        exponent = 1
    return ast.UnitFactor(token.text, exponent, span)


def latex_name(_: Build, kids: list[Any], span: Span) -> ast.Name:
    r"""`d_{model}` is d_model, `\mathrm{Br}` is Br, `\lambda` is lambda."""
    text = kids[0].text
    for command in ("\\mathrm", "\\text", "\\mathit", "\\operatorname", "\\textit"):
        text = text.replace(command + "{", "{")
    return ast.Name(text.replace("{", "").replace("}", "").lstrip("\\"), span)


def fraction(_: Build, kids: list[Any], span: Span) -> ast.Binary:
    return ast.Binary("/", kids[0], kids[1], span)


def latex_call(_: Build, kids: list[Any], span: Span) -> ast.Call:
    return ast.Call(kids[0].text.lstrip("\\"), tuple(kids[1:]), None, span)


def latex_root(_: Build, kids: list[Any], span: Span) -> ast.Call:
    return ast.Call("sqrt", tuple(kids), None, span)


def latex_ceiling(_: Build, kids: list[Any], span: Span) -> ast.Call:
    return ast.Call("ceil", tuple(kids), None, span)


def latex_floor(_: Build, kids: list[Any], span: Span) -> ast.Call:
    return ast.Call("floor", tuple(kids), None, span)


EXPRESSIONS: Builders = {
    "number": number,
    "name": name,
    "dots": dots,
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "divide": divide,
    "negate": negate,
    "power": power,
    "superscript": superscript,
    "fpower": formula_power,
    "fsuperscript": formula_superscript,
    "parenthesis": first,
    "juxtaposed": juxtaposed,
    "multiple": multiple,
    "access": access,
    "subscript": listed,
    "bcall": call_with_braces,
    "icall": call,
    "fcall": call,
    "arguments": listed,
    "iarguments": listed,
    "farguments": listed,
    "path": path,
    "per": per,
    "with_unit": with_unit,
    "measure": measure,
    "unit": unit,
    "unit_factor": unit_factor,
    "latex": first,
    "latex_name": latex_name,
    "fraction": fraction,
    "latex_call": latex_call,
    "latex_root": latex_root,
    "latex_ceiling": latex_ceiling,
    "latex_floor": latex_floor,
}
