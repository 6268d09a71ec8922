"""Builder functions of expressions: bodies, index expressions, formulas and LaTeX give the same nodes.

Each takes what the grammar rule of its name kept and the span of the whole. Bounds on numbers and the two readings of
`1/2sbh` are checked here, where the text is still at hand.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from roofdsl.errors import syntax as errors
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.driver import Build, Builders

_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number(build: Build, kids: list[Any], span: Span) -> ast.Number:
    return ast.Number(exact(build, kids[0].text, span), kids[0].text, span)


def exact(build: Build, text: str, span: Span) -> Fraction:
    """The value of a numeral, with its exponent checked before it is expanded."""
    _, _, exponent = text.partition("e")
    if exponent and abs(int(exponent)) > build.limits.decimal_exponent:
        what = f"the decimal exponent is {exponent}; at most {build.limits.decimal_exponent} is read"
        build.sink.add(errors.BAD_NUMERAL, span, what)
        return Fraction(1)
    return Fraction(text)


def whole(build: Build, token: Any, what: str) -> int:
    """The value of a numeral where only a whole number makes sense."""
    span = Span(build.source, token.start, token.end)
    value = exact(build, token.text, span)
    if value.denominator != 1:
        build.sink.add(errors.BAD_NUMERAL, span, f"{what} is a whole number", found=token.text)
    return int(value)


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
                f"write ({over.text}/{head}) {rest} if only the numbers are the fraction",
                f"write {over.text}/({head}{rest}) if the whole product is below the line",
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


def power(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    base, exponent = kids
    _check_power(build, base, exponent, span)
    return ast.Binary("^", base, exponent, span)


def superscript(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    base, token = kids
    return power(build, [base, _superscript(build, token)], span)


def formula_power(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    """A power in a formula: of a bare name it belongs to its last symbol, of a bracketed one to the whole."""
    return power(build, [_whole_base(kids[0], span), kids[1]], span)


def formula_superscript(build: Build, kids: list[Any], span: Span) -> ast.Binary:
    return superscript(build, [_whole_base(kids[0], span), kids[1]], span)


def _whole_base(base: ast.Expr, span: Span) -> ast.Expr:
    bracketed = isinstance(base, ast.Name) and base.span.start > span.start
    return ast.Juxtaposed((base,), base.span) if bracketed else base


def _superscript(build: Build, token: Any) -> ast.Expr:
    span = Span(build.source, token.start, token.end)
    digits = token.text.translate(_SUPERSCRIPTS)
    value = ast.Number(exact(build, digits.lstrip("-"), span), digits.lstrip("-"), span)
    return ast.Negate(value, span) if digits.startswith("-") else value


def _check_power(build: Build, base: ast.Expr, exponent: ast.Expr, span: Span) -> None:
    size = constant(exponent)
    if size is None:
        return
    limits = build.limits
    value = constant(base)
    if value is None:
        if abs(size) > limits.power_exponent:
            text = f"the exponent is {_shown(size)}; at most {limits.power_exponent} is read"
            build.sink.add(errors.LARGE_POWER, span, text)
        return
    digits = float(min(abs(size), 10**9)) * _digits(value)
    if digits > limits.power_digits:
        text = f"a constant of more than {limits.power_digits} digits"
        build.sink.add(errors.LARGE_POWER, span, text)


def _digits(value: Fraction) -> float:
    larger = max(abs(value.numerator), value.denominator)
    return math.log10(larger) if larger > 1 else 0.0


def _shown(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 12 else f"a number of {len(text)} digits"


def constant(expr: ast.Expr) -> Fraction | None:
    """The value of an expression of numbers only, if its powers are within bounds."""
    match expr:
        case ast.Number(value):
            return value
        case ast.Negate(operand):
            inner = constant(operand)
            return None if inner is None else -inner
        case ast.Binary(operator, left, right):
            a, b = constant(left), constant(right)
            return None if a is None or b is None else _combine(operator, a, b)
        case _:
            return None


def _combine(operator: ast.Operator, a: Fraction, b: Fraction) -> Fraction | None:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b if b else None
        case "^":
            small = b.denominator == 1 and abs(b) * _digits(a) <= 400 and (a != 0 or b >= 0)
            return Fraction(a ** int(b)) if small else None


def juxtaposed(_: Build, kids: list[Any], span: Span) -> ast.Juxtaposed:
    return ast.Juxtaposed(tuple(kids), span)


def multiple(build: Build, kids: list[Any], span: Span) -> ast.Juxtaposed:
    """`2i` in an index."""
    factors = tuple(
        make(build, [kid], Span(build.source, kid.start, kid.end))
        for make, kid in zip((number, name), kids, strict=True)
    )
    return ast.Juxtaposed(factors, span)


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


def unit(build: Build, kids: list[Any], _: Span) -> tuple[ast.UnitFactor, ...]:
    """Factors with their signs: what follows a `/` counts below the line, that factor only."""
    factors = [kids[0]]
    for sign, factor in zip(kids[1::2], kids[2::2], strict=True):
        turned = -factor.exponent if sign.text == "/" else factor.exponent
        factors.append(ast.UnitFactor(factor.name, turned, factor.span))
    return tuple(factors)


def unit_factor(build: Build, kids: list[Any], span: Span) -> ast.UnitFactor:
    match kids:
        case [token, power_token] if power_token is not None:
            exponent = int(power_token.text.translate(_SUPERSCRIPTS))
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
