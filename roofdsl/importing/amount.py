"""Right sides of a table: exact arithmetic on fields, with alternatives for fields that may be absent.

`head_dim | hidden_size/num_attention_heads`: the first alternative all of whose fields the file has. `-` is none at
all: what the model's text says stays. The formulas are the language's own; names are fields or what was bound before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import ceil, floor

from roofdsl.diagnostics import InternalError, Sink, fail
from roofdsl.errors.importing import OUT_OF_BOUNDS, UNSUPPORTED_VALUE
from roofdsl.importing.bounds import BOUNDS
from roofdsl.importing.fields import Fields, kind_of
from roofdsl.importing.json_text import Content
from roofdsl.source import Source, Span
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_formula

Number = int | Fraction
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
"""Fields may begin with an underscore, which names of the language do not."""


@dataclass(slots=True)
class Scope:
    """What names mean: the file's fields, the table's own fields, and the dims bound so far. Grows while a table is
    gone through.
    """

    fields: Fields
    known: dict[str, Number] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether a name stands for something other than null."""
        if name in self.known:
            return True
        if name in self.own:
            return taken(self.own[name], self) is not None
        return self.fields.content(name) is not None

    def place(self, formula: str) -> Span:
        """Where the first field of a formula stands in the file."""
        names = names_of(formula, self.own)
        return self.fields.place(next((n for n in names if self.fields.find(n) is not None), names[0] if names else ""))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The alternative that was taken, and its value; `value` is None for `-`."""

    formula: str
    value: Number | None


def alternatives(text: str) -> tuple[str, ...]:
    """What stands between the bars."""
    return tuple(part.strip() for part in text.split(" | "))


def choose(text: str, scope: Scope) -> Chosen | None:
    """The first alternative whose fields are all there; None if there is none."""
    formula = taken(text, scope)
    if formula is None or formula == "-":
        return Chosen("-", None) if formula else None
    return Chosen(formula, amount(formula, scope))


def taken(text: str, scope: Scope) -> str | None:
    """The text of that alternative."""
    return next((f for f in alternatives(text) if f == "-" or all(scope.has(name) for name in _needed(f))), None)


def amount(formula: str, scope: Scope) -> Number:
    """The exact value of a formula over fields; a field that is no number is E0905."""
    return _value(parsed(formula), scope)


@cache
def parsed(formula: str) -> ast.Expr:
    """The tree of a formula of a table."""
    if _FIELD.fullmatch(formula):
        return ast.Name(formula)
    sink = Sink()
    tree = parse_formula(Source("table", formula), sink)
    if tree is None or sink.errors:
        raise InternalError(f"a table of specs/import has no formula: {formula}")
    return tree


def names_of(text: str, own: Mapping[str, str]) -> tuple[str, ...]:
    """The fields of the file that the alternatives of a right side read, through the table's own fields."""
    found: list[str] = []
    for formula in alternatives(text):
        for name in _needed(formula) if formula != "-" else ():
            found += names_of(own[name], own) if name in own else (name,)
    return tuple(found)


def _needed(formula: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_names(parsed(formula))))


def _names(expr: ast.Expr) -> tuple[str, ...]:
    match expr:
        case ast.Name(name):
            return (name,)
        case ast.Path(parts):
            return (".".join(parts),)
        case ast.Call("count", (values, _)) | ast.Call("length" | "alike", (values,)):
            return _names(values)
        case ast.Call("count", (values, _, among)):
            return _names(values) + _names(among)
        case ast.Call(_, arguments) | ast.Juxtaposed(arguments):
            return tuple(name for argument in arguments for name in _names(argument))
        case ast.Binary(_, left, right):
            return _names(left) + _names(right)
        case ast.Negate(operand):
            return _names(operand)
        case _:
            return ()


