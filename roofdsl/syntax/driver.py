"""The LALR(1) automaton at work: tokens in, values of builder functions out, every value with its place in the text.

Values are built while parsing, so there is no tree between text and syntax tree. After an error the parser goes on
behind the faulty line or block, as if `BAD` had stood there; tree depth is bounded before anything is built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roofdsl.diagnostics import Kind, Sink
from roofdsl.errors import syntax as errors
from roofdsl.limits import Limits
from roofdsl.source import Source, Span
from roofdsl.syntax.complaint import complain
from roofdsl.syntax.lexer import END, Lexer, Token
from roofdsl.syntax.place import Place
from roofdsl.syntax.recovery import resume
from roofdsl.syntax.tables import ABSENT, DROP, KEEP, Rule, Tables

BAD = "BAD"


@dataclass(frozen=True, slots=True)
class Build:
    """What builder functions may use: where the text is, where to complain, and the bounds."""

    source: Source
    sink: Sink
    limits: Limits


Builders = Mapping[str, Callable[[Build, list[Any], Span], Any]]


class Stop(Exception):  # noqa: N818 - not an error: the parse is given up, the sink says why
    """Ends a parse that cannot go on."""


@dataclass(slots=True)
class Stack:
    """The automaton's stack, as parallel lists: states, values, where each begins and ends, how deep its tree is."""

    states: list[int]
    values: list[Any]
    starts: list[int]
    ends: list[int]
    depths: list[int]

    def push(self, state: int, value: Any, start: int, end: int, depth: int) -> None:
        self.states.append(state)
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(depth)

    def cut(self, length: int) -> None:
        """Keep that many values."""
        del (
            self.states[length + 1 :],
            self.values[length:],
            self.starts[length:],
            self.ends[length:],
            self.depths[length:],
        )


def run(tables: Tables, builders: Builders, build: Build, lexer: Lexer, start: str) -> Any:
    """The value of a start symbol, or None if there was an error that left nothing to build on."""
    stack = Stack([tables.starts[start]], [], [], [], [])
    try:
        return _run(tables, builders, build, lexer, stack)
    except Stop:
        return None


def _run(tables: Tables, builders: Builders, build: Build, lexer: Lexer, stack: Stack) -> Any:
    read = 0
    while True:
        state = stack.states[-1]
        row = tables.row(state)
        token = lexer.next(state, row)
        read += 1
        if read > build.limits.tokens:
            _stop(build, errors.TOO_LARGE, lexer.span(token), f"more than {build.limits.tokens:,} tokens")
        action = _reduce_all(tables, builders, build, stack, token)
        if action is None:
            _recover(tables, build, lexer, stack, token)
        elif token.kind == END:
            return stack.values[-1]
        else:
            _shift(build, lexer, stack, token, action)


def _shift(build: Build, lexer: Lexer, stack: Stack, token: Token, state: int) -> None:
    lexer.shifted(token)
    if len(lexer.brackets) > build.limits.brackets or len(stack.values) > 20 * build.limits.brackets:
        _stop(build, errors.TOO_DEEP, lexer.span(token), f"nested more than {build.limits.brackets} deep here")
    if token.end - token.start > build.limits.numeral_length:
        _check_length(build, lexer, token)
    stack.push(state, token, token.start, token.end, 0)


def _check_length(build: Build, lexer: Lexer, token: Token) -> None:
    if token.kind == "NUMBER":
        text = f"{token.end - token.start} characters; at most {build.limits.numeral_length} are read"
        _stop(build, errors.BAD_NUMERAL, lexer.span(token), text)
    longest = max(map(len, token.text.split(".")))
    if token.kind in ("NAME", "PATH", "UNIT", "LLETTERS") and longest > build.limits.name_length:
        text = f"{longest} characters; at most {build.limits.name_length} are read"
        _stop(build, errors.LONG_NAME, lexer.span(token), text)


def _reduce_all(tables: Tables, builders: Builders, build: Build, stack: Stack, token: Token) -> int | None:
    """Reduce until the token can be shifted; the state it leads to, or None if it cannot stand here."""
    states = stack.states
    while True:
        target = tables.row(states[-1]).get(token.kind)
        if target is None or target >= 0:
            return target
        rule = tables.rules[~target]
        if rule.passing:
            states[-1] = tables.pass_on(states[-2], states[-1], token.kind)
        else:
            _reduce(tables, builders, build, stack, rule, token)


def _reduce(tables: Tables, builders: Builders, build: Build, stack: Stack, rule: Rule, token: Token) -> None:
    keep = len(stack.values) - rule.length
    start = stack.starts[keep] if rule.length else token.start
    end = stack.ends[-1] if rule.length else token.start
    depth = max(stack.depths[keep:], default=0)
    children = _children(rule, stack.values, keep)
    value: Any
    if rule.spliced:
        value = children
    elif rule.inline and len(children) == 1:
        value = children[0]
    else:
        depth += 1
        if depth > build.limits.tree_depth:
            text = f"more than {build.limits.tree_depth} operations deep here"
            _stop(build, errors.TOO_DEEP, Span(build.source, token.start, token.start), text)
        value = builders[rule.name](build, children, Span(build.source, start, end))
    stack.cut(keep)
    stack.push(tables.row(stack.states[-1])[rule.origin], value, start, end, depth)


def _children(rule: Rule, values: list[Any], position: int) -> list[Any]:
    """What a rule hands to its builder. A list that comes first is continued, not copied: only the stack, which drops it
    now, knows it, and copying would make long lists quadratic.
    """
    children: list[Any] = []
    for part in rule.shape:
        if part == ABSENT:
            children.append(None)
            continue
        if part == KEEP:
            children.append(values[position])
        elif part != DROP and children:
            children.extend(values[position])
        elif part != DROP:
            children = values[position]
        position += 1
    return children


def _recover(tables: Tables, build: Build, lexer: Lexer, stack: Stack, token: Token) -> None:
    """Report, then stand behind the faulty text with the parser where a statement has just ended."""
    previous = build.source.text[stack.starts[-1] : stack.ends[-1]] if stack.values else ""
    if not complain(build.sink, Place(tables, lexer, stack.states, token, previous, _innermost(stack))):
        raise Stop
    if len(build.sink.errors) >= build.limits.syntax_errors:
        _stop(build, errors.TOO_MANY, lexer.span(token), f"no reading past {build.limits.syntax_errors} errors")
    if token.kind == END:
        raise Stop
    keep = len(stack.values)
    while keep >= 0 and BAD not in tables.row(stack.states[keep]):
        keep -= 1
    if keep < 0:
        raise Stop
    open_braces = sum(1 for value in stack.values[keep:] if isinstance(value, Token) and value.text[-1:] == "{")
    stack.cut(keep)
    lexer.brackets.clear()
    state = tables.row(stack.states[-1])[BAD]
    in_block = "RBRACE" in tables.row(state)
    lexer.position = resume(build.source.text, token.start, lexer.limit, open_braces, in_block=in_block)
    stack.push(state, Token(BAD, "", token.start, token.start), token.start, token.start, 0)


def _innermost(stack: Stack) -> Token | None:
    """The last bracket or brace that is still open; of `W[h,f]` both may still be on the stack."""
    closed = 0
    for value in reversed(stack.values):
        if not isinstance(value, Token) or value.kind == "STRING":
            continue
        if value.text[-1:] in (")", "]", "}"):
            closed += 1
        elif value.text[-1:] in ("(", "[", "{"):
            closed -= 1
            if closed < 0:
                return value
    return None


def _stop(build: Build, kind: Kind, span: Span, text: str) -> None:
    build.sink.add(kind, span, text)
    raise Stop
