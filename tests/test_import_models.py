"""Every published configuration becomes a small text that compiles and has the published number of parameters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.importing.run import import_model
from roofdsl.importing.table import read_tables
from roofdsl.source import Source
from roofdsl.syntax.format import format_text
from tests.configs_moe import ling
from tests.published import CONFIGS, TOTALS


def imported(config: dict, tmp_path: Path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return import_model(path, name="mine")


def codes(config: dict, tmp_path: Path) -> list[str]:
    with pytest.raises(RoofError) as caught:
        imported(config, tmp_path)
    return [diagnostic.kind.code for diagnostic in caught.value.diagnostics]


@pytest.mark.parametrize("name", CONFIGS)
def test_a_published_configuration(name: str, tmp_path: Path) -> None:
    outcome = imported(CONFIGS[name], tmp_path)
    assert outcome.parameters == TOTALS[name]
    assert len(outcome.text.splitlines()) <= 36
    assert format_text(Source("out", outcome.text), Sink()) == outcome.text


def test_there_is_a_configuration_for_every_total() -> None:
    assert set(CONFIGS) == set(TOTALS)


@pytest.mark.parametrize("name", ["ling-lite", "ling-mini-2.0", "ling-1t"])
def test_what_no_framework_has_is_added_up_by_hand(name: str) -> None:
    assert ling(name) == TOTALS[name]


def test_every_table_is_exercised() -> None:
    nested = [vision(name, kind) for name, kind in VISION]
    used = {config["architectures"][0] for config in (*CONFIGS.values(), QWEN2_MOE, *nested)}
    idle = [table.names for table in read_tables() if not used & set(table.names)]
    assert [names for names in idle if not names[0].startswith("gguf:")] == []


def fields(config: dict) -> list[str]:
    return [
        name for name, value in config.items() if isinstance(value, int) and not isinstance(value, bool) and value > 0
    ]


@pytest.mark.parametrize(
    "name", ["llama-3-8b", "gpt2-124m", "gemma-2-9b", "deepseek-v3", "gpt-oss-20b", "t5-small", "whisper-tiny"]
)
def test_a_number_that_is_read_changes_the_text_and_no_field_is_lost(name: str, tmp_path: Path) -> None:
    """Take a field away: either the text is the same as its default says, or the import says that it is missing."""
    config = CONFIGS[name]
    for field in fields(config):
        without = {key: value for key, value in config.items() if key != field}
        try:
            same = imported(without, tmp_path).parameters == TOTALS[name]
        except RoofError as error:
            assert {d.kind.code for d in error.diagnostics} <= {"E0906", "E0905"}  # noqa: PT017
        else:
            assert same or field == "num_key_value_heads"


@pytest.mark.parametrize("name", CONFIGS)
def test_a_field_nobody_knows(name: str, tmp_path: Path) -> None:
    assert codes(CONFIGS[name] | {"block_topk": 16}, tmp_path) == ["E0904"]


OTHER_MODELS = [
    ("llama-3-8b", {"hidden_act": "elu"}),
    ("llama-3-8b", {"mlp_bias": "no"}),
    ("llama-3-8b", {"partial_rotary_factor": 0.5}),
    ("llama-3-8b", {"torch_dtype": "float8"}),
    ("llama-3-8b", {"tie_word_embeddings": "yes"}),
    ("llama-3-8b", {"tie_word_embeddings": 1}),
    ("llama-3-8b", {"quantization_config": {"quant_method": "aqlm"}}),
    ("llama-3-8b", {"quantization_config": {"quant_method": "gptq", "bits": 3, "group_size": 128}}),
    ("qwen2.5-7b", {"use_sliding_window": "some"}),
    ("qwen3-8b", {"layer_types": ["full_attention", "linear_attention"]}),
    ("qwen3-30b-a3b", {"decoder_sparse_step": 2}),
    ("qwen3-30b-a3b", {"mlp_only_layers": [0]}),
    ("gemma-2-9b", {"attn_logit_softcapping": 0.0}),
    ("gemma-2-9b", {"attn_logit_softcapping": 30.0}),
    ("gemma-2-9b", {"layer_types": ["full_attention"] * 42}),
    ("gemma-3-1b", {"attn_logit_softcapping": 30.0}),
    ("gemma-3-1b", {"layer_types": ["sliding_attention"] * 26}),
    ("gpt-oss-20b", {"layer_types": ["linear_attention"] * 24}),
    ("falcon-7b", {"apply_residual_connection_post_layernorm": True}),
    ("falcon-7b", {"multi_query": "one"}),
    ("opt-125m", {"do_layer_norm_before": False}),
    ("opt-125m", {"word_embed_proj_dim": 512}),
    ("mpt-7b", {"no_bias": False}),
    ("bloom-560m", {"apply_residual_connection_post_layernorm": True}),
    ("deepseek-v3", {"moe_layer_freq": 2}),
    ("deepseek-v3", {"scoring_func": "softmax"}),
    ("t5-small", {"feed_forward_proj": "gated-swish"}),
    ("bart-large", {"decoder_ffn_dim": 1024}),
    ("bert-base-uncased", {"position_embedding_type": "relative_key"}),
    ("vit-b16-in1k", {"patch_size": 15}),
    ("mamba-130m", {"use_bias": True}),
]


@pytest.mark.parametrize(
    ("name", "change"), OTHER_MODELS, ids=lambda value: value if isinstance(value, str) else next(iter(value))
)
def test_a_value_of_another_model(name: str, change: dict, tmp_path: Path) -> None:
    assert "E0905" in codes(CONFIGS[name] | change, tmp_path)


def test_a_field_inside_a_nested_object_that_nobody_knows(tmp_path: Path) -> None:
    config = CONFIGS["dbrx-132b"]
    assert codes(config | {"attn_config": config["attn_config"] | {"window": 128}}, tmp_path) == ["E0904"]
    assert codes(config | {"ffn_config": config["ffn_config"] | {"shared": 2}}, tmp_path) == ["E0904"]


GEMMA_3_4B = CONFIGS["gemma-3-4b-it"]


QWEN2_MOE = CONFIGS["qwen2.5-7b"] | {
    "architectures": ["Qwen2MoeForCausalLM"], "model_type": "qwen2_moe", "decoder_sparse_step": 1, "num_experts": 64,
    "moe_intermediate_size": 2560, "shared_expert_intermediate_size": 20480, "num_experts_per_tok": 8, "vocab_size": 151936,
    "norm_topk_prob": False, "output_router_logits": False, "router_aux_loss_coef": 0.001,
}  # fmt: skip


def test_a_shared_expert(tmp_path: Path) -> None:
    h, layers, expert, shared = 3584, 28, 2560, 20480
    attention = h * 128 * (28 + 4 + 4 + 28) + 128 * (28 + 4 + 4)
    per_layer = attention + 2 * h + 64 * 3 * h * expert + 3 * h * shared + h + 64 * h
    assert imported(QWEN2_MOE, tmp_path).parameters == 2 * 151936 * h + layers * per_layer + h


def test_a_nested_text_configuration(tmp_path: Path) -> None:
    outcome = imported(GEMMA_3_4B, tmp_path)
    h, f, layers = 2560, 10240, 34
    per_layer = h * 256 * (8 + 4 + 4 + 8) + 3 * h * f + 4 * h + 2 * 256
    wide, narrow, tokens = 1152, 4304, (896 // 14) ** 2
    tower = 27 * (4 * wide * (wide + 1) + 2 * wide * narrow + narrow + 5 * wide) + wide * (3 * 14**2 + 1 + tokens + 2)
    assert outcome.parameters == 262208 * h + layers * per_layer + h + tower + wide * (1 + h)
    assert "embedding = embed_images" in outcome.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sliding_window_pattern": 4}, "B = 6"),
        ({"sliding_window_pattern": 13}, "B = 2"),
        ({"layer_types": ["full_attention"] * 5 + ["sliding_attention"] * 21}, "B = 5"),
    ],
)
def test_how_many_layers_have_no_window(change: dict, said: str, tmp_path: Path) -> None:
    outcome = imported(CONFIGS["gemma-3-1b"] | change, tmp_path)
    assert outcome.parameters == TOTALS["gemma-3-1b"]
    assert f"    {said}\n" in outcome.text


def test_a_field_of_the_nested_part_that_nobody_knows(tmp_path: Path) -> None:
    text = GEMMA_3_4B["text_config"] | {"num_kv_shared_layers": 15}
    assert codes(GEMMA_3_4B | {"text_config": text}, tmp_path) == ["E0904"]


VISION = [
    ("llama-4-scout", "Llama4ForConditionalGeneration"),
    ("qwen3.5-4b", "Qwen3_5ForConditionalGeneration"),
    ("qwen3.5-35b-a3b", "Qwen3_5MoeForConditionalGeneration"),
]


def vision(name: str, architecture: str) -> dict:
    text = {key: value for key, value in CONFIGS[name].items() if key not in ("architectures", "torch_dtype")}
    outer = {"architectures": [architecture], "model_type": "any", "image_token_index": 10, "torch_dtype": "bfloat16"}
    return outer | {"text_config": text, "vision_config": {"hidden_size": 1024, "model_type": "clip_vision_model"}}


@pytest.mark.parametrize(("name", "architecture"), VISION)
def test_the_language_model_of_a_model_of_images(name: str, architecture: str, tmp_path: Path) -> None:
    outcome = imported(vision(name, architecture), tmp_path)
    assert outcome.parameters == TOTALS[name]
    assert "vision tower is left out" in outcome.text


def test_a_language_model_nobody_knows(tmp_path: Path) -> None:
    config = CONFIGS["llava-1.5-7b"]
    text = config["text_config"]
    assert codes(config | {"text_config": text | {"model_type": "other"}}, tmp_path) == ["E0903"]
    assert codes(config | {"text_config": text | {"block_topk": 4}}, tmp_path) == ["E0904"]
    assert codes(config | {"text_config": {}}, tmp_path) == ["E0906"]
    assert codes(config | {"text_config": {"model_type": "llava"}}, tmp_path) == ["E0903"]
    assert codes(config | {"text_config": 3}, tmp_path) == ["E0906"]
    assert codes(config | {"audio_config": {"layers": 4}}, tmp_path) == ["E0904"]


def test_model_type_stands_in_for_the_architecture(tmp_path: Path) -> None:
    config = {key: value for key, value in CONFIGS["llama-3-8b"].items() if key != "architectures"}
    assert imported(config, tmp_path).parameters == TOTALS["llama-3-8b"]


def test_heads_of_a_size_of_their_own(tmp_path: Path) -> None:
    plain, wide = (imported(CONFIGS["llama-3.2-1b"] | {"head_dim": d}, tmp_path) for d in (64, 128))
    attention = 2 * 2048 * (32 + 8) * 64
    assert wide.parameters - plain.parameters == 16 * attention
    assert "d = 128" in wide.text


def test_biases_of_attention(tmp_path: Path) -> None:
    outcome = imported(CONFIGS["llama-3-8b"] | {"attention_bias": True}, tmp_path)
    assert outcome.parameters - TOTALS["llama-3-8b"] == 32 * (4096 + 2 * 1024 + 4096)


def test_a_window_shorter_than_the_sequence(tmp_path: Path) -> None:
    text = imported(CONFIGS["mistral-7b-v0.3"] | {"sliding_window": 4096}, tmp_path).text
    assert "gqa = gqa_window" in text
    assert "w = 4096" in text
    assert "window" not in imported(CONFIGS["mistral-7b-v0.3"] | {"sliding_window": 32768}, tmp_path).text


@pytest.mark.parametrize(
    ("act", "made"),
    [
        ("gated-gelu", "swiglu = geglu_tanh"),
        ("gated-silu", "gated_feed_forward = gated_mlp"),
        ("gated-relu", "swiglu = reglu"),
        ("relu", "gated_feed_forward = mlp"),
    ],
)
def test_the_gate_of_a_later_t5_is_the_one_its_configuration_names(act: str, made: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIGS["t5-rectified"] | {"feed_forward_proj": act}), encoding="utf-8")
    assert made in import_model(path, name="mine").text
