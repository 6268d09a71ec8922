"""Weights in fewer bits: what a checkpoint stores, tensor by tensor."""

from __future__ import annotations

import json
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.importing.formats import read_formats
from roofdsl.importing.run import import_model
from roofdsl.passes.load import load
from roofdsl.source import Source
from tests.published import CONFIGS
from tests.test_import import LLAMA, LLAMA_TOTAL
from tests.test_import_gguf import MODELS
from tests.torch.derived import numbers
from tests.weights_files import gguf

H, F, V, L, G = 64, 96, 100, 2, 32
NORMS = (2 * L + 1) * H
TABLES = 2 * V * H
MATRICES = LLAMA_TOTAL - NORMS - TABLES
FP16 = 2 * (NORMS + TABLES)


def written(config: dict, tmp_path: Path) -> str:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return import_model(path, name="mine").text


def stored(config: dict, tmp_path: Path) -> int:
    (found,) = numbers(written(config, tmp_path), {}, "param_bytes(mine)")
    return found


def groups(**weights: object) -> dict:
    return {"config_groups": {"group_0": {"targets": ["Linear"], "weights": {"symmetric": True} | weights}}}


METHODS = [
    ({"quant_method": "gptq", "bits": 4, "group_size": 32}, Fraction(4 * 32 + 16 + 4, 32)),
    ({"quant_method": "gptq", "bits": 8, "group_size": 32, "desc_act": True}, Fraction(8 * 32 + 16 + 8, 32)),
    ({"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": True}, Fraction(4 * 64 + 16 + 4, 64)),
    ({"quant_method": "auto-round", "bits": 4, "group_size": 128, "sym": True, "data_type": "int", "iters": 200},
     Fraction(4 * 128 + 16 + 4, 128)),
    ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}, Fraction(9, 2)),
    ({"quant_method": "bitsandbytes", "load_in_8bit": True}, Fraction(8)),
    ({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}}, Fraction(9, 2)),
    ({"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head"],
      **groups(num_bits=4, type="int", strategy="group", group_size=128)}, Fraction(4 * 128 + 16, 128)),
    ({"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["lm_head"],
      **groups(num_bits=8, type="float", strategy="channel")}, Fraction(8)),
]  # fmt: skip


@pytest.mark.parametrize(("method", "bits"), METHODS, ids=lambda value: str(value)[:40])
def test_matrices_alone_are_in_fewer_bits(method: dict, bits: Fraction, tmp_path: Path) -> None:
    """Embeddings, norms and the output matrix keep their 16 bits."""
    config = LLAMA | {"quantization_config": method, "torch_dtype": "float16"}
    assert stored(config, tmp_path) == FP16 + MATRICES * bits / 8


def test_an_output_matrix_that_no_list_excepts(tmp_path: Path) -> None:
    method = {
        "quant_method": "compressed-tensors",
        "ignore": [],
        **groups(num_bits=8, type="float", strategy="channel"),
    }
    config = LLAMA | {"quantization_config": method, "torch_dtype": "float16"}
    assert stored(config, tmp_path) == 2 * (NORMS + V * H) + MATRICES + V * H


def test_the_experts_of_gpt_oss_are_what_its_index_says(tmp_path: Path) -> None:
    """`total_size` of the published model.safetensors.index.json: 4-bit experts with a scale per 32, all else in bf16."""
    assert stored(CONFIGS["gpt-oss-20b"], tmp_path) == 13_761_264_768


def test_blocks_of_fp8(tmp_path: Path) -> None:
    text = written(CONFIGS["deepseek-v3"], tmp_path)
    table, head, norms, routers, all_bytes = numbers(
        text, {}, "param_bytes(mine.E)", "param_bytes(mine.head)", "param_bytes(mine.n)", "2 params(mine.layer.moe.router)",
        "param_bytes(mine.layer.moe_shared.moe.experts)",
    )  # fmt: skip
    h, v, experts = 7168, 129280, (61 - 3) * 256 * 3 * 7168 * 2048
    assert (table, head, norms) == (2 * v * h, 2 * v * h, 2 * h)
    assert routers == 2 * (61 - 3) * 256 * (h + 1)
    assert all_bytes == experts + 4 * experts // 128**2


