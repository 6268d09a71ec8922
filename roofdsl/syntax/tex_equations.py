r"""Displayed equations cut into their sides: rows of `align`, chains `A &= B \\ &= C`, right sides over several rows.

Takes the text of a display and gives `Equation`s: what stands right of each relation sign, as tokens. The left side is
the author's name for the quantity and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from roofdsl.diagnostics import Diagnostic, Sink
from roofdsl.source import Span
from roofdsl.syntax.claims import ClaimRelation
from roofdsl.syntax.tex_macros import Macros, expanded
from roofdsl.syntax.tex_remarks import without_remark
from roofdsl.syntax.tex_tokens import Tex, tex_tokens
from roofdsl.syntax.tex_words import LOOKS, RELATIONS, SPACES

INNER = frozenset(("split", "aligned", "gathered", "alignedat", "multlined"))
"""Environments inside a display that only arrange its rows."""
BETWEEN = frozenset((r"\intertext", r"\shortintertext"))
"""Text between rows."""
COLUMNS = frozenset(("align", "alignat", "flalign", "aligned", "alignedat"))
"""Environments where every second `&` begins another equation."""
OPENING, CLOSING = frozenset("{(["), frozenset("})]")
_BLANK = frozenset((" ", "~", "&", *SPACES, *LOOKS))
_ENDS = _BLANK | {".", ",", ";"}


@dataclass(frozen=True, slots=True)
class Side:
    """What stands right of a relation sign."""

    relation: ClaimRelation
    tokens: tuple[Tex, ...]
    span: Span


@dataclass(slots=True)
class Equation:
    """`start` is where its row begins; `sides` are the right sides of a chain, each compared with the left side. `faults`
    is what is wrong with macros in its display.
    """

    start: int
    sides: list[Side] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    faults: tuple[Diagnostic, ...] = ()


def equations(display: Span, env: str, macros: Macros) -> list[Equation]:
    """The equations of a display, macros put in."""
    sink = Sink()
    plain = list(tex_tokens(display.source.text, display.start, display.end))
    found = _equations(expanded(plain, display.source, sink, macros), display, env)
    for equation in found:
        equation.faults = tuple(sink.found)
    return found


def _equations(tokens: list[Tex], display: Span, env: str) -> list[Equation]:
    found: list[Equation] = []
    loose: list[str] = []
    columns = env in COLUMNS or any(t.text == r"\begin" for t in tokens)
    if env in ("alignat", "IEEEeqnarray"):
        tokens = _after_group(tokens)
    for row in _rows(tokens):
        labels, plain = _without_labels(row)
        known = len(found)
        for number, cell in enumerate(_cells(plain) if columns else [plain]):
            _add(without_remark(cell), found, display, first=number == 0)
        (found[-1].labels if len(found) > known or found else loose).extend(labels)
    if found:
        found[0].labels += loose
        if env not in COLUMNS | {"gather", "eqnarray", "IEEEeqnarray"}:
            found[0].labels += [label for equation in found[1:] for label in equation.labels]
    return found


def _rows(tokens: list[Tex]) -> Iterator[list[Tex]]:
    r"""The rows, ended by `\\` outside of braces; inner environments that only arrange are passed over."""
    row: list[Tex] = []
    depth, i = 0, 0
    while i < len(tokens):
        token = tokens[i]
        depth += (token.text == "{") - (token.text == "}")
        if token.text in (r"\begin", r"\end") and (width := _arranging(tokens, i)):
            i += width
            continue
        if token.text == r"\\" and depth == 0:
            yield row
            row = []
            i += 1 + _spacing(tokens, i + 1)
            continue
        if token.text in BETWEEN:
            yield row
            row = []
            i = _behind_group(tokens, i + 1)
            continue
        row.append(token)
        i += 1
    yield row


def _behind_group(tokens: list[Tex], start: int) -> int:
    """Where the group in braces that begins here ends."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].text == "{") - (tokens[i].text == "}")
        if depth == 0 and tokens[i].text != " ":
            return i + 1
    return len(tokens)


