"""Published configurations of mixtures of experts and of latent attention, and their parameters."""

from __future__ import annotations

from tests.configs import CONFIGS, DECODER, qwen3_moe, sized


def mixture(
    name: str, kind: str, h: int, layers: int, a: int, g: int, f: int, v: int, s: int, **others: object
) -> dict:
    """The fields most mixtures share."""
    return DECODER | sized(h, layers, a, f, v, num_key_value_heads=g) | {
        "architectures": [name], "model_type": kind, "max_position_embeddings": s, "hidden_act": "silu",
        "attention_bias": False, "attention_dropout": 0.0, "tie_word_embeddings": False, "rope_scaling": None,
    } | others  # fmt: skip


QWEN2 = {
    "decoder_sparse_step": 1, "norm_topk_prob": False, "output_router_logits": False, "router_aux_loss_coef": 0.001,
    "use_sliding_window": False, "sliding_window": 32768, "max_window_layers": 21,
}  # fmt: skip
GLM_AIR = mixture(
    "Glm4MoeForCausalLM", "glm4_moe", 4096, 46, 96, 8, 10944, 151552, 131072, attention_bias=True, head_dim=128,
    partial_rotary_factor=0.5, moe_intermediate_size=1408, num_experts_per_tok=8, n_shared_experts=1, n_routed_experts=128,
    routed_scaling_factor=1.0, n_group=1, topk_group=1, first_k_dense_replace=1, norm_topk_prob=True, use_qk_norm=False,
    num_nextn_predict_layers=1,
)  # fmt: skip
GLM = GLM_AIR | {
    "hidden_size": 5120, "num_hidden_layers": 92, "intermediate_size": 12288, "moe_intermediate_size": 1536,
    "n_routed_experts": 160, "routed_scaling_factor": 2.5, "first_k_dense_replace": 3, "use_qk_norm": True,
}  # fmt: skip
ERNIE = mixture(
    "Ernie4_5_MoeForCausalLM", "ernie4_5_moe", 2560, 28, 20, 4, 12288, 103424, 131072, use_bias=False,
    moe_intermediate_size=1536, moe_k=6, moe_num_experts=64, moe_num_shared_experts=2, moe_layer_start_index=1,
    moe_layer_end_index=-1, moe_layer_interval=1, moe_norm_min=1e-12, moe_capacity=[64, 64, 64], moe_gate="topk",
    moe_use_aux_free=True, tie_word_embeddings=True,
)  # fmt: skip
GRANITE = mixture(
    "GraniteMoeForCausalLM", "granitemoe", 1024, 24, 16, 8, 512, 49155, 4096, num_local_experts=32, num_experts_per_tok=8,
    tie_word_embeddings=True, embedding_multiplier=12.0, logits_scaling=6.0, residual_multiplier=0.22,
    attention_multiplier=0.015625, output_router_logits=False, router_aux_loss_coef=0.0,
)  # fmt: skip
V3 = CONFIGS["deepseek-v3"]
LING = mixture(
    "BailingMoeForCausalLM", "bailing_moe", 2048, 28, 16, 4, 5632, 126464, 16384, num_experts=64, num_experts_per_tok=6,
    num_shared_experts=2, moe_intermediate_size=1408, first_k_dense_replace=0, head_dim=128, norm_head=False, norm_softmax=False,
    norm_topk_prob=True, use_bias=False, use_qkv_bias=False, max_window_layers=28, sliding_window=4096,
    use_sliding_window=False, embedding_dropout=0.0, output_dropout=0.0,
)  # fmt: skip
LING_MINI = mixture(
    "BailingMoeV2ForCausalLM", "bailing_moe", 2048, 20, 16, 4, 5120, 157184, 32768, num_experts=256, num_experts_per_tok=8,
    num_shared_experts=1, moe_intermediate_size=512, first_k_dense_replace=1, head_dim=128, n_group=8, topk_group=4,
    norm_topk_prob=True, use_bias=False, use_qkv_bias=False, use_qk_norm=True, partial_rotary_factor=0.5,
    moe_router_enable_expert_bias=True, routed_scaling_factor=2.5, score_function="sigmoid", router_dtype="fp32",
    max_window_layers=20, num_nextn_predict_layers=0, use_rmsnorm=True, rotary_dim=64, output_dropout=0.0,
    moe_shared_expert_intermediate_size=512,
)  # fmt: skip
LLAMA_4 = mixture(
    "Llama4ForCausalLM", "llama4_text", 5120, 48, 40, 8, 8192, 202048, 10485760, attention_chunk_size=8192, attn_scale=0.1,
    attn_temperature_tuning=True, floor_scale=8192, for_llm_compression=False, head_dim=128, interleave_moe_layer_step=1,
    intermediate_size_mlp=16384, no_rope_layers=[], num_experts_per_tok=1, num_local_experts=16, output_router_logits=False,
    router_aux_loss_coef=0.001, router_jitter_noise=0.0, use_qk_norm=True,
)  # fmt: skip

