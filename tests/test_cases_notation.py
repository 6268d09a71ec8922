"""What people reported of names, notation, syntax errors and output, as claims and commands (the rest: `test_cases_verify`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofdsl.cli import codes
from roofdsl.diagnostics import RoofError
from roofdsl.report.message import render_diagnostics
from tests.asking import code_of, expression, form, session_of, spec, verdict
from tests.cases import fails, holds, message_of
from tests.commands import roofdsl

GPT = spec("gpt3")
LLAMA = spec("llama")

TOKENS = ("__", "LSQB", "RSQB", "RPAR", "LBRACE", "$END", "COLON", "NAME", "_NL", "Token")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("block q(x[s,h] w[h,h]) -> y {\n}\n", "1:16"),
        ("block q(x[s,h]) => y {\n}\n", "1:17"),
        ("block q x[s,h] -> y {\n}\n", "1:9"),
        ("dim\n", "1:"),
    ],
)
def test_syntax_errors_in_plain_words(text: str, place: str, tmp_path: Path) -> None:
    """ERG-01: file, line, column, what was found; never the name of a token."""
    path = tmp_path / "model.roof"
    path.write_text(text, encoding="utf-8")
    ran = roofdsl("check", str(path))
    assert ran.code == codes.WRONG
    assert f"model.roof:{place}" in ran.err
    assert not any(token in ran.err for token in TOKENS), ran.err


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    """ERG-01."""
    path = tmp_path / "empty.roof"
    path.write_text("", encoding="utf-8")
    ran = roofdsl("check", str(path))
    assert ran.code == codes.WRONG
    assert "nothing is declared here" in ran.err


def test_experts_are_not_eulers_number() -> None:
    """ERG-02: E experts, I the inner width."""
    session = session_of(
        "dim E\ndim I\ndim h\nblock f(x[h]) -> y {\nparam W[E,I,h]\ny[E,I] = sum(x[h] * W[E,I,h])\n}\n"
    )
    holds(session, "3 params(f) = E*3*h*I")
    holds(session, "3 params(f) = 603979776 at E = 128, I = 768, h = 2048")


@pytest.mark.parametrize(
    "name",
    [
        "S",
        "N",
        "Q",
        "O",
        "E",
        "I",
        "beta",
        "gamma",
        "zeta",
        "lambda",
        "ff",
        "FF",
        "CC",
        "LC",
        "LM",
        "re",
        "im",
        "Ne",
        "test",
    ],
)
def test_ordinary_names(name: str) -> None:
    """ERG-02, ERG-03: nothing is reserved by the algebra underneath."""
    session = session_of(
        f"dim {name}\ndim D\nblock f(x[{name}]) -> y {{\nparam W[{name},D]\ny[D] = sum(x[{name}] * W[{name},D])\n}}\n"
    )
    holds(session, f"6 params(f) = 6*{name}*D")
    fails(session, f"params(f) = {name}*D²", f"{name} = 1, D = 2")


@pytest.mark.parametrize(
    ("paper", "plain"),
    [
        ("34sbh + 5as^2b", "34*s*b*h + 5*a*s^2*b"),
        ("2(a+b)", "2*a + 2*b"),
        ("s·b·h", "s*b*h"),
        ("s²*b", "s*s*b"),
        ("(1/2)sbh", "s*b*h/2"),
        ("ceil(s/128)", "ceil(s*(1/128))"),
    ],
)
def test_paper_notation(paper: str, plain: str) -> None:
    """ERG-04: as papers write it."""
    assert form(GPT, paper) == form(GPT, plain)


@pytest.mark.parametrize(("text", "code"), [("s2bh", "E0701"), ("xyz", "E0701")])
def test_no_new_symbols(text: str, code: str) -> None:
    """ERG-04: an undeclared name is an error and never a symbol of its own."""
    assert code_of(GPT, f"saved(layer) = {text}") == code


def test_a_numeral_over_a_product_has_two_readings() -> None:
    """ERG-04."""
    with pytest.raises(RoofError) as caught:
        expression("1/2sbh")
    shown = render_diagnostics(caught.value.diagnostics, colour=False)
    assert "(1/2) sbh" in shown
    assert "1/(2sbh)" in shown


def test_decimals_are_exact() -> None:
    """ERG-06: 0.5 is a half, 200·1.1 is 220, and 2.6667 is not 8/3."""
    session = session_of(
        "dim s\ndim b\ndim h\nblock f(x[s,b,h]) -> y {\nparam W[s,b,h]\ny = x * W\n}\nblock v(x[h]) -> y {\nparam W[h]\ny = x * W\n}\n"
    )
    holds(session, "params(f)/2 = 0.5*s*b*h")
    holds(session, "7params(v)/2 = 3.5*h")
    holds(session, "220 params(v) = 200*1.1*h")
    found = verdict(session, "8params(v)/3 = 2.6667*h")
    assert found.outcome == "refuted"
    assert found.difference == form(session, "h/30000")  # 1/80000 of 8/3


@pytest.mark.parametrize("text", ["__import__('os').getcwd()", "s.__class__", "print(h)", "(lambda: 1)()", "exec(h)"])
def test_formulas_are_never_run(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """ERG-07: our own grammar reads them, and nothing else does."""
    ran = roofdsl("verify", "gpt3", "--claim", f"saved(layer) = {text}")
    assert ran.code == codes.WRONG
    assert "error[E0" in ran.err
    assert str(Path.cwd()) not in ran.out + ran.err
    assert capsys.readouterr().out == ""


def test_a_picture_without_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ERG-08: text needs no program; a drawing says what to install."""
    monkeypatch.setattr("shutil.which", lambda _: None)
    text, drawing = tmp_path / "layer.dot", tmp_path / "layer.svg"
    assert roofdsl("graph", "gpt3", "--of", "layer", "-o", str(text)).code == codes.FINE
    assert text.read_text(encoding="utf-8").startswith("digraph")
    ran = roofdsl("graph", "gpt3", "--of", "layer", "-o", str(drawing))
    assert ran.code != codes.FINE
    assert "E0803" in ran.err
    assert "Traceback" not in ran.err


