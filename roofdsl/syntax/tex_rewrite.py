r"""Notations of mathematics that the language has no word for, written as what they mean: `\log_2 x` as a quotient,
`45\,\%` as a power of ten, a sum of equal terms as a product.

Takes tokens and gives tokens, every new one in the place of what it stands for. A sum whose terms depend on its index is
refused, since it is none of the language's formulas.
"""

from __future__ import annotations

from collections.abc import Sequence

from roofdsl.diagnostics import Sink
from roofdsl.errors import syntax as errors
from roofdsl.source import Source, Span
from roofdsl.syntax.tex_tokens import Tex
from roofdsl.syntax.tex_words import GREEK, RELATIONS, SIZED, SPACES

_LOGARITHMS = frozenset((r"\log", r"\ln"))
_BLANK = frozenset((" ", "~", *SPACES, r"\limits", r"\displaystyle"))
_ENDS_TERM = frozenset(("+", "-", "&", *RELATIONS))
_OPENING, _CLOSING = frozenset("{(["), frozenset("})]")


def rewritten(tokens: Sequence[Tex], source: Source, sink: Sink) -> list[Tex]:
    """The tokens in the language's own notations; what cannot be said in them goes to the sink."""
    made: list[Tex] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.text == r"\sum":
            i = _sum(tokens, i, made, source, sink)
        elif token.text in _LOGARITHMS:
            i = _logarithm(tokens, i, made)
        elif token.text == r"\%":
            made += _made(r"\cdot", "1", "0", "^", "{", "-", "2", "}", at=token)
            i += 1
        else:
            made.append(token)
            i += 1
    return made


def _made(*texts: str, at: Tex) -> list[Tex]:
    return [Tex(text, at.start, at.end) for text in texts]


def _sum(tokens: Sequence[Tex], start: int, made: list[Tex], source: Source, sink: Sink) -> int:
    """A sum of terms that do not depend on its index: their number, times one of them."""
    i, limits = start + 1, {}
    while (at := _passed(tokens, i)) < len(tokens) and tokens[at].text in "_^" and tokens[at].text not in limits:
        end = _argument(tokens, at + 1)
        limits[tokens[at].text] = _stripped(tokens[at + 1 : end])
        i = end
    span = Span(source, tokens[start].start, tokens[i - 1].end)
    below, above = limits.get("_", []), limits.get("^", [])
    equals = next((k for k, token in enumerate(below) if token.text == "="), None)
    if equals is None or not above:
        helps = (r"sums from one number to another are read: `\sum_{i=1}^{L}`",)
        sink.add(errors.BAD_TEX, span, "what this sum runs over is not written as numbers", helps=helps)
        return len(tokens)
    index = "".join(token.text for token in below[:equals] if token.text not in _BLANK)
    if _depends(tokens[i : _end_of_term(tokens, i)], index):
        helps = ("write the sum out, in closed form",)
        sink.add(errors.BAD_TEX, span, f"the terms of this sum depend on its index {index}", helps=helps)
        return len(tokens)
    first = below[equals + 1 :]
    place = Tex("", span.start, span.end)
    count = [*_made("(", at=place), *above]
    if "".join(token.text for token in first).strip() != "1":
        count += [*_made("-", "(", at=place), *first, *_made(")", "+", "1", at=place)]
    made += [*count, *_made(")", r"\cdot", at=place)]
    return i


def _depends(tokens: Sequence[Tex], index: str) -> bool:
    r"""Whether the index stands in these tokens, as a name or in a subscript, but not in the letters of a `\text{…}`."""
    words = 0
    for k, token in enumerate(tokens):
        if token.text == "{" and k and tokens[k - 1].text in (r"\text", r"\mathrm", r"\textrm", r"\operatorname"):
            words = 1
        elif words:
            words += (token.text == "{") - (token.text == "}")
        elif token.text == index:
            return True
    return False


def _end_of_term(tokens: Sequence[Tex], start: int) -> int:
    """Where the product that begins here ends."""
    depth = 0
    for k in range(start, len(tokens)):
        text = tokens[k].text
        depth += (text in _OPENING) - (text in _CLOSING)
        if depth < 0 or (depth == 0 and text in _ENDS_TERM):
            return k
    return len(tokens)


def _logarithm(tokens: Sequence[Tex], start: int, made: list[Tex]) -> int:
    r"""`\log_2 x` as ln x over ln 2, and `\log x` with brackets about what it is of."""
    token = tokens[start]
    i = _passed(tokens, start + 1)
    if i < len(tokens) and tokens[i].text == "_":
        end = _argument(tokens, i + 1)
        base = _stripped(tokens[i + 1 : end])
        made += [
            *_made(r"\frac", "{", "1", "}", "{", r"\log", "(", at=token),
            *base,
            *_made(")", "}", r"\cdot", at=token),
        ]
        i = _passed(tokens, end)
    made.append(Tex(r"\log", token.start, token.end))
    if i >= len(tokens) or tokens[i].text == "(" or SIZED.fullmatch(tokens[i].text) or tokens[i].text in _CLOSING:
        return i
    end = _argument(tokens, i)
    while (at := _passed(tokens, end)) < len(tokens) and tokens[at].text in "_^":
        end = _argument(tokens, at + 1)
    made += [*_made("(", at=token), *tokens[i:end], *_made(")", at=token)]
    return end


def _passed(tokens: Sequence[Tex], start: int) -> int:
    while start < len(tokens) and tokens[start].text in _BLANK:
        start += 1
    return start


def _argument(tokens: Sequence[Tex], start: int) -> int:
    """Where an argument ends: a group in braces, a number, or one token with the argument it takes."""
    i = _passed(tokens, start)
    if i >= len(tokens):
        return len(tokens)
    if tokens[i].is_command and tokens[i].text not in GREEK:
        arguments = 2 if "frac" in tokens[i].text else 1
        i += 1
        for _ in range(arguments):
            i = _argument(tokens, i)
        return i
    if tokens[i].text != "{":
        return i + 1
    depth = 0
    for k in range(i, len(tokens)):
        depth += (tokens[k].text == "{") - (tokens[k].text == "}")
        if depth == 0:
            return k + 1
    return len(tokens)


def _stripped(tokens: Sequence[Tex]) -> list[Tex]:
    """Without blanks at the ends, and the braces about all of it."""
    inner = list(tokens)
    while inner and inner[0].text in _BLANK:
        inner.pop(0)
    return inner[1:-1] if inner and inner[0].text == "{" and inner[-1].text == "}" else inner
