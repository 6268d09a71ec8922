"""GGUF files of further architectures: what a file of each has is imported, and its parameters are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError
from roofdsl.importing.run import import_model
from roofdsl.importing.table import read_tables
from tests import test_import_gguf
from tests.test_import_gguf import (
    BIASES,
    EXPERTS,
    OUTPUT,
    A,
    D,
    F,
    G,
    H,
    S,
    V,
    block,
    metadata,
    tensors,
    without_mlp,
    written,
)
from tests.weights_files import gguf

WIDE = {"attn_q_norm.weight": (A * D,), "attn_k_norm.weight": (G * D,)}
PER_HEAD = {"attn_q_norm.weight": (D, A), "attn_k_norm.weight": (D, G)}
POST_NORMS = {"post_attention_norm.weight": (H,), "post_ffw_norm.weight": (H,)}
FINAL = {"output_norm.bias": (H,)}
NO_RMS = {"attention.layer_norm_rms_epsilon": None, "attention.layer_norm_epsilon": 1e-5}
UNROTATED = NO_RMS | {"rope.dimension_count": None, "rope.freq_base": None}
MIXTURE = {"expert_count": 8, "expert_used_count": 2}
SHARED = {
    "ffn_gate_inp_shexp.weight": (H,), "ffn_gate_shexp.weight": (H, 40), "ffn_up_shexp.weight": (H, 40),
    "ffn_down_shexp.weight": (40, H),
}  # fmt: skip


def only(one: dict, *left_out: str) -> dict:
    """A layer without some of its tensors."""
    return {name: shape for name, shape in one.items() if name.removesuffix(".weight") not in left_out}


def joined(*, g: int = G, bias: bool = False, norm_bias: bool = True) -> dict:
    """A layer whose queries, keys and values are one tensor, with an MLP that has no gate."""
    width = (A + 2 * g) * D
    one = {"attn_qkv": (H, width), "attn_output": (A * D, H), "ffn_up": (H, F), "ffn_down": (F, H), "attn_norm": (H,),
           "ffn_norm": (H,)}  # fmt: skip
    weights = {f"{name}.weight": shape for name, shape in one.items()}
    biased = [name for name in one if (bias if "norm" not in name else norm_bias)]
    return weights | {f"{name}.bias": (one[name][-1],) for name in biased}


NORM_BIASES = {"attn_norm.bias": (H,), "ffn_norm.bias": (H,)}
SPLIT_BIASES = BIASES | {"attn_output.bias": (H,), "ffn_up.bias": (F,), "ffn_down.bias": (H,)}
STATE = {
    "attn_norm.weight": (H,), "ssm_in.weight": (H, 2 * 128), "ssm_conv1d.weight": (4, 128), "ssm_conv1d.bias": (128,),
    "ssm_x.weight": (128, 6 + 2 * 16), "ssm_dt.weight": (6, 128), "ssm_dt.bias": (128,), "ssm_a": (16, 128), "ssm_d": (128,),
    "ssm_out.weight": (128, H),
}  # fmt: skip
ENCODED = {
    "attn_q.weight": (H, H), "attn_k.weight": (H, H), "attn_v.weight": (H, H), "attn_q.bias": (H,), "attn_k.bias": (H,),
    "attn_v.bias": (H,), "attn_output.weight": (H, H), "attn_output.bias": (H,), "attn_output_norm.weight": (H,),
    "attn_output_norm.bias": (H,), "layer_output_norm.weight": (H,), "layer_output_norm.bias": (H,), "ffn_up.weight": (H, F),
    "ffn_up.bias": (F,), "ffn_down.weight": (F, H), "ffn_down.bias": (H,),
}  # fmt: skip
MODELS = {
    "falcon": (
        metadata("falcon", **NO_RMS, tensor_data_layout="jploski", **{"attention.head_count_kv": 1}),
        tensors(only(joined(g=1), "ffn_norm", "ffn_norm.bias"), FINAL, OUTPUT),
        "layer = parallel_layer",
    ),
    "falcon_two_norms": (
        metadata("falcon", **NO_RMS),
        tensors(only(joined(), "ffn_norm", "ffn_norm.bias") | {"attn_norm_2.weight": (H,), "attn_norm_2.bias": (H,)}, FINAL),
        "parallel_layer_two_norms",
    ),
    "bloom": (
        metadata("bloom", **UNROTATED),
        tensors(joined(g=A, bias=True), FINAL, {"token_embd_norm.weight": (H,), "token_embd_norm.bias": (H,)}, OUTPUT),
        "bloom",
    ),
    "mpt": (
        metadata("mpt", **UNROTATED, **{"attention.max_alibi_bias": 8.0, "attention.head_count_kv": None}),
        tensors(joined(g=A, norm_bias=False)),
        "mpt",
    ),
    "starcoder": (
        metadata("starcoder", **UNROTATED, **{"attention.head_count_kv": 1}),
        tensors(joined(g=1, bias=True), FINAL, {"position_embd.weight": (H, S)}, OUTPUT),
        "starcoder",
    ),
    "starcoder2": (
        metadata("starcoder2", **NO_RMS),
        tensors(only(block(), "ffn_gate") | SPLIT_BIASES | NORM_BIASES, FINAL),
        "decoder_tied{",
    ),
    "gptneox": (
        metadata("gptneox", **NO_RMS, use_parallel_residual=True, **{"rope.dimension_count": 4, "attention.head_count_kv": None}),
        tensors(joined(g=A, bias=True), FINAL, OUTPUT),
        "rotate = rotate_partial",
    ),
    "phi2": (
        metadata("phi2", **NO_RMS, **{"rope.dimension_count": 8, "attention.head_count_kv": A}),
        tensors(only(joined(g=A, bias=True), "ffn_norm", "ffn_norm.bias"), FINAL, OUTPUT, {"output.bias": (V,)}),
        "phi2",
    ),
    "stablelm": (
        metadata("stablelm", **NO_RMS, use_parallel_residual=False, **{"rope.dimension_count": 4}),
        tensors(block() | BIASES | NORM_BIASES, FINAL, OUTPUT),
        "qkv_rope = qkv_bias_rope",
    ),
    "stablelm_norms_of_heads": (
        metadata("stablelm", **NO_RMS, use_parallel_residual=True, **{"rope.dimension_count": 4}),
        tensors(only(block(), "ffn_norm") | PER_HEAD | {"attn_norm.bias": (H,)}, FINAL, OUTPUT),
        "qkv_head_norm_rope",
    ),
    "command-r": (
        metadata("command-r", **NO_RMS, logit_scale=0.0625),
        tensors(only(block(), "ffn_norm")),
        "head = head_scaled",
    ),
    "command-r_norms_of_heads": (
        metadata("command-r", **NO_RMS, logit_scale=0.83),
        tensors(only(block(), "ffn_norm") | PER_HEAD),
        "qkv_head_norm_rope",
    ),
    "cohere2": (
        metadata("cohere2", **NO_RMS, logit_scale=0.25, **{"attention.sliding_window": 16}),
        tensors(only(block(), "ffn_norm")),
        "decoder_two_kinds_tied{",
    ),
    "olmo": (
        metadata("olmo", **NO_RMS, **{"attention.clamp_kqv": 8.0}),
        {k: v for k, v in tensors(only(block(), "attn_norm", "ffn_norm"), OUTPUT).items() if k != "output_norm.weight"},
        "layernorm_plain",
    ),
    "olmo2": (
        metadata("olmo2"),
        tensors(only(block(), "attn_norm", "ffn_norm") | POST_NORMS | WIDE, OUTPUT),
        "post_norm_layer",
    ),
    "olmoe": (
        metadata("olmoe", feed_forward_length=48, **MIXTURE),
        tensors(without_mlp(block()) | EXPERTS | WIDE, OUTPUT),
        "olmoe",
    ),
    "qwen2moe": (
        metadata("qwen2moe", expert_feed_forward_length=48, expert_shared_feed_forward_length=40, **MIXTURE),
        tensors(without_mlp(block()) | EXPERTS | BIASES | SHARED, OUTPUT),
        "qwen2_moe",
    ),
    "granite": (
        metadata("granite", embedding_scale=12.0, residual_scale=0.22, logit_scale=8.0, **{"attention.scale": 0.0156}),
        tensors(block()),
        "scaled_layer",
    ),
    "glm4": (
        metadata("glm4", **{"rope.dimension_count": 8, "attention.key_length": D, "attention.value_length": D}),
        tensors(only(block(), "ffn_gate", "ffn_up") | {"ffn_up.weight": (H, 2 * F)} | POST_NORMS, OUTPUT),
        "sandwich_layer",
    ),
    "mamba": (
        metadata("mamba", feed_forward_length=0, **{"attention.head_count": 0, "attention.head_count_kv": None, "ssm.conv_kernel": 4,
                 "rope.dimension_count": None, "rope.freq_base": None, "ssm.inner_size": 128, "ssm.state_size": 16,
                 "ssm.time_step_rank": 6}),
        tensors(STATE),
        "mamba_lm",
    ),
    "bert": (
        metadata("bert", **UNROTATED, pooling_type=2, **{"attention.causal": False, "attention.head_count_kv": None})
        | {"tokenizer.ggml.token_type_count": 2},
        {k: v for k, v in tensors(ENCODED, {"position_embd.weight": (H, S), "token_types.weight": (H, 2),
         "token_embd_norm.weight": (H,), "token_embd_norm.bias": (H,)}).items() if k != "output_norm.weight"},
        "bert{pooler = unpooled}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MODELS)
def test_a_file_is_imported_and_counted(case: str, tmp_path: Path) -> None:
    keys, shapes, said = MODELS[case]
    outcome = import_model(written(tmp_path, gguf(keys, shapes)))
    assert said in outcome.text
    assert outcome.count is not None
    assert outcome.count.rest == outcome.parameters


def test_every_table_is_exercised() -> None:
    names = {keys["general.architecture"] for keys, _, _ in (*MODELS.values(), *test_import_gguf.MODELS.values())}
    assert {n for table in read_tables() for n in table.names if n.startswith("gguf:")} == {f"gguf:{n}" for n in names}


def test_rotary_positions_on_a_part_of_a_head(tmp_path: Path) -> None:
    keys, shapes, _ = MODELS["glm4"]
    assert "p = 8" in import_model(written(tmp_path, gguf(keys, shapes))).text


OTHERS = {
    "positions that are not ALiBi": ("mpt", {"mpt.attention.max_alibi_bias": 0.0}),
    "windows in some layers": ("olmo2", {"olmo2.attention.sliding_window": 16}),
    "norms inside a state space": ("mamba", {"mamba.ssm.dt_b_c_rms": True}),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_value_of_another_model(case: str, tmp_path: Path) -> None:
    name, change = OTHERS[case]
    keys, shapes, _ = MODELS[name]
    with pytest.raises(RoofError) as caught:
        import_model(written(tmp_path, gguf(keys | change, shapes)))
    assert "E0905" in [diagnostic.kind.code for diagnostic in caught.value.diagnostics]
