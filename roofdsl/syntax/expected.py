"""What could stand at a place where the parser is, in words a user knows; names of terminals stay here."""

from __future__ import annotations

from roofdsl.syntax.lexer import END, NEWLINE
from roofdsl.syntax.tables import Tables

_PHRASES = {
    "NAME": "a name",
    "PATH": "a name",
    "LLETTERS": "a name",
    "LSUBSCRIPTED": "a name",
    "LUPRIGHT": "a name",
    "LGREEK": "a name",
    "LFUNCTION": "a function",
    "NUMBER": "a number",
    "STRING": "text in quotes",
    "SUPERSCRIPT": "an exponent",
    "UNIT": "a unit",
    "EQUATION": r"an equation (`\ref{…}`)",
    NEWLINE: "a new line",
    END: "the end",
}
_OPERATORS = frozenset("+-*/^·×⋅−") | {"**"}
_RELATIONS = frozenset({"<", "<=", ">=", ">"})
_CLAUSES = frozenset(("`at`", "`for`", "`from`", "`off`", "`on`", "`reading`", "`under`", "`when`", "`within`"))
_MOST = 3
"""Continuations that are named: more would not be read."""
_CLOSING = frozenset(("`,`", "`)`", "`]`", "`}`", "`=`", "`->`", "`:`"))
_OPERAND = frozenset({"a name", "a number", "`(`"})


def acceptable(tables: Tables, states: list[int]) -> list[str]:
    """The terminals that could stand here."""
    row = tables.row(states[-1])
    return [kind for kind in row if kind == kind.upper() and kind != "BAD" and can_follow(tables, states, kind)]


def describe(tables: Tables, kinds: list[str]) -> str:
    """A list of terminals, collapsed and capped."""
    phrases = list(dict.fromkeys(_phrase(tables, kind) for kind in kinds))
    if len(phrases) > 12 and "`block`" in phrases:
        return "a declaration (`block`, `model`, `op`, `dim`, `let`, `config`, `claim`, …)"
    if len(phrases) > 12 and "`param`" in phrases:
        return "a statement, `}`" if "`}`" in phrases else "a statement"
    if len(_CLAUSES.intersection(phrases)) > 3:
        phrases = [
            *(phrase for phrase in phrases if phrase not in _CLAUSES),
            "a clause (`when`, `at`, `for`, `from`, …)",
        ]
    relations = [phrase for phrase in phrases if phrase[1:-1] in _RELATIONS]
    if len(relations) > 1:
        phrases = [*(phrase for phrase in phrases if phrase not in relations), "a comparison"]
    if set(phrases) >= _OPERAND:
        operand = _OPERAND | {"an operator", "text in quotes", "a function"}
        phrases = ["an expression", *(phrase for phrase in phrases if phrase not in operand)]
    return ", ".join(phrases if len(phrases) <= _MOST else sorted(phrases, key=_likeliest_first)[:_MOST])


def _likeliest_first(phrase: str) -> int:
    """What most often lacks: a sign that separates or closes, then what is read as a whole, then single words."""
    if phrase in _CLOSING:
        return 0
    if not phrase.startswith("`"):
        return 2 if phrase.startswith("a clause") else 1
    return 4 if phrase[1:-1].isalpha() or phrase.startswith("`\\") else 3


def words_among(tables: Tables, kinds: list[str]) -> list[str]:
    """The keywords among some terminals."""
    return [word for word, entries in tables.words.items() if any(entry.terminal in kinds for entry in entries)]


def _phrase(tables: Tables, kind: str) -> str:
    if kind in _PHRASES:
        return _PHRASES[kind]
    texts = [text for text, kinds in tables.literals.items() if kind in kinds]
    texts += [word for word, entries in tables.words.items() if any(entry.terminal == kind for entry in entries)]
    texts += [text for text, tight in tables.tight.items() if tight == kind]
    if any(text in _OPERATORS for text in texts):
        return "an operator"
    return f"`{texts[0]}`" if texts else "something else"


def can_follow(tables: Tables, states: list[int], kind: str) -> bool:
    """Whether the automaton would come to shift the token; the table alone also lists some it would refuse later."""
    path = list(states)
    while True:
        target = tables.row(path[-1]).get(kind)
        if target is None or target >= 0:
            return target is not None
        rule = tables.rules[~target]
        if rule.length:
            del path[-rule.length :]
        path.append(tables.row(path[-1])[rule.origin])
