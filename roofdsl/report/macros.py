r"""Formulas as LaTeX macros: `\savedLayer` stands for the closed form of saved(layer), so that a paper follows its spec."""

from __future__ import annotations

import re
from collections.abc import Iterable

from roofdsl.report.derived import Derived
from roofdsl.report.footer import basis_of, footer_text
from roofdsl.report.plain import one_line

_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_WORD = re.compile(r"[A-Za-z]+|[0-9]")


def macros_text(results: Iterable[Derived], source: str) -> str:
    r"""The text of a file to `\input`: one `\newcommand` for each formula, with what it rests on."""
    lines = [f"% Written by roofdsl from {one_line(source)}: change that file and derive again, not this one."]
    taken: set[str] = set()
    for derived in results:
        name = _name(derived.text, taken)
        taken.add(name)
        footer = footer_text(basis_of(derived.found), (derived.dimension,))
        shown = f"{one_line(derived.text)} {derived.shape.relation} {derived.printed()}{derived.shape.regime}"
        lines += [f"% {shown} [{footer}]", rf"\newcommand{{\{name}}}{{{derived.printed('latex')}}}"]
    return "\n".join(lines) + "\n"


def _name(text: str, taken: set[str]) -> str:
    """A name of letters: `flops(gpt, train)` is flopsGptTrain; one that is taken gets a letter more."""
    words = [_DIGITS[int(word)] if word.isdigit() else word for word in _WORD.findall(text)]
    first, *others = words or ["formula"]
    name = first[0].lower() + first[1:] + "".join(word[0].upper() + word[1:] for word in others)
    if not others:
        name += "Formula"  # a single word may be a command of LaTeX itself
    number = 0
    while name + _letters(number) in taken:
        number += 1
    return name + _letters(number)


def _letters(number: int) -> str:
    """0 is nothing, then A to Z, AA, AB …"""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
