"""The parse tables in force: those kept in the package if they belong to the grammar, else built anew by Lark.

A state's row is decoded when the parser first comes to it. Nothing here is a pickle, and nothing is read from or
written to a shared folder.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from typing import Any

from roofdsl.paths import grammar_file
from roofdsl.syntax.kept import TABLES_FILE, grammar_digest

DROP, KEEP, SPLICE, ABSENT = 0, 1, 2, -1


@dataclass(frozen=True, slots=True)
class Rule:
    """A production. `shape` says for each symbol whether its value is dropped, kept or spliced in, with `ABSENT` where
    an optional part is missing; `spliced` rules give a list to their parent; `inline` ones give way to a single child;
    `passing` ones always do.
    """

    origin: str
    name: str
    length: int
    shape: tuple[int, ...]
    inline: bool
    spliced: bool
    passing: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A keyword and where it is one: after a blank, and before what `ahead` matches."""

    terminal: str
    after_blank: bool
    ahead: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Tables:
    """An LALR(1) automaton and its terminals. `rows` caches decoded states: symbol to next state, or to the
    complement of a rule's number. `chains` caches where runs of passing rules end.
    """

    symbols: tuple[str, ...]
    states: tuple[str, ...]
    rows: dict[int, dict[str, int]]
    chains: dict[tuple[int, int, str], int]
    starts: dict[str, int]
    rules: tuple[Rule, ...]
    literals: dict[str, tuple[str, ...]]
    words: dict[str, tuple[Word, ...]]
    tight: dict[str, str]
    classes: tuple[tuple[str, re.Pattern[str]], ...]
    name: re.Pattern[str]
    blank: re.Pattern[str]
    latex_blank: re.Pattern[str]

    def row(self, state: int) -> dict[str, int]:
        """What a state does on each symbol."""
        found = self.rows.get(state)
        if found is None:
            numbers = [int(part) for part in self.states[state].split()]
            symbols = self.symbols
            found = {symbols[n]: target for n, target in zip(numbers[::2], numbers[1::2], strict=True)}
            self.rows[state] = found
        return found

    def pass_on(self, below: int, top: int, kind: str) -> int:
        """The state a value comes to above `below` when passing rules are applied to it before a token. Most
        reductions are of this sort (an atom is a power is a product is a sum …), so runs of them are remembered.
        """
        key = (below, top, kind)
        found = self.chains.get(key)
        if found is None:
            target = self.row(top).get(kind)
            found = top
            while target is not None and target < 0 and self.rules[~target].passing:
                found = self.row(below)[self.rules[~target].origin]
                target = self.row(found).get(kind)
            self.chains[key] = found
        return found


@functools.cache
def load_tables() -> Tables:
    """The tables of the shipped grammar; stale ones are never used."""
    grammar = grammar_file().read_text(encoding="utf-8")
    data = json.loads(TABLES_FILE.read_text(encoding="utf-8")) if TABLES_FILE.is_file() else {}
    if data.get("digest") != grammar_digest(grammar):
        from roofdsl.syntax.generate import build_tables

        data = build_tables(grammar)
    return decode_tables(data)


def decode_tables(data: dict[str, Any]) -> Tables:
    """Ready-made values from the data of `generate.build_tables`."""
    ignored = data["ignored"]
    compiled = functools.cache(re.compile)
    classes = tuple((name, re.compile(pattern)) for name, pattern in data["classes"])
    return Tables(
        symbols=tuple(data["symbols"]),
        states=tuple(data["states"]),
        rows={},
        chains={},
        starts=data["starts"],
        rules=tuple(_rule(*entry) for entry in data["rules"]),
        literals={text: tuple(names) for text, names in data["literals"].items()},
        words={
            word: tuple(Word(name, behind, compiled(ahead) if ahead else None) for name, behind, ahead in entries)
            for word, entries in data["words"].items()
        },
        tight=data["tight"],
        classes=classes,
        name=dict(classes)["NAME"],
        blank=re.compile(f"(?:{ignored['BLANK']}|{ignored['COMMENT']})*"),
        latex_blank=re.compile(f"(?:{ignored['BLANK']}|{ignored['LATEX_SPACE']})*"),
    )


def _rule(origin: str, name: str, length: int, shape: list[int], inline: bool) -> Rule:
    spliced = origin.startswith("_")
    passing = length == 1 and ((inline and shape == [KEEP]) or (spliced and shape == [SPLICE]))
    return Rule(origin, name, length, tuple(shape), inline, spliced, passing)
