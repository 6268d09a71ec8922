"""Expressions to text, with as few brackets as give the same tree back.

Three modes follow the three expression languages of the grammar: in a formula juxtaposition multiplies and powers are
superscripts; in a body every product is written; index expressions have no powers.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, assert_never

from roofdsl.source import NOWHERE
from roofdsl.syntax import ast

Mode = Literal["formula", "body", "index"]

PER, SUM, PRODUCT, UNARY, TERM, POWER, ATOM = range(7)
_LEVELS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}
_WORDS = frozenset(["as", "at", "by", "for", "from", "off", "on", "per", "reading", "under", "when", "within", "where"])
"""What a name between blanks behind a whole formula would be read as; in brackets it stays a name."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def print_expr(expr: ast.Expr, mode: Mode = "formula") -> str:
    """The canonical text of an expression."""
    return _at(expr, PER, mode)


def _at(expr: ast.Expr, level: int, mode: Mode) -> str:
    """The text where only expressions that bind at least as tightly as `level` may stand bare."""
    text = _text(expr, mode)
    return text if _level(expr) >= level else f"({text})"


def _level(expr: ast.Expr) -> int:
    match expr:
        case ast.Per():
            return PER
        case ast.Binary(operator):
            return _LEVELS[operator]
        case ast.Negate() | ast.Quoted():
            return UNARY
        case ast.Juxtaposed():
            return TERM
        case ast.Measured(value) if isinstance(value, ast.Number):
            return TERM
        case _:
            return ATOM


def _text(expr: ast.Expr, mode: Mode) -> str:
    match expr:
        case ast.Number(_, text):
            return text
        case ast.Name(text):
            return text
        case ast.Quoted(text):
            return f'"{text}"'
        case ast.Access(tensor, indices):
            return tensor + print_indices(indices)
        case ast.Path(parts, braces):
            return ".".join(parts) + (print_braces(braces) if braces is not None else "")
        case ast.Call(function, arguments, braces):
            inside = ", ".join(_at(argument, PER, mode) for argument in arguments)
            return f"{function}{print_braces(braces) if braces is not None else ''}({inside})"
        case ast.Negate(operand):
            return "-" + _at(operand, UNARY, mode)
        case ast.Binary():
            return _binary(expr, mode)
        case ast.Juxtaposed(factors):
            return _juxtaposed(factors, mode)
        case ast.Measured(value, unit):
            return f"{_number_or_bracketed(value)} [{print_unit(unit)}]"
        case ast.Per(value, word):
            return f"{_at(value, SUM, mode)} per {word}"
        case _:
            assert_never(expr)


def _number_or_bracketed(value: ast.Expr) -> str:
    return value.text if isinstance(value, ast.Number) else f"({print_expr(value)})"


def _binary(expr: ast.Binary, mode: Mode) -> str:
    left, right = expr.left, expr.right
    match expr.operator:
        case "+" | "-":
            return f"{_at(left, SUM, mode)} {expr.operator} {_at(right, PRODUCT, mode)}"
        case "*":
            sign = "*" if mode == "index" else " * "
            return f"{_at(left, PRODUCT, mode)}{sign}{_at(right, UNARY, mode)}"
        case "/":
            sign = " / " if mode == "body" else "/"
            # s/6h is s/(6h): the brackets are not needed, but they show how it is read.
            below = ATOM if isinstance(right, ast.Juxtaposed) and mode == "formula" else UNARY
            return f"{_at(left, PRODUCT, mode)}{sign}{_at(right, below, mode)}"
        case "^":
            return _power(left, right, mode)
        case _:
            assert_never(expr.operator)


def _power(base: ast.Expr, exponent: ast.Expr, mode: Mode) -> str:
    below = _base(base, mode)
    if mode == "formula" and (raised := _superscript(exponent)) is not None:
        return below + raised
    return f"{below}^{_exponent(exponent, mode)}"


def _base(base: ast.Expr, mode: Mode) -> str:
    if isinstance(base, ast.Measured):
        return f"({_text(base, mode)})"
    return _at(base, ATOM, mode)


def _superscript(exponent: ast.Expr) -> str | None:
    inner = exponent.operand if isinstance(exponent, ast.Negate) else exponent
    if not isinstance(inner, ast.Number) or not inner.text.isdecimal():
        return None
    sign = "-" if isinstance(exponent, ast.Negate) else ""
    return (sign + inner.text).translate(_SUPERSCRIPTS)


