"""The published mixtures of experts, made small: the same architectures at sizes that run in a moment."""

from __future__ import annotations

from tests.configs_moe import MOE
from tests.torch.small import DEEPSEEK, EXPERTS, GQA, LOCAL

HEADS = GQA | {"head_dim": 12}
ROUTED = {"n_routed_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 24, "first_k_dense_replace": 1}
NARROW = {"moe_intermediate_size": 24}

CHANGES: dict[str, dict] = {
    "qwen1.5-moe-a2.7b": GQA | EXPERTS | NARROW | {"shared_expert_intermediate_size": 40},
    "qwen3-coder-480b-a35b": HEADS | EXPERTS | NARROW,
    "glm-4.5-air": HEADS | ROUTED,
    "glm-4.5": HEADS | ROUTED | {"num_hidden_layers": 3, "n_shared_experts": 2},
    "dots.llm1": HEADS | ROUTED,
    "ernie-4.5-21b-a3b": GQA | NARROW | {"moe_num_experts": 8, "moe_k": 2},
    "ernie-4.5-300b-a47b": GQA | NARROW | {"moe_num_experts": 8, "moe_k": 2, "num_hidden_layers": 4, "moe_layer_end_index": 3},
    "hunyuan-a13b": HEADS | {"num_experts": 8, "moe_topk": [2, 2], "moe_intermediate_size": [80, 80], "num_shared_expert": 1},
    "phi-3.5-moe": GQA | LOCAL | {"sliding_window": None},
    "minimax-m2": HEADS | LOCAL | {"rotary_dim": 4},
    "granite-3.0-1b-a400m": GQA | LOCAL | {"intermediate_size": 24},
    "moonlight-16b-a3b": DEEPSEEK | {"q_lora_rank": None},
}  # fmt: skip

SMALL = {name: MOE[name] | change for name, change in CHANGES.items()}
