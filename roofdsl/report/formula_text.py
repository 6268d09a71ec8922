"""Formulas as text in paper style: 34sbh + 5as²b. What is printed reads back to the same formula.

Single letters are juxtaposed where that can be read in one way only, else joined by `·`; a fraction has its
denominator in parentheses unless it is one factor.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from roofdsl.report.formula_layout import Factor, FunctionFactor, GroupFactor, Layout, Style, SymbolFactor, Term
from roofdsl.syntax.split import split_name

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
CLAUSE_WORDS = frozenset(
    ["at", "on", "from", "under", "when", "within", "for", "off", "reading", "as", "per", "free", "by", "not"]
)
"""Words that mean something between blanks: a product that spells one is dotted."""


def text(layout: Layout, style: Style) -> str:
    """The formula on one line."""
    if not layout.terms:
        return "0"
    parts: list[str] = []
    for term in layout.terms:
        shown = _term(term, style)
        if not parts:
            parts.append(f"-{shown}" if term.coefficient < 0 else shown)
        else:
            parts.append(f" {'-' if term.coefficient < 0 else '+'} {shown}")
    return "".join(parts)


def _term(term: Term, style: Style) -> str:
    """A term without its sign."""
    size = abs(term.coefficient)
    if not term.below:
        return _whole(size, term.above, style)
    upper = _product(Fraction(size.numerator), term.above, style)
    lower = _product(Fraction(size.denominator), term.below, style)
    single = len(term.below) == 1 and size.denominator == 1
    return f"{upper}/{lower}" if single else f"{upper}/({lower})"


def _whole(size: Fraction, above: tuple[Factor, ...], style: Style) -> str:
    if size.denominator == 1:
        return _product(size, above, style)
    if not above:
        return f"{size.numerator}/{size.denominator}"
    if size.numerator == 1:
        return f"{_product(Fraction(1), above, style)}/{size.denominator}"
    return f"({size.numerator}/{size.denominator})" + _product(Fraction(1), above, style)


def _product(size: Fraction, factors: tuple[Factor, ...], style: Style) -> str:
    """A product of a whole number and factors, joined as tightly as can be read back."""
    if not factors:
        return str(size.numerator)
    dotted = _must_dot(factors, style)
    shown = "" if size == 1 else str(size.numerator)
    if shown and _reads_as_exponent(factors[0]):
        shown += "·"
    for i, factor in enumerate(factors):
        if i and (dotted or not _may_touch(factors[i - 1], factor)):
            shown += "·"
        shown += _factor(factor, style)
    return shown if shown not in CLAUSE_WORDS or len(factors) == 1 else "·".join(_factor(f, style) for f in factors)


def _may_touch(left: Factor, right: Factor) -> bool:
    """Letters and a closing sum may be juxtaposed; long names and functions may not."""
    if not isinstance(left, SymbolFactor) or len(left.name) > 1:
        return False
    return isinstance(right, GroupFactor) or (isinstance(right, SymbolFactor) and len(right.name) == 1)


def _reads_as_exponent(factor: Factor) -> bool:
    """`2e1` is the number 20."""
    return isinstance(factor, SymbolFactor) and factor.name[0] in "eE" and factor.name[1:2].isdigit()


def _must_dot(factors: tuple[Factor, ...], style: Style) -> bool:
    """Whether some run of juxtaposed letters could be read otherwise, or is a declared name, or calls a function."""
    names = style.names or frozenset(style.order)
    known = names | {factor.name for factor in factors if isinstance(factor, SymbolFactor)}
    for run, called in _runs(factors):
        word = "".join(run)
        if len(split_name(word, known)) != 1 or (len(run) > 1 and word in known):
            return True
        if word in style.reserved and (called or len(run) > 1):
            return True
    return False


def _runs(factors: tuple[Factor, ...]) -> list[tuple[list[str], bool]]:
    """Runs of letters that will be one word, and whether a parenthesis follows. A power ends a word."""
    runs: list[tuple[list[str], bool]] = []
    current: list[str] = []
    for factor in factors:
        match factor:
            case SymbolFactor(name, exponent) if len(name) == 1:
                current.append(name)
                if exponent != 1:
                    runs.append((current, False))
                    current = []
            case _:
                if current:
                    runs.append((current, isinstance(factor, GroupFactor)))
                current = []
    if current:
        runs.append((current, False))
    return runs


def _factor(factor: Factor, style: Style) -> str:
    match factor:
        case SymbolFactor(name, exponent):
            return name + superscript(exponent)
        case GroupFactor(inside, exponent):
            return f"({text(inside, style)}){superscript(exponent)}"
        case FunctionFactor():
            return _function(factor, style)
        case _:
            assert_never(factor)


def _function(factor: FunctionFactor, style: Style) -> str:
    inside = ", ".join(text(argument, style) for argument in factor.arguments)
    match factor.function, factor.index:
        case "root", 2:
            return f"sqrt({inside}){superscript(factor.exponent)}"
        case "root", index:
            return f"({inside})^({factor.exponent}/{index})"
        case name, _:
            return f"{name}({inside}){superscript(factor.exponent)}"


def superscript(exponent: int) -> str:
    """An exponent other than 1, raised."""
    return "" if exponent == 1 else str(exponent).translate(_SUPERSCRIPTS)
