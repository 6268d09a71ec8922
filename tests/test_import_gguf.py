"""GGUF files: metadata and tensors together say which model it is, and its parameters are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError
from roofdsl.importing.run import import_model
from tests.weights_files import gguf

H, L, A, G, D, F, V, S = 64, 2, 4, 2, 16, 96, 100, 32
BIASES = {"attn_q.bias": (A * D,), "attn_k.bias": (G * D,), "attn_v.bias": (G * D,)}
NORMS = {"attn_q_norm.weight": (D,), "attn_k_norm.weight": (D,)}
OUTPUT = {"output.weight": (H, V)}


def metadata(name: str, **others: object) -> dict:
    own = {
        "context_length": S, "embedding_length": H, "block_count": L, "feed_forward_length": F, "attention.head_count": A,
        "attention.head_count_kv": G, "attention.layer_norm_rms_epsilon": 1e-5, "rope.dimension_count": D,
        "rope.freq_base": 10000.0,
    }  # fmt: skip
    keys = {f"{name}.{key}": value for key, value in {**own, **others}.items() if value is not None}
    tokens = {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": [f"t{n}" for n in range(V)]}
    return {"general.architecture": name, "general.file_type": 1} | keys | tokens


def block(d: int = D, **others: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    attention = {"attn_q": (H, A * d), "attn_k": (H, G * d), "attn_v": (H, G * d), "attn_output": (A * d, H)}
    mlp = {"ffn_gate": (H, F), "ffn_up": (H, F), "ffn_down": (F, H)}
    norms = {"attn_norm": (H,), "ffn_norm": (H,)}
    return {f"{name}.weight": shape for name, shape in (attention | mlp | norms).items()} | others


def tensors(one: dict[str, tuple[int, ...]], *others: dict) -> dict[str, tuple[int, ...]]:
    found = {"token_embd.weight": (H, V), "output_norm.weight": (H,)}
    found |= {f"blk.{n}.{name}": shape for n in range(L) for name, shape in one.items()}
    for other in others:
        found |= other
    return found


EXPERTS = {"ffn_gate_inp.weight": (H, 8), "ffn_gate_exps.weight": (H, 48, 8), "ffn_up_exps.weight": (H, 48, 8),
           "ffn_down_exps.weight": (48, H, 8)}  # fmt: skip


def without_mlp(one: dict) -> dict:
    return {name: shape for name, shape in one.items() if not name.startswith("ffn_") or name == "ffn_norm.weight"}


MODELS = {
    "llama": (metadata("llama"), tensors(block(), OUTPUT), "llama"),
    "llama_tied": (metadata("llama", vocab_size=V), tensors(block()), "llama_tied"),
    "llama_with_tables": (metadata("llama"), tensors(block(), OUTPUT, {"rope_freqs.weight": (8,)}), "llama"),
    "mixtral": (
        metadata("llama", feed_forward_length=48, expert_count=8, expert_used_count=2),
        tensors(without_mlp(block()) | EXPERTS, OUTPUT),
        "mixtral",
    ),
    "qwen2": (metadata("qwen2"), tensors(block() | BIASES, OUTPUT), "qwen2_5"),
    "qwen2_tied": (metadata("qwen2"), tensors(block() | BIASES), "qwen2_5_tied"),
    "qwen3": (
        metadata("qwen3", **{"attention.key_length": 32, "attention.value_length": 32, "rope.dimension_count": None}),
        tensors(block(32) | dict.fromkeys(NORMS, (32,)), OUTPUT),
        "qwen3",
    ),
    "gemma": (metadata("gemma", **{"attention.key_length": D, "attention.value_length": D}), tensors(block()), "gemma"),
}


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "small.gguf"
    path.write_bytes(data)
    return path


FOUR_NORMS = {"post_attention_norm.weight": (H,), "post_ffw_norm.weight": (H,)}
HEAD = {"attention.key_length": D, "attention.value_length": D}
CAPS = {"attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0}
GPT2_BLOCK = {
    "attn_qkv.weight": (H, 3 * H), "attn_qkv.bias": (3 * H,), "attn_output.weight": (H, H), "attn_output.bias": (H,),
    "attn_norm.weight": (H,), "attn_norm.bias": (H,), "ffn_norm.weight": (H,), "ffn_norm.bias": (H,),
    "ffn_up.weight": (H, F), "ffn_up.bias": (F,), "ffn_down.weight": (F, H), "ffn_down.bias": (H,),
}  # fmt: skip
LATENT = {
    "attn_q_a.weight": (H, 24), "attn_q_a_norm.weight": (24,), "attn_q_b.weight": (24, A * 24), "attn_kv_a_norm.weight": (12,),
    "attn_kv_a_mqa.weight": (H, 12 + 8), "attn_kv_b.weight": (12, A * (16 + 16)), "attn_output.weight": (A * 16, H),
    "attn_norm.weight": (H,), "ffn_norm.weight": (H,),
}  # fmt: skip
DENSE = {name: shape for name, shape in block().items() if name.startswith("ffn_") and name != "ffn_norm.weight"}
SHARED = {"ffn_gate_shexp.weight": (H, 48), "ffn_up_shexp.weight": (H, 48), "ffn_down_shexp.weight": (48, H)}
DEEPSEEK = {
    "leading_dense_block_count": 1, "attention.key_length": 24, "attention.value_length": 16, "attention.kv_lora_rank": 12,
    "attention.q_lora_rank": 24, "rope.dimension_count": 8, "expert_count": 8, "expert_used_count": 2,
    "expert_feed_forward_length": 48, "expert_shared_count": 1,
}  # fmt: skip


def numbered(n: int, one: dict) -> dict:
    return {f"blk.{n}.{name}": shape for name, shape in one.items()}


def layers(first: dict, second: dict) -> dict:
    return numbered(0, first) | numbered(1, second)


MODELS |= {
    "qwen3moe": (
        metadata("qwen3moe", expert_count=8, expert_used_count=2, expert_feed_forward_length=48, **HEAD),
        tensors(without_mlp(block()) | EXPERTS | NORMS, OUTPUT),
        "qwen3_moe",
    ),
    "phi3": (metadata("phi3", **{"attention.sliding_window": 0}), tensors(block(), OUTPUT), "phi3"),
    "phi3_window": (
        metadata("phi3", **{"attention.sliding_window": 16}),
        tensors(block(), OUTPUT),
        "phi3{gqa = gqa_window}",
    ),
    "phi4_mini": (metadata("phi3", **{"rope.dimension_count": 12}), tensors(block()), "phi4_mini"),
    "gemma2": (
        metadata("gemma2", **{"attention.sliding_window": 16}, **HEAD, **CAPS),
        tensors(block() | FOUR_NORMS),
        "gemma2",
    ),
    "gemma3": (
        metadata("gemma3", block_count=6, **{"attention.sliding_window": 16}, **HEAD),
        tensors({}, *(numbered(n, block() | FOUR_NORMS | NORMS) for n in range(6))),
        "gemma3",
    ),
    "gpt2": (
        metadata("gpt2", **{"attention.head_count_kv": None, "attention.layer_norm_epsilon": 1e-5}),
        tensors(GPT2_BLOCK, {"output_norm.bias": (H,), "position_embd.weight": (H, S), "output.weight": (H, V)}),
        "gpt2",
    ),
    "deepseek_v2": (
        metadata("deepseek2", **DEEPSEEK),
        tensors({}, OUTPUT, layers(LATENT | DENSE, LATENT | EXPERTS | SHARED)),
        "deepseek_v2",
    ),
}


@pytest.mark.parametrize("case", MODELS)
def test_a_file_is_imported_and_counted(case: str, tmp_path: Path) -> None:
    keys, shapes, model = MODELS[case]
    outcome = import_model(written(tmp_path, gguf(keys, shapes)))
    assert f"model small = {model}\n" in outcome.text
    assert outcome.count is not None
    assert outcome.count.rest == outcome.parameters


def test_a_bias_that_the_metadata_do_not_mention(tmp_path: Path) -> None:
    out = {"attn_output.bias": (H,)}
    outcome = import_model(written(tmp_path, gguf(metadata("llama"), tensors(block() | BIASES | out, OUTPUT))))
    assert "llama{qkv_rope = qkv_bias_rope, out = out_bias}" in outcome.text


@pytest.mark.parametrize(
    ("code", "said"), [(1, "default params fp16"), (12, "default weights q4_k"), (9, "stored as Q8_1")]
)
def test_the_format_of_most_weights(code: int, said: str, tmp_path: Path) -> None:
    keys, shapes, _ = MODELS["llama"]
    assert said in import_model(written(tmp_path, gguf(keys, shapes, code))).text


BROKEN = {
    "a key nobody knows": (metadata("llama", **{"attention.block_topk": 8}), tensors(block(), OUTPUT), "E0904"),
    "an architecture nobody knows": (metadata("lama"), tensors(block(), OUTPUT), "E0903"),
    "no architecture": ({"llama.block_count": 2}, {}, "E0910"),
    "a size that is a text": (metadata("llama", block_count="two"), tensors(block(), OUTPUT), "E0905"),
    "a size that is no number": (metadata("llama", block_count=float("nan")), tensors(block(), OUTPUT), "E0905"),
    "a missing size": (metadata("llama", embedding_length=None), tensors(block(), OUTPUT), "E0906"),
    "a tensor too many": (metadata("llama"), tensors(block(), OUTPUT, {"extra.weight": (3,)}), "E0909"),
    "rotary on a part": (metadata("llama", **{"rope.dimension_count": 8}), tensors(block(), OUTPUT), "E0905"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_said(case: str, tmp_path: Path) -> None:
    keys, shapes, code = BROKEN[case]
    with pytest.raises(RoofError) as caught:
        import_model(written(tmp_path, gguf(keys, shapes)))
    assert code in [diagnostic.kind.code for diagnostic in caught.value.diagnostics]
