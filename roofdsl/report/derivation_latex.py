r"""Derivations as LaTeX: an `align*` of the sum and a `booktabs` table of the contributions, to be pasted as they are.

Needs the packages amsmath and booktabs. The first lines of the sum hold every count as it stands in the statements; then
the lets are put in, terms are collected, and the result is factored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from roofdsl.algebra.form import Normal
from roofdsl.report.derivation import Derivation, Passage
from roofdsl.report.derivation_table import derivation_tables
from roofdsl.report.formula import formula, render
from roofdsl.report.formula_latex import latex_name
from roofdsl.report.formula_layout import Style
from roofdsl.report.markup import escape_latex, render_latex

WIDEST = 52
"""Characters of a row that fit between the margins of an article."""
IS, AND = r"&\quad =", r"&\qquad {}+"
MOST_NAMES = 3


def derivation_latex(found: Derivation) -> str:
    """The derivation with the packages it needs."""
    lines = ["% needs \\usepackage{amsmath,booktabs}; \\allowdisplaybreaks lets long sums run over pages"]
    lines += _aligned(found)
    lines += ["", *(render_latex(table) for table in derivation_tables(found))]
    return "\n".join(lines)


def _aligned(found: Derivation) -> Iterator[str]:
    for part in found.parts:
        yield from _aligned(part)
    yield r"\begin{align*}"
    rows = [f"  {row}" for row in _rows(found)]
    yield " \\\\\n".join((f"&{_title(found)}", *rows))
    yield r"\end{align*}"


def _title(found: Derivation) -> str:
    name, _, rest = found.text.partition("(")
    return rf"\operatorname{{{escape_latex(name)}}}(\texttt{{{escape_latex(rest.removesuffix(')'))}}})"


def _rows(found: Derivation) -> Iterator[str]:
    """The rows of the sum, without what ends them."""
    style = found.style
    relation = IS
    if len(found.steps) > 1:
        for passage in found.passages:
            yield from _passage(passage, style, relation)
            relation = AND
        relation = IS
        if any(step.count != step.amount for step in found.steps):
            amounts = _terms((step.amount for step in found.steps), style, IS, "")
            yield from ((f"{_where(found)}{row}" if i == 0 else row) for i, row in enumerate(amounts))
    for phase, amount in found.phases:
        sign = relation if phase == found.phases[0][0] else AND
        yield rf"{sign} \underbrace{{{formula(amount, style, 'latex')}}}_{{\text{{{phase}}}}}"
    yield from _fitted(_split(formula(found.total, style, "latex")), relation)
    if found.factored is not None:
        yield f"{IS} {render(found.factored, style, 'latex')}"


def _split(text: str) -> list[str]:
    """The terms of a formula, each with the sign before it."""
    parts: list[str] = []
    depth = 0
    for word in text.split(" "):
        if parts and not (depth == 0 and word in ("+", "-")):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
        depth += word.count("{") - word.count("}") + word.count(r"\left") - word.count(r"\right")
    return parts


def _fitted(terms: Iterable[str], relation: str) -> Iterator[str]:
    """Signed terms in rows that fit."""
    row: list[str] = []
    for term in terms:
        if row and _width(" ".join((*row, term))) > WIDEST:
            yield f"{relation} {' '.join(row)}"
            row, relation = [], r"&\qquad {}"
        row.append(term)
    yield f"{relation} {' '.join(row)}"


def _width(text: str) -> int:
    """About how many characters a formula shows: the letters of a command count as one."""
    shown = re.sub(r"\\[A-Za-z]+|[{}^_ ]", lambda found: "x" if found.group()[0] == "\\" else "", text)
    return len(shown) + 2 * (shown.count("+") + shown.count("-"))


def _passage(passage: Passage, style: Style, relation: str) -> Iterator[str]:
    """The counts of a statement, with what they are of."""
    path = passage.name.rpartition(".")[0]
    names = list(dict.fromkeys(step.tensor.removeprefix(f"{path}." if path else "") for step in passage.steps))
    shown = ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
    note = f"{escape_latex(passage.name)}: {escape_latex(shown)}"
    yield from _terms((step.count for step in passage.steps), style, relation, note)


def _terms(forms: Iterable[Normal], style: Style, relation: str, note: str) -> Iterator[str]:
    """Terms joined by plus signs, as many in a row as fit; the note stands beside the first row, or below it where there
    is no room.
    """
    terms = [_term(form, style) for form in forms]
    signed = [term if i == 0 else f"+ {term}" for i, term in enumerate(terms)]
    beside = rf" \tag*{{\footnotesize {note}}}" if note else ""
    for i, row in enumerate(_fitted(signed, relation)):
        yield f"{row}{beside if i == 0 else ''}"


def _term(form: Normal, style: Style) -> str:
    text = formula(form, style, "latex")
    return rf"\left({text}\right)" if len(form.numer) > 1 or text.startswith("-") else text


def _where(found: Derivation) -> str:
    """The lets that are put in, as a line between rows."""
    parts = [f"${latex_name(n)} = {formula(f, found.style, 'latex')}$" for n, f in found.lets]
    return rf"\intertext{{where {', '.join(parts)}:}} " if parts else ""
