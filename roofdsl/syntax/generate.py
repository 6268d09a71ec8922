"""Grammar to parse tables: Lark builds the LALR(1) automaton, this module writes it down as plain data.

The data (see `tables.py`) is kept in the package, so that a run neither imports Lark nor builds an automaton; a test
demands that it is fresh. Terminals must have one of the shapes listed at the head of the grammar.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from roofdsl.syntax.kept import TABLES_FILE, dump_tables, grammar_digest

STARTS = (
    "file",
    "formula",
    "statement",
    "claim_text",
    "subject",
    "bindings",
    "braces_text",
    "unit_text",
    "quantity_text",
    "latex",
    "marker",
)
_BOUNDED = re.compile(r"(?P<behind>\(\?<=\\s\))?(?P<word>[a-z]+)(?P<ahead>\(\?=.*\))")
_TIGHT = re.compile(r"\(\?<=\\w\)\\(?P<literal>.)")
_ACCEPT = (None, 0)
_IGNORED = ("BLANK", "COMMENT", "LATEX_SPACE")


def build_tables(text: str) -> dict[str, Any]:
    """The tables of a grammar as JSON-ready data."""
    from lark import Lark

    lark = Lark(text, parser="lalr", lexer="contextual", start=list(STARTS))
    table: Any = lark.parser.parser._parse_table  # noqa: SLF001
    rows = {state: dict(row) for state, row in table.states.items()}
    for state in table.end_states.values():
        rows[state]["$END"] = _ACCEPT
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    symbols = sorted({name for row in rows.values() for name in row})
    ids = {name: number for number, name in enumerate(symbols)}
    return {
        "digest": grammar_digest(text),
        "symbols": symbols,
        "states": [_row(rows[state], ids, rules) for state in range(len(rows))],
        "starts": dict(table.start_states),
        "rules": [_rule(rule) for rule in lark.rules],
        **_terminals(list(lark.terminals)),
    }


def _row(row: dict[str, Any], ids: dict[str, int], rules: dict[Any, int]) -> str:
    """`symbol target` pairs in the order of their names: a state to go to, or the complement of the number of a rule to reduce."""
    pairs = []
    for name, (action, target) in sorted(row.items()):
        pairs.append(f"{ids[name]} {~rules[target] if action is not None and action.name == 'Reduce' else target}")
    return " ".join(pairs)


def _rule(rule: Any) -> list[Any]:
    """Origin, name of the builder function, number of symbols, what becomes of each (see `tables.Rule`), whether a
    single child stands for the whole.
    """
    missing = _missing(rule.options.empty_indices, len(rule.expansion))
    shape: list[int] = []
    for symbol, absent in zip(rule.expansion, missing, strict=False):
        shape += [-1] * absent
        filtered = symbol.is_term and symbol.filter_out
        spliced = not symbol.is_term and symbol.name.startswith("_")
        shape.append(0 if filtered else 2 if spliced else 1)
    shape += [-1] * missing[-1]
    origin = str(rule.origin.name)
    return [origin, rule.alias or origin, len(rule.expansion), shape, bool(rule.options.expand1 and not rule.alias)]


def _missing(empty: Any, length: int) -> list[int]:
    """How many absent optional parts stand before each symbol, and after the last."""
    if not empty:
        return [0] * (length + 1)
    return [len(run) for run in "".join("1" if absent else "0" for absent in empty).split("0")]


def _terminals(terminals: list[Any]) -> dict[str, Any]:
    """The terminals sorted by shape."""
    literals: dict[str, list[str]] = {}
    words: dict[str, list[tuple[str, bool, str]]] = {}
    tight: dict[str, str] = {}
    classes: list[tuple[int, str, str]] = []
    ignored: dict[str, str] = {}
    for terminal in terminals:
        pattern = terminal.pattern.value
        if terminal.name in _IGNORED:
            ignored[terminal.name] = pattern
        elif bounded := _BOUNDED.fullmatch(pattern):
            words.setdefault(bounded["word"], []).append((terminal.name, bool(bounded["behind"]), bounded["ahead"]))
        elif narrow := _TIGHT.fullmatch(pattern):
            tight[narrow["literal"]] = terminal.name
        elif (texts := _literals(terminal)) is not None:
            for text in texts:
                if text.isalpha():
                    words.setdefault(text, []).append((terminal.name, False, ""))
                else:
                    literals.setdefault(text, []).append(terminal.name)
        else:
            classes.append((-terminal.priority, terminal.name, pattern))
    ordered = [[name, pattern] for _, name, pattern in sorted(classes)]
    return {"literals": literals, "words": words, "tight": tight, "classes": ordered, "ignored": ignored}


def _literals(terminal: Any) -> list[str] | None:
    """The texts of a terminal that is a literal or a choice of literals."""
    if terminal.pattern.type == "str":
        return [terminal.pattern.value]
    parts = terminal.pattern.value.removeprefix("(?:").removesuffix(")").split("|")
    texts = [re.sub(r"\\(.)", r"\1", part) for part in parts]
    plain = all(re.escape(text) == part for text, part in zip(texts, parts, strict=True))
    return texts if plain else None


def main() -> None:
    """Write the tables of the shipped grammar into the package: `python -m roofdsl.syntax.generate`."""
    from roofdsl.paths import grammar_file

    TABLES_FILE.write_text(dump_tables(build_tables(grammar_file().read_text(encoding="utf-8"))), encoding="utf-8")
    sys.stdout.write(f"{TABLES_FILE}\n")


if __name__ == "__main__":
    main()
