"""The published configurations, made small: the same architectures at sizes that run in a moment."""

from __future__ import annotations

from tests.configs import CONFIGS

DECODER = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 6, "intermediate_size": 80, "vocab_size": 97,
           "max_position_embeddings": 64}  # fmt: skip
GQA = DECODER | {"num_key_value_heads": 2}
GPT = {"n_embd": 48, "n_layer": 3, "n_head": 6, "vocab_size": 97, "n_positions": 64}
DEEPSEEK = GQA | {
    "num_key_value_heads": 6, "num_hidden_layers": 3, "first_k_dense_replace": 1, "kv_lora_rank": 20, "q_lora_rank": 28,
    "qk_nope_head_dim": 10, "qk_rope_head_dim": 6, "v_head_dim": 14, "n_routed_experts": 8, "num_experts_per_tok": 2,
    "moe_intermediate_size": 24, "n_group": 1, "topk_group": 1, "rope_scaling": None,
}  # fmt: skip
LOCAL = {"num_local_experts": 8, "num_experts_per_tok": 2}
EXPERTS = {"num_experts": 8, "num_experts_per_tok": 2}
ENCODER = {"d_model": 48, "num_hidden_layers": 2, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 6, "vocab_size": 97,
           "decoder_attention_heads": 6, "encoder_ffn_dim": 80, "decoder_ffn_dim": 80, "pad_token_id": 0}  # fmt: skip

CHANGES: dict[str, dict] = {
    "gpt2-124m": GPT,
    "gpt-j-6b": GPT | {"rotary_dim": 4},
    "gpt-neox-20b": DECODER,
    "llama-2-7b": DECODER,
    "llama-3-8b": GQA,
    "llama-3.2-1b": GQA | {"head_dim": 12},
    "mixtral-8x22b": GQA | LOCAL,
    "gemma-2b": GQA | {"head_dim": 12},
    "gemma-2-9b": GQA | {"head_dim": 12, "sliding_window": 64},
    "gemma-3-1b": GQA | {"head_dim": 12, "sliding_window": 64, "num_hidden_layers": 8},
    "qwen2.5-0.5b": GQA,
    "qwen2.5-7b": GQA,
    "qwen3-0.6b": GQA | {"head_dim": 12},
    "qwen3-30b-a3b": GQA | EXPERTS | {"head_dim": 12, "moe_intermediate_size": 24},
    "olmoe-1b-7b": GQA | EXPERTS | {"intermediate_size": 24},
    "olmo-7b": DECODER | {"num_key_value_heads": 6},
    "olmo-2-7b": GQA,
    "falcon-7b": {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 6, "num_kv_heads": 6, "vocab_size": 97},
    "mpt-7b": {"d_model": 48, "n_heads": 6, "n_layers": 2, "vocab_size": 97, "max_seq_len": 64},
    "bloom-560m": {"n_embed": 48, "hidden_size": 48, "n_layer": 2, "num_attention_heads": 6, "n_head": 6, "vocab_size": 97},
    "opt-125m": {"hidden_size": 48, "word_embed_proj_dim": 48, "num_hidden_layers": 2, "num_attention_heads": 6,
                 "ffn_dim": 80, "vocab_size": 97, "max_position_embeddings": 64},
    "starcoder-15b": GPT | {"n_inner": 80},
    "phi-2": GQA | {"hidden_size": 60, "num_key_value_heads": 6},
    "phi-3-mini-3.8b": GQA | {"sliding_window": None, "pad_token_id": 0},
    "command-r-35b": GQA,
    "dbrx-132b": {"d_model": 48, "n_heads": 6, "n_layers": 2, "vocab_size": 97, "max_seq_len": 64,
                  "attn_config": {"clip_qkv": 8, "kv_n_heads": 2, "rope_theta": 500000},
                  "ffn_config": {"ffn_hidden_size": 40, "moe_num_experts": 4, "moe_top_k": 2}},
    "deepseek-v2-lite": DEEPSEEK | {"q_lora_rank": None},
    "deepseek-v2": DEEPSEEK,
    "deepseek-v3": DEEPSEEK,
    "gpt-oss-20b": GQA | LOCAL | {"experts_per_token": 2, "head_dim": 12, "sliding_window": 64,
                                    "layer_types": ["sliding_attention", "full_attention"]},
    "t5-small": {"d_model": 48, "d_ff": 80, "d_kv": 12, "num_heads": 6, "num_layers": 2, "vocab_size": 97, "n_positions": 64},
    "bart-large": ENCODER | {"max_position_embeddings": 64},
    "whisper-tiny": ENCODER | {"num_mel_bins": 10, "max_source_positions": 20, "max_target_positions": 64,
                               "decoder_start_token_id": 1},
    "bert-base-uncased": DECODER,
    "vit-b16-in1k": {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 6, "intermediate_size": 80,
                     "image_size": 32, "patch_size": 8, "id2label": {str(n): str(n) for n in range(5)}},
    "mamba-130m": {"hidden_size": 48, "d_model": 48, "d_inner": 96, "intermediate_size": 96, "num_hidden_layers": 2,
                   "n_layer": 2, "vocab_size": 97, "time_step_rank": 3},
}  # fmt: skip

SMALL = {name: CONFIGS[name] | change for name, change in CHANGES.items()}
