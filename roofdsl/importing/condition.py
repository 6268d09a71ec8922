"""Conditions of a table: `tie_word_embeddings = true`, `hidden_act in silu, swish`, `q_lora_rank given`, joined by `and`.

A comparison with `=`, `in` or `only` is with words, numbers, `true`, `false` and `null`; one with `==`, `<` or `>` is of
sizes, and fails where one of them is absent. `F has W` is of a list of modules: one of them ends in this word; `F names
W, V`: they end in none but these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.diagnostics import InternalError
from roofdsl.importing.amount import Scope, amount, names_of, parsed, taken
from roofdsl.importing.json_text import Content
from roofdsl.syntax import ast

_TEST = re.compile(r"(.+?) (==|=|!=|in|only|has|names|given|missing|<=|>=|<|>)(?: (.+))?")

_NUMERIC = ("<", ">", "<=", ">=", "==")


@dataclass(frozen=True, slots=True)
class Test:
    """One comparison."""

    left: str
    relation: str
    right: str


def tests_of(text: str) -> tuple[Test, ...]:
    """The comparisons of a condition; none for an empty one."""
    found = []
    for part in text.split(" and ") if text else []:
        match = _TEST.fullmatch(part.strip())
        if match is None:
            raise InternalError(f"a table of specs/import has no condition: {part}")
        found.append(Test(match[1], match[2], match[3] or ""))
    return tuple(found)


def holds(text: str, scope: Scope) -> bool:
    """Whether every comparison of a condition holds."""
    return all(_holds(test, scope) for test in tests_of(text))


def reads(text: str, scope: Scope) -> tuple[str, ...]:
    """The fields a condition looks at."""
    found: list[str] = []
    for test in tests_of(text):
        found += names_of(test.left, scope.own)
        if test.relation in _NUMERIC:
            found += names_of(test.right, scope.own)
    return tuple(found)


def _holds(test: Test, scope: Scope) -> bool:
    match test.relation:
        case "given":
            return scope.has(test.left)
        case "missing":
            return not scope.has(test.left)
        case "=":
            return _same(_content(test.left, scope), test.right)
        case "!=":
            return not _same(_content(test.left, scope), test.right)
        case "in":
            found = _content(test.left, scope)
            return any(_same(found, part) for part in test.right.split(", "))
        case "only":
            values = _content(test.left, scope)
            allowed = test.right.split(", ")
            return isinstance(values, tuple) and all(any(_same(v.content, a) for a in allowed) for v in values)
        case "has":
            return test.right in _last_words(test.left, scope)
        case "names":
            return set(_last_words(test.left, scope)) <= set(test.right.split(", "))
        case relation:
            return _compares(relation, test.left, test.right, scope)


def _last_words(name: str, scope: Scope) -> tuple[str, ...]:
    """The last word of each name in a list: `lm_head`, `model.layers.*.self_attn`, `re:.*mlp.gate$`."""
    values = _content(name, scope)
    if not isinstance(values, tuple):
        return ()
    words = (re.findall(r"[A-Za-z_][A-Za-z0-9_]*", str(v.content)) for v in values)
    return tuple(found[-1] if found else "" for found in words)


def _compares(relation: str, first: str, second: str, scope: Scope) -> bool:
    """Of sizes; with an absent one no comparison holds."""
    if taken(first, scope) is None or taken(second, scope) is None:
        return False
    left, right = amount(first, scope), amount(second, scope)
    match relation:
        case "==":
            return left == right
        case "<":
            return left < right
        case ">":
            return left > right
        case "<=":
            return left <= right
        case _:
            return left >= right


def _content(name: str, scope: Scope) -> Content:
    if name in scope.own:
        formula = taken(scope.own[name], scope)
        if formula is None or formula == "-":
            return None
        return _content(formula, scope) if isinstance(parsed(formula), ast.Name | ast.Path) else amount(formula, scope)
    if name in scope.known:
        return scope.known[name]
    return scope.fields.content(name)


def _same(content: Content, text: str) -> bool:
    """Equal and of one kind: in Python 1 equals True, in a configuration it does not."""
    wanted = _literal(text)
    return content == wanted and isinstance(content, bool) == isinstance(wanted, bool)


def _literal(text: str) -> Content:
    """A word, number, `true`, `false` or `null` of a table."""
    match text.strip():
        case "true":
            return True
        case "false":
            return False
        case "null":
            return None
        case word if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", word):
            return Fraction(word)
        case word:
            return word
