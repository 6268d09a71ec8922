"""Published configurations of RWKV, and their parameters as the papers' formulas and tables have them."""

from __future__ import annotations

from tests.configs import BF16, FILE

SHARED = FILE | BF16 | {"bos_token_id": 0, "eos_token_id": 0, "tie_word_embeddings": False}
V4 = SHARED | {"architectures": ["RwkvForCausalLM"], "model_type": "rwkv", "context_length": 1024, "layer_norm_epsilon": 1e-05,
               "rescale_every": 6, "vocab_size": 50277}  # fmt: skip
V6 = SHARED | {"head_size": 64, "head_size_divisor": 8, "intermediate_size": None, "layer_norm_epsilon": 1e-05,
               "num_attention_heads": 64, "rescale_every": 6, "vocab_size": 65536}  # fmt: skip
V7 = SHARED | {
    "architectures": ["RWKV7ForCausalLM"], "model_type": "rwkv7", "a_low_rank_dim": 96, "attn": None, "attn_mode": "chunk",
    "decay_low_rank_dim": 96, "fuse_cross_entropy": True, "fuse_norm": False, "gate_low_rank_dim": 256, "head_dim": 64,
    "hidden_act": "sqrelu", "hidden_ratio": 4.0, "hidden_size": 2048, "intermediate_size": 8192, "max_position_embeddings": 2048,
    "norm_bias": True, "norm_eps": 1e-05, "norm_first": True, "num_heads": 32, "num_hidden_layers": 24, "v_low_rank_dim": 64,
    "value_dim": [2048] * 24, "vocab_size": 65536,
}  # fmt: skip


def v4(h: int, layers: int) -> dict:
    return V4 | {"hidden_size": h, "attention_hidden_size": h, "intermediate_size": 4 * h, "num_hidden_layers": layers}


def v6(name: str, h: int, layers: int) -> dict:
    return V6 | {"architectures": [f"{name}ForCausalLM"], "model_type": name.lower(), "hidden_size": h,
                 "attention_hidden_size": h, "num_hidden_layers": layers}  # fmt: skip


def v7(h: int, layers: int, low: int, values: int, gate: int) -> dict:
    return V7 | {"hidden_size": h, "intermediate_size": 4 * h, "num_hidden_layers": layers, "num_heads": h // 64,
                 "value_dim": [h] * layers, "a_low_rank_dim": low, "decay_low_rank_dim": low, "v_low_rank_dim": values,
                 "gate_low_rank_dim": gate}  # fmt: skip


RWKV = {
    "rwkv-4-169m": v4(768, 12),
    "rwkv-4-14b": v4(5120, 40),
    "rwkv-5-7b": v6("Rwkv5", 4096, 32),
    "rwkv-6-1.6b": v6("Rwkv6", 2048, 24),
    "rwkv-7-0.1b": v7(768, 12, 64, 32, 128),
    "rwkv-7-1.5b": V7,
    "rwkv-7-2.9b": v7(2560, 32, 96, 64, 320),
    "rwkv-7-7.2b": v7(4096, 32, 128, 96, 480),
}


def by_formula(mixes: int, vocabulary: int, h: int, layers: int) -> int:
    """Equations 23 and 27 of arXiv:2404.05892."""
    return 13 * h * h * layers + mixes * h * layers + 4 * h + 2 * h * vocabulary


RWKV_TOTALS = {
    "rwkv-4-169m": by_formula(11, 50277, 768, 12),
    "rwkv-4-14b": by_formula(11, 50277, 5120, 40),
    "rwkv-5-7b": by_formula(14, 65536, 4096, 32),
    "rwkv-6-1.6b": by_formula(464, 65536, 2048, 24),
    "rwkv-7-0.1b": 191_034_624,
    "rwkv-7-1.5b": 1_527_404_544,
    "rwkv-7-2.9b": 2_947_735_040,
    "rwkv-7-7.2b": 7_199_141_888,
}
