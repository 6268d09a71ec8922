"""How a diagnostic looks, on made-up ones: places, tabs, wide characters, long lines, several lines and sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofdsl.diagnostics import Diagnostic, Kind, Label
from roofdsl.report.excerpt import WIDEST, excerpt
from roofdsl.report.message import render_diagnostics
from roofdsl.source import NOWHERE, Source, Span

GOLDEN = Path(__file__).parent / "golden" / "messages"
ERROR = Kind("E9901", "extents differ", "Only for tests.")
NOTE = Kind("N9901", "worth a look", "Only for tests.", "note")
MODEL = Source("model.roof", "dim s\ndim h\n\nblock f(x[s,h]) -> y {\n\ty[s] = sum(x[s,h] * w[h])\n}\n")
LIBRARY = Source("ops/matmul.roof", "op linear(x[..., i], w[i, o]) -> y {\n    y[..., o] += x[..., i] * w[i, o]\n}\n")


def label(source: Source, text: str, say: str = "", *, after: str = "") -> Label:
    start = source.text.index(text, source.text.index(after) if after else 0)
    return Label(Span(source, start, start + len(text)), say)


def wide() -> Diagnostic:
    source = Source("wide.roof", 'let 幅 = 2h "幅と高さ" ; x\n')
    return Diagnostic(ERROR, label(source, "; x", "here"), (label(source, "2h", "and here"),))


def combining() -> Diagnostic:
    source = Source("combining.roof", "let e\u0301 = 2h\n")
    return Diagnostic(ERROR, label(source, "2h", "here"))


def long() -> Diagnostic:
    source = Source("long.roof", "claim flops(gpt) = " + " + ".join(f"{n}sbh" for n in range(200)) + "\n")
    return Diagnostic(ERROR, label(source, "150sbh", "this term"), (label(source, "flops", "this side"),))


def hostile() -> Diagnostic:
    source = Source("evil\x1b[31m.roof", "dim \x1b[2J\u202es x\n")
    return Diagnostic(ERROR, label(source, "s x", "erased \x1b[2J"), found="\x1b[0m")


CASES = {
    "plain": Diagnostic(ERROR, label(MODEL, "w[h]", "`w` has no such index"), expected="[h]", found="[h, o]"),
    "secondary_before_and_after": Diagnostic(
        ERROR,
        label(MODEL, "x[s,h]", "read here", after="sum"),
        (label(MODEL, "dim h", "declared here"), label(MODEL, "w[h]", "and read here"), label(MODEL, "}", "ends here")),
        helps=("bind `h`", "or write\nsum(…) over it"),
    ),
    "several_lines": Diagnostic(ERROR, label(MODEL, "block f(x[s,h]) -> y {\n\ty[s]", "from here")),
    "end_of_file": Diagnostic(ERROR, Label(Span(MODEL, len(MODEL.text), len(MODEL.text)), "the text ends here")),
    "end_of_line": Diagnostic(ERROR, Label(Span(MODEL, 5, 5), "unexpected end of line")),
    "in_library_text": Diagnostic(
        ERROR,
        label(LIBRARY, "w[i, o]", "extent h here", after="+="),
        (label(MODEL, "w[h]", "extent s here"),),
        expected="h",
        found="s",
        call_site=label(MODEL, "sum(x[s,h] * w[h])").span,
    ),
    "note": Diagnostic(NOTE, label(MODEL, "sum", "sums in one factor only")),
    "nowhere": Diagnostic(ERROR, Label(NOWHERE, "no file at all"), (Label(NOWHERE, "nor here"),), helps=("try one",)),
    "file_without_text": Diagnostic(ERROR, Label(Span(Source("gone.roof", ""), 0, 0), "no such file")),
    "wide_characters": wide(),
    "combining_characters": combining(),
    "long_line": long(),
    "control_characters": hostile(),
}


@pytest.mark.parametrize("name", CASES)
def test_message(name: str, golden) -> None:
    golden(GOLDEN / f"{name}.txt", render_diagnostics([CASES[name]]))


def test_colour_adds_nothing_but_colour() -> None:
    import re

    for diagnostic in CASES.values():
        plain, coloured = render_diagnostics([diagnostic]), render_diagnostics([diagnostic], colour=True)
        assert "\x1b" not in plain
        assert coloured != plain
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_none_is_nothing_and_several_are_apart() -> None:
    one = render_diagnostics([CASES["note"]])
    assert render_diagnostics([]) == ""
    assert render_diagnostics([CASES["note"], CASES["plain"]]) == f"{one}\n{render_diagnostics([CASES['plain']])}"


@pytest.mark.parametrize("start", [0, 60, 115, 116, 117, 500, 998, 999])
@pytest.mark.parametrize("character", ["x", "幅", "\t"])
def test_long_lines_are_cut_around_the_mark(start: int, character: str) -> None:
    line = character * start + "!" + character * (1000 - start)
    shown = excerpt(line, [(start, start + 1)])
    columns = "".join(c * 2 if c == "幅" else c for c in shown.text)
    assert len(columns) <= WIDEST + 4
    begin, end = shown.marks[0]
    assert columns[begin:end] == "!"
