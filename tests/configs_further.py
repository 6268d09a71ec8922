"""Published configurations of further hybrids, and their parameters."""

from __future__ import annotations

from tests.configs_recurrent import hybrid
from tests.configs_rwkv import RWKV, RWKV_TOTALS

PATTERN = "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"
FALCON_H1 = hybrid(
    "FalconH1ForCausalLM", "falcon_h1", 1024, 36, 32784, attention_bias=False, attention_dropout=0.0, attention_in_multiplier=1.0,
    attention_out_multiplier=0.9375, attn_layer_indices=None, embedding_multiplier=5.656854249492381, head_dim=64,
    hidden_act="silu", intermediate_size=2048, key_multiplier=0.39062499999999994, lm_head_multiplier=0.0390625,
    mamba_chunk_size=128, mamba_conv_bias=True, mamba_d_conv=4, mamba_d_head=64, mamba_d_ssm=1536, mamba_d_state=128,
    mamba_expand=2, mamba_n_groups=1, mamba_n_heads=24, mamba_norm_before_gate=False, mamba_proj_bias=False,
    mamba_rms_norm=False, mamba_use_mlp=True, max_position_embeddings=16384, mlp_bias=False, mlp_expansion_factor=8,
    mlp_multipliers=[0.8838834764831844, 0.5859375], num_attention_heads=8, num_key_value_heads=2, num_logits_to_keep=1,
    projectors_bias=False, rms_norm_eps=1e-05, rope_scaling=None, rope_theta=100000000000.0, ssm_in_multiplier=1.25,
    ssm_multipliers=[0.3535533905932738, 0.25, 0.3535533905932738, 0.5, 0.3535533905932738],
    ssm_out_multiplier=0.23570226039551587,
)  # fmt: skip
LFM2 = {name: value for name, value in hybrid(
    "Lfm2ForCausalLM", "lfm2", 2048, 16, 65536, block_auto_adjust_ff_dim=True, block_dim=2048, block_ff_dim=12288,
    block_ffn_dim_multiplier=1.0, block_mlp_init_scale=1.0, block_multiple_of=256, block_norm_eps=1e-05,
    block_out_init_scale=1.0, block_use_swiglu=True, block_use_xavier_init=True, conv_L_cache=3, conv_bias=False, conv_dim=2048,
    conv_dim_out=2048, conv_use_xavier_init=True, full_attn_idxs=[2, 5, 8, 10, 12, 14], max_position_embeddings=128000,
    norm_eps=1e-05, num_attention_heads=32, num_heads=32, num_key_value_heads=8, rope_theta=1000000.0, use_pos_enc=True,
).items() if name != "tie_word_embeddings"}  # fmt: skip
LFM2_KINDS = ["full_attention" if n in (2, 6, 10, 14, 18, 21) else "conv" for n in range(24)]
QWEN3_5 = hybrid(
    "Qwen3_5ForCausalLM", "qwen3_5_text", 2560, 32, 248320, attention_bias=False, attention_dropout=0.0, attn_output_gate=True,
    full_attention_interval=4, head_dim=256, hidden_act="silu", intermediate_size=9216,
    layer_types=(["linear_attention"] * 3 + ["full_attention"]) * 8, linear_conv_kernel_dim=4, linear_key_head_dim=128,
    linear_num_key_heads=16, linear_num_value_heads=32, linear_value_head_dim=128, mamba_ssm_dtype="float32",
    max_position_embeddings=262144, mtp_num_hidden_layers=1, mtp_use_dedicated_embeddings=False, num_attention_heads=16,
    num_key_value_heads=4, rms_norm_eps=1e-06, tie_word_embeddings=True,
    rope_parameters={"mrope_interleaved": True, "mrope_section": [11, 11, 10], "partial_rotary_factor": 0.25,
                     "rope_theta": 10000000, "rope_type": "default"},
)  # fmt: skip
FULL = [4, 8, 12, 16, 20, 24, 27]

