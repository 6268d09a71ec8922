r"""Papers verified as they stand: markers in a .tex file, the equations they speak about, and where those are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roofdsl.cli import codes
from roofdsl.diagnostics import Sink
from roofdsl.source import Source
from roofdsl.syntax.claims import Claim
from roofdsl.syntax.tex_claims import tex_claims
from tests.commands import roofdsl

PAPER = r"""\documentclass{article}
\newcommand{\hid}{h} % hidden size
\newcommand{\act}[1]{A_{#1}}
\def\core{\tfrac{5\,a s}{\hid}}
\DeclareMathOperator{\layers}{L}
\begin{document}
% roofdsl: saved(layer)
Activations take \begin{verbatim}
\[ nothing \] % roofdsl: of(this)
\end{verbatim}
\begin{equation}\label{eq:act}
  M_{\text{layer}} = s b \hid \left(34 + \core\right) .
\end{equation}
\begin{align}
  % roofdsl: flops(layer)
  F_{\text{fwd}} &= 24 b s h^2 + 4 b s^2 h \\
                 &= 24 b s h^2\bigl(1 + \frac{s}{6h}\bigr), \label{eq:fwd}\\[2pt]
  % roofdsl: flops(gpt, train)
  F &= 72 b \layers s h^2 \Bigl( 1 + \frac{s}{6h} \nonumber \\
    &\qquad + \frac{V}{12 L h} \Bigr) && \text{by the above}
\end{align}
% roofdsl: flops(layer, train) ~ \ref{eq:fwd} for h >> s
% roofdsl: saved(gpt) at gpt3_175b
\[ M \approx 276\,\text{GB} \]
\end{document}
"""


@pytest.fixture
def paper(tmp_path: Path):
    def write(text: str) -> str:
        path = tmp_path / "paper.tex"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def claims_of(text: str) -> tuple[tuple[Claim, ...], Sink]:
    sink = Sink()
    return tex_claims(Source("paper.tex", text), sink), sink


def test_every_marked_equation_becomes_a_claim() -> None:
    claims, sink = claims_of(PAPER)
    assert not sink.found
    assert [claim.written for claim in claims] == [
        r"saved(layer) = s b \hid \left(34 + \core\right)",
        r"flops(layer) = 24 b s h^2 + 4 b s^2 h",
        r"flops(layer) = 24 b s h^2\bigl(1 + \frac{s}{6h}\bigr)",
        r"flops(gpt, train) = 72 b \layers s h^2 \Bigl( 1 + \frac{s}{6h} \qquad + \frac{V}{12 L h} \Bigr)",
        r"flops(layer, train) ~ 24 b s h^2 + 4 b s^2 h",
        r"flops(layer, train) ~ 24 b s h^2\bigl(1 + \frac{s}{6h}\bigr)",
        r"saved(gpt) ~ 276\,\text{GB}",
    ]


def test_a_paper_is_verified(paper) -> None:
    ran = roofdsl("verify", "gpt3", "--tex", paper(PAPER))
    verdicts = [
        line.split(maxsplit=1)[0] for line in ran.out.splitlines() if line[:1] not in (" ", "|") and line[0].isalpha()
    ]
    assert verdicts == ["proved"] * 4 + ["refuted"] * 2 + ["proved"]
    assert "paper.tex:12" in ran.out
    assert ran.code == codes.WRONG


def test_a_wrong_equation_is_underlined_where_it_stands(paper) -> None:
    ran = roofdsl("verify", "gpt3", "--tex", paper("% roofdsl: saved(layer)\n\\[\n  A = 34sbh + 6as^2b.\n\\]\n"))
    assert ran.code == codes.WRONG
    lines = ran.out.splitlines()
    place = next(i for i, line in enumerate(lines) if "paper.tex:3:15" in line)
    assert lines[place + 2 :][:2] == ["3 |   A = 34sbh + 6as^2b.", "  |               ^ 5 makes it hold"]
    assert "difference  as²b" in ran.out


def test_equations_that_cannot_be_read_do_not_hide_others(paper) -> None:
    text = "% roofdsl: saved(layer)\n\\[ x = \\sum_i s \\]\n% roofdsl: saved(mlp)\n\\[ x = 19sbh \\]\n"
    ran = roofdsl("verify", "gpt3", "--tex", paper(text))
    assert "E0119" in ran.err
    assert "what this sum runs over" in ran.err
    assert "1 passed, 1 failed, 0 undecided" in ran.out


def test_the_papers_symbols(paper) -> None:
    text = "% roofdsl: everywhere reading d as h\n% roofdsl: saved(mlp)\n$$ 19 n b d $$\n"
    path = paper(text)
    assert roofdsl("verify", "gpt3", "--tex", path, "--rename", "s=n").code == codes.FINE
    assert roofdsl("verify", "gpt3", "--tex", path, "--rename", "s").err.startswith("error[E0814]")


def test_numbered_names_read_back(tmp_path: Path) -> None:
    """`n1` is printed with a subscript, and read with it."""
    model = tmp_path / "m.roof"
    model.write_text("dim n1\nblock f(x[n1]) -> y { y[n1] = 2 * x[n1] }\n", encoding="utf-8")
    printed = roofdsl("derive", str(model), "bytes(f)", "--format", "latex").out.partition(" %")[0]
    assert printed == "4 n_{1}"
    paper = tmp_path / "p.tex"
    paper.write_text(f"% roofdsl: bytes(f)\n\\[ b = {printed} \\]\n", encoding="utf-8")
    assert roofdsl("verify", str(model), "--tex", str(paper)).code == codes.FINE


def test_the_json_has_places_in_the_paper(paper) -> None:
    ran = roofdsl("verify", "gpt3", "--tex", paper("% roofdsl: saved(mlp)\n\\[ m \\le 20sbh \\]"), "--json")
    (verdict,) = ran.document["verdicts"]
    assert verdict["claim"] == "saved(mlp) <= 20sbh"
    assert verdict["location"]["line"] == 2
    assert verdict["location"]["column"] == 10


@pytest.mark.parametrize(
    ("text", "code", "marked"),
    [
        (r"\[ a = b \]", "E0120", r"\[ a = b \]"),
        ("% roofdsl: saved(mlp)\n no equation", "E0120", "saved(mlp)"),
        ("% roofdsl: saved(mlp) = \\ref{x}\n\\[ a = b \\label{y} \\]", "E0120", r"saved(mlp) = \ref{x}"),
        ("% roofdsl: saved(\n\\[ a \\]", "E0103", ""),
        ("% roofdsl: saved(mlp)\n\\[ a = \\begin{cases} b \\end{cases} \\]", "E0118", r"\begin"),
        ("\\newcommand{\\x}{\\y}\\newcommand\\y{\\x}% roofdsl: saved(mlp)\n\\[ a = \\x \\]", "E0118", r"\x"),
        ("\\def\\x#1.{b#1}% roofdsl: saved(mlp)\n\\[ a = \\x{2} \\]", "E0118", r"\x"),
        ("\\newcommand{\\x}[2]{#1#2}% roofdsl: saved(mlp)\n\\[ a = \\x{2} \\]", "E0119", r"\x"),
        ("% roofdsl: saved(mlp)\n\\[ a = 3\\,\\text{apples and pears!} \\]", "E0119", "apples and pears!"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, code: str, marked: str) -> None:
    _, sink = claims_of(text)
    found = sink.errors[0]
    assert (found.kind.code, found.primary.span.text) == (code, marked)


def test_macros_that_grow_are_bounded() -> None:
    doubling = "".join(f"\\newcommand{{\\x{chr(98 + i)}}}{{\\x{chr(97 + i)}\\x{chr(97 + i)}}}\n" for i in range(20))
    _, sink = claims_of(f"\\newcommand{{\\xa}}{{ss}}\n{doubling}% roofdsl: saved(mlp)\n\\[ \\xu \\]")
    assert [d.kind.code for d in sink.errors] == ["E0108"]


@pytest.mark.parametrize("env", ["equation", "align*", "gather", "multline", "eqnarray", "flalign"])
def test_environments(env: str) -> None:
    text = f"% roofdsl: saved(mlp)\n\\begin{{{env}}}\n\\begin{{split}} x &= 19sbh \\end{{split}}\n\\end{{{env}}}"
    claims, sink = claims_of(text)
    assert not sink.found
    assert [claim.written for claim in claims] == ["saved(mlp) = 19sbh"]


PIECES = [
    "% roofdsl: saved(mlp)\n", "% roofdsl: x = \\ref{a}\n", "\\[", "\\]", "$$", "\\begin{align}", "\\end{align}", "&", "=", "\\\\",
    "\\label{a}", "s", "b", "^2", "{", "}", "\\newcommand{\\q}", "{s}", "\\q", "[2]", "\n", "\\text{GB}", "~", "\\begin{split}",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_any_file_is_read_or_refused(pieces: list[str]) -> None:
    claims, sink = claims_of("".join(pieces))
    assert claims or sink.found or "roofdsl" in "".join(pieces)
