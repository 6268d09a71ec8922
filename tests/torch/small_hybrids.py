"""The published hybrids and state spaces, made small: the same architectures at sizes that run in a moment."""

from __future__ import annotations

from tests.configs_further import FURTHER
from tests.configs_recurrent import RECURRENT
from tests.torch.small import GQA

HEADS = GQA | {"head_dim": 12, "pad_token_id": 0}
BARE = {"hidden_size": 48, "num_hidden_layers": 2, "vocab_size": 97, "pad_token_id": 0}
MIXER = {"mamba_n_heads": 6, "mamba_d_head": 16, "mamba_d_state": 8}
STATES = {"mamba_num_heads": 6, "mamba_head_dim": 16, "ssm_state_size": 8, "n_groups": 2}
DELTA = {"linear_key_head_dim": 8, "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_value_head_dim": 10,
         "num_hidden_layers": 4, "layer_types": ["linear_attention"] * 3 + ["full_attention"]}  # fmt: skip
ROPE = {"rope_parameters": {"partial_rotary_factor": 0.5, "rope_theta": 1e4, "rope_type": "default"}}
EXPERTS = {"num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 24}
KDA = {"full_attn_layers": [4], "head_dim": 8, "num_heads": 3, "short_conv_kernel_size": 4, "kda_layers": [1, 2, 3]}

CHANGES: dict[str, dict] = {
    "lfm2-1.2b": HEADS | {"num_heads": 6, "num_hidden_layers": 3, "full_attn_idxs": [1], "block_ff_dim": 96, "block_multiple_of": 8},
    "lfm2-8b-a1b": HEADS | EXPERTS | {"num_hidden_layers": 4, "layer_types": ["conv", "conv", "full_attention", "conv"]},
    "falcon-h1-0.5b": HEADS | MIXER | {"mamba_d_ssm": 96},
    "nemotron-h-8b": HEADS | STATES | {"hybrid_override_pattern": "M-*-", "num_hidden_layers": 4},
    "nemotron-3-nano-30b-a3b": HEADS | STATES | {
        "hybrid_override_pattern": "ME*E-", "num_hidden_layers": 5, "n_routed_experts": 8, "num_experts_per_tok": 2,
        "moe_intermediate_size": 24, "moe_shared_expert_intermediate_size": 40,
    },
    "qwen3.5-4b": HEADS | DELTA | ROPE,
    "qwen3.5-35b-a3b": HEADS | DELTA | ROPE | EXPERTS | {"shared_expert_intermediate_size": 40},
    "qwen3-next-80b-a3b": HEADS | DELTA | EXPERTS | {"shared_expert_intermediate_size": 40, "partial_rotary_factor": 0.5},
    "kimi-linear-48b-a3b": GQA | {
        "num_key_value_heads": 6, "num_hidden_layers": 4, "kv_lora_rank": 20, "qk_nope_head_dim": 10, "qk_rope_head_dim": 6,
        "v_head_dim": 14, "num_experts": 8, "num_experts_per_token": 2, "moe_intermediate_size": 24, "linear_attn_config": KDA,
        "pad_token_id": 0,
    },
    "bamba-9b": HEADS | MIXER | {"num_hidden_layers": 3, "attn_layer_indices": [1], "attn_rotary_emb": 4},
    "granite-4.0-h-tiny": HEADS | MIXER | {
        "num_hidden_layers": 3, "layer_types": ["mamba", "attention", "mamba"], "num_local_experts": 8,
        "num_experts_per_tok": 2, "shared_intermediate_size": 40, "intermediate_size": 24,
    },
    "jamba-v0.1": HEADS | {
        "num_hidden_layers": 4, "attn_layer_period": 4, "attn_layer_offset": 2, "num_experts": 8, "mamba_dt_rank": 3,
        "mamba_d_state": 8,
    },
    "minimax-text-01": HEADS | {
        "num_hidden_layers": 3, "layer_types": ["linear_attention"] * 2 + ["full_attention"], "num_local_experts": 8,
        "rotary_dim": 4, "block_size": 64,
    },
    "codestral-mamba-7b": BARE | {"num_heads": 6, "head_dim": 16, "state_size": 8, "n_groups": 2},
    "falcon-mamba-7b": BARE | {"intermediate_size": 96, "time_step_rank": 3, "state_size": 8},
    "rwkv-4-169m": BARE | {"attention_hidden_size": 48, "intermediate_size": 192},
}  # fmt: skip

SMALL = {name: (FURTHER | RECURRENT)[name] | change for name, change in CHANGES.items()}
