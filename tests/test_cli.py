"""The command line as a user meets it: output, exit codes, streams, and JSON against its schema."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import jsonschema
import pytest
import sympy

from roofdsl.cli import app, codes
from roofdsl.report.json import schema_file

ROOT = Path(__file__).parent.parent
HEADS = """
dim s
dim h
dim a
let d = h/a
block f(x[s, h]) -> y {
    param W[h, a, d]
    y[s, a, d] = sum(x[s, h] * W[h, a, d])
}
config small { s = 4, h = 8, a = 2 }
"""
BROKEN = "dim s\nblock f(x[s]) -> y {\n    y[s] = x[s] * q\n    z[s] = x[s, s]\n    y2 = nothing(x)\n}\n"


class Ran:
    """What a run gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def roofdsl(capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> Ran:
        code = app.run(arguments)
        done = capsys.readouterr()
        assert "Traceback" not in done.err
        return Ran(code, done.out, done.err)

    return run


@pytest.fixture
def heads(tmp_path: Path) -> str:
    path = tmp_path / "heads.roof"
    path.write_text(HEADS, encoding="utf-8")
    return str(path)


def checked(ran: Ran) -> dict:
    """A JSON document that follows the schema."""
    document = json.loads(ran.out)
    schema = json.loads(schema_file().read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    return document


def process(*arguments: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "roofdsl", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, **options)


# ----------------------------------------------------------------------------------------------- derive


def test_the_readme_example(roofdsl) -> None:
    ran = roofdsl("derive", "gpt3", "saved(layer)")
    assert ran.code == codes.FINE
    first, footer = ran.out.splitlines()
    assert first == "saved(layer) = 34sbh + 5as²b"
    assert "unit: byte" in footer
    assert "declared (dropout)" in footer


def test_formats_of_a_formula(roofdsl) -> None:
    formats = {
        form: roofdsl("derive", "gpt3", "saved(layer)", "--format", form) for form in ("latex", "markdown", "mathml")
    }
    assert all(ran.code == codes.FINE for ran in formats.values())
    assert formats["latex"].out.startswith("34 s b h + 5 a s^{2} b %")
    assert "$34 s b h + 5 a s^{2} b$" in formats["markdown"].out
    assert formats["mathml"].out.startswith("<math")


def test_sympy_prints_one_parsable_line(roofdsl) -> None:
    ran = roofdsl("derive", "gpt3", "flops(gpt, train)", "--format", "sympy")
    (line,) = ran.out.splitlines()
    names = {name: sympy.Symbol(name) for name in "Lbshv"}
    assert sympy.sympify(line, locals=names | {"V": sympy.Symbol("V")}).is_polynomial()
    assert "unit: FLOP" in ran.err


def test_shapes_of_a_formula(roofdsl) -> None:
    factored = roofdsl("derive", "gpt3", "saved(layer)", "--factor", "sbh").out
    assert factored.startswith("saved(layer) = sbh(34 + 5as/h)")
    collected = roofdsl("derive", "gpt3", "flops(layer)", "--collect", "s").out
    assert collected.startswith("flops(layer) = 4bs²h + 24bsh²")
    heads = roofdsl("derive", "gpt3", "params(attention)", "--in-terms-of", "a,d").out
    assert heads.startswith("params(attention) = 4a²d² + 4ad")


@pytest.mark.parametrize("option", [("--collect", "q"), ("--in-terms-of", "s,q"), ("--factor", "s+b")])
def test_a_shape_needs_symbols_of_the_formula(roofdsl, option: tuple[str, str]) -> None:
    ran = roofdsl("derive", "gpt3", "saved(layer)", *option)
    assert ran.code == codes.USAGE
    assert "E0810" in ran.err


def test_without_a_quantity_the_main_ones_of_everything(roofdsl) -> None:
    out = roofdsl("derive", "gpt3").out
    for text in ("saved(attention)", "flops(gpt, train)", "state(gpt)", "flops(gpt_selective, recompute)"):
        assert text in out
    assert "layernorm" not in out


def test_conventions_change_what_counts_and_are_printed(roofdsl) -> None:
    paper, exact = (roofdsl("derive", "gpt3", "flops(layer)", "--under", name).out for name in ("paper", "exact"))
    assert "flops under paper: work = contractions" in paper
    assert "flops under exact: work = all" in exact
    assert paper.splitlines()[0] != exact.splitlines()[0]


def test_derive_as_json(roofdsl) -> None:
    document = checked(roofdsl("derive", "gpt3", "saved(layer)", "flops(layer)", "--json"))
    saved, flops = document["results"]
    assert saved["formula"]["sympy"] == "34*s*b*h + 5*a*s**2*b"
    assert (saved["unit"], saved["provenance"], saved["declared"]) == ("B", "derived and declared", ["dropout"])
    assert flops["convention"].startswith("flops under paper")


def test_tables_have_no_mathml(roofdsl) -> None:
    ran = roofdsl("derive", "gpt3", "--format", "sympy")
    assert ran.code == codes.USAGE
    assert "E0809" in ran.err


def test_a_table_in_latex_and_markdown(roofdsl) -> None:
    assert r"\toprule" in roofdsl("derive", "gpt3", "--format", "latex").out
    assert "| saved(layer) | 34sbh + 5as²b | B |" in roofdsl("derive", "gpt3", "--format", "markdown").out


# ----------------------------------------------------------------------------------------------- explain


def test_explain_prints_the_published_rows(roofdsl) -> None:
    ran = roofdsl("explain", "gpt3", "saved(layer)")
    rows = [line for line in ran.out.splitlines() if re.search(r"\bR6\b", line)]
    assert len(rows) == 15
    assert "2sbh + 2as²b" in ran.out


def test_explain_as_json(roofdsl) -> None:
    document = checked(roofdsl("explain", "gpt3", "saved(mlp)", "--json"))
    assert document["total"]["formula"]["text"] == "19sbh"
    assert {entry["rule"] for entry in document["entries"]} == {"R6"}
    assert any(entry["declared"] for entry in document["entries"])


def test_explain_of_several_quantities_is_one_document(roofdsl) -> None:
    document = checked(roofdsl("explain", "gpt3", "saved(mlp)", "params(mlp)/1 [param]", "--json"))
    totals = [result["total"]["formula"]["text"] for result in document["results"]]
    assert totals == ["19sbh", "8h² + 5h"]
    assert all(result["entries"] for result in document["results"])


# ----------------------------------------------------------------------------------------------- verify


def test_claims_that_stand(roofdsl) -> None:
    ran = roofdsl("verify", "gpt3")
    assert ran.code == codes.FINE
    assert ran.out.splitlines()[-1].endswith("0 failed, 0 undecided")


def test_a_refuted_claim(roofdsl) -> None:
    ran = roofdsl("verify", "gpt3", "--claim", "saved(layer) = 34sbh + 5asb")
    assert ran.code == codes.WRONG
    assert "s = 2, b = 1, h = 1, a = 1" in ran.out


def test_an_undecided_claim(roofdsl) -> None:
    claim = "params(head) = params(head) + max(0, floor(log(s)) - s)"
    ran = roofdsl("verify", "gpt3", "--claim", claim)
    assert ran.code == codes.UNDECIDED
    assert ran.out.startswith("undecided")


def test_a_failure_counts_more_than_an_undecided_claim(roofdsl) -> None:
    ran = roofdsl("verify", "gpt3", "--claim", "saved(layer) = sbh", "--claim", "flops(layer) = nonsense(3)")
    assert ran.code == codes.WRONG
    assert "E07" in ran.err
    assert ran.out.splitlines()[-1] == "0 passed, 2 failed, 0 undecided"


def test_verify_takes_a_folder(roofdsl, tmp_path: Path) -> None:
    (tmp_path / "a.roof").write_text(HEADS + "claim params(f) = h^2\n", encoding="utf-8")
    (tmp_path / "b.roof").write_text(HEADS, encoding="utf-8")
    ran = roofdsl("verify", str(tmp_path))
    assert ran.code == codes.FINE
    assert ran.out.splitlines()[-1] == "1 passed, 0 failed, 0 undecided"
    assert "b.roof: no claims" in ran.err


def test_one_fault_behind_several_claims_is_shown_once(roofdsl, tmp_path: Path) -> None:
    path = tmp_path / "broken.roof"
    path.write_text("dim h\nblock f(x[h]) -> y { y[h] = z[h] }\nclaim flops(f) = h\nclaim params(f) = h\n")
    ran = roofdsl("verify", str(path))
    assert (ran.code, ran.err.count("[E0201]")) == (codes.WRONG, 1)
    assert ran.out == "0 passed, 2 failed, 0 undecided\n"


def test_a_file_without_claims_is_usage(roofdsl, heads: str) -> None:
    ran = roofdsl("verify", heads)
    assert ran.code == codes.USAGE
    assert "E0808" in ran.err


def test_verify_as_json(roofdsl) -> None:
    ran = roofdsl("verify", "gpt3", "--claim", "flops(layer) = 24bsh²", "--json")
    document = checked(ran)
    assert ran.code == codes.WRONG
    assert document["verdicts"][0]["outcome"] == "refuted"
    assert document["summary"] == {"passed": 0, "failed": 1, "undecided": 0}


# ----------------------------------------------------------------------------------------------- eval


def test_numbers_with_units(roofdsl, heads: str) -> None:
    ran = roofdsl("eval", heads, "flops(f)", "params(f)", "--config", "small")
    assert re.search(r"flops\(f\) +512 FLOP", ran.out)
    assert re.search(r"params\(f\) +64 param", ran.out)


def test_extents_of_what_is_asked_are_whole(roofdsl) -> None:
    sizes = [w for size in ("s=2", "b=1", "h=10", "a=3") for w in ("--set", size)]
    ran = roofdsl("eval", "gpt3", "flops(layer)", *sizes)
    assert (ran.code, "d is 10/3: h = 10 is not divisible by a = 3" in ran.err) == (codes.WRONG, True)
    assert roofdsl("eval", "gpt3", "flops(layer)", *sizes, "--set", "d=4").code == codes.FINE
    assert roofdsl("eval", "gpt3", "flops(mlp)", *sizes).code == codes.FINE  # it has no d
    assert roofdsl("eval", "gpt3", "params(layer)", "--set", "h=12", "--set", "a=3").code == codes.FINE  # needs no s
    ran = roofdsl("eval", "gpt3", "flops(layer)", *sizes, "--set", "d=4", "--set", "t=0")
    assert (ran.code, "E0612" in ran.err) == (codes.WRONG, True)


def test_options_may_stand_between_quantities(roofdsl) -> None:
    ran = roofdsl("eval", "--set", "s=2", "gpt3", "--set", "b=1", "flops(mlp)", "--set", "h=4", "params(mlp)")
    assert ran.code == codes.FINE
    assert [line.split()[0] for line in ran.out.splitlines()[3:5]] == ["flops(mlp)", "params(mlp)"]


def test_later_settings_win(roofdsl, heads: str) -> None:
    ran = roofdsl("eval", heads, "flops(f)", "--config", "small", "--set", "s=8", "--set", "s=1Ki")
    assert "131.1 kFLOP" in ran.out


def test_values_as_json_are_exact(roofdsl) -> None:
    ran = roofdsl("eval", "gpt3", "time(layer)", "--config", "gpt3_175b", "--machine", "h100_sxm", "--json")
    document = checked(ran)
    (result,) = document["results"]
    assert "/" in result["number"]["exact"]
    assert result["unit"] == "s"
    assert document["bindings"]["h"]["exact"] == "12288"


def test_the_roofline_of_every_kernel(roofdsl) -> None:
    ran = roofdsl("eval", "gpt3", "--of", "layer", "--config", "gpt3_175b", "--machine", "h100_sxm")
    assert re.search(r"layer\.attention\.q .* compute$", ran.out, re.MULTILINE)
    assert re.search(r"layer\.attention\.P .* memory$", ran.out, re.MULTILINE)
    assert "Totals by bound" in ran.out
    assert "under all: work = all" in ran.out


def test_kernels_as_json_add_up(roofdsl) -> None:
    arguments = ("--of", "layer", "--phase", "train", "--config", "gpt3_175b", "--machine", "a100_80gb", "--json")
    document = checked(roofdsl("eval", "gpt3", *arguments))
    times = [kernel["time"]["value"] for kernel in document["kernels"]]
    assert {kernel["phase"] for kernel in document["kernels"]} == {"forward", "backward"}
    assert sum(times) == pytest.approx(document["totals"]["time"]["value"])


def test_a_missing_size_machine_or_config(roofdsl) -> None:
    on = ("--machine", "h100_sxm")
    assert "E0610" in roofdsl("eval", "gpt3", "--of", "layer", *on).err
    missing = roofdsl("eval", "gpt3", "--config", "gpt3_175b")
    assert (missing.code, "E0811" in missing.err) == (codes.USAGE, True)
    assert "did you mean `gpt3_175b`?" in roofdsl("eval", "gpt3", "--config", "gpt3_175", *on).err
    assert "did you mean" in roofdsl("eval", "gpt3", "--config", "gpt3_175b", "--machine", "h100_sxn").err


# ----------------------------------------------------------------------------------------------- graph


def test_a_graph_to_a_file(roofdsl, tmp_path: Path) -> None:
    path = tmp_path / "layer.svg"
    arguments = ("--of", "layer", "--config", "gpt3_175b", "--machine", "h100_sxm", "-o", str(path))
    ran = roofdsl("graph", "gpt3", *arguments)
    assert (ran.code, ran.out) == (codes.FINE, "")
    svg = unescape(path.read_text(encoding="utf-8"))
    for text in ("P = softmax", "n1 [s, b, h] bf16", "compute-bound", "bound by", "attention"):
        assert f">{text}<" in svg or f"> {text}<" in svg


def test_a_graph_to_standard_output_is_dot(roofdsl) -> None:
    out = roofdsl("graph", "gpt3", "--of", "gpt{checkpoint attention.core}", "--config", "gpt3_175b").out
    assert out.startswith("digraph")
    assert "× L = 96" in out
    assert "core (checkpoint)" in out


def test_a_graph_of_a_part_and_of_a_fused_region(roofdsl) -> None:
    part = roofdsl("graph", "gpt3", "--of", "layer.attention").out
    assert "softmax" in part
    assert "gelu" not in part
    assert "fused: S, P, D, c" in roofdsl("graph", "gpt3", "--of", "layer{fused attention.core}").out


def test_nothing_is_derived_for_a_picture_that_cannot_be_written(roofdsl, tmp_path: Path) -> None:
    assert "E0802" in roofdsl("graph", "gpt3", "-o", str(tmp_path / "x.jpg")).err
    folder = tmp_path / "x.svg"
    folder.mkdir()
    ran = roofdsl("graph", "gpt3", "-o", str(folder))
    assert (ran.code, "E0801" in ran.err) == (codes.USAGE, True)


# ----------------------------------------------------------------------------------------------- check, fmt


def test_check_counts_what_a_file_declares(roofdsl, heads: str) -> None:
    ran = roofdsl("check", heads)
    assert ran.code == codes.FINE
    assert ran.out == f"ok {heads} (1 block, 1 config)\n"


def test_check_shows_all_errors_of_a_stage(roofdsl, tmp_path: Path) -> None:
    path = tmp_path / "broken.roof"
    path.write_text(BROKEN, encoding="utf-8")
    ran = roofdsl("check", str(path))
    assert ran.code == codes.WRONG
    assert ran.out == ""
    assert ran.err.count("error[E") >= 3
    document = checked(roofdsl("check", str(path), "--json"))
    assert len(document["files"][0]["diagnostics"]) == ran.err.count("error[E")


@pytest.mark.parametrize("verb", ["check", "verify", "fmt"])
def test_a_folder_without_files_is_an_error(roofdsl, tmp_path: Path, verb: str) -> None:
    (tmp_path / "folder.roof").mkdir()
    ran = roofdsl(verb, str(tmp_path))
    assert (ran.code, ran.out, "there is no .roof file in" in ran.err) == (codes.WRONG, "", True)


def test_all_that_ships_is_in_order(roofdsl) -> None:
    names = [spec["name"] for spec in checked(roofdsl("specs", "--json"))["specs"]]
    ran = roofdsl("check", *names)
    assert ran.code == codes.FINE, ran.err
    assert ran.out.count("ok ") == len(names)


def test_fmt_rewrites_only_what_changes(roofdsl, heads: str) -> None:
    path = Path(heads)
    path.write_text("dim   s # keep\n\n\n\ndim h\n", encoding="utf-8")
    assert roofdsl("fmt", "--check", heads).code == codes.WRONG
    shown = roofdsl("fmt", "--diff", heads)
    assert (shown.code, "-dim   s # keep" in shown.out) == (codes.FINE, True)
    assert path.read_text(encoding="utf-8").startswith("dim   s")
    assert roofdsl("fmt", heads).code == codes.FINE
    assert "# keep" in path.read_text(encoding="utf-8")
    before = path.stat().st_mtime_ns
    assert roofdsl("fmt", heads).code == codes.FINE
    assert path.stat().st_mtime_ns == before
    assert roofdsl("fmt", "--check", heads).code == codes.FINE


def test_fmt_leaves_a_broken_file_alone(roofdsl, tmp_path: Path) -> None:
    path = tmp_path / "broken.roof"
    path.write_text("block f( {\n", encoding="utf-8")
    assert roofdsl("fmt", str(path)).code == codes.WRONG
    assert path.read_text(encoding="utf-8") == "block f( {\n"


# ----------------------------------------------------------------------------------------------- listings


def test_every_operator_has_its_formulas(roofdsl) -> None:
    document = checked(roofdsl("ops", "--json"))
    ops = {entry["op"]: entry["results"] for entry in document["ops"]}
    assert "softmax" in ops
    assert all(len(results) == 4 for results in ops.values())
    assert "softmax" in roofdsl("ops", "softmax").out


def test_machines_and_dtypes(roofdsl) -> None:
    machines = {m["name"]: m for m in checked(roofdsl("machines", "--json"))["machines"]}
    assert {"h100_sxm", "a100_80gb", "b200"} <= set(machines)
    assert "989.4 TFLOP/s" in roofdsl("machines").out
    dtypes = {d["name"]: d["bits"]["value"] for d in checked(roofdsl("dtypes", "--json"))["dtypes"]}
    assert (dtypes["bf16"], dtypes["mxfp4"]) == (16, 4.25)
    assert "mxfp4" in roofdsl("dtypes").out


def test_explain_error(roofdsl) -> None:
    ran = roofdsl("explain-error", "e0302")
    assert ran.out.startswith("error E0302:")
    unknown = roofdsl("explain-error", "E9999")
    assert (unknown.code, "E0805" in unknown.err) == (codes.USAGE, True)
    assert "E0805" in roofdsl("explain-error").out


# ----------------------------------------------------------------------------------------------- the process


def test_usage_errors(roofdsl) -> None:
    for arguments in ((), ("derive",), ("nonsense",), ("derive", "gpt3", "--form", "text")):
        assert roofdsl(*arguments).code == codes.USAGE


def test_a_fault_of_ours_is_70_and_hides_its_traceback(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("roofdsl.cli.loading.open_file", fail)
    assert app.run(["derive", "gpt3"]) == codes.FAULT
    err = capsys.readouterr().err
    assert "Please report it" in err
    assert "Traceback" not in err
    assert app.run(["derive", "gpt3", "--debug"]) == codes.FAULT
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("roofdsl.cli.loading.open_file", interrupt)
    assert app.run(["derive", "gpt3"]) == codes.INTERRUPTED


def test_a_closed_pipe_is_quiet() -> None:
    command = [sys.executable, "-m", "roofdsl", "machines"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        running.stdout.close()
        err = running.stderr.read()
    assert running.returncode == codes.BROKEN_PIPE
    assert err == b""


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("derive gpt3 >&-", codes.FINE),
        ("check nothing_of_this_name >&- 2>&-", codes.WRONG),
        ("check - <&-", codes.WRONG),
        ("derive gpt3 > /dev/full", codes.USAGE),
        ("derive gpt3 --json > /dev/full", codes.USAGE),
        ('verify gpt3 --claim "saved(layer) = 34sbh + 5as²b" --claim "saved(nothing) = s" > /dev/full', codes.USAGE),
    ],
)
def test_streams_that_are_closed_or_full(command: str, code: int) -> None:
    shell = ["sh", "-c", f"{sys.executable} -m roofdsl {command}"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, "Traceback" in done.stderr, "fault" in done.stderr) == (code, False, False)


def test_arguments_in_utf8_where_the_locale_is_not() -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PATH": "/usr/bin:/bin"}
    done = process("verify", "gpt3", "--claim", "saved(layer) = 34sbh + 5as²b", env=environment)
    assert done.stdout.startswith("proved")


def test_standard_input_is_a_file() -> None:
    done = process("derive", "-", "params(f)", input=HEADS)
    assert done.stdout.startswith("params(f) = h²")


def test_an_ascii_terminal_gets_escapes_rather_than_a_fault() -> None:
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    done = process("derive", "gpt3", "saved(layer)", env=environment)
    assert done.returncode == codes.FINE
    assert r"5as\xb2b" in done.stdout


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("no_color", "coloured"), [("1", False), ("", True)])
def test_colour_only_on_a_terminal_without_no_color(monkeypatch, no_color: str, coloured: bool) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    app.run(["derive", "nothing_of_this_name"])
    assert ("\x1b[" in stream.getvalue()) == coloured


def test_a_choice_with_a_quote_in_it(roofdsl) -> None:
    ran = roofdsl("eval", "gpt3", "--format", "it's")
    assert ran.code == codes.USAGE
    assert "`it's` is no value of `--format`" in ran.err
    assert "expected: one of text, latex, markdown" in ran.err