def _exponent(exponent: ast.Expr, mode: Mode) -> str:
    """What may stand after `^`; powers there bind to the right."""
    match exponent:
        case ast.Number() | ast.Name():
            return _text(exponent, mode)
        case ast.Access() | ast.Call() if mode == "body":
            return _text(exponent, mode)
        case ast.Negate(operand):
            return "-" + _exponent(operand, mode)
        case ast.Binary("^", left, right):
            simple = isinstance(left, ast.Number | ast.Name) or (
                mode == "body" and isinstance(left, ast.Access | ast.Call)
            )
            below = _text(left, mode) if simple else f"({_text(left, mode)})"
            return f"{below}^{_exponent(right, mode)}"
        case _:
            return f"({print_expr(exponent, mode)})"


def _juxtaposed(factors: tuple[ast.Expr, ...], mode: Mode) -> str:
    """Factors side by side, with a blank only where they would run together or into a call."""
    joined = _leading(factors[0], mode)
    for before, factor in pairwise(factors):
        text = _following(factor, mode)
        if text in _WORDS and _needs_blank(joined, before, text, factor):
            text = f"({text})"
        joined += (" " if _needs_blank(joined, before, text, factor) else "") + text
    return joined


def _leading(factor: ast.Expr, mode: Mode) -> str:
    plain = isinstance(factor, ast.Measured) or _level(factor) >= POWER
    return _text(factor, mode) if plain else f"({_text(factor, mode)})"


def _following(factor: ast.Expr, mode: Mode) -> str:
    """A numeral stands bare only at the head."""
    head = factor.left if isinstance(factor, ast.Binary) and factor.operator == "^" else factor
    bare = _level(factor) >= POWER and not isinstance(head, ast.Number)
    return _text(factor, mode) if bare else f"({_text(factor, mode)})"


def _needs_blank(joined: str, before: ast.Expr, text: str, factor: ast.Expr) -> bool:
    worded = isinstance(factor, ast.Call | ast.Path) or "_" in text
    if worded and text[0] != "(" and _apart(before, factor):
        return True
    if joined[-1] in ")}⁰¹²³⁴⁵⁶⁷⁸⁹":
        return False
    if text[0] == "(":
        return not _is_numeral(before)
    if not _is_numeral(before):
        return True
    return (text[0] == "e" and text[1:2].isdigit()) or "^" in joined


def _apart(before: ast.Expr, factor: ast.Expr) -> bool:
    """Whether the author left a blank: 4sbh(1 + V/h) and 2 flops(layer) are alike to the syntax, not to the eye."""
    left, right = before.span, factor.span
    if left.source is not right.source or left.source is NOWHERE.source:
        return True
    return right.source.text[right.start - 1 : right.start].isspace()


def _is_numeral(expr: ast.Expr) -> bool:
    return isinstance(expr, ast.Number)


def print_indices(indices: tuple[ast.Expr | ast.Dots, ...]) -> str:
    """`[s,b,h]`, and with blanks where something longer than a name stands among them."""
    texts = ["..." if isinstance(index, ast.Dots) else print_expr(index, "index") for index in indices]
    plain = all(isinstance(index, ast.Name) for index in indices)
    return f"[{(',' if plain else ', ').join(texts)}]"


def print_unit(unit: tuple[ast.UnitFactor, ...]) -> str:
    """`TFLOP/s`, `s^-1`."""
    first, *rest = unit
    text = first.name + ("" if first.exponent == 1 else f"^{first.exponent}")
    for factor in rest:
        size = abs(factor.exponent)
        text += ("/" if factor.exponent < 0 else "*") + factor.name + ("" if size == 1 else f"^{size}")
    return text


def print_binding(binding: ast.Binding) -> str:
    """`f = 4h`."""
    return f"{binding.name} = {print_expr(binding.value)}"


def print_tiles(tiles: tuple[ast.Tile, ...]) -> str:
    """` tile s = Br at l2`, once per tile."""
    return "".join(_tile(tile) for tile in tiles)


def _tile(tile: ast.Tile) -> str:
    level = f" at {tile.level}" if tile.level else ""
    return f" tile {tile.name} = {print_expr(tile.value, 'index')}{level}"


def print_braces(braces: ast.Braces) -> str:
    """`{s = 1, checkpoint layer}`."""
    texts = []
    for item in braces.items:
        match item:
            case ast.Binding():
                texts.append(print_binding(item))
            case ast.Placement(kind, path, tiles):
                texts.append(f"{kind} {'.'.join(path)}{print_tiles(tiles)}")
            case _:
                assert_never(item)
    return "{" + ", ".join(texts) + "}"


def print_guards(comparisons: tuple[ast.Comparison, ...], mode: Mode) -> str:
    """`s - w < t <= s, a = b`: comparisons that share a side are written as a chain."""
    text = ""
    previous: ast.Comparison | None = None
    for comparison in comparisons:
        right = f" {comparison.relation} {print_expr(comparison.right, mode)}"
        if previous is not None and previous.right == comparison.left:
            text += right
        else:
            text += (", " if text else "") + print_expr(comparison.left, mode) + right
        previous = comparison
    return text