FURTHER = RWKV | {
    "grok-1": hybrid(
        "Grok1ModelForCausalLM", "grok-1", 6144, 64, 131072, attn_output_multiplier=0.08838834764831845,
        embedding_multiplier_scale=78.38367176906169, head_dim=128, intermediate_size=32768, max_attn_value=30.0,
        max_position_embeddings=8192, num_attention_heads=48, num_experts=8, num_experts_per_tok=2, num_key_value_heads=8,
        output_multiplier_scale=0.5773502691896257, rms_norm_eps=1e-05, tie_word_embeddings=True,
    ),
    "nemotron-3-nano-30b-a3b": hybrid(
        "NemotronHForCausalLM", "nemotron_h", 2688, 52, 131072, attention_bias=False, attention_dropout=0.0, chunk_size=128,
        conv_kernel=4, expand=2, head_dim=128, hidden_dropout=0.0, hybrid_override_pattern=PATTERN, intermediate_size=1856,
        layer_norm_epsilon=1e-05, mamba_head_dim=64, mamba_hidden_act="silu", mamba_num_heads=64, mamba_proj_bias=False,
        mamba_ssm_cache_dtype="float32", max_position_embeddings=262144, mlp_bias=False, mlp_hidden_act="relu2",
        moe_intermediate_size=1856, moe_shared_expert_intermediate_size=3712, n_group=1, n_groups=8, n_routed_experts=128,
        n_shared_experts=1, norm_eps=1e-05, norm_topk_prob=True, num_attention_heads=32, num_experts_per_tok=6,
        num_key_value_heads=2, num_logits_to_keep=1, partial_rotary_factor=1.0, rescale_prenorm_residual=True,
        residual_in_fp32=False, rope_theta=10000, routed_scaling_factor=2.5, sliding_window=None, ssm_state_size=128,
        time_step_floor=0.0001, time_step_limit=[0.0, 1e9], time_step_max=0.1, time_step_min=0.001, topk_group=1, use_bias=False,
        use_conv_bias=True, use_mamba_kernels=True,
    ),
    "lfm2-350m": LFM2 | {"block_dim": 1024, "block_ff_dim": 6656, "conv_dim": 1024, "conv_dim_out": 1024, "hidden_size": 1024,
                         "num_attention_heads": 16, "num_heads": 16},
    "lfm2-700m": LFM2 | {"block_dim": 1536, "block_ff_dim": 10240, "conv_dim": 1536, "conv_dim_out": 1536, "hidden_size": 1536,
                         "num_attention_heads": 24, "num_heads": 24},
    "lfm2-1.2b": LFM2,
    "lfm2-2.6b": {name: value for name, value in LFM2.items() if name not in ("full_attn_idxs", "block_ff_dim")} | {
        "block_auto_adjust_ff_dim": False, "intermediate_size": 10752, "num_hidden_layers": 30,
        "layer_types": ["full_attention" if n in (2, 5, 9, 13, 17, 21, 24, 27) else "conv" for n in range(30)],
    },
    "lfm2-8b-a1b": {name: value for name, value in hybrid(
        "Lfm2MoeForCausalLM", "lfm2_moe", 2048, 24, 65536, conv_L_cache=3, conv_bias=False, intermediate_size=7168,
        layer_types=LFM2_KINDS, max_position_embeddings=128000, moe_intermediate_size=1792, norm_eps=1e-05, norm_topk_prob=True,
        num_attention_heads=32, num_dense_layers=2, num_experts=32, num_experts_per_tok=4, num_key_value_heads=8,
        rope_theta=1000000.0, routed_scaling_factor=1.0, use_expert_bias=True,
    ).items() if name != "tie_word_embeddings"},
    "falcon-h1-0.5b": FALCON_H1,
    "falcon-h1-3b": FALCON_H1 | {
        "head_dim": 128, "hidden_size": 2560, "intermediate_size": 6144, "mamba_d_head": 128, "mamba_d_ssm": 4096,
        "mamba_d_state": 256, "mamba_n_heads": 32, "num_attention_heads": 10, "num_hidden_layers": 32, "vocab_size": 65536,
    },
    "falcon-h1-7b": FALCON_H1 | {
        "head_dim": 128, "hidden_size": 3072, "intermediate_size": 12288, "mamba_d_head": 128, "mamba_d_ssm": 3072,
        "mamba_d_state": 256, "num_attention_heads": 12, "num_hidden_layers": 44, "vocab_size": 130048,
    },
    "qwen3.5-4b": QWEN3_5,
    "qwen3.5-35b-a3b": {name: value for name, value in QWEN3_5.items() if name != "intermediate_size"} | {
        "architectures": ["Qwen3_5MoeForCausalLM"], "model_type": "qwen3_5_moe_text", "hidden_size": 2048,
        "num_hidden_layers": 40, "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 10, "num_key_value_heads": 2,
        "moe_intermediate_size": 512, "num_experts": 256, "num_experts_per_tok": 8, "router_aux_loss_coef": 0.001,
        "shared_expert_intermediate_size": 512, "tie_word_embeddings": False,
    },
    "kimi-linear-48b-a3b": hybrid(
        "KimiLinearForCausalLM", "kimi_linear", 2304, 27, 163840, first_k_dense_replace=1, head_dim=72, hidden_act="silu",
        intermediate_size=9216, kv_lora_rank=512, mla_use_nope=True, model_max_length=1048576, moe_intermediate_size=1024,
        moe_layer_freq=1, moe_renormalize=True, moe_router_activation_func="sigmoid", num_attention_heads=32,
        num_expert_group=1, num_experts=256, num_experts_per_token=8, num_key_value_heads=32, num_nextn_predict_layers=0,
        num_shared_experts=1, q_lora_rank=None, qk_nope_head_dim=128, qk_rope_head_dim=64, rms_norm_eps=1e-05,
        rope_scaling=None, rope_theta=10000.0, routed_scaling_factor=2.446, topk_group=1, use_grouped_topk=True, v_head_dim=128,
        linear_attn_config={"full_attn_layers": FULL, "head_dim": 128, "num_heads": 32, "short_conv_kernel_size": 4,
                            "kda_layers": [n for n in range(1, 28) if n not in FULL]},
    ),
}  # fmt: skip

FURTHER_TOTALS = RWKV_TOTALS | {
    "grok-1": 64 * (8 * 3 * 6144 * 32768 + 2 * 6144 * (6144 + 1024) + (8 + 4) * 6144) + (131072 + 1) * 6144,
    "nemotron-3-nano-30b-a3b": 31_577_940_288,
    "lfm2-350m": 354_483_968,
    "lfm2-700m": 742_489_344,
    "lfm2-1.2b": 1_170_340_608,
    "lfm2-2.6b": 2_569_272_320,
    "lfm2-8b-a1b": 8_339_930_560,
    "falcon-h1-0.5b": 521_411_104,
    "falcon-h1-3b": 3_149_256_192,
    "falcon-h1-7b": 7_585_513_568,
    "qwen3.5-4b": 4_205_751_296,
    "qwen3.5-35b-a3b": 34_660_610_688,
    "kimi-linear-48b-a3b": 49_122_681_728,
}
"""As the framework's own classes have them (tests/torch); RWKV's by its papers, Grok-1's by hand."""
