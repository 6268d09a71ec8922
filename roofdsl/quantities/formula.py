"""Formulas to sizes: takes the syntax of a let, a claim or an argument and gives an exact `Size` with its dimension.

Undeclared names are split into declared symbols (`34sbh`, `as²b`); a call of a symbol is a product (`a(b+c)`); units
scale to base units. What a quantity or a unit is, `Names` answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn, assert_never

from roofdsl.diagnostics import RoofError, fail
from roofdsl.errors import claims as errors
from roofdsl.ir.size import Const, Function, FunctionName, Size, Symbol, add, const, divide, product
from roofdsl.passes.names import did_you_mean, some
from roofdsl.quantities.amounts import Formula, common_dimension, constant, multiply, quotient, raised
from roofdsl.quantities.names import function_span
from roofdsl.quantities.orders import check_no_order
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.syntax.split import split_name
from roofdsl.units.dimension import PURE, Dimension

MOST_EXPONENT = 64
_SHORTEST_UNIT = 2
FUNCTIONS: Mapping[str, FunctionName] = {
    "min": "min",
    "max": "max",
    "ceil": "ceil",
    "floor": "floor",
    "abs": "abs",
    "log": "log",
    "exp": "exp",
}


@dataclass(frozen=True, slots=True)
class Names:
    """What names mean in a formula. `symbols` maps a name as written to its size (paper's names may be renamed);
    `call` answers quantities (None: not one, so a product); `unit` gives factor and dimension; `per` divides.
    `subjects` are what quantities may be asked of, for messages.
    """

    symbols: Mapping[str, Formula]
    call: Callable[[ast.Call], Formula | None] | None = None
    unit: Callable[[tuple[ast.UnitFactor, ...], Span], tuple[Fraction, Dimension]] | None = None
    per: Callable[[ast.Per, Callable[[ast.Expr], Formula]], Formula] | None = None
    reserved: frozenset[str] = field(default_factory=frozenset)
    subjects: Callable[[], tuple[str, ...]] = tuple


def resolve(expr: ast.Expr, names: Names) -> Formula:
    """The formula's size and dimension. Raises `RoofError` with one diagnostic (E0701 to E0716)."""
    match expr:
        case ast.Number(value):
            return Formula(Const(value), None, numeral=True)
        case ast.Name(text, span):
            return _name(text, span, names)
        case ast.Negate(operand):
            inner = resolve(operand, names)
            return Formula(product(const(-1), inner.size), inner.dimension, inner.numeral)
        case ast.Binary():
            return _binary(expr, names)
        case ast.Juxtaposed(factors):
            return multiply(tuple(resolve(f, names) for f in factors))
        case ast.Call():
            return _call(expr, names)
        case ast.Measured(value, unit, span):
            return _measured(value, unit, span, names)
        case ast.Per(_, word, span):
            if names.per is None:
                fail(errors.BAD_PER, span, f"`per {word}` divides a quantity; there is none here")
            return names.per(expr, lambda value: resolve(value, names))
        case ast.Quoted(_, value):
            return resolve(value, names)
        case ast.Access(_, _, span):
            fail(errors.NOT_A_FORMULA, span, "a tensor is not a number", helps=("ask for a quantity of it",))
        case ast.Path(parts, _, span):
            _path(parts, span, names)
        case _:
            assert_never(expr)


def _path(parts: tuple[str, ...], span: Span, names: Names) -> NoReturn:
    *before, last = parts
    asked = f"{last}({'.'.join(before)})" if before and last in names.reserved else f"saved({span.text})"
    fail(errors.NOT_A_FORMULA, span, "a path is not a number", helps=(f"ask for a quantity of it: `{asked}`",))


def _name(text: str, span: Span, names: Names) -> Formula:
    return multiply(tuple(names.symbols[part] for part in spell(text, span, names)))


def spell(text: str, span: Span, names: Names) -> tuple[str, ...]:
    """The declared symbols a name stands for: itself, or the only product that spells it (E0701, E0702)."""
    found = split_name(text, names.symbols)
    if len(found) == 1:
        return found[0]
    if not found and (joined := text.replace("_", "", 1)) in names.symbols:
        return (joined,)  # `n_{1}` is how LaTeX writes n1
    if not found:
        _unknown_name(text, span, names)
    one, two = ("·".join(split) for split in found[:2])
    spaced = " ".join(found[0])
    fail(errors.AMBIGUOUS_SPLIT, span, f"`{text}` is {one} or {two}", helps=(f"write `{spaced}` if {one} is meant",))


def _unknown_name(text: str, span: Span, names: Names) -> NoReturn:
    check_no_order(text, span)
    subjects = names.subjects()
    if text in names.reserved:
        asked = f"{text}({subjects[0] if subjects else 'x'})"
        fail(errors.UNKNOWN_NAME, span, f"`{text}` of what?", helps=(f"a quantity is asked of something: `{asked}`",))
    if text in subjects:
        text = f"`{text}` is a model, block or op, and no number"
        of = span.text
        help_ = f"ask a quantity of it, `saved({of})` or `flops({of})`; `eval`, `graph` and `plot` take `--of {of}`"
        fail(errors.UNKNOWN_NAME, span, text, helps=(help_,))
    if text in ("and", "or"):
        fail(errors.UNKNOWN_NAME, span, f"`{text}` joins nothing", helps=("conditions are separated by commas",))
    _misplaced_unit(text, span, names)
    known = tuple(names.symbols)
    fail(
        errors.UNKNOWN_NAME,
        span,
        f"`{text}` is not declared and is no product of declared symbols",
        found=text,
        expected=f"one of {some(known)}" if known else "a number",
        helps=did_you_mean(text, known) or did_you_mean(text, names.reserved, "quantity"),
    )


def _misplaced_unit(text: str, span: Span, names: Names) -> None:
    """A unit outside of brackets, or a prefix that stands for a power of ten."""
    if text in ("k", "K", "M", "G", "T", "Ki", "Mi", "Gi"):
        helps = ("numbers are written out: 2048, not 2k; on the command line `--set s=2k` is 2000 and `2Ki` 2048",)
        fail(errors.UNKNOWN_NAME, span, f"`{text}` is not declared", helps=helps)
    if names.unit is None or len(text) < _SHORTEST_UNIT:
        return
    try:
        names.unit((ast.UnitFactor(text, 1, span),), span)
    except RoofError:
        return
    helps = (f"a unit stands in brackets, behind a number or brackets: `6 [{text}]`, `(4sb) [{text}]`",)
    fail(errors.UNKNOWN_NAME, span, f"`{text}` is a unit here, and units stand in brackets", helps=helps)


def _binary(expr: ast.Binary, names: Names) -> Formula:
    if expr.operator == "^":
        return _power(expr, names)
    left, right = resolve(expr.left, names), resolve(expr.right, names)
    match expr.operator:
        case "*":
            return multiply((left, right))
        case "/":
            return quotient(left, right, expr.right.span)
        case "+" | "-":
            dimension = common_dimension(((left, expr.left.span), (right, expr.right.span)))
            second = right.size if expr.operator == "+" else product(const(-1), right.size)
            return Formula(add(left.size, second), dimension, left.numeral and right.numeral)
        case _:
            assert_never(expr.operator)


def _power(expr: ast.Binary, names: Names) -> Formula:
    exponent = resolve(expr.right, names)
    value = constant(exponent.size)
    if value is None or abs(value) > MOST_EXPONENT or value.denominator > MOST_EXPONENT:
        fail(errors.BAD_EXPONENT, expr.right.span, "the exponent must be a number between -64 and 64")
    others, base, span = _last_factor(expr.left, names)
    power = raised(base, value, span)
    return multiply((*others, power)) if others else power


def _last_factor(expr: ast.Expr, names: Names) -> tuple[tuple[Formula, ...], Formula, Span]:
    """A power binds to the last symbol: of `as` it is s, of `a(b+c)` it is (b+c)."""
    match expr:
        case ast.Name(text, span):
            *before, last = spell(text, span, names)
            return tuple(names.symbols[part] for part in before), names.symbols[last], span
        case ast.Call(function, arguments, None, span) if not _is_function(expr, names):
            symbols = spell(function, span, names)
            return tuple(names.symbols[p] for p in symbols), _only_argument(expr, arguments, names), span
        case _:
            return (), resolve(expr, names), expr.span


def _is_function(call: ast.Call, names: Names) -> bool:
    return call.function in names.reserved or call.function in ("sqrt", "ceiling", "ln", "log2", *FUNCTIONS)


def _call(call: ast.Call, names: Names) -> Formula:
    if names.call is not None and call.function in names.reserved:
        answer = names.call(call)
        if answer is not None:
            return answer
    if call.function in names.reserved and call.function not in names.symbols:
        fail(
            errors.QUANTITY_IN_LET,
            call.span,
            f"`{call.function}(…)` is derived from a model; only sizes may stand here",
            helps=(f"name it outside of sizes: `quantity total(x) = {call.function}(x)`",),
        )
    if _is_function(call, names):
        return _function(call, names)
    if call.braces is not None:
        fail(errors.NOT_A_FORMULA, call.span, "braces stand only inside a quantity")
    if not split_name(call.function, names.symbols):
        _unknown_function(call, names)
    symbols = tuple(names.symbols[part] for part in spell(call.function, call.span, names))
    return multiply((*symbols, _only_argument(call, call.arguments, names)))


def _unknown_function(call: ast.Call, names: Names) -> NoReturn:
    check_no_order(call.function, function_span(call))
    known = (*sorted(names.reserved), *FUNCTIONS, "sqrt", *names.symbols)
    fail(
        errors.UNKNOWN_NAME,
        function_span(call),
        f"`{call.function}` is no quantity, function or declared symbol",
        expected=f"a quantity ({', '.join(sorted(names.reserved))})" if names.reserved else None,
        helps=did_you_mean(call.function, known, "quantity"),
    )


def _only_argument(call: ast.Call, arguments: tuple[ast.Expr, ...], names: Names) -> Formula:
    if len(arguments) != 1:
        fail(
            errors.WRONG_ARGUMENTS,
            call.span,
            f"`{call.function}` is a symbol, so this is a product",
            expected="one expression in the parentheses",
            found=f"{len(arguments)} separated by commas",
        )
    return resolve(arguments[0], names)


def _function(call: ast.Call, names: Names) -> Formula:
    parts = tuple((resolve(a, names), a.span) for a in call.arguments)
    many = call.function in ("min", "max")
    if not parts or (len(parts) > 1 and not many):
        fail(
            errors.WRONG_ARGUMENTS,
            call.span,
            f"`{call.function}` takes {'at least one' if many else 'one'} argument",
            found=f"{len(parts)} arguments",
        )
    numeral = all(f.numeral for f, _ in parts)
    sizes = tuple(f.size for f, _ in parts)
    match call.function:
        case "sqrt":
            return raised(parts[0][0], Fraction(1, 2), call.span)
        case "min" | "max" | "abs":
            return Formula(Function(FUNCTIONS[call.function], sizes), common_dimension(parts), numeral)
        case _:
            return Formula(_pure_function(call, parts[0]), parts[0][0].dimension, numeral)


def _pure_function(call: ast.Call, argument: tuple[Formula, Span]) -> Size:
    """ceil, floor, log, exp make sense of pure numbers only."""
    formula, span = argument
    if formula.dimension is not None and not formula.dimension.pure:
        fail(
            errors.UNITS_DIFFER,
            span,
            f"`{call.function}` takes a pure number",
            expected=str(PURE),
            found=str(formula.dimension),
        )
    match call.function:
        case "ceiling":
            return Function("ceil", (formula.size,))
        case "ln":
            return Function("log", (formula.size,))
        case "log2":
            return divide(Function("log", (formula.size,)), Function("log", (const(2),)))
        case name:
            return Function(FUNCTIONS[name], (formula.size,))


def _measured(value: ast.Expr, unit: tuple[ast.UnitFactor, ...], span: Span, names: Names) -> Formula:
    inner = resolve(value, names)
    if inner.dimension is not None and not inner.dimension.pure:
        fail(errors.UNITS_DIFFER, span, "this already has a unit", expected="a number", found=str(inner.dimension))
    if names.unit is None:
        fail(errors.NOT_A_FORMULA, span, "no unit may stand here")
    factor, dimension = names.unit(unit, span)
    return Formula(product(Const(factor), inner.size), dimension, numeral=False)


def symbol_formulas(names: tuple[str, ...]) -> dict[str, Formula]:
    """Each declared name standing for itself."""
    return {name: Formula(Symbol(name)) for name in names}
