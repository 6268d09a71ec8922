"""Weights files whose numbers hold several weights: they are counted by the bits the configuration says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError
from roofdsl.importing.run import import_model
from tests.test_import import LLAMA, LLAMA_TOTAL
from tests.test_import_bits import F, G, H, L, V, groups
from tests.weights_files import safetensors, safetensors_header

MODULES = {
    "self_attn.q_proj": (H, H), "self_attn.k_proj": (G, H), "self_attn.v_proj": (G, H), "self_attn.o_proj": (H, H),
    "mlp.gate_proj": (F, H), "mlp.up_proj": (F, H), "mlp.down_proj": (H, F),
}  # fmt: skip
KEPT = {"model.embed_tokens.weight": (V, H), "lm_head.weight": (V, H), "model.norm.weight": (H,)} | {
    f"model.layers.{n}.{name}.weight": (H,)
    for n in range(L)
    for name in ("input_layernorm", "post_attention_layernorm")
}


def gptq(o: int, i: int, group: int = 32) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {"qweight": ("I32", (i // 8, o)), "qzeros": ("I32", (i // group, o // 8)), "scales": ("F16", (i // group, o)),
            "g_idx": ("I32", (i,))}  # fmt: skip


def nf4(o: int, i: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {"weight": ("U8", (o * i // 2, 1)), "weight.absmax": ("F32", (o * i // 64,)), "weight.quant_map": ("F32", (16,)),
            "weight.quant_state.bitsandbytes__nf4": ("U8", (82,))}  # fmt: skip


def packed(o: int, i: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {
        "weight_packed": ("I32", (o, i // 8)),
        "weight_scale": ("BF16", (o, i // 32)),
        "weight_shape": ("I64", (2,)),
    }


def mlx(bits: int):
    """`bits` of a weight along the rows of a matrix, whole words a row; a scale and a least value for 32."""

    def tensors(o: int, i: int) -> dict[str, tuple[str, tuple[int, ...]]]:
        return {
            "weight": ("U32", (o, i * bits // 32)),
            "scales": ("F16", (o, i // 32)),
            "biases": ("F16", (o, i // 32)),
        }

    return tensors


def fewer(bits: int) -> dict:
    return {"quantization": {"group_size": 32, "bits": bits}}


SIZES = {"U32": 4, "I32": 4, "F16": 2, "BF16": 2, "F32": 4, "U8": 1, "I64": 8}
PACKED = [
    (gptq, {"quant_method": "gptq", "bits": 4, "group_size": 32}),
    (nf4, {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}),
    (packed, {"quant_method": "compressed-tensors", "ignore": ["lm_head"],
              **groups(num_bits=4, type="int", strategy="group", group_size=32)}),
]  # fmt: skip


def header(make, without: str = "", tables: bool = False) -> tuple[dict, int]:
    """Tensors of a checkpoint; with `tables`, the embeddings and the output matrix are packed too."""
    packed_too = [name for name in KEPT if tables and len(KEPT[name]) == 2]
    tensors = {name: ("F16", shape) for name, shape in KEPT.items() if name not in packed_too}
    for name in packed_too:
        tensors |= {f"{name.removesuffix('weight')}{part}": what for part, what in make(*KEPT[name]).items()}
    for layer in range(L):
        for module, (o, i) in MODULES.items():
            for part, what in make(o, i).items():
                tensors[f"model.layers.{layer}.{module}.{part}"] = what
    found, at = {}, 0
    for name, (form, shape) in tensors.items():
        if without and without in name:
            continue
        size = SIZES[form]
        for extent in shape:
            size *= extent
        found[name] = {"dtype": form, "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    return found, at


@pytest.mark.parametrize(("make", "method"), PACKED, ids=["gptq", "nf4", "packed"])
def test_packed_weights_are_counted(make, method: dict, tmp_path: Path) -> None:
    config = LLAMA | {"quantization_config": method, "torch_dtype": "float16"}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(make)))
    count = import_model(tmp_path).count
    assert count is not None
    assert count.rest == LLAMA_TOTAL
    assert [extra.what for extra in count.extras] == ["block scales"]


@pytest.mark.parametrize(("make", "method"), PACKED, ids=["gptq", "nf4", "packed"])
def test_a_packed_matrix_that_lacks_is_found(make, method: dict, tmp_path: Path) -> None:
    config = LLAMA | {"quantization_config": method, "torch_dtype": "float16"}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(make, "layers.1.mlp.up_proj")))
    with pytest.raises(RoofError) as caught:
        import_model(tmp_path)
    assert [d.kind.code for d in caught.value.diagnostics] == ["E0909"]


@pytest.mark.parametrize("bits", [3, 4])
def test_weights_of_mlx_are_counted(bits: int, tmp_path: Path) -> None:
    """At 3 bits a weight may reach from one word into the next."""
    (tmp_path / "config.json").write_text(
        json.dumps(LLAMA | {"torch_dtype": "float16"} | fewer(bits)), encoding="utf-8"
    )
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(mlx(bits), tables=True)))
    count = import_model(tmp_path).count
    assert count is not None
    assert count.rest == LLAMA_TOTAL
    assert [extra.what for extra in count.extras] == ["block scales"]


@pytest.mark.parametrize(("said", "held"), [(3, 4), (4, 3)])
def test_weights_in_other_bits_than_the_configuration_says_are_found(said: int, held: int, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(
        json.dumps(LLAMA | {"torch_dtype": "float16"} | fewer(said)), encoding="utf-8"
    )
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(mlx(held), tables=True)))
    with pytest.raises(RoofError) as caught:
        import_model(tmp_path)
    assert [d.kind.code for d in caught.value.diagnostics] == ["E0909"]


def test_plain_weights_are_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    shapes = KEPT | {f"model.layers.{n}.{m}.weight": shape for n in range(L) for m, shape in MODULES.items()}
    (tmp_path / "model.safetensors").write_bytes(safetensors(safetensors_header(shapes), 2 * LLAMA_TOTAL))
    count = import_model(tmp_path).count
    assert count is not None
    assert (count.rest, count.extras) == (LLAMA_TOTAL, ())
