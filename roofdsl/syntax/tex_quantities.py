r"""Numbers and units in the commands of siunitx, as plain LaTeX: `\qty{80}{\giga\byte}` is `80\,\mathrm{GB}`, `\num{1e3}`
is `1e3`.

Takes tokens and gives tokens, every new one in the place of what it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence

from roofdsl.syntax.tex_tokens import Tex

_UNITS = {
    r"\kilo": "k", r"\mega": "M", r"\giga": "G", r"\tera": "T", r"\peta": "P", r"\exa": "E", r"\milli": "m", r"\micro": "u",
    r"\nano": "n", r"\kibi": "Ki", r"\mebi": "Mi", r"\gibi": "Gi", r"\tebi": "Ti", r"\pebi": "Pi", r"\byte": "B",
    r"\bit": "bit", r"\second": "s", r"\hour": "hour", r"\day": "day", r"\per": "/", r"\joule": "J", r"\flop": "FLOP",
    r"\FLOP": "FLOP",
}  # fmt: skip
_QUANTITIES = frozenset((r"\qty", r"\SI"))
_NUMBERS = frozenset((r"\num", *_QUANTITIES))


def written_out(tokens: Sequence[Tex]) -> list[Tex]:
    """The tokens with numbers and quantities written out; a command whose arguments are missing is left as it is."""
    made: list[Tex] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        ends = _groups(tokens, i + 1, 2 if token.text in _QUANTITIES else 1) if token.text in _NUMBERS else None
        if ends is None:
            made.append(token)
            i += 1
            continue
        start = i + 1
        made += [t for t in tokens[start : ends[0]] if t.text not in ("{", "}", " ")]
        if len(ends) > 1:
            made += _unit(tokens[ends[0] : ends[1]], token.start, tokens[ends[1] - 1].end)
        i = ends[-1]
    return made


def _groups(tokens: Sequence[Tex], start: int, count: int) -> list[int] | None:
    """Where some arguments in braces end; None if they do not stand there."""
    ends: list[int] = []
    at = start
    for _ in range(count):
        while at < len(tokens) and tokens[at].text == " ":
            at += 1
        closing = next((k for k in range(at, len(tokens)) if tokens[k].text == "}"), None)
        if at >= len(tokens) or tokens[at].text != "{" or closing is None:
            return None
        at = closing + 1
        ends.append(at)
    return ends


def _unit(tokens: Sequence[Tex], start: int, end: int) -> list[Tex]:
    text = "".join(_UNITS.get(t.text, t.text) for t in tokens if t.text not in ("{", "}", " ", "~", r"\,", "."))
    return [Tex(text, start, end) for text in (r"\,", r"\mathrm", "{", *text, "}")]