def _arranging(tokens: list[Tex], start: int) -> int:
    r"""How many tokens `\begin{split}`, `\begin{aligned}[t]` or `\end{split}` take; 0 for another environment."""
    texts = [token.text for token in tokens[start + 1 : start + 30]]
    if not texts or texts[0] != "{" or "}" not in texts:
        return 0
    end = texts.index("}")
    if "".join(texts[1:end]) not in INNER:
        return 0
    return end + 2 + _spacing(tokens, start + end + 2)


def _spacing(tokens: list[Tex], start: int) -> int:
    """How many tokens an optional `[2pt]` or `[t]` takes."""
    texts = [token.text for token in tokens[start : start + 12]]
    return texts.index("]") + 1 if texts[:1] == ["["] and "]" in texts and len(texts[: texts.index("]")]) < 8 else 0


def _after_group(tokens: list[Tex]) -> list[Tex]:
    """The tokens behind the group they begin with."""
    texts = [token.text for token in tokens]
    return tokens[texts.index("}") + 1 :] if "}" in texts and "".join(texts).lstrip().startswith("{") else tokens


def _without_labels(row: list[Tex]) -> tuple[list[str], list[Tex]]:
    r"""The names in `\label{…}`, and the other tokens."""
    labels: list[str] = []
    plain: list[Tex] = []
    i = 0
    while i < len(row):
        texts = [token.text for token in row[i + 1 : i + 120]]
        if row[i].text == r"\label" and texts[:1] == ["{"] and "}" in texts:
            end = texts.index("}")
            labels.append("".join(texts[1:end]))
            i += end + 2
            continue
        plain.append(row[i])
        i += 1
    return labels, plain


def _cells(row: list[Tex]) -> Iterator[list[Tex]]:
    """The row cut at every second `&` outside of braces."""
    cell: list[Tex] = []
    depth, marks = 0, 0
    for token in row:
        depth += (token.text == "{") - (token.text == "}")
        marks += token.text == "&" and depth == 0
        if token.text == "&" and depth == 0 and marks % 2 == 0:
            yield cell
            cell = []
        else:
            cell.append(token)
    yield cell


def _add(cell: list[Tex], found: list[Equation], display: Span, *, first: bool) -> None:
    """A cell becomes an equation, further sides of the last one, or more of its last side."""
    parts = list(_split(cell))
    left = [token for token in parts[0][1] if token.text not in _BLANK]
    if not cell:
        return
    if len(parts) == 1:
        if not first or not left:
            return  # a remark beside the equation, or an empty row
        if found:
            _continue(found[-1], parts[0][1], display)
        else:
            found.append(Equation(left[0].start, _sides([("=", parts[0][1])], display)))
    elif left or not found:
        found.append(Equation(left[0].start if left else cell[0].start, _sides(parts[1:], display)))
    else:
        found[-1].sides += _sides(parts[1:], display)


Part = tuple[ClaimRelation, list[Tex]]


def _split(cell: list[Tex]) -> Iterator[Part]:
    """What stands before the first relation sign, then what stands behind each."""
    relation: ClaimRelation = "="
    part: list[Tex] = []
    depth = 0
    for token in cell:
        depth = max(0, depth + (token.text in OPENING) - (token.text in CLOSING))
        sign = RELATIONS.get(token.text) if depth == 0 else None
        if sign is None:
            part.append(token)
            continue
        yield relation, part
        relation, part = sign, []
    yield relation, part


def _sides(parts: list[Part], display: Span) -> list[Side]:
    """The sides that hold anything, without the signs a sentence ends with."""
    sides: list[Side] = []
    for relation, tokens in parts:
        kept = _trimmed(tokens)
        if kept:
            end = max(token.end for token in kept)
            sides.append(Side(relation, tuple(kept), Span(display.source, kept[0].start, end)))
    return sides


def _trimmed(tokens: list[Tex]) -> list[Tex]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].text in _BLANK:
        start += 1
    while start < end and tokens[end - 1].text in _ENDS:
        end -= 1
    return tokens[start:end]


def _continue(equation: Equation, tokens: list[Tex], display: Span) -> None:
    """More of the last side, on a row of its own."""
    kept = _trimmed(tokens)
    if not equation.sides or not kept:
        return
    last = equation.sides[-1]
    blank = Tex(" ", last.span.end, max(last.span.end, kept[0].start))
    span = Span(display.source, last.span.start, max(token.end for token in kept))
    equation.sides[-1] = Side(last.relation, (*last.tokens, blank, *kept), span)
