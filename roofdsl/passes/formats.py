"""The words at the end of a `dtype` (`e4m3 nan`, `integer`) → what its numbers are like, and its bits per element."""

from __future__ import annotations

import re
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.errors.names import BAD_DTYPE
from roofdsl.ir.library import Dtype
from roofdsl.ir.number_format import FloatFormat, IntegerFormat, NumberFormat, Specials
from roofdsl.passes.names import did_you_mean
from roofdsl.source import Span
from roofdsl.syntax import ast

DEFAULT_ROLES = ("activations", "params", "weights", "cache", "accumulators", "contraction", "vector", "special")
"""What `default ROLE dtype` may be said of: tensors, the sums of contractions, and the formats work runs in."""
OF_PARAMETERS = ("params", "weights")
"""Roles that may be narrowed to some parameters: `default weights.router bf16`."""

_FLOAT = re.compile(r"e([0-9]{1,2})m([0-9]{1,3})\Z")
_INTEGERS = ("integer", "unsigned")
FLAT = "flat"
"""Groups run over the whole tensor, beside the elements; without it along its rows, in blocks stored whole."""
_SPECIALS: dict[str, Specials] = {"ieee": "ieee", "nan": "nan", "finite": "finite"}


def read_dtype(declaration: ast.Dtype, sink: Sink) -> Dtype:
    """A declared dtype: `4 bit + 8 bit per 32` is 17/4 bit per element. What is in groups with a scale stands for real
    numbers, so only a plain integer counts as one.
    """
    bits = Fraction(declaration.bits) + sum((Fraction(b, group) for b, group in declaration.groups), Fraction(0))
    form = _format(declaration, sink)
    integer = isinstance(form, IntegerFormat) and not declaration.groups and not declaration.per_tensor
    return Dtype(declaration.name, bits, integer, declaration, form)


def _format(declaration: ast.Dtype, sink: Sink) -> NumberFormat | None:
    words = declaration.words
    known = [word for word in words if word in (*_INTEGERS, *_SPECIALS, FLAT) or _FLOAT.match(word)]
    for word in words:
        if word not in known:
            _reject(declaration, word, sink)
    shapes = [match for word in words if (match := _FLOAT.match(word))]
    integers = [word for word in words if word in _INTEGERS]
    if len(shapes) + len(integers) > 1:
        sink.add(BAD_DTYPE, declaration.span, "this is said twice", expected="one of e8m7, integer, unsigned")
        return None
    if integers:
        return IntegerFormat(declaration.bits, signed=integers[0] == "integer")
    if not shapes:
        return None
    exponent, mantissa = int(shapes[0][1]), int(shapes[0][2])
    if 1 + exponent + mantissa > declaration.bits or exponent < 1:
        text = f"a sign, {exponent} and {mantissa} bits are {1 + exponent + mantissa}"
        sink.add(BAD_DTYPE, _word(declaration.span, shapes[0][0]), text, expected=f"at most {declaration.bits}")
        return None
    special: Specials = next((_SPECIALS[word] for word in words if word in _SPECIALS), "ieee")
    return FloatFormat(exponent, mantissa, special)


def _reject(declaration: ast.Dtype, word: str, sink: Sink) -> None:
    helps = did_you_mean(word, (*_INTEGERS, *_SPECIALS, FLAT))
    expected = "exponent and mantissa as in e8m7, integer, unsigned, ieee, nan, finite or flat"
    sink.add(BAD_DTYPE, _word(declaration.span, word), "not a word for a format", expected=expected, helps=helps)


def _word(span: Span, word: str) -> Span:
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", span.text)
    return Span(span.source, span.start + match.start(), span.start + match.end()) if match else span
