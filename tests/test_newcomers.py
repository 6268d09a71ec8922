"""What people new to the language stumble over: each slip is met with the help that gets them on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roofdsl.cli.app import VERBS, Listed, run
from roofdsl.cli.checking import expand_folders
from roofdsl.diagnostics import Sink
from roofdsl.passes.find import find_spec, specs_root
from roofdsl.source import Source
from roofdsl.syntax.format import format_text
from roofdsl.syntax.keywords import DECLARATIONS, IN_MACHINES, STATEMENTS
from roofdsl.syntax.parser import parse_file
from roofdsl.syntax.tables import load_tables
from tests.commands import roofdsl


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


def test_a_shipped_op_is_shown_with_what_is_derived() -> None:
    shown = roofdsl("ops", "softmax", "erf").out
    assert "op softmax(x[..., i]) -> y {" in shown
    assert "scalar erf(x): special" in shown
    assert "5ni" in shown
    (softmax,) = roofdsl("ops", "softmax", "--json").document["ops"]
    assert softmax["text"].startswith("# Softmax")
    assert softmax["path"] == "specs/ops/softmax.roof"


def test_a_shipped_spec_is_shown_as_it_stands() -> None:
    shown = roofdsl("specs", "gpt3")
    assert shown.out == (specs_root() / "models" / "gpt3.roof").read_text(encoding="utf-8")
    assert "gpt3_175b" in shown.err
    assert [spec["name"] for spec in roofdsl("specs", "gpt3_175b", "--json").document["specs"]] == ["models/gpt3"]
    papers = [spec["name"] for spec in roofdsl("specs", "papers", "--json").document["specs"]]
    assert papers
    assert all(name.startswith("papers/") for name in papers)


def test_a_shipped_machine_and_a_number_format_are_shown() -> None:
    shown = roofdsl("machines", "h100_sxm").out
    assert "memory hbm = 80 GB at 3.35 TB/s" in shown
    assert "ridge bf16" in shown
    assert roofdsl("dtypes", "mxfp4").out.startswith("dtype mxfp4 = 4 bit + 8 bit per 32 e2m1 finite\n\n")
    (named,) = roofdsl("dtypes", "mxfp4", "--json").document["dtypes"]
    assert named["name"] == "mxfp4"


@pytest.mark.parametrize(
    ("arguments", "help_"),
    [
        (("ops", "sotfmax"), "did you mean `softmax`?"),
        (("ops", "mean"), "a mean is a sum over a number"),
        (("dtypes", "bfloat16"), "the format is `bf16`"),
        (("machines", "h100"), "did you mean `h100_nvl`, `h100_sxm` or `h100_pcie`?"),
        (("specs", "gtp3"), "did you mean `gpt3`?"),
        (("check", "block"), "`roofdsl specs` lists what ships"),
        (("check", "op"), "`roofdsl specs` lists what ships"),
    ],
)
def test_what_does_not_ship_is_met_with_what_does(arguments: tuple[str, ...], help_: str) -> None:
    ran = roofdsl(*arguments)
    assert ran.code != 0
    assert f"= help: {help_}" in ran.err


@pytest.mark.parametrize("folder", ["papers", "specs/papers", "examples"])
def test_a_shipped_folder_is_a_file_argument(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = expand_folders([folder])
    assert len(names) > 1
    assert all(find_spec(name) is not None for name in names)
    assert roofdsl("check", names[0]).out.startswith("ok specs/")


@pytest.mark.parametrize("listed", VERBS, ids=lambda listed: listed.name)
def test_the_help_of_a_command_ends_with_an_example(listed: Listed, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([listed.name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[-1].startswith(f"For example: roofdsl {listed.name} ")
    assert not re.search(r"\b(?:argparse|None|True|False|str|int)\b", shown)


@pytest.mark.parametrize(
    ("arguments", "text", "help_"),
    [
        ("derve gpt3", "there is no command `derve`", "did you mean `derive`?"),
        ("evaluate gpt3", "there is no command `evaluate`", "did you mean `eval`?"),
        ("prove gpt3", "there is no command `prove`", "the command is `verify`"),
        ("eval gpt3 --confg x", "there is no option `--confg` here", "did you mean `--config`?"),
        ("derive gpt3 --jsno", "there is no option `--jsno` here", "did you mean `--json`?"),
        ("eval gpt3 --phase trian", "`trian` is no value of `--phase`", "did you mean `train`?"),
        ("eval gpt3 --phase fwd", "`fwd` is no value of `--phase`", "the phase is `forward`"),
        ("derive", "FILE is missing", "`roofdsl derive --help` explains the rest"),
        ("import a b", "`b` is one argument too many", "`roofdsl import --help` explains the rest"),
        ("eval gpt3 --config", "`--config` needs a value", "`roofdsl eval --help` explains the rest"),
        ("", "a command is missing", "`roofdsl --help` explains the rest"),
    ],
)
def test_arguments_that_are_not_understood_are_named(arguments: str, text: str, help_: str) -> None:
    ran = roofdsl(*arguments.split())
    assert ran.code == 2
    assert text in ran.err
    assert f"= help: {help_}\n" in ran.err


@pytest.mark.parametrize("document", ["README.md", "docs/new_block.md"])
def test_files_in_documents_are_in_canonical_form(document: str) -> None:
    text = (Path(__file__).parent.parent / document).read_text(encoding="utf-8")
    files = re.findall(r"^```roof\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert files
    for file in files:
        sink = Sink()
        assert format_text(Source(document, file), sink) == file
        assert not sink.errors


@pytest.mark.parametrize(
    ("architecture", "help_"),
    [
        ("FooForCausalLM", "known are the architectures "),
        ("LamaForCausalLM", "did you mean `LlamaForCausalLM`?"),
        ("Qwen3ForCausal", "did you mean `Qwen3ForCausalLM`?"),
        ("MixtralForCausal", "did you mean `MixtralForCausalLM`?"),
    ],
)
def test_only_a_near_architecture_is_suggested(architecture: str, help_: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(f'{{"architectures": ["{architecture}"]}}', encoding="utf-8")
    assert f"= help: {help_}" in roofdsl("import", str(path)).err


def test_sizes_are_put_into_closed_forms() -> None:
    ran = roofdsl("derive", "gpt3", "saved(layer)", "--set", "h=12288", "--set", "a=96")
    assert "saved(layer) = 480bs² + 417792bs" in ran.out
    ran = roofdsl("derive", "llama", "flops(llama)", "--config", "llama_3_8b")
    assert "flops(llama) = 158140695838720" in ran.out
