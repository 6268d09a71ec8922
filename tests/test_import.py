"""`roofdsl import`: messages as their user sees them, output that compiles, weights that are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roofdsl.cli import app, codes
from roofdsl.importing.run import import_model
from tests.weights_files import gguf, safetensors, safetensors_header

FOLDER = Path(__file__).parent / "importing"
CASES = sorted(FOLDER.glob("E*.json"))
LLAMA = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96, "vocab_size": 100,
    "max_position_embeddings": 32, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
LLAMA_SHAPES = {
    "model.embed_tokens.weight": (100, 64), "lm_head.weight": (100, 64), "model.norm.weight": (64,),
    **{f"model.layers.{n}.{part}.weight": shape for n in range(2) for part, shape in {
        "self_attn.q_proj": (64, 64), "self_attn.k_proj": (32, 64), "self_attn.v_proj": (32, 64),
        "self_attn.o_proj": (64, 64), "mlp.gate_proj": (96, 64), "mlp.up_proj": (96, 64), "mlp.down_proj": (64, 96),
        "input_layernorm": (64,), "post_attention_layernorm": (64,)}.items()},
}  # fmt: skip
LLAMA_TOTAL = 2 * 100 * 64 + 64 + 2 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96 + 2 * 64)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_message(path: Path, golden, capsys, monkeypatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert app.run(["import", path.name]) == codes.WRONG
    message = capsys.readouterr().err
    assert f"[{path.name.split('_')[0]}]" in message
    golden(path.with_suffix(".err"), message)


BINARY = {
    "E0907_gguf": ("model.gguf", gguf({"general.architecture": "llama"}, {})[:40]),
    "E0908_safetensors": (
        "model.safetensors",
        safetensors({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}),
    ),
    "E0909_count": ("model.safetensors", safetensors(safetensors_header({"a": (7, 3)}), 42)),
}


@pytest.mark.parametrize("case", BINARY)
def test_message_of_a_binary_file(case: str, golden, capsys, monkeypatch, tmp_path: Path) -> None:
    name, data = BINARY[case]
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(data)
    Path("config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    arguments = ["import", name] if name.endswith("gguf") else ["import", "config.json", "--weights", name]
    assert app.run(arguments) == codes.WRONG
    message = capsys.readouterr().err
    assert case.split("_", maxsplit=1)[0] in message
    golden(FOLDER / f"{case}.err", message)


def written(tmp_path: Path, config: object, name: str = "config.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


def test_what_is_written(golden, capsys, tmp_path: Path) -> None:
    folder = tmp_path / "Small-Llama-1.5"
    folder.mkdir()
    written(folder, LLAMA)
    assert app.run(["import", str(folder)]) == codes.FINE
    done = capsys.readouterr()
    golden(FOLDER / "small_llama.roof", done.out)
    assert done.err == f"small_llama_1_5: {LLAMA_TOTAL:,} parameters\n"


def test_an_import_compiles_and_is_evaluated(capsys, tmp_path: Path) -> None:
    out = tmp_path / "mine.roof"
    assert app.run(["import", str(written(tmp_path, LLAMA)), "-o", str(out), "--name", "mine"]) == codes.FINE
    assert app.run(["check", str(out)]) == codes.FINE
    assert app.run(["eval", str(out), "params(mine)", "cache(mine)", "--config", "mine", "--json"]) == codes.FINE
    results = json.loads(capsys.readouterr().out.split("\n", 1)[1])["results"]
    assert [result["number"]["exact"] for result in results] == [str(LLAMA_TOTAL), str(2 * 2 * 32 * 2 * 16 * 2)]


def test_output_is_replaced_only_when_told(capsys, tmp_path: Path) -> None:
    out = tmp_path / "out.roof"
    out.write_text("mine", encoding="utf-8")
    arguments = ["import", str(written(tmp_path, LLAMA)), "-o", str(out)]
    assert app.run(arguments) == codes.USAGE
    assert "E0813" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == "mine"
    assert app.run([*arguments, "--force"]) == codes.FINE
    assert "model " in out.read_text(encoding="utf-8")


def test_nothing_is_written_when_the_import_fails(tmp_path: Path) -> None:
    out = tmp_path / "out.roof"
    assert app.run(["import", str(written(tmp_path, LLAMA | {"new": 1})), "-o", str(out)]) == codes.WRONG
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json"]


def test_a_field_can_be_set_aside_by_hand(tmp_path: Path) -> None:
    path = written(tmp_path, LLAMA | {"new": 1, "other": {"a": 2}})
    assert app.run(["import", str(path), "--ignore", "new"]) == codes.WRONG
    assert app.run(["import", str(path), "--ignore", "new", "--ignore", "other"]) == codes.FINE


def test_weights_are_counted(tmp_path: Path, capsys) -> None:
    written(tmp_path, LLAMA)
    tables = {f"model.layers.{n}.self_attn.rotary_emb.inv_freq": (8,) for n in range(2)}
    shapes = LLAMA_SHAPES | tables
    data = safetensors(safetensors_header(shapes), 2 * (LLAMA_TOTAL + 16))
    (tmp_path / "model.safetensors").write_bytes(data)
    assert app.run(["import", str(tmp_path)]) == codes.FINE
    assert "of which 16: rotary tables" in capsys.readouterr().err


def test_weights_in_several_files(tmp_path: Path) -> None:
    written(tmp_path, LLAMA)
    names = list(LLAMA_SHAPES)
    for number, part in enumerate((names[:5], names[5:])):
        header = safetensors_header({name: LLAMA_SHAPES[name] for name in part})
        size = max(e["data_offsets"][1] for k, e in header.items() if k != "__metadata__")
        (tmp_path / f"model-{number}.safetensors").write_bytes(safetensors(header, size))
    outcome = import_model(tmp_path)
    assert outcome.count is not None
    assert (outcome.count.total, outcome.count.extras) == (LLAMA_TOTAL, ())


@pytest.mark.parametrize("one", [("model.extra.weight", (1,)), ("model.layers.0.mlp.up_proj.bias", (96,))])
def test_one_tensor_too_many_is_found(one: tuple, tmp_path: Path, capsys) -> None:
    written(tmp_path, LLAMA)
    shapes = LLAMA_SHAPES | dict([one])
    header = safetensors_header(shapes)
    (tmp_path / "model.safetensors").write_bytes(safetensors(header, 2 * (LLAMA_TOTAL + one[1][0])))
    assert app.run(["import", str(tmp_path)]) == codes.WRONG
    assert f"a difference of +{one[1][0]}" in capsys.readouterr().err


def test_tensors_alone_are_no_model(tmp_path: Path, capsys) -> None:
    (tmp_path / "model.safetensors").write_bytes(safetensors(safetensors_header({"a": (2,)}), 4))
    assert app.run(["import", str(tmp_path / "model.safetensors")]) == codes.WRONG
    assert "E0910" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("shapes", "what"),
    [
        ({"model.layers.2.mlp.up_proj.weight": (96, 64), "model.layers.2.eh_proj.weight": (64, 128)}, "layers beyond"),
        ({"model.layers.0.mlp.up_proj.weight_scale_inv": (3, 2)}, "block scales"),
        ({"vision_tower.encoder.layers.0.weight": (4, 4)}, "the vision tower"),
    ],
)
def test_what_is_stored_beside_parameters_is_named(shapes: dict, what: str, tmp_path: Path) -> None:
    written(tmp_path, LLAMA)
    header = safetensors_header(LLAMA_SHAPES | shapes)
    size = max(e["data_offsets"][1] for k, e in header.items() if k != "__metadata__")
    (tmp_path / "model.safetensors").write_bytes(safetensors(header, size))
    count = import_model(tmp_path).count
    assert count is not None
    assert [extra.what.split(",")[0][: len(what)] for extra in count.extras] == [what]


def test_a_tied_matrix_that_is_stored_twice(tmp_path: Path) -> None:
    written(tmp_path, LLAMA | {"tie_word_embeddings": True})
    (tmp_path / "model.safetensors").write_bytes(safetensors(safetensors_header(LLAMA_SHAPES), 2 * LLAMA_TOTAL))
    count = import_model(tmp_path).count
    assert count is not None
    assert [extra.elements for extra in count.extras] == [100 * 64]