def test_a_misspelt_key_is_no_default() -> None:
    """ERG-10: an unknown name is refused and g is not quietly something else; the caches differ four times."""
    assert code_of(LLAMA, "cache(llama) = 1 [B] at llama_3_8b, num_kv_head = 8") == "E0614"
    holds(LLAMA, "cache(llama{s = 1, t = 1}) = 131072 [B] at llama_3_8b")
    holds(LLAMA, "cache(llama{s = 1, t = 1, g = 32}) = 524288 [B] at llama_3_8b")


def test_heads_that_do_not_divide() -> None:
    """ERG-11: 1024 over 12 heads is refused where it is stated; 5120 over 40 is 128."""
    assert code_of(GPT, "saved(layer) = 34sbh at h = 1024, a = 12") == "E0708"
    assert "whole" in message_of(GPT, "saved(layer) = 34sbh at h = 1024, a = 12")
    holds(LLAMA, "params(gqa.qkv) = 5120 * 7168 at h = 5120, a = 40, g = 8, d = 128")
    holds(LLAMA, "params(layer.gqa.qkv) = h(a + 2g)d at llama_2_13b, g = 8")


def test_layers_and_heads_swapped() -> None:
    """ERG-13: 1600 over 48 heads is no whole number, over 25 it is."""
    assert code_of(GPT, "params(gpt) = 1 [parameter] at h = 1600, a = 48, L = 25, V = 50257, N = 1024") == "E0708"
    holds(GPT, "params(gpt) = 1557611200 at h = 1600, a = 25, L = 48, V = 50257, N = 1024")


@pytest.mark.parametrize(
    ("width", "h", "outcome"),
    [("7h/2", 8192, 28672), ("8h/3", 4096, None), ("27h/10", 4096, None), ("8h/3", 3072, 8192)],
)
def test_widths_by_a_ratio(width: str, h: int, outcome: int | None) -> None:
    """ERG-14: a ratio is exact, and must give a whole width."""
    session = session_of(
        f"dim h\nlet f = {width}\nblock m(x[h]) -> y {{\nparam W[h,f]\ny[f] = sum(x[h] * W[h,f])\n}}\n"
    )
    if outcome is None:
        assert code_of(session, f"params(m) = h f at h = {h}") == "E0708"
    else:
        holds(session, f"params(m)/h = {outcome} at h = {h}")


@pytest.mark.parametrize(("rows", "splits"), [(151552, False), (151554, True), (152064, True)])
def test_a_vocabulary_over_six_shards(rows: int, splits: bool) -> None:
    """ERG-15: 151552 leaves a remainder of 4; the padded sizes do not."""
    session = session_of(
        "dim V\ndim h\nlet v = V/6\nblock m(x[h]) -> y {\nparam W[h,v]\ny[v] = sum(x[h] * W[h,v])\n}\n"
    )
    text = f"6 params(m) = V h at V = {rows}, h = 2"
    if splits:
        holds(session, text)
    else:
        assert code_of(session, text) == "E0708"


