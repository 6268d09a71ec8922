"""Formulas as MathML, shown by browsers without scripts. Our own printer, since every name must be escaped."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import assert_never

from roofdsl.report.formula_layout import Factor, FunctionFactor, GroupFactor, Layout, SymbolFactor, Term
from roofdsl.report.formula_names import GREEK, name_parts

_FENCES = {"ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋"), "abs": ("|", "|")}


def mathml(layout: Layout) -> str:
    """One `math` element."""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow>{_sum(layout)}</mrow></math>'


def _sum(layout: Layout) -> str:
    if not layout.terms:
        return _number(0)
    shown = ""
    for i, term in enumerate(layout.terms):
        if term.coefficient < 0:
            shown += _operator("−")
        elif i:
            shown += _operator("+")
        shown += _term(term)
    return shown


def _term(term: Term) -> str:
    size = abs(term.coefficient)
    if size.denominator == 1 and not term.below:
        return _product(size.numerator, term.above)
    if not term.below and size.numerator != 1:
        ratio = _fraction(_number(size.numerator), _number(size.denominator))
        return f"<mrow>{ratio}{_product(1, term.above)}</mrow>" if term.above else ratio
    return _fraction(_product(size.numerator, term.above), _product(size.denominator, term.below))


def _product(size: int, factors: tuple[Factor, ...]) -> str:
    if not factors:
        return _number(size)
    shown = [] if size == 1 else [_number(size)]
    shown += [_factor(factor) for factor in factors]
    return f"<mrow>{_operator(chr(0x2062)).join(shown)}</mrow>"  # invisible times


def _factor(factor: Factor) -> str:
    match factor:
        case SymbolFactor(name, exponent):
            return _power(_name(name), exponent)
        case GroupFactor(inside, exponent):
            return _power(_fenced("(", _sum(inside), ")"), exponent)
        case FunctionFactor():
            return _function(factor)
        case _:
            assert_never(factor)


def _function(factor: FunctionFactor) -> str:
    inside = _operator(",").join(f"<mrow>{_sum(argument)}</mrow>" for argument in factor.arguments)
    if factor.function in _FENCES:
        left, right = _FENCES[factor.function]
        return _power(_fenced(left, inside, right), factor.exponent)
    if factor.function == "root" and factor.index == 2:
        return _power(f"<msqrt>{inside}</msqrt>", factor.exponent)
    if factor.function == "root":
        return _power(_fenced("(", inside, ")"), Fraction(factor.exponent, factor.index))
    name = f"<mi>{escape(factor.function)}</mi>"
    return f"<mrow>{_power(name, factor.exponent)}{_operator(chr(0x2061))}{_fenced('(', inside, ')')}</mrow>"


def _name(name: str) -> str:
    parts = name_parts(name)
    stem = f"<mi>{escape(GREEK.get(parts.word, parts.word))}</mi>"
    if not parts.subscript:
        return stem
    kind = "mn" if parts.subscript.isdigit() else "mi"
    return f"<msub>{stem}<{kind}>{escape(parts.subscript)}</{kind}></msub>"


def _power(base: str, exponent: int | Fraction) -> str:
    return base if exponent == 1 else f"<msup>{base}<mn>{exponent}</mn></msup>"


def _fraction(upper: str, lower: str) -> str:
    return f"<mfrac>{upper}{lower}</mfrac>"


def _fenced(left: str, inside: str, right: str) -> str:
    return f"<mrow>{_operator(left)}{inside}{_operator(right)}</mrow>"


def _operator(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _number(value: int) -> str:
    return f"<mn>{value}</mn>"
