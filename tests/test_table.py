"""Tables in every format: alignment, escaping, and that nothing in a cell can break out of it."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roofdsl.report.markup import escape_latex, render_html, render_latex, render_markdown
from roofdsl.report.plain import display_width, render_plain
from roofdsl.report.table import Cell, Column, Table, make_table
from roofdsl.report.table_fit import blocks, broken
from roofdsl.report.terminal import write_table

FORMULA = Cell("34sbh", r"34\,s b h", "<math><mn>34</mn></math>")


def sample() -> Table:
    rows = (("attention", FORMULA), ("mlp_2 & <b>", Cell("19sbh")))
    return make_table("Saved", ("block", ">bytes"), rows, notes=("one | two",), footer="convention: work = all")


class Text(HTMLParser):
    """Collects the text and the tags of an HTML fragment."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_plain_text_is_aligned() -> None:
    assert render_plain(sample()) == (
        "Saved\n"
        "block        bytes\n"
        "-----------  -----\n"
        "attention    34sbh\n"
        "mlp_2 & <b>  19sbh\n"
        "note: one | two\n"
        "[convention: work = all]\n"
    )


def test_markdown_escapes_pipes_and_markup() -> None:
    text = render_markdown(make_table("", ("a|b", ">n"), (("x_y | *z*", "1"),)))
    assert text == "| a\\|b | n |\n| --- | ---: |\n| x\\_y \\| \\*z\\* | 1 |\n"


def test_latex_sets_formulas_in_math_mode_and_escapes_text() -> None:
    text = render_latex(sample())
    assert r"attention & $34\,s b h$ \\" in text
    assert r"mlp\_2 \& \textless{}b\textgreater{} & 19sbh \\" in text
    assert r"\toprule" in text
    assert r"\begin{tabular}{lr}" in text


def test_html_uses_mathml_and_escapes_text() -> None:
    text = render_html(sample())
    assert '<td style="text-align:right"><math><mn>34</mn></math></td>' in text
    assert "mlp_2 &amp; &lt;b&gt;" in text


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        make_table("t", ("a", "b"), (("x",),))


@given(st.text(max_size=20))
def test_no_cell_breaks_out_of_its_format(text: str) -> None:
    table = make_table(text, (text, "n"), ((text, "1"),), footer=text)
    assert len(render_plain(table).split("\n")) <= 6
    parsed = Text()
    parsed.feed(render_html(table))
    assert parsed.tags.count("td") == 2
    assert set(parsed.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "small"}
    body = [line for line in render_markdown(table).split("\n") if line.startswith("|")]
    assert len(body) == 3


@given(st.text(alphabet='\\{}$&#%_~^<>|"ab', max_size=20))
def test_latex_leaves_no_special_character_bare(text: str) -> None:
    escaped = escape_latex(text)
    for command in ("textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar"):
        escaped = escaped.replace(f"\\{command}{{}}", "")
    escaped = escaped.replace(r"\textquotedbl{}", "")
    for special in "{}$&#%_":
        escaped = escaped.replace(f"\\{special}", "")
    assert not set(escaped) & set('\\{}$&#%_~^<>|"')


def test_wide_characters_take_two_columns() -> None:
    assert display_width("as²b") == 4
    assert display_width("数") == 2
    assert display_width("e\u0301") == 1


def test_a_pipe_gets_plain_text() -> None:
    stream = io.StringIO()
    write_table(sample(), stream)
    assert stream.getvalue() == render_plain(sample())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_rules_and_never_reads_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    write_table(make_table("", ("a",), (("[bold]x[/bold]",),)), stream)
    assert "[bold]x[/bold]" in stream.getvalue()
    assert "─" in stream.getvalue()
    assert "\x1b[3" not in stream.getvalue()


def test_a_terminal_without_rich_gets_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setitem(__import__("sys").modules, "rich", None)
    stream = Terminal()
    write_table(sample(), stream)
    assert stream.getvalue() == render_plain(sample())


WORDS = st.text(alphabet="abc de.f,g_数", min_size=1, max_size=40)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4), st.integers(20, 90))
def test_nothing_is_lost_where_a_table_is_cut(rows: list[tuple[str, str, str]], width: int) -> None:
    """Every letter of every cell is there, in its order, however narrow the terminal."""
    table = make_table("", ("name", Column("prose", wide=True), ">number"), rows)
    parts = blocks(table, width)
    titles = [column.title for part in parts for column in part.columns]
    assert list(dict.fromkeys(titles)) == ["name", "prose", "number"]
    for row in rows:
        for cell in row:
            for limit in (1, 7, width):
                assert "".join(broken(cell, limit)).replace(" ", "") == cell.replace(" ", "")
                if limit > 1:
                    assert all(display_width(line) <= limit for line in broken(cell, limit))


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_a_table_keeps_to_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", str(width))
    machines = [f">machine {number}" for number in range(6)]
    rows = [("peak contraction bf16, dense", *(f"{number}.25 PFLOP/s" for number in range(6)))] * 3
    stream = Terminal()
    write_table(make_table("peaks", ("figure", *machines), rows, footer="stated"), stream)
    lines = stream.getvalue().splitlines()
    assert max(len(line) for line in lines) <= width
    for number in range(6):
        assert sum(f"machine {number}" in line for line in lines) == 1
        assert sum(f"{number}.25 PFLOP/s" in line for line in lines) == 3
    assert (lines[0], lines[-1]) == ("peaks", "[stated]")


def test_prose_is_broken_in_a_pipe_and_numbers_and_names_are_not() -> None:
    long, name = "word " * 60, "n" * 150
    prose = make_table("", ("name", Column("about", wide=True)), (("x", long),))
    assert max(map(len, render_plain(prose).splitlines())) <= 120
    assert name in render_plain(make_table("", ("name", ">n"), ((name, "1"),)))


def test_rich_is_asked_only_where_every_cell_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    for width in range(30, 60):
        monkeypatch.setenv("COLUMNS", str(width))
        stream = Terminal()
        write_table(
            make_table("", ("kernel", ">time", "bound by"), (("layer.attention.q", "625.1 µs", "memory"),)), stream
        )
        assert "memory" in stream.getvalue()
        assert (
            max(len(line.rstrip()) for line in re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()) <= width
        )
