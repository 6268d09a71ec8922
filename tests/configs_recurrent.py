"""Published configurations of state spaces, linear attention and hybrids, and their parameters."""

from __future__ import annotations

from tests.configs import BF16, FILE

PATTERN = "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-"
GRANITE_KINDS = ["attention" if n in (5, 15, 25, 35) else "mamba" for n in range(40)]


def hybrid(name: str, kind: str, h: int, layers: int, v: int, **others: object) -> dict:
    """The fields all of these have."""
    return FILE | BF16 | {"architectures": [name], "model_type": kind, "hidden_size": h, "num_hidden_layers": layers,
                          "vocab_size": v, "tie_word_embeddings": False} | others  # fmt: skip


GRANITE_H = hybrid(
    "GraniteMoeHybridForCausalLM", "granitemoehybrid", 1536, 40, 100352, attention_bias=False, attention_dropout=0.0,
    attention_multiplier=0.0078125, embedding_multiplier=12, hidden_act="silu", init_method="mup", intermediate_size=512,
    layer_types=GRANITE_KINDS, logits_scaling=6, mamba_chunk_size=256, mamba_conv_bias=True, mamba_d_conv=4, mamba_d_head=64,
    mamba_d_state=128, mamba_expand=2, mamba_n_groups=1, mamba_n_heads=48, mamba_proj_bias=False,
    max_position_embeddings=131072, normalization_function="rmsnorm", num_attention_heads=12, num_experts_per_tok=6,
    num_key_value_heads=4, num_local_experts=64, output_router_logits=False, position_embedding_type="nope",
    residual_multiplier=0.22, rms_norm_eps=1e-05, rope_scaling=None, rope_theta=10000, router_aux_loss_coef=0.01,
    shared_intermediate_size=1024, tie_word_embeddings=True,
)  # fmt: skip
JAMBA = hybrid(
    "JambaForCausalLM", "jamba", 4096, 32, 65536, attention_dropout=0.0, attn_layer_offset=4, attn_layer_period=8,
    calc_logits_for_entire_prompt=False, expert_layer_offset=1, expert_layer_period=2, hidden_act="silu",
    intermediate_size=14336, mamba_conv_bias=True, mamba_d_conv=4, mamba_d_state=16, mamba_dt_rank=256, mamba_expand=2,
    mamba_inner_layernorms=True, mamba_proj_bias=False, max_position_embeddings=262144, n_ctx=262144, num_attention_heads=32,
    num_experts=16, num_experts_per_tok=2, num_key_value_heads=8, num_logits_to_keep=1, output_router_logits=False,
    rms_norm_eps=1e-06, router_aux_loss_coef=0.001, sliding_window=None, use_mamba_kernels=True,
)  # fmt: skip
RECURRENT_GEMMA = FILE | BF16 | {
    "architectures": ["RecurrentGemmaForCausalLM"], "model_type": "recurrent_gemma", "attention_bias": False,
    "attention_dropout": 0.0, "attention_window_size": 2048, "block_types": ["recurrent", "recurrent", "attention"],
    "conv1d_width": 4, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 2560,
    "intermediate_size": 15360, "logits_soft_cap": 30.0, "lru_width": 2560, "num_attention_heads": 10,
    "num_hidden_layers": 26, "num_key_value_heads": 1, "partial_rotary_factor": 0.5, "rms_norm_eps": 1e-06,
    "rope_theta": 10000.0, "vocab_size": 256000, "w_init_variance_scale": 0.01, "final_w_init_variance_scale": 0.0769,
}  # fmt: skip

