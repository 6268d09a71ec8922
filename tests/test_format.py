"""`fmt` keeps meaning and comments, and formatting twice changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.diagnostics import Sink
from roofdsl.paths import specs_folder
from roofdsl.source import Source
from roofdsl.syntax import format as formatter
from roofdsl.syntax.format import format_text
from roofdsl.syntax.parser import parse_file

SHIPPED = sorted(specs_folder().rglob("*.roof"))

BEFORE = """\
# leading


use   "ops"  # trailing

   # own
config   c { # after the brace
  s = 1   # one

  b=2 #two
  # last
}
block f(x[ s,b],
   # inside the header
   y[s] ) -> y {

  y = sum(x[s, b] *   # why
      w[b])    # end
  z[s,2i+1]   = (x + 1)*2/sqrt( d ) where s-w<t<=s
  repeat L {x=f(x)}   # short
  repeat L {

     x = f(x)


     # two

     # three
  }
}
config d {s=1,b=2}
claim   not saved( layer )=34 sbh+5as^2b+s/6h   off by -2h
"""

AFTER = """\
# leading

use "ops"  # trailing

# own
config c {  # after the brace
    s = 1  # one

    b = 2  #two
    # last
}
block f(x[ s,b],
   # inside the header
   y[s] ) -> y {
    y = sum(x[s, b] *   # why
      w[b])                # end
    z[s, 2i + 1] = (x + 1) * 2 / sqrt(d) where s - w < t <= s
    repeat L { x = f(x) }  # short
    repeat L {
        x = f(x)

        # two

        # three
    }
}
config d { s = 1, b = 2 }
claim not saved(layer) = 34sbh + 5as²b + s/(6h) off by -2h
"""


def formatted(text: str) -> str:
    sink = Sink()
    made = format_text(Source("text", text), sink)
    assert not sink.found
    return made


def test_an_example() -> None:
    assert formatted(BEFORE) == AFTER


def test_a_name_that_would_become_a_clause_word_keeps_its_meaning() -> None:
    text = 'use "gpt3"\nclaim flops(layer) ~ 2 [FLOP] at+gpt3_175b\n'
    assert formatted(text) == 'use "gpt3"\nclaim flops(layer) ~ 2 [FLOP] (at) + gpt3_175b\n'


def test_twice_is_once() -> None:
    once = formatted(BEFORE)
    assert formatted(once) == once


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files_keep_their_meaning(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = formatted(text)
    assert formatted(once) == once
    assert parse_file(Source("a", once), Sink()) == parse_file(Source("b", text), Sink())
    assert once.count("#") == text.count("#")


def test_a_file_with_errors_is_left_alone() -> None:
    sink = Sink()
    assert format_text(Source("text", "dim   s\nlet = 1\n"), sink) == "dim   s\nlet = 1\n"
    assert [d.kind.code for d in sink.found] == ["E0101"]


def test_what_cannot_be_reprinted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "_aligned", lambda lines: [line.text for line in lines])
    sink = Sink()
    assert format_text(Source("text", "dim   s # kept\n"), sink) == "dim   s # kept\n"
    assert [d.kind.code for d in sink.found] == ["E0115"]


LINES = st.sampled_from(
    [
        "",
        "  ",
        "# note",
        "   # indented",
        'dim s "x"   # doc',
        "let u = s/6h",
        "config c { s = 1, b = 2 }  # c",
        "config c {\n s = 1 # one\n\n # two\n b = 2\n}",
        "config e { }",
        "machine m { # m\n}",
        "block f(x[s]) -> y {\n\n y = x # same\n\n\n repeat L { y = x }\n}",
        "block f(x[s]) -> y { y = x } # f",
        "block f(x[s]) -> y {\n y = sum(x[s] # in\n )\n # last\n}",
        "op g(x) -> y { cost { work vector = 5 size(x), saved = s } # cost\n}",
        "op g(x) -> y {\n adjoint { dx = dy } # adj\n keeps y }",
        'claim a = b from "# no comment" # comment',
    ]
)


@given(st.lists(LINES, max_size=6))
@settings(max_examples=200, deadline=None)
def test_comments_stay_and_twice_is_once(lines: list[str]) -> None:
    text = "\n".join(lines)
    once = formatted(text)
    assert formatted(once) == once
    assert once.count("#") == text.count("#")
