"""What printing and hints need of `specs/units.txt` and `specs/unit_hints.txt`, read as lines and without pint.

Gives the prefixes, the symbol of each base unit, all unit names, and the refused spellings with what to write instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from roofdsl.paths import specs_folder

_PREFIX = re.compile(r"(\w+)- = (?:1e(-?\d+)|2\*\*(\d+)) = (.+)\Z")
_BASE = re.compile(r"(\w+) = \[\w+\](?: = (\S+))?")


@dataclass(frozen=True, slots=True)
class Prefix:
    """`kilo`, 1000, `k`, decimal. `symbols` are all accepted spellings, the printed one last."""

    name: str
    factor: Fraction
    symbols: tuple[str, ...]
    binary: bool


@dataclass(frozen=True, slots=True)
class UnitTable:
    """Prefixes in descending size; base units with their symbol; every name and symbol that is a unit."""

    prefixes: tuple[Prefix, ...]
    symbols: dict[str, str]
    names: tuple[str, ...]

    def decimal(self) -> tuple[Prefix, ...]:
        return tuple(p for p in self.prefixes if not p.binary)

    def binary(self) -> tuple[Prefix, ...]:
        return tuple(p for p in self.prefixes if p.binary)


@dataclass(frozen=True, slots=True)
class Hint:
    """A refused spelling: what may have been meant, and why it is not accepted."""

    meant: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class _HintLine:
    """A near miss as it is written, and what to say to it."""

    wrong: str
    hint: Hint


def _lines(name: str) -> list[str]:
    text = (specs_folder() / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@cache
def unit_table() -> UnitTable:
    """The table of `specs/units.txt`."""
    prefixes: list[Prefix] = []
    symbols: dict[str, str] = {}
    names: list[str] = []
    for line in _lines("units.txt"):
        if found := _PREFIX.match(line):
            prefixes.append(_prefix(found))
            continue
        if found := _BASE.match(line):
            symbols[found[1]] = found[2] or found[1]
        parts = line.split(" = ")
        names += (parts[0], *parts[2:])
    return UnitTable(tuple(sorted(prefixes, key=lambda p: -p.factor)), symbols, tuple(names))


def _prefix(found: re.Match[str]) -> Prefix:
    binary = found[3] is not None
    factor = Fraction(2) ** int(found[3]) if binary else Fraction(10) ** int(found[2])
    symbols = tuple(symbol.removesuffix("-") for symbol in found[4].split(" = "))
    return Prefix(found[1], factor, symbols, binary)


@cache
def _hint_lines() -> tuple[_HintLine, ...]:
    lines = []
    for line in _lines("unit_hints.txt"):
        wrong, meant, why = (part.strip() for part in line.split(";"))
        lines.append(_HintLine(wrong, Hint(tuple(m.strip() for m in meant.split(",")), why)))
    return tuple(sorted(lines, key=lambda line: "~" in line.wrong))


def find_hint(text: str) -> Hint | None:
    """The hint for a refused spelling; None if it is not one of them."""
    prefixes = ("", *(symbol for p in unit_table().prefixes for symbol in p.symbols))
    for line in _hint_lines():
        for prefix in prefixes if "~" in line.wrong else ("",):
            if line.wrong.replace("~", prefix) == text:
                return Hint(tuple(m.replace("~", prefix) for m in line.hint.meant), line.hint.why)
    return None