RECURRENT = {
    "codestral-mamba-7b": hybrid(
        "Mamba2ForCausalLM", "mamba2", 4096, 64, 32768, chunk_size=256, conv_kernel=4, expand=2, head_dim=64,
        hidden_act="silu", layer_norm_epsilon=1e-05, n_groups=8, norm_before_gate=True, num_heads=128,
        rescale_prenorm_residual=False, residual_in_fp32=True, rms_norm=True, state_size=128, time_step_floor=0.0001,
        time_step_max=0.1, time_step_min=0.001, time_step_rank=256, use_bias=False, use_conv_bias=True,
    ),
    "mamba2-2.7b": hybrid(
        "Mamba2ForCausalLM", "mamba2", 2560, 64, 50288, chunk_size=256, conv_kernel=4, expand=2, head_dim=64,
        hidden_act="silu", n_groups=1, num_heads=80, state_size=128, time_step_rank=160, use_bias=False, use_conv_bias=True,
        tie_word_embeddings=True,
    ),
    "falcon-mamba-7b": hybrid(
        "FalconMambaForCausalLM", "falcon_mamba", 4096, 64, 65024, conv_kernel=4, expand=16, hidden_act="silu",
        intermediate_size=8192, layer_norm_epsilon=1e-05, mixer_rms_eps=1e-06, rescale_prenorm_residual=False,
        residual_in_fp32=True, state_size=16, time_step_floor=0.0001, time_step_init_scheme="random", time_step_max=0.1,
        time_step_min=0.001, time_step_rank=256, time_step_scale=1.0, use_bias=False, use_conv_bias=True, use_mambapy=False,
    ),
    "bamba-9b": hybrid(
        "BambaForCausalLM", "bamba", 4096, 32, 128256, attention_bias=False, attention_dropout=0.0,
        attn_layer_indices=[9, 18, 27], attn_rotary_emb=64, hidden_act="silu", intermediate_size=14336, mamba_chunk_size=256,
        mamba_conv_bias=True, mamba_d_conv=4, mamba_d_head=64, mamba_d_state=128, mamba_expand=2, mamba_n_groups=1,
        mamba_n_heads=128, mamba_proj_bias=False, max_position_embeddings=262144, mlp_bias=False, num_attention_heads=32,
        num_key_value_heads=8, num_logits_to_keep=1, rms_norm_eps=1e-05, rope_theta=10000.0, use_mamba_kernels=True,
    ),
    "granite-4.0-h-tiny": GRANITE_H,
    "granite-4.0-h-small": GRANITE_H | {
        "hidden_size": 4096, "intermediate_size": 768, "mamba_n_heads": 128, "num_attention_heads": 32,
        "num_experts_per_tok": 10, "num_key_value_heads": 8, "num_local_experts": 72, "shared_intermediate_size": 1536,
    },
    "granite-4.0-h-micro": GRANITE_H | {
        "hidden_size": 2048, "intermediate_size": 8192, "mamba_n_heads": 64, "num_attention_heads": 32,
        "num_experts_per_tok": 0, "num_key_value_heads": 8, "num_local_experts": 0, "shared_intermediate_size": 8192,
    },
    "jamba-v0.1": JAMBA,
    "jamba-1.5-large": JAMBA | {
        "hidden_size": 8192, "num_hidden_layers": 72, "intermediate_size": 24576, "num_attention_heads": 64,
        "mamba_dt_rank": 512,
    },
    "qwen3-next-80b-a3b": hybrid(
        "Qwen3NextForCausalLM", "qwen3_next", 2048, 48, 151936, attention_bias=False, attention_dropout=0.0,
        decoder_sparse_step=1, full_attention_interval=4, head_dim=256, hidden_act="silu", intermediate_size=5120,
        linear_conv_kernel_dim=4, linear_key_head_dim=128, linear_num_key_heads=16, linear_num_value_heads=32,
        linear_value_head_dim=128, max_position_embeddings=262144, mlp_only_layers=[], moe_intermediate_size=512,
        norm_topk_prob=True, num_attention_heads=16, num_experts=512, num_experts_per_tok=10, num_key_value_heads=2,
        output_router_logits=False, partial_rotary_factor=0.25, rms_norm_eps=1e-06, rope_scaling=None, rope_theta=10000000,
        router_aux_loss_coef=0.001, shared_expert_intermediate_size=512, use_sliding_window=False,
    ),
    "minimax-text-01": hybrid(
        "MiniMaxForCausalLM", "minimax", 6144, 80, 200064, attention_dropout=0.0, block_size=256, head_dim=128,
        hidden_act="silu", intermediate_size=9216, max_position_embeddings=10240000, num_attention_heads=64,
        num_experts_per_tok=2, num_key_value_heads=8, num_local_experts=32, rms_norm_eps=1e-05, rope_theta=10000000,
        rotary_dim=64, router_aux_loss_coef=0.001, router_jitter_noise=0.0, sliding_window=None,
        layer_types=["full_attention" if n % 8 == 7 else "linear_attention" for n in range(80)],
        linear_attn_alpha_factor=3.5565588200778455, linear_attn_beta_factor=1.0,
    ),
    "recurrentgemma-2b": RECURRENT_GEMMA,
    "recurrentgemma-9b": RECURRENT_GEMMA | {
        "hidden_size": 4096, "intermediate_size": 24576, "lru_width": 4096, "num_attention_heads": 16,
        "num_hidden_layers": 38,
    },
    "nemotron-h-8b": hybrid(
        "NemotronHForCausalLM", "nemotron_h", 4096, 52, 131072, attention_bias=False, attention_dropout=0.0, chunk_size=128,
        conv_kernel=4, expand=2, head_dim=128, hidden_dropout=0.0, hybrid_override_pattern=PATTERN, intermediate_size=21504,
        layer_norm_epsilon=1e-05, mamba_head_dim=64, mamba_hidden_act="silu", mamba_num_heads=128, mamba_proj_bias=False,
        max_position_embeddings=8192, mlp_bias=False, mlp_hidden_act="relu2", n_groups=8, num_attention_heads=32,
        num_key_value_heads=8, num_logits_to_keep=1, rescale_prenorm_residual=True, residual_in_fp32=False,
        sliding_window=None, ssm_state_size=128, time_step_floor=0.0001, time_step_max=0.1, time_step_min=0.001,
        use_bias=False, use_conv_bias=True, use_mamba_kernels=True,
    ),
}  # fmt: skip

RECURRENT_TOTALS = {
    "codestral-mamba-7b": 7_285_403_648,
    "mamba2-2.7b": 2_702_599_680,
    "falcon-mamba-7b": 7_272_665_088,
    "bamba-9b": 9_780_235_392,
    "granite-4.0-h-tiny": 6_939_037_248,
    "granite-4.0-h-small": 32_207_337_984,
    "granite-4.0-h-micro": 3_191_396_096,
    "jamba-v0.1": 51_570_323_328,
    "jamba-1.5-large": 398_555_145_696,
    "qwen3-next-80b-a3b": 79_674_391_296,
    "minimax-text-01": 456_089_655_296,
    "recurrentgemma-2b": 2_682_862_080,
    "recurrentgemma-9b": 8_579_977_216,
    "nemotron-h-8b": 8_100_852_736,
}
"""As the framework's own classes have them (tests/torch)."""