def test_formulas_print_in_the_order_declared() -> None:
    """ERG-16: the same text on every run, in the author's order."""
    ran = roofdsl("derive", "gpt3", "saved(layer)")
    assert "34sbh + 5as²b" in ran.out
    assert ran.out == roofdsl("derive", "gpt3", "saved(layer)").out
    latex = roofdsl("derive", "gpt3", "saved(layer)", "--format", "latex").out
    assert latex.index("34") < latex.index("5")


def test_nested_ceilings() -> None:
    """ERG-17: proved for every size; a floor that loses something is refuted at 1."""
    session = session_of(
        "dim n\nlet k = ceil(ceil(n/4)/32)\nlet j = max(1, floor(n/2))\nblock f(x[n]) -> y {\nparam W[k]\ny[n,k] = x[n] * W[k]\n}\n"
    )
    holds(session, "params(f) = ceil(n/128)")
    found = verdict(session, "params(f) - params(f) + n = floor(n/2) + floor(n/2)")
    assert found.outcome == "refuted"
    assert found.judgement.witness is not None
    assert found.judgement.witness.sizes["n"] == 1


VIEWS = """
dim s
dim t
dim b
dim a
dim g
dim d
let h = a d

block split(x[s,b,h]) -> y {
    view y[b,a,s,d] of x
}

block append(k[s,b,g,d]) -> y {
    cache K[t,b,g,d] from k
    view y[t,b,g,d] of K
}

block project(x[s,b,h]) -> y {
    param W[h,g,d]
    k[s,b,g,d] = sum(x[s,b,h] * W[h,g,d])
    cache K[t,b,g,d] from k
    view y[t,b,g,d] of K
}
"""


def test_views_and_appending_to_a_cache() -> None:
    """ERG-18: a view moves nothing, and an append only what is new."""
    session = session_of(VIEWS)
    holds(session, "bytes(split) = 0 [B] * s")
    holds(session, "flops(split) = 0 [FLOP] * s")
    holds(session, "bytes(project, infer) = 2sbh + 2h g d + 2sbgd")
    holds(session, "cache(project) = 2tbgd")


SHARDED = """
dim V "vocabulary"
dim h
dim T "shards"
let Vs = V/T
let rows = Vs
let sixth = V/6
block shard(x[h]) -> y {
    param E[rows, h]
    y[rows] = sum(x[h] * E[rows, h])
}
block fixed(x[h]) -> y {
    param E[sixth, h]
    y[sixth] = sum(x[h] * E[sixth, h])
}
"""


@pytest.mark.parametrize("block", ["shard", "fixed"])
def test_a_vocabulary_that_does_not_split(block: str, tmp_path: Path) -> None:
    """ERG-15: the axis, both numbers and the padded sizes, through a let of a let too."""
    path = tmp_path / "sharded.roof"
    path.write_text(SHARDED, encoding="utf-8")
    ran = roofdsl("eval", str(path), f"params({block})", "--set", "V=151552", "--set", "h=8", "--set", "T=6")
    assert "V = 151552 is not divisible by" in ran.err
    assert "6 (remainder 4)" in ran.err
    assert "the next multiple of 6 is 151554, and of 6 × 128, 152064" in ran.err


def test_layers_and_heads_exchanged() -> None:
    """ERG-13: 1600 is divisible by 25, which was given for the layers."""
    sizes = [word for size in ("h=1600", "a=48", "L=25") for word in ("--set", size)]
    ran = roofdsl("eval", "gpt3", "params(gpt)", "--config", "gpt3_175b", *sizes)
    assert "h = 1600 is not divisible by a = 48 (remainder 16)" in ran.err
    assert "it is divisible by L = 25: are a (attention heads) and L (layers) exchanged?" in ran.err
    ran = roofdsl("eval", "gpt3", "params(gpt)", "--config", "gpt3_175b", "--set", "h=1024", "--set", "a=12")
    assert "exchanged" not in ran.err
    assert "the next multiple of 12 is 1032" in ran.err


@pytest.mark.parametrize(
    "text", ["let d = [s", "dim s h", "block f(x[s h]) -> y { y = x }", "claim saved(f) 3", "op f(x[s]"]
)
def test_three_continuations_at_most(text: str, tmp_path: Path) -> None:
    """ERG-01: what was found, and at most three things that could stand there."""
    path = tmp_path / "slip.roof"
    path.write_text(text, encoding="utf-8")
    ran = roofdsl("check", str(path))
    (line, *_) = [line for line in ran.err.splitlines() if "= expected:" in line] or [""]
    assert "slip.roof:1:" in ran.err
    assert len(line.split(", ")) <= 3
