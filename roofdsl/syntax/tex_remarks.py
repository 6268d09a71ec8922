r"""What stands beside a formula and is no part of it: `34sbh, \quad d = h/a`, `34sbh \qquad \text{(bytes per layer)}`.

Takes the tokens of a row and gives those of the formula.
"""

from __future__ import annotations

from roofdsl.syntax.tex_tokens import Tex
from roofdsl.syntax.tex_words import RELATIONS, SPACES, WORDS

_WIDE = frozenset((r"\quad", r"\qquad", r"\hfill", r"\hspace", r"\hspace*"))
_ENDS = frozenset((",", ";", "."))
_CONDITIONS = frozenset((r"\forall", r"\mbox", r"\text", r"\textrm", r"\textit", r"\textnormal", r"\mathrm"))
_NARROW = frozenset((" ", "~", "&", *SPACES))


def without_remark(cell: list[Tex]) -> list[Tex]:
    """The tokens before a remark: behind a wide space, or behind a comma with one."""
    depth = 0
    for i, token in enumerate(cell):
        depth += (token.text in ("{", "(", "[")) - (token.text in ("}", ")", "]"))
        if depth == 0 and i > 0 and (_behind_comma(cell, i) or _behind_space(cell, i)):
            return cell[:i]
        if depth == 1 and token.text == "(" and i > 0 and _begins_with_relation(cell[i + 1 :]):
            return cell[:i]
    return cell


def _begins_with_relation(tokens: list[Tex]) -> bool:
    r"""`(= 14.96\,\mathrm{GiB})`: the same once more."""
    first = next((token.text for token in tokens if token.text not in _NARROW), "")
    return first in RELATIONS


def _behind_comma(cell: list[Tex], i: int) -> bool:
    if cell[i].text not in _ENDS:
        return False
    follow = [token.text for token in cell[i + 1 : i + 4] if token.text not in (" ", "~", "&", r"\,", r"\;")]
    return bool(follow) and (follow[0] in _WIDE or follow[0] in _CONDITIONS)


def _behind_space(cell: list[Tex], i: int) -> bool:
    r"""A wide space, then words that are no unit, `\forall`, or brackets that hold words or a relation."""
    if cell[i].text not in _WIDE:
        return False
    rest = [token for token in cell[i + 1 :] if token.text not in _NARROW]
    if not rest:
        return False
    if rest[0].text == r"\forall":
        return True
    if rest[0].text in ("(", "["):
        closing = next((k for k, token in enumerate(rest) if token.text in (")", "]")), len(rest))
        return any(token.text in WORDS or token.text in RELATIONS or token.text in _ASIDE for token in rest[:closing])
    return rest[0].text in WORDS and not _is_unit(cell[i + 1 :])


_ASIDE = frozenset((r"\gg", r"\ll", r"\in", r"\forall"))


def _is_unit(tokens: list[Tex]) -> bool:
    """Whether words are one word without blanks or brackets, and the last of the row."""
    texts = [token.text for token in tokens]
    while texts and texts[-1] in _NARROW | _ENDS:
        texts.pop()
    start = next(i for i, text in enumerate(texts) if text in WORDS)
    inside = "".join(texts[start + 1 :]).strip("{}")
    return bool(inside) and not set(inside) & set(" ()[]~,:{}")