UNKNOWN = [
    {"bits": 4},
    {"quant_method": "aqlm"},
    {"quant_method": "gptq", "bits": 3, "group_size": 128},
    {"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": True},
    {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": False},
    {"quant_method": "fp8", "weight_block_size": [64, 64]},
    {"quant_method": "fp8", "modules_to_not_convert": ["model.layers.3.mlp.down_proj"]},
    {"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 3, "group_size": 64}}},
    {"quant_method": "compressed-tensors", **groups(num_bits=8, type="float", strategy="channel", symmetric=False)},
]


@pytest.mark.parametrize("method", UNKNOWN, ids=str)
def test_what_is_not_understood_is_said(method: dict, tmp_path: Path) -> None:
    with pytest.raises(RoofError) as caught:
        written(LLAMA | {"quantization_config": method}, tmp_path)
    assert {d.kind.code for d in caught.value.diagnostics} <= {"E0905", "E0906"}


def test_a_field_of_the_scheme_nobody_knows(tmp_path: Path) -> None:
    method = {"quant_method": "fp8", "rotation": "hadamard"}
    with pytest.raises(RoofError) as caught:
        written(LLAMA | {"quantization_config": method}, tmp_path)
    assert [d.kind.code for d in caught.value.diagnostics] == ["E0904"]


def test_a_dtype_of_the_rest(tmp_path: Path) -> None:
    assert "default activations fp32" in written(LLAMA | {"torch_dtype": "float32"}, tmp_path)


def test_formats_of_files_have_the_bits_of_their_dtypes() -> None:
    dtypes = load(Source("empty", ""), Sink(), folder=None).dtypes
    for kind in ("gguf", "safetensors"):
        named = [form for form in read_formats(kind).values() if form.dtype is not None]
        assert named
        assert [form.bits for form in named] == [dtypes[form.dtype].bits for form in named]


BYTES = {0: Fraction(4), 1: Fraction(2), 2: Fraction(18, 32), 8: Fraction(34, 32), 14: Fraction(210, 256)}
"""Bytes of an element by the format's code: F32, F16, Q4_0 and Q8_0 in blocks of 32, Q6_K in blocks of 256 (ggml.h)."""


def mixed(tmp_path: Path, codes: dict[str, int]) -> tuple[str, int]:
    """A file of llama.cpp's kind of mixture: a format for each tensor by a part of its name; and its bytes."""
    keys, shapes, _ = MODELS["llama"]
    forms = {name: next((c for part, c in codes.items() if part in name), 8) for name in shapes}
    path = tmp_path / "mixed.gguf"
    path.write_bytes(gguf(keys, shapes, forms))
    size = sum(prod(shape) * BYTES[forms[name]] for name, shape in shapes.items())
    return import_model(path, name="mine").text, int(size)


def test_a_file_whose_groups_are_each_of_one_format_is_exact(tmp_path: Path) -> None:
    text, size = mixed(tmp_path, {"norm": 0, "token_embd": 1, "blk": 2, "output.weight": 14})
    for said in ("default params fp32", "default params.E fp16", "default weights.head q6_k", "default weights q4_0"):
        assert said in text
    assert f"{size:,} bytes" in text
    assert numbers(text, {}, "8 param_bytes(mine)") == [8 * size]


def test_a_group_of_two_formats_is_its_larger_part(tmp_path: Path) -> None:
    text, size = mixed(tmp_path, {"norm": 0, "ffn_down": 8, "blk": 2})
    assert "default weights q4_0" in text
    assert f"{size:,} bytes" in text


def test_only_formats_of_parameters_are_narrowed() -> None:
    sink = Sink()
    load(Source("t.roof", "default activations.head fp32\ndefault weights.head fp32\n"), sink, folder=None)
    assert [(d.kind.code, d.primary.span.text) for d in sink.errors] == [("E0201", "activations.head")]


@pytest.mark.parametrize(("bits", "group"), [(3, 32), (4, 64), (6, 128), (8, 64)])
def test_mlx_has_a_scale_and_a_least_value_for_every_group(bits: int, group: int, tmp_path: Path) -> None:
    method = {"group_size": group, "bits": bits}
    config = LLAMA | {"torch_dtype": "float16", "quantization": method, "quantization_config": method}
    head = TABLES // 2
    assert stored(config, tmp_path) == FP16 - 2 * head + (MATRICES + head) * Fraction(bits * group + 32, group) / 8


def test_the_output_matrix_of_fbgemm_is_kept(tmp_path: Path) -> None:
    kept = ["model.layers.0.self_attn.q_proj", "model.layers.0.mlp.down_proj"]
    method = {"quant_method": "fbgemm_fp8", "activation_scale_ub": 1200.0, "modules_to_not_convert": kept}
    config = LLAMA | {"torch_dtype": "float16", "quantization_config": method}
    assert stored(config, tmp_path) == FP16 + MATRICES
