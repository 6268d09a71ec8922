"""The grammar has no conflicts, its tables are fresh, and our automaton reads the same tokens as Lark's own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from lark import Lark

from roofdsl.paths import grammar_file, specs_folder
from roofdsl.source import Source
from roofdsl.syntax.generate import STARTS, build_tables
from roofdsl.syntax.kept import TABLES_FILE, dump_tables, grammar_digest
from roofdsl.syntax.lexer import END, Lexer
from roofdsl.syntax.tables import decode_tables, load_tables

TEXT = grammar_file().read_text(encoding="utf-8")
SHIPPED = sorted(specs_folder().rglob("*.roof"))


def test_no_conflicts_and_no_colliding_terminals() -> None:
    Lark(TEXT, parser="lalr", lexer="contextual", start=list(STARTS), strict=True)


def test_tables_are_fresh() -> None:
    """Else: `python -m roofdsl.syntax.generate`."""
    assert json.loads(TABLES_FILE.read_text(encoding="utf-8"))["digest"] == grammar_digest(TEXT)


def test_stored_tables_are_what_the_generator_gives() -> None:
    assert decode_tables(json.loads(dump_tables(build_tables(TEXT)))).rules == load_tables().rules


def test_parsing_imports_no_lark() -> None:
    code = "import sys; from roofdsl.syntax.tables import load_tables; load_tables(); sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def our_tokens(source: Source) -> list[tuple[str, str]]:
    """The tokens our lexer gives when driven through the automaton without building anything."""
    tables = load_tables()
    lexer = Lexer(tables, source, 0, len(source.text), latex=False)
    states, found = [tables.starts["file"]], []
    while True:
        token = lexer.next(states[-1], tables.row(states[-1]))
        while (target := tables.row(states[-1])[token.kind]) < 0:
            rule = tables.rules[~target]
            if rule.length:
                del states[-rule.length :]
            states.append(tables.row(states[-1])[rule.origin])
        if token.kind == END:
            return found
        lexer.shifted(token)
        states.append(target)
        found.append((token.kind, token.text))


class Brackets:
    """What our lexer does with newlines, for Lark's: those inside round and square brackets are dropped."""

    always_accept = ("_NL",)

    def process(self, stream):
        depth = 0
        for token in stream:
            depth += (str(token)[-1] in "([") - (str(token)[-1] in ")]")
            if token.type != "_NL" or depth == 0:
                yield token


@pytest.fixture(scope="module")
def lark() -> Lark:
    return Lark(TEXT, parser="lalr", lexer="contextual", start="file", postlex=Brackets())


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_tokens_are_those_of_lark(path, lark: Lark) -> None:
    text = path.read_text(encoding="utf-8")
    theirs = [(token.type, str(token)) for token in lark.parse_interactive(text, start="file").iter_parse()]
    assert our_tokens(Source(path.name, text)) == theirs