MOE = {
    "qwen1.5-moe-a2.7b": QWEN2 | mixture(
        "Qwen2MoeForCausalLM", "qwen2_moe", 2048, 24, 16, 16, 5632, 151936, 8192, num_experts=60, num_experts_per_tok=4,
        moe_intermediate_size=1408, shared_expert_intermediate_size=5632,
    ),
    "qwen2-57b-a14b": QWEN2 | mixture(
        "Qwen2MoeForCausalLM", "qwen2_moe", 3584, 28, 28, 4, 18944, 151936, 131072, num_experts=64, num_experts_per_tok=8,
        moe_intermediate_size=2560, shared_expert_intermediate_size=20480, max_window_layers=28,
    ),
    "qwen3-coder-480b-a35b": qwen3_moe(6144, 62, 96, 2560) | {
        "num_experts": 160, "num_key_value_heads": 8, "intermediate_size": 8192, "max_position_embeddings": 262144,
        "shared_expert_intermediate_size": 0, "qkv_bias": False,
    },
    "glm-4.5-air": GLM_AIR,
    "glm-4.5": GLM,
    "glm-4.6": GLM | {"max_position_embeddings": 202752},
    "dots.llm1": mixture(
        "Dots1ForCausalLM", "dots1", 4096, 62, 32, 32, 10944, 152064, 32768, moe_intermediate_size=1408, n_routed_experts=128,
        n_shared_experts=2, num_experts_per_tok=6, first_k_dense_replace=1, moe_layer_freq=1, n_group=1, topk_group=1,
        norm_topk_prob=True, routed_scaling_factor=2.5, scoring_func="noaux_tc", sliding_window=None,
    ),
    "ernie-4.5-21b-a3b": ERNIE,
    "ernie-4.5-300b-a47b": ERNIE | {
        "hidden_size": 8192, "num_hidden_layers": 54, "num_attention_heads": 64, "num_key_value_heads": 8,
        "intermediate_size": 28672, "moe_intermediate_size": 3584, "moe_k": 8, "moe_num_shared_experts": 0,
        "moe_layer_start_index": 3, "moe_layer_end_index": 53, "tie_word_embeddings": False,
    },
    "hunyuan-a13b": mixture(
        "HunYuanMoEV1ForCausalLM", "hunyuan_v1_moe", 4096, 32, 32, 8, 3072, 128167, 32768, tie_word_embeddings=True,
        num_experts=64, moe_topk=[8] * 32, moe_intermediate_size=[3072] * 32, num_shared_expert=[1] * 32, use_qk_norm=True,
        use_cla=False, use_mla=False, use_mixed_mlp_moe=True, mlp_bias=False, norm_type="rms", head_dim=128,
        cla_share_factor=2, moe_layer_num_skipped=0, eod_token_id=127967, moe_drop_tokens=False, dense_list=[4096, 0],
    ),
    "phi-3.5-moe": mixture(
        "PhimoeForCausalLM", "phimoe", 4096, 32, 32, 8, 6400, 32064, 131072, attention_bias=True, lm_head_bias=True,
        num_local_experts=16, num_experts_per_tok=2, sliding_window=131072, router_jitter_noise=0.01,
        input_jitter_noise=0.01, output_router_logits=False, original_max_position_embeddings=4096, hidden_dropout=0.0,
    ),
    "minimax-m2": mixture(
        "MiniMaxM2ForCausalLM", "minimax_m2", 3072, 62, 48, 8, 1536, 200064, 196608, head_dim=128, rotary_dim=64,
        num_local_experts=256, num_experts_per_tok=8, scoring_func="sigmoid", use_routing_bias=True, use_qk_norm=True,
        qk_norm_type="per_layer", use_mtp=True, num_mtp_modules=3, mtp_transformer_layers=1, shared_intermediate_size=0,
        attn_type_list=[1] * 62, router_aux_loss_coef=0.001,
    ),
    "granite-3.0-1b-a400m": GRANITE,
    "granite-3.0-3b-a800m": GRANITE | {
        "hidden_size": 1536, "num_hidden_layers": 32, "num_attention_heads": 24, "num_local_experts": 40},
    "moonlight-16b-a3b": V3 | {
        "hidden_size": 2048, "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16,
        "intermediate_size": 11264, "moe_intermediate_size": 1408, "n_routed_experts": 64, "n_shared_experts": 2,
        "num_experts_per_tok": 6, "first_k_dense_replace": 1, "q_lora_rank": None, "vocab_size": 163840,
        "max_position_embeddings": 8192, "num_nextn_predict_layers": 0, "quantization_config": None, "rope_scaling": None,
    },
    "ling-lite": LING,
    "ling-mini-2.0": LING_MINI,
    "ling-1t": LING_MINI | {
        "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8,
        "intermediate_size": 18432, "moe_intermediate_size": 2048, "moe_shared_expert_intermediate_size": 2048,
        "first_k_dense_replace": 4, "max_window_layers": 80,
    },
    "llama-4-scout": LLAMA_4,
    "llama-4-maverick": LLAMA_4 | {
        "interleave_moe_layer_step": 2, "num_local_experts": 128, "use_qk_norm": False, "max_position_embeddings": 1048576,
        "no_rope_layers": [0 if n % 4 == 3 else 1 for n in range(48)],
    },
    "kimi-k2": V3 | {
        "num_attention_heads": 64, "num_key_value_heads": 64, "n_routed_experts": 384, "first_k_dense_replace": 1,
        "vocab_size": 163840, "max_position_embeddings": 131072, "num_nextn_predict_layers": 0,
    },
    "deepseek-v3.2": V3 | {
        "architectures": ["DeepseekV32ForCausalLM"], "model_type": "deepseek_v32", "index_head_dim": 128,
        "index_n_heads": 64, "index_topk": 2048,
    },
}  # fmt: skip