def _value(expr: ast.Expr, scope: Scope) -> Number:
    match expr:
        case ast.Number(value):
            return value
        case ast.Name(name):
            return _looked_up(name, scope)
        case ast.Path(parts):
            return _looked_up(".".join(parts), scope)
        case ast.Juxtaposed(factors):
            product: Number = 1
            for factor in factors:
                product *= _value(factor, scope)
            return product
        case ast.Binary(operator, left, right):
            return _binary(operator, _value(left, scope), _value(right, scope), expr, scope)
        case ast.Negate(operand):
            return -_value(operand, scope)
        case ast.Call("count" | "length", _):
            return _count(expr, scope)
        case ast.Call("alike", _):
            return _alike(expr, scope)
        case ast.Call(function, arguments) if function in _FUNCTIONS:
            return _FUNCTIONS[function](*(_value(argument, scope) for argument in arguments))
        case _:
            raise InternalError(f"a table of specs/import has a formula that cannot be evaluated: {expr}")


def _binary(operator: str, left: Number, right: Number, expr: ast.Expr, scope: Scope) -> Number:
    if operator == "/":
        if right == 0:
            fail(UNSUPPORTED_VALUE, scope.place(_names(expr)[-1]), "a size is divided by this", found="0")
        return Fraction(left) / right
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            raise InternalError(f"a table of specs/import uses {operator}")


def _count(expr: ast.Call, scope: Scope) -> Number:
    (path,) = _names(expr.arguments[0])
    values = scope.fields.content(path)
    if expr.function == "length" and isinstance(values, tuple | dict):
        return len(values)
    if expr.function == "length" and isinstance(values, str):
        return 1  # a word where others write a list of words
    if expr.function == "count" and isinstance(values, str):
        return values.count(_character(".".join(_names(expr.arguments[1]))))
    if not isinstance(values, tuple):
        fail(UNSUPPORTED_VALUE, scope.fields.place(path), "not a list", expected="a list", found=kind_of(values))
    if len(expr.arguments) == 3:  # among the first so many items
        values = values[: int(_value(expr.arguments[2], scope))]
    wanted = ".".join(_names(expr.arguments[1])) or str(_value(expr.arguments[1], scope))
    return sum(1 for value in values if str(value.content) == wanted)


def _character(name: str) -> str:
    """A character of a pattern by its code point, `u2A` for `*`; a letter is its own name."""
    return chr(int(name[1:], 16)) if re.fullmatch(r"u[0-9A-F]{2}", name) else name


def _alike(expr: ast.Call, scope: Scope) -> Number:
    """The one value of a list with an item per layer; a number stands for such a list."""
    (path,) = _names(expr)
    found, place = scope.fields.content(path), scope.fields.place(path)
    if not isinstance(found, tuple):
        return number(found, place)
    values = {number(value.content, value.span) for value in found}
    if len(values) != 1:
        fail(UNSUPPORTED_VALUE, place, "layers differ", expected="one value for all", found=f"{len(values)} values")
    return values.pop()


def _looked_up(name: str, scope: Scope) -> Number:
    if name in scope.known:
        return scope.known[name]
    if name in scope.own:
        chosen = choose(scope.own[name], scope)
        if chosen is None or chosen.value is None:
            raise InternalError(f"a table of specs/import reads `{name}`, which no alternative gives")
        return chosen.value
    return number(scope.fields.content(name), scope.fields.place(name))


def number(content: Content, place: Span) -> Number:
    """A number that can be a size; else E0905, or E0902 beyond the bound."""
    if isinstance(content, bool) or not isinstance(content, int | Fraction):
        fail(UNSUPPORTED_VALUE, place, "not a number", expected="a number", found=kind_of(content))
    if not -BOUNDS.size <= content <= BOUNDS.size:
        fail(OUT_OF_BOUNDS, place, "too large to be a size", expected=f"at most {BOUNDS.size:,}")
    return content


def _up(value: Number, step: Number) -> Number:
    """The next multiple of a step."""
    return ceil(Fraction(value) / step) * step


def _least(*values: Number) -> Number:
    return min(values)


def _most(*values: Number) -> Number:
    return max(values)


_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "ceil": ceil,
    "floor": floor,
    "min": _least,
    "max": _most,
    "up": _up,
}
