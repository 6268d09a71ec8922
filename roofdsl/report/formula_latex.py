r"""Formulas as LaTeX: `34 s b h + 5 a s^{2} b`, `\frac{s}{6 h}`, `d_{\mathrm{model}}`."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from roofdsl.report.formula_layout import Factor, FunctionFactor, GroupFactor, Layout, SymbolFactor, Term
from roofdsl.report.formula_names import GREEK, name_parts

_LETTERS = {letter: word for word, letter in GREEK.items()}


def latex(layout: Layout) -> str:
    """The formula without dollar signs."""
    if not layout.terms:
        return "0"
    shown = ""
    for i, term in enumerate(layout.terms):
        sign = "-" if term.coefficient < 0 else "+" if i else ""
        shown += f" {sign} " if i else sign
        shown += _term(term)
    return shown


def latex_name(name: str) -> str:
    r"""A name: `\lambda`, `d_{\mathrm{model}}`, `\mathrm{dff}`."""
    parts = name_parts(name)
    if parts.letter is None:
        stem = rf"\mathrm{{{_escaped(parts.word)}}}"
    else:
        word = _LETTERS.get(parts.letter, parts.letter)
        stem = f"\\{word}" if word in GREEK else word
    if not parts.subscript:
        return stem
    short = parts.subscript.isdigit() or len(parts.subscript) == 1
    return f"{stem}_{{{_escaped(parts.subscript)}}}" if short else rf"{stem}_{{\mathrm{{{_escaped(parts.subscript)}}}}}"


def _escaped(word: str) -> str:
    """Names are letters, digits and underscores; anything else is dropped rather than passed on."""
    kept = "".join(c for c in word if c.isalnum() or c == "_")
    return "".join(rf"\{_LETTERS[c]} " if c in _LETTERS else c for c in kept).replace("_", r"\_")


def _term(term: Term) -> str:
    size = abs(term.coefficient)
    if size.denominator == 1 and not term.below:
        return _product(size.numerator, term.above)
    if not term.below and size.numerator != 1:
        ratio = rf"\frac{{{size.numerator}}}{{{size.denominator}}}"
        return f"{ratio} {_product(1, term.above)}" if term.above else ratio
    return rf"\frac{{{_product(size.numerator, term.above)}}}{{{_product(size.denominator, term.below)}}}"


def _product(size: int, factors: tuple[Factor, ...]) -> str:
    if not factors:
        return str(size)
    alone = size == 1 and len(factors) == 1
    shown = [_factor(factor, bare=alone) for factor in factors]
    return " ".join(shown if size == 1 else (str(size), *shown))


def _factor(factor: Factor, *, bare: bool = False) -> str:
    match factor:
        case SymbolFactor(name, exponent):
            return latex_name(name) + _power(exponent)
        case GroupFactor(inside, 1) if bare:
            return latex(inside)
        case GroupFactor(inside, exponent):
            return rf"\left({latex(inside)}\right)" + _power(exponent)
        case FunctionFactor():
            return _function(factor)
        case _:
            assert_never(factor)


def _function(factor: FunctionFactor) -> str:
    inside = ", ".join(latex(argument) for argument in factor.arguments)
    match factor.function:
        case "ceil":
            shown = rf"\lceil {inside} \rceil"
        case "floor":
            shown = rf"\lfloor {inside} \rfloor"
        case "abs":
            shown = rf"\left| {inside} \right|"
        case "O":
            shown = rf"\mathcal{{O}}\left({inside}\right)"
        case "root" if factor.index == 2:
            shown = rf"\sqrt{{{inside}}}"
        case "root":
            return rf"\left({inside}\right)" + _power(Fraction(factor.exponent, factor.index))
        case name:
            shown = rf"\{name}\left({inside}\right)"
    return shown + _power(factor.exponent)


def _power(exponent: int | Fraction) -> str:
    return "" if exponent == 1 else f"^{{{exponent}}}"
