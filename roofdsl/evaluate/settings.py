"""`--set NAME=VALUE` and numbers of the command line → bindings, with the same formulas as in a config.

Numbers may have a prefix (`8k` is 8000, `8Ki` is 8192); what else people write for numbers (`3,35`, `1_000`, `2:4`) is
refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.errors.evaluation import BAD_NUMBER, DECIMAL_K
from roofdsl.errors.usage import BAD_SETTING
from roofdsl.source import Source, Span
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_bindings
from roofdsl.units.table import Prefix, unit_table

_NAME = re.compile(r"\s*(\w+)\s*=\s*(.*?)\s*\Z", re.DOTALL)
_NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)([A-Za-z]{0,2})\Z")
_NUMBER_LIKE = re.compile(r"-?[0-9.][0-9.,:_' ]*[A-Za-z]{0,2}\Z")
_LONGEST = 40
_THOUSAND = 1000


def read_setting(text: str, sink: Sink, known: Collection[str] = ()) -> ast.Binding | None:
    """The binding of one `--set`; None after a diagnostic. `known` are declared sizes: `2k` is a product if k is one."""
    source = Source("--set", text)
    whole = Span(source, 0, len(text))
    parts = _NAME.match(text)
    if parts is None or not parts[2] or parts[1][0].isdigit():
        sink.add(BAD_SETTING, whole, "this is not NAME=VALUE", helps=("for example --set s=2048",))
        return None
    span = Span(source, *parts.span(2))
    number = read_number(span, sink, known)
    if number is not None:
        return ast.Binding(parts[1], ast.Number(number, parts[2], span), whole)
    if sink.errors or _looks_like_a_number(parts[2], known):
        return None
    bindings = parse_bindings(source, sink)
    return bindings[0] if len(bindings) == 1 else None


def read_number(span: Span, sink: Sink, known: Collection[str] = ()) -> Fraction | None:
    """The number a text is, exactly; None if it is a formula, or after a diagnostic (E0615) if it is a slip."""
    text = span.text
    found = _NUMBER.match(text) if len(text) <= _LONGEST else None
    prefix = _prefix(found[2]) if found is not None else None
    if found is not None and found[2] in known and found[2]:
        return None
    if found is not None and (prefix is not None or not found[2]):
        _note_thousand(text, prefix, span, sink)
        return Fraction(found[1]) * (1 if prefix is None else prefix.factor)
    if _looks_like_a_number(text, known):
        helps = ("a point separates decimals, nothing separates thousands", "prefixes are k M G T P E and Ki … Ei")
        sink.add(BAD_NUMBER, span, "this is not a number", found=text[:_LONGEST], helps=helps)
    return None


def _looks_like_a_number(text: str, known: Collection[str]) -> bool:
    if not _NUMBER_LIKE.match(text):
        return False
    letters = "".join(c for c in text if c.isalpha())
    return not letters or not any(letter in known for letter in (letters, *letters))


def _prefix(symbol: str) -> Prefix | None:
    return next((p for p in unit_table().prefixes if symbol in p.symbols and p.factor > 1), None)


def _note_thousand(text: str, prefix: Prefix | None, span: Span, sink: Sink) -> None:
    """`8k` often means 8192; `8000k` or `1.5M` do not."""
    if prefix is None or prefix.factor != _THOUSAND:
        return
    number = Fraction(text.removesuffix(prefix.symbols[-1]))
    if number.denominator == 1 and number.numerator & (number.numerator - 1) == 0 and number > 0:
        sink.add(DECIMAL_K, span, f"{text} is {number * _THOUSAND}; {text}i is {number * 1024}".replace("ki", "Ki"))
