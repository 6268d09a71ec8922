r"""Appendices as people write them: macros with arguments, files put in, remarks beside formulas, units, chains, sums."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofdsl.cli import codes
from roofdsl.diagnostics import Sink
from roofdsl.source import Source
from roofdsl.syntax.tex_claims import tex_claims
from tests.commands import Ran, roofdsl

MAIN = r"""
\documentclass{article}
\usepackage{amsmath}
\usepackage{symbols}
\input{macros}
\newcommand{\act}[2]{s b \hid \left(#1 + #2\frac{\heads s}{\hid}\right)}
\begin{document}
% all 100\% of the activations
\input{sections/act}
\begin{align}
  % roofdsl: flops(layer)
  \FLOPs_{\text{layer}} &= 24 b s \hid^2 + 4 b s^2 \hid \label{eq:flops}\\
  % roofdsl: flops(gpt, train)
  \FLOPs_{\text{model}} &= 3 \cdot L \cdot \left( 24 b s h^2 + 4 b s^2 h \right) + 6 b s h V, \quad \text{where $V$ is large}
     \label{eq:model} \\
  % roofdsl: params(layer)
  N_\ell &= 12 h^2 + 13 h && \text{(weights and biases)} \nonumber
\end{align}
% roofdsl: saved(gpt_full) - saved(head)
\iffalse
\[ 3 \]
\fi
\end{document}
% roofdsl: saved(nothing)
\[ this is behind the end \]
"""
BESIDE = {
    "macros.tex": "\\newcommand*{\\hid}{h}\n\\newcommand\\heads{\\ensuremath{a}\\xspace}\n",
    "symbols.sty": "\\DeclareMathOperator{\\FLOPs}{FLOPs}\n\\newcommand{\\beq}{\\begin{equation}}\n\\newcommand{\\eeq}{\\end{equation}}\n",
    "sections/act.tex": "% roofdsl: saved(layer)\n\\beq\n  M = \\act{34}{6}~. \\label{eq:act}\n\\eeq\n",
}


def written(folder: Path, main: str, beside: dict[str, str]) -> str:
    for name, text in {"main.tex": main, **beside}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder / "main.tex")


def verified(folder: Path, text: str, spec: str = "gpt3", **beside: str) -> Ran:
    return roofdsl("verify", spec, "--tex", written(folder, text, beside))


def outcomes(ran: Ran) -> list[str]:
    return [line.split()[0] for line in ran.out.splitlines() if line.startswith(("proved", "refuted", "undecided"))]


def test_a_paper_of_several_files(tmp_path: Path) -> None:
    ran = roofdsl("verify", "gpt3", "--tex", written(tmp_path, MAIN.replace(" - saved(head)", ""), BESIDE))
    assert outcomes(ran) == ["refuted", "proved", "proved", "proved"]
    assert r"saved(layer) = \act{34}{6}" in ran.out
    assert "act.tex:3:16" in ran.out
    assert "5 makes it hold" in ran.out
    assert "no displayed equation follows" in ran.err


@pytest.mark.parametrize(
    ("asked", "code"),
    [("../other", "E0206"), ("/etc/passwd", "E0206"), ("missing", "E0204"), ("link", "E0206"), ("main", "E0205")],
)
def test_files_that_are_not_put_in(tmp_path: Path, asked: str, code: str) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (tmp_path / "other.tex").write_text("\\[ 1 \\]", encoding="utf-8")
    (folder / "link.tex").symlink_to(tmp_path / "other.tex")
    ran = verified(folder, f"\\input{{{asked}}}\n% roofdsl: saved(mlp)\n\\[ 19sbh \\]\n")
    assert f"error[{code}]" in ran.err
    assert outcomes(ran) == ["proved"]
    assert ran.code == codes.WRONG


def test_files_are_put_in_to_a_depth(tmp_path: Path) -> None:
    beside = {f"f{i}.tex": f"\\input f{i + 1}\n" for i in range(20)}
    ran = roofdsl(
        "verify", "gpt3", "--tex", written(tmp_path, "\\input{f0}\n% roofdsl: saved(mlp)\n\\[ 19sbh \\]", beside)
    )
    assert "E0207" in ran.err
    assert outcomes(ran) == ["proved"]


@pytest.mark.parametrize(
    ("formula", "quantity"),
    [
        (r"\sum_{l=1}^{L} \left( 24 b s h^2 + 4 b s^2 h \right) + 2 b s h V", "flops(gpt)"),
        (r"2bshV + \sum\limits_{i=0}^{L-1} 4bsh(6h + s)", "flops(gpt)"),
        (r"\frac12 \left( 48 b s h^2 + 8 b s^2 h \right)", "flops(layer)"),
        (r"b s h^2 \log_2 2^{24} + 4 b s^2 h", "flops(layer)"),
        (r"\max\bigl\{24 b s h^2 + 4 b s^2 h,\, 1\bigr\}", "flops(layer)"),
        (r"24 b s h^2 + 4 b s^2 h \;(\leq 28 b s h^2)", "flops(layer)"),
        (r"24 b s h^2 + 4 b s^2 h, \qquad d = \tfrac{h}{a}", "flops(layer)"),
        (r"24 b s h^2 + 4 b s^2 h \quad \forall s", "flops(layer)"),
        (r"24 b s h^2 + 4 b s^2 h \quad\text{per layer}", "flops(layer)"),
        (r"\label{eq:first} 24 b s h^2 % the products" + "\n" + r"+ 4 b s^2 h \tag{3}", "flops(layer)"),
        (r"\twice{12 b s h^2 + 2 b s^2 h}", "flops(layer)"),
        (r"\opt{24} + \opt[s]{4}", "flops(layer)"),
        (r"\ceil*{24 b s h^2} + \plain {4} b s^2 h", "flops(layer)"),
        (r"\doc{24}{h} + 4 b s^2 h", "flops(layer)"),
    ],
)
def test_notations(tmp_path: Path, formula: str, quantity: str) -> None:
    macros = (
        "\\newcommand{\\twice}[1]{2\\left(#1\\right)}\n\\newcommand{\\opt}[2][h]{#2bsh #1}\n"
        "\\DeclarePairedDelimiter\\ceil{\\lceil}{\\rceil}\n\\def\\plain#1{#1}\n"
        "\\NewDocumentCommand{\\doc}{m m}{#1 b s #2^2}\n"
    )
    ran = verified(tmp_path, f"{macros}% roofdsl: {quantity}\n\\begin{{equation}}\nX = {formula}\n\\end{{equation}}\n")
    assert outcomes(ran) == ["proved"], ran.out + ran.err


@pytest.mark.parametrize(
    "number",
    [
        r"9.66 \times 10^{9}\ \text{bytes}",
        r"\SI{9.66}{\giga\byte}",
        r"\qty{9.664}{GB}",
        r"9.66\,\mathrm{GB} \;(= 9\,\mathrm{GiB})",
        r"9.00~\text{GiB}, \quad \text{in 16 bit}",
    ],
)
def test_printed_numbers(tmp_path: Path, number: str) -> None:
    ran = verified(tmp_path, f"% roofdsl: cache(gpt) at gpt3_175b\n\\[ C \\approx {number} \\]\n")
    assert outcomes(ran) == ["proved"], ran.out + ran.err


def test_a_rounded_number_with_an_equals_sign(tmp_path: Path) -> None:
    ran = verified(tmp_path, "% roofdsl: cache(gpt) at gpt3_175b\n\\[ C = 9.66\\,\\text{GB} \\]\n")
    assert outcomes(ran) == ["refuted"]
    assert "as a rounded number: `~` agrees to the last digit" in ran.out


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (r"\sum_{l=1}^{L} l s b", "the terms of this sum depend on its index l"),
        (r"\sum_{l} s b", "what this sum runs over is not written as numbers"),
        (r"\half{s", "`\\half` lacks an argument"),
        (r"\odd 3.", "takes its arguments in a way that is not read"),
        (r"\begin{cases} s \end{cases}", "no command that formulas may hold"),
        (r"\prod_{i=1}^{3} s", "`\\prod` is no command"),
    ],
)
def test_what_is_refused(formula: str, said: str) -> None:
    sink = Sink()
    macros = "\\newcommand{\\half}[1]{\\frac{#1}{2}}\\def\\odd#1.{#1}\n"
    tex_claims(Source("p.tex", f"{macros}% roofdsl: saved(mlp)\n\\[ X = {formula} \\]\n"), sink)
    assert said in sink.errors[0].primary.text


@pytest.mark.parametrize(
    ("formula", "marked", "said"),
    [
        ("34sbh + 6as^2b", "6", "5 makes it hold"),
        ("34sbh + 5as^3b", "3", "2 makes it hold"),
        ("34sbh + 5Ls^2b", "L", "a makes it hold"),
        (r"34sbh + 5\,\nl\,s^2 b", r"\nl", "a makes it hold"),
        (r"sbh\Bigl(34 + \frac{5as}{2h}\Bigr)", None, "refuted"),
        ("30sbh + 2as^2b + 3as^2b", "30", "34 makes it hold"),
        ("34sbh + 5as^2", "5as^2", "refuted"),
        ("34sbh", "34sbh", "refuted"),
    ],
)
def test_the_smallest_part_that_is_wrong(formula: str, marked: str | None, said: str, tmp_path: Path) -> None:
    text = f"\\newcommand{{\\nl}}{{L}}\n% roofdsl: saved(layer)\n\\[ {formula} \\]\n"
    ran = verified(tmp_path, text)
    lines = ran.out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("3 | "))
    start, end = lines[at + 1].index("^"), lines[at + 1].rindex("^") + 1
    assert lines[at + 1][end:].strip() == said
    assert marked is None or lines[at][start:end] == marked
