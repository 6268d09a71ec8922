"""Dense decoders: files without an architecture, values of other models, layers of two kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.configs_dense import DENSE, DENSE_TOTALS
from tests.configs_own_code import OWN_CODE, OWN_CODE_TOTALS
from tests.test_import_models import codes, imported


@pytest.mark.parametrize("name", DENSE)
def test_the_model_type_is_enough(name: str, tmp_path: Path) -> None:
    config = {key: value for key, value in DENSE[name].items() if key != "architectures"}
    assert imported(config, tmp_path).parameters == DENSE_TOTALS[name]


def gated(h: int, layers: int, kv: int, f: int, v: int, biases: int = 0, tables: int = 2) -> int:
    """Parameters of a decoder of this kind, added up by hand; `kv` is the width of all keys."""
    return layers * (2 * h * (h + kv) + 3 * h * f + 2 * h + biases) + tables * v * h + h


BY_HAND = {
    "qwen-7b": gated(4096, 32, 4096, 11008, 151936, biases=3 * 4096),
    "minicpm-2b": gated(2304, 40, 2304, 5760, 122753, tables=1),
    "internlm-7b": gated(4096, 32, 4096, 11008, 103168, biases=4 * 4096),
    "internlm2-7b": gated(4096, 32, 1024, 14336, 92544),
    "internlm3-8b": gated(4096, 48, 256, 10240, 128512),
    "baichuan2-7b": gated(4096, 32, 4096, 11008, 125696),
    "chatglm3-6b": gated(4096, 28, 256, 13696, 65024, biases=4096 + 512),
    "exaone-3.5-7.8b": gated(4096, 32, 1024, 14336, 102400),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_no_framework_has_is_added_up_by_hand(name: str) -> None:
    assert OWN_CODE_TOTALS[name] == BY_HAND[name]


def test_the_larger_baichuan_has_no_rotary_positions(tmp_path: Path) -> None:
    larger = {"hidden_size": 5120, "intermediate_size": 13696, "num_attention_heads": 40, "num_hidden_layers": 40}
    config = OWN_CODE["baichuan2-7b"] | larger
    del config["max_position_embeddings"]
    outcome = imported(config, tmp_path)
    assert outcome.parameters == gated(5120, 40, 5120, 13696, 125696) == 13_896_668_160
    assert "core_alibi" in outcome.text


OTHER_MODELS = [
    ("falcon-40b", {"parallel_attn": False}),
    ("falcon-40b", {"activation": "relu"}),
    ("opt-350m", {"word_embed_proj_dim": 1024}),
    ("smollm3-3b", {"use_sliding_window": True}),
    ("command-r7b", {"use_parallel_block": False}),
    ("command-r7b", {"layer_types": ["linear_attention"] * 32}),
    ("starcoder2-3b", {"norm_type": "rms_norm"}),
    ("stablelm-2-12b", {"use_qkv_bias": True}),
    ("apertus-8b", {"hidden_act": "relu"}),
    ("hunyuan-7b", {"use_cla": True}),
    ("phi-1.5", {"qk_layernorm": True}),
    ("gpt-neo-125m", {"attention_layers": ["strided"] * 12}),
    ("gpt-neo-125m", {"add_cross_attention": True}),
    ("llama-3.1-70b", {"activation": "relu"}),
    ("minitron-4b", {"hidden_act": "elu"}),
]


@pytest.mark.parametrize(("name", "change"), OTHER_MODELS, ids=[f"{n}-{next(iter(c))}" for n, c in OTHER_MODELS])
def test_a_value_of_another_model(name: str, change: dict, tmp_path: Path) -> None:
    assert "E0905" in codes(DENSE[name] | change, tmp_path)


WINDOWS = [
    ("qwen2-7b", {"use_sliding_window": True, "sliding_window": 4096, "max_window_layers": 20}, "Lb = 8", "w = 4096"),
    (
        "qwen2-7b",
        {"use_sliding_window": True, "sliding_window": 4096, "max_window_layers": 0},
        "window_attention",
        "w = 4096",
    ),
    (
        "qwen3-4b",
        {"use_sliding_window": True, "sliding_window": 1024, "max_window_layers": 30},
        "Lb = 6",
        "qkv_norm_rope",
    ),
    ("smollm3-3b", {"no_rope_layers": [1] * 30 + [0] * 6}, "Lb = 6", "unplaced_attention"),
    ("command-r7b", {}, "Lb = 24", "unplaced_attention"),
    ("command-r7b", {"layer_types": ["sliding_attention"] * 31 + ["full_attention"]}, "Lb = 31", "w = 4096"),
    ("olmo-3-7b", {}, "Lb = 24", "w = 4096"),
    ("exaone-4-32b", {}, "Lb = 48", "w = 4096"),
    ("starcoder2-3b", {}, "window_attention", "w = 4096"),
    ("gpt-neo-125m", {"attention_layers": ["local"] * 5 + ["global"] * 7}, "Lb = 5", "w = 256"),
]


@pytest.mark.parametrize(("name", "change", "first", "second"), WINDOWS)
def test_layers_of_two_kinds(name: str, change: dict, first: str, second: str, tmp_path: Path) -> None:
    outcome = imported(DENSE[name] | change, tmp_path)
    assert first in outcome.text
    assert second in outcome.text
    assert outcome.parameters == DENSE_TOTALS[name]
