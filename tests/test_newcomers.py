"""What people new to the language stumble over: each slip is met with the help that gets them on."""

from __future__ import annotations

import re

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.source import Source
from roofdsl.syntax.keywords import DECLARATIONS, IN_MACHINES, STATEMENTS
from roofdsl.syntax.parser import parse_file
from roofdsl.syntax.tables import load_tables


def helps(text: str) -> list[str]:
    sink = Sink()
    parse_file(Source("x.roof", text), sink)
    return [help_line for diagnostic in sink.found for help_line in diagnostic.helps]


def test_the_words_that_begin_lines_are_words_of_the_grammar() -> None:
    words = set(load_tables().words)
    assert set(DECLARATIONS) | set(STATEMENTS) | (set(IN_MACHINES) - {"source"}) <= words


@pytest.mark.parametrize("word", ["if", "where", "with", "given", "assuming", "provided", "for", ","])
def test_a_condition_is_shown_with_when(word: str) -> None:
    found = helps(f"claim saved(layer) = 3sh {word} s <= h".replace(" ,", ","))
    assert found == ["a condition is written with `when`: `claim saved(layer) = 3sh when s <= h`"]
    assert not helps(re.findall(r"`([^`]*)`", found[0])[1])


@pytest.mark.parametrize(
    "opening", ["def f(x[s]) -> y:", "block f(x[s]) -> y:", "block f(x[s]) -> y", "layer f(x[s]) {"]
)
def test_a_header_that_cannot_be_read_does_not_make_its_body_wrong_too(opening: str) -> None:
    sink = Sink()
    parse_file(Source("x.roof", f"dim s\n{opening}\n    y = x + x\n    z = y\n}}\ndim t\n"), sink)
    assert len(sink.errors) == 1
    assert sink.errors[0].helps


def test_an_einsum_is_translated() -> None:
    found = helps('dim s\nblock f(x[s]) -> y {\n    y = einsum("bs, st -> bt", x, W)\n}\n')
    assert found == ["the letters are the indices: `y[b,t] = sum(x[b,s] * W[s,t])`"]


def test_a_bracket_that_is_closed_is_not_called_open() -> None:
    sink = Sink()
    parse_file(Source("x.roof", "block f(x[s]) -> y {\n    y = sum(x[s] * w[s]\n    z = y\n}\n"), sink)
    assert [label.span.text for label in sink.errors[0].secondary] == ["("]