MOE_TOTALS = {
    "qwen1.5-moe-a2.7b": 14_315_784_192,
    "qwen2-57b-a14b": 57_408_658_944,
    "qwen3-coder-480b-a35b": 480_154_875_392,
    "glm-4.5-air": 106_852_251_264,
    "glm-4.5": 352_797_829_024,
    "glm-4.6": 352_797_829_024,
    "dots.llm1": 142_774_381_696,
    "ernie-4.5-21b-a3b": 21_825_437_888,
    "ernie-4.5-300b-a47b": 299_484_163_264,
    "hunyuan-a13b": 80_393_183_232,
    "phi-3.5-moe": 41_873_153_344,
    "minimax-m2": 228_689_764_864,
    "granite-3.0-1b-a400m": 1_334_628_352,
    "granite-3.0-3b-a800m": 3_298_793_472,
    "moonlight-16b-a3b": 15_960_110_208,
    "ling-lite": 16_801_974_272,
    "ling-mini-2.0": 16_255_643_392,
    "ling-1t": 999_705_328_640,
    "llama-4-scout": 107_769_861_120,
    "llama-4-maverick": 400_711_848_960,
    "kimi-k2": 1_026_408_232_448,
    "deepseek-v3.2": 671_877_944_064,
}
"""As the framework's own classes have them (tests/torch), with the biases that correct a router's load."""


def ling(name: str) -> int:
    """Parameters of a Ling model, module by module of its published modeling file."""
    c = MOE[name]
    h, d, expert = c["hidden_size"], c["head_dim"], 3 * c["hidden_size"] * c["moe_intermediate_size"]
    normed = 2 * d if c.get("use_qk_norm") else 0
    heads = c["num_attention_heads"] + 2 * c["num_key_value_heads"]
    attention = h * heads * d + c["num_attention_heads"] * d * h + normed
    router = c["num_experts"] * (h + (1 if c.get("moe_router_enable_expert_bias") else 0))
    dense, layers = c["first_k_dense_replace"], c["num_hidden_layers"]
    mixtures = (layers - dense) * (router + (c["num_experts"] + c["num_shared_experts"]) * expert)
    mlps = dense * 3 * h * c["intermediate_size"]
    return 2 * c["vocab_size"] * h + layers * (attention + 2 * h) + mixtures + mlps + h
