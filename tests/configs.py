"""Published configurations, as their `config.json` has them: facts of public files, fields that matter and some that do not."""

from __future__ import annotations

FILE = {
    "bos_token_id": 1,
    "eos_token_id": 2,
    "initializer_range": 0.02,
    "transformers_version": "4.40.0",
    "use_cache": True,
}
BF16 = {"torch_dtype": "bfloat16"}
DECODER = FILE | BF16 | {"rms_norm_eps": 1e-05, "rope_theta": 10000.0}


def sized(h: int, layers: int, a: int, f: int, v: int, **others: object) -> dict:
    """The fields most architectures share."""
    return {
        "hidden_size": h, "num_hidden_layers": layers, "num_attention_heads": a, "intermediate_size": f, "vocab_size": v,
        **others,
    }  # fmt: skip


def llama(h: int, layers: int, a: int, g: int | None, f: int, v: int, s: int, **others: object) -> dict:
    kv = {} if g is None else {"num_key_value_heads": g}
    own = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "rope_scaling": None}
    return DECODER | own | sized(h, layers, a, f, v, **kv) | {"max_position_embeddings": s} | others


def qwen2(h: int, layers: int, a: int, g: int, f: int, v: int, tied: bool = False) -> dict:
    window = {"use_sliding_window": False, "sliding_window": 131072, "max_window_layers": layers}
    own = {"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "attention_dropout": 0.0}
    return llama(h, layers, a, g, f, v, 32768, tie_word_embeddings=tied) | own | window


def qwen3(h: int, layers: int, a: int, g: int, f: int, tied: bool, **others: object) -> dict:
    own = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "attention_bias": False, "head_dim": 128,
           "use_sliding_window": False, "sliding_window": None, "max_window_layers": layers}  # fmt: skip
    return llama(h, layers, a, g, f, 151936, 40960, tie_word_embeddings=tied) | own | others


def qwen3_moe(h: int, layers: int, a: int, f: int) -> dict:
    own = {"architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "decoder_sparse_step": 1,
           "mlp_only_layers": [], "moe_intermediate_size": f, "norm_topk_prob": True, "num_experts": 128,
           "num_experts_per_tok": 8, "output_router_logits": False, "router_aux_loss_coef": 0.001}  # fmt: skip
    return qwen3(h, layers, a, 4, 6144, False) | own


def gpt2(h: int, layers: int, a: int, **others: object) -> dict:
    return FILE | {
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "activation_function": "gelu_new", "attn_pdrop": 0.1,
        "embd_pdrop": 0.1, "resid_pdrop": 0.1, "layer_norm_epsilon": 1e-05, "n_ctx": 1024, "n_embd": h, "n_head": a,
        "n_layer": layers, "n_positions": 1024, "summary_type": "cls_index", "summary_use_proj": True,
        "summary_activation": None, "summary_first_dropout": 0.1, "summary_proj_to_labels": True, "vocab_size": 50257,
        "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}},
    } | others  # fmt: skip


def neox(h: int, layers: int, a: int, f: int, act: str) -> dict:
    own = {"architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox", "hidden_act": act, "layer_norm_eps": 1e-05,
           "rotary_emb_base": 10000, "rotary_pct": 0.25, "use_parallel_residual": True, "tie_word_embeddings": False,
           "max_position_embeddings": 2048, "torch_dtype": "float16"}  # fmt: skip
    return FILE | sized(h, layers, a, f, 50432) | own


def bloom(h: int, layers: int, a: int) -> dict:
    return FILE | {
        "architectures": ["BloomForCausalLM"], "model_type": "bloom", "apply_residual_connection_post_layernorm": False,
        "attention_dropout": 0.0, "attention_softmax_in_fp32": True, "bias_dropout_fusion": True, "hidden_dropout": 0.0,
        "layer_norm_epsilon": 1e-05, "masked_softmax_fusion": True, "n_embed": h, "n_inner": None, "n_layer": layers,
        "num_attention_heads": a, "offset_alibi": 100, "pretraining_tp": 4, "seq_length": 2048, "skip_bias_add": True,
        "skip_bias_add_qkv": False, "unk_token_id": 0, "vocab_size": 250880,
    }  # fmt: skip


def gemma(h: int, layers: int, a: int, g: int, f: int, v: int, **others: object) -> dict:
    return (
        DECODER | sized(h, layers, a, f, v, num_key_value_heads=g, head_dim=256, max_position_embeddings=8192) | others
    )


def mixtral(h: int, layers: int, a: int, f: int) -> dict:
    own = {"architectures": ["MixtralForCausalLM"], "model_type": "mixtral", "num_local_experts": 8, "sliding_window": None,
           "num_experts_per_tok": 2, "output_router_logits": False, "router_aux_loss_coef": 0.001}  # fmt: skip
    return llama(h, layers, a, 8, f, 32000, 65536, tie_word_embeddings=False) | own


def deepseek(
    version: int, h: int, layers: int, a: int, f: int, expert: int, shared: int, experts: int, top: int
) -> dict:
    return DECODER | sized(h, layers, a, f, 102400, num_key_value_heads=a, max_position_embeddings=163840) | {
        "architectures": [f"DeepseekV{version}ForCausalLM"], "model_type": f"deepseek_v{version}", "attention_bias": False,
        "auto_map": {"AutoConfig": "configuration_deepseek.DeepseekConfig"}, "aux_loss_alpha": 0.001, "ep_size": 1,
        "first_k_dense_replace": 1, "hidden_act": "silu", "kv_lora_rank": 512, "moe_intermediate_size": expert,
        "moe_layer_freq": 1, "n_group": 1, "n_routed_experts": experts, "n_shared_experts": shared, "norm_topk_prob": False,
        "num_experts_per_tok": top, "pretraining_tp": 1, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "routed_scaling_factor": 1.0, "scoring_func": "softmax", "seq_aux": True, "topk_group": 1,
        "topk_method": "greedy", "v_head_dim": 128, "tie_word_embeddings": False,
        "rope_scaling": {"type": "yarn", "factor": 40, "beta_fast": 32},
    }  # fmt: skip


def whisper(h: int, encoder: int, decoder: int, a: int, mel: int, v: int) -> dict:
    return FILE | {
        "architectures": ["WhisperForConditionalGeneration"], "model_type": "whisper", "activation_dropout": 0.0,
        "activation_function": "gelu", "apply_spec_augment": False, "attention_dropout": 0.0, "begin_suppress_tokens": [220],
        "classifier_proj_size": 256, "d_model": h, "decoder_attention_heads": a, "decoder_ffn_dim": 4 * h,
        "decoder_layerdrop": 0.0, "decoder_layers": decoder, "decoder_start_token_id": 50258, "dropout": 0.0,
        "encoder_attention_heads": a, "encoder_ffn_dim": 4 * h, "encoder_layerdrop": 0.0, "encoder_layers": encoder,
        "init_std": 0.02, "is_encoder_decoder": True, "mask_feature_length": 10, "mask_time_prob": 0.05, "max_length": 448,
        "max_source_positions": 1500, "max_target_positions": 448, "median_filter_width": 7, "num_hidden_layers": encoder,
        "num_mel_bins": mel, "scale_embedding": False, "torch_dtype": "float16", "use_weighted_layer_sum": False,
        "vocab_size": v,
    }  # fmt: skip


def mamba(h: int, layers: int) -> dict:
    return FILE | {
        "architectures": ["MambaForCausalLM"], "model_type": "mamba", "conv_kernel": 4, "d_inner": 2 * h, "d_model": h,
        "expand": 2, "fused_add_norm": True, "hidden_act": "silu", "hidden_size": h, "intermediate_size": 2 * h,
        "layer_norm_epsilon": 1e-05, "n_layer": layers, "num_hidden_layers": layers, "pad_vocab_size_multiple": 8,
        "rescale_prenorm_residual": False, "residual_in_fp32": True, "rms_norm": True, "ssm_cfg": {}, "state_size": 16,
        "time_step_floor": 0.0001, "time_step_init_scheme": "random", "time_step_max": 0.1, "time_step_min": 0.001,
        "time_step_rank": -(-h // 16), "time_step_scale": 1.0, "torch_dtype": "float32", "use_bias": False,
        "use_conv_bias": True, "vocab_size": 50280,
    }  # fmt: skip


V3 = deepseek(3, 7168, 61, 128, 18432, 2048, 1, 256, 8) | {
    "first_k_dense_replace": 3, "num_nextn_predict_layers": 1, "scoring_func": "sigmoid", "topk_method": "noaux_tc",
    "vocab_size": 129280, "quantization_config": {"activation_scheme": "dynamic", "fmt": "e4m3", "quant_method": "fp8",
                                                  "weight_block_size": [128, 128]},
}  # fmt: skip

CONFIGS = {
    "gpt2-124m": gpt2(768, 12, 12),
    "gpt2-xl": gpt2(1600, 48, 25, output_past=True),
    "gpt-j-6b": gpt2(4096, 28, 16, architectures=["GPTJForCausalLM"], model_type="gptj", n_positions=2048, rotary=True,
                     rotary_dim=64, scale_attn_weights=True, tie_word_embeddings=False, vocab_size=50400, n_inner=None,
                     attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0),
    "gpt-neox-20b": neox(6144, 44, 64, 24576, "gelu_fast"),
    "pythia-6.9b": neox(4096, 32, 32, 16384, "gelu"),
    "llama-2-7b": llama(4096, 32, 32, None, 11008, 32000, 4096, pretraining_tp=1),
    "llama-2-13b": llama(5120, 40, 40, 40, 13824, 32000, 4096),
    "llama-2-70b": llama(8192, 80, 64, 8, 28672, 32000, 4096),
    "llama-3-8b": llama(4096, 32, 32, 8, 14336, 128256, 8192, attention_bias=False, attention_dropout=0.0),
    "llama-3.1-405b": llama(16384, 126, 128, 8, 53248, 128256, 131072, mlp_bias=False,
                            rope_scaling={"factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}),
    "llama-3.2-1b": llama(2048, 16, 32, 8, 8192, 128256, 131072, tie_word_embeddings=True, head_dim=64),
    "tinyllama-1.1b": llama(2048, 22, 32, 4, 5632, 32000, 2048),
    "smollm2-135m": llama(576, 30, 9, 3, 1536, 49152, 8192, tie_word_embeddings=True, rope_interleaved=False),
    "mixtral-8x22b": mixtral(6144, 56, 48, 16384),
    "gemma-2b": gemma(2048, 18, 8, 1, 16384, 256000, architectures=["GemmaForCausalLM"], model_type="gemma",
                      hidden_act="gelu", hidden_activation="gelu_pytorch_tanh"),
    "gemma-2-9b": gemma(3584, 42, 16, 8, 14336, 256000, architectures=["Gemma2ForCausalLM"], model_type="gemma2",
                        hidden_act="gelu_pytorch_tanh", hidden_activation="gelu_pytorch_tanh", sliding_window=4096,
                        attn_logit_softcapping=50.0, final_logit_softcapping=30.0, query_pre_attn_scalar=256,
                        cache_implementation="hybrid"),
    "gemma-3-1b": gemma(1152, 26, 4, 1, 6912, 262144, architectures=["Gemma3ForCausalLM"], model_type="gemma3_text",
                        hidden_activation="gelu_pytorch_tanh", sliding_window=512, sliding_window_pattern=6,
                        attn_logit_softcapping=None, final_logit_softcapping=None, query_pre_attn_scalar=256,
                        rope_local_base_freq=10000, cache_implementation="hybrid"),
    "qwen2.5-0.5b": qwen2(896, 24, 14, 2, 4864, 151936, tied=True),
    "qwen2.5-7b": qwen2(3584, 28, 28, 4, 18944, 152064),
    "qwen2.5-72b": qwen2(8192, 80, 64, 8, 29568, 152064),
    "qwen3-0.6b": qwen3(1024, 28, 16, 8, 3072, tied=True),
    "qwen3-8b": qwen3(4096, 36, 32, 8, 12288, tied=False),
    "qwen3-30b-a3b": qwen3_moe(2048, 48, 32, 768),
    "qwen3-235b-a22b": qwen3_moe(4096, 94, 64, 1536),
    "olmoe-1b-7b": llama(2048, 16, 16, 16, 1024, 50304, 4096, architectures=["OlmoeForCausalLM"], model_type="olmoe",
                         clip_qkv=None, norm_topk_prob=False, num_experts=64, num_experts_per_tok=8, router_aux_loss_coef=0.01,
                         tie_word_embeddings=False, attention_bias=False),
    "olmo-7b": llama(4096, 32, 32, 32, 11008, 50304, 2048, architectures=["OlmoForCausalLM"], model_type="olmo",
                     clip_qkv=None, tie_word_embeddings=False),
    "olmo-2-7b": llama(4096, 32, 32, 32, 11008, 100352, 4096, architectures=["Olmo2ForCausalLM"], model_type="olmo2",
                       attention_bias=False, tie_word_embeddings=False),
    "falcon-7b": FILE | {"architectures": ["FalconForCausalLM"], "model_type": "falcon", "alibi": False, "bias": False,
                         "apply_residual_connection_post_layernorm": False, "attention_dropout": 0.0, "hidden_dropout": 0.0,
                         "hidden_size": 4544, "layer_norm_epsilon": 1e-05, "multi_query": True, "num_kv_heads": 71,
                         "new_decoder_architecture": False, "num_attention_heads": 71, "num_hidden_layers": 32,
                         "parallel_attn": True, "torch_dtype": "bfloat16", "vocab_size": 65024},
    "mpt-7b": {"architectures": ["MPTForCausalLM"], "model_type": "mpt", "d_model": 4096, "emb_pdrop": 0, "expansion_ratio": 4,
               "attn_config": {"alibi": True, "alibi_bias_max": 8, "attn_impl": "torch", "attn_pdrop": 0,
                               "attn_type": "multihead_attention", "attn_uses_sequence_id": False, "clip_qkv": None,
                               "prefix_lm": False, "qk_ln": False, "softmax_scale": None}, "embedding_fraction": 1.0,
               "init_config": {"name": "kaiming_normal_"}, "init_device": "cpu", "learned_pos_emb": True,
               "logit_scale": None, "max_seq_len": 2048, "n_heads": 32, "n_layers": 32, "no_bias": True,
               "norm_type": "low_precision_layernorm", "resid_pdrop": 0, "tokenizer_name": "EleutherAI/gpt-neox-20b",
               "torch_dtype": "bfloat16", "use_cache": False, "verbose": 0, "vocab_size": 50432},
    "bloom-560m": bloom(1024, 24, 16),
    "bloom-176b": bloom(14336, 70, 112),
    "opt-125m": FILE | {"architectures": ["OPTForCausalLM"], "model_type": "opt", "_remove_final_layer_norm": False,
                        "activation_dropout": 0.0, "activation_function": "relu", "attention_dropout": 0.0,
                        "do_layer_norm_before": True, "dropout": 0.1, "ffn_dim": 3072, "hidden_size": 768, "init_std": 0.02,
                        "layerdrop": 0.0, "max_position_embeddings": 2048, "num_attention_heads": 12, "num_hidden_layers": 12,
                        "prefix": "</s>", "torch_dtype": "float16", "vocab_size": 50272, "word_embed_proj_dim": 768},
    "starcoder-15b": gpt2(6144, 40, 48, architectures=["GPTBigCodeForCausalLM"], model_type="gpt_bigcode", n_inner=24576,
                          activation_function="gelu", attention_softmax_in_fp32=True, multi_query=True, n_positions=8192,
                          inference_runner=0, max_batch_size=None, max_sequence_length=None, pad_key_length=True,
                          pre_allocate_kv_cache=False, scale_attention_softmax_in_fp32=True, scale_attn_weights=True,
                          validate_runner_input=True, vocab_size=49152),
    "phi-2": FILE | sized(2560, 32, 32, 10240, 51200, num_key_value_heads=32) | {
        "architectures": ["PhiForCausalLM"], "model_type": "phi", "attention_dropout": 0.0, "embd_pdrop": 0.0,
        "hidden_act": "gelu_new", "layer_norm_eps": 1e-05, "max_position_embeddings": 2048, "partial_rotary_factor": 0.4,
        "qk_layernorm": False, "resid_pdrop": 0.1, "rope_theta": 10000.0, "tie_word_embeddings": False,
        "torch_dtype": "float16"},
    "phi-3-mini-3.8b": llama(3072, 32, 32, 32, 8192, 32064, 4096, architectures=["Phi3ForCausalLM"], model_type="phi3",
                             embd_pdrop=0.0, resid_pdrop=0.0, sliding_window=2047, tie_word_embeddings=False,
                             original_max_position_embeddings=4096),
    "phi-4-14b": llama(5120, 40, 40, 10, 17920, 100352, 16384, architectures=["Phi3ForCausalLM"], model_type="phi3",
                       sliding_window=None, tie_word_embeddings=False),
    "phi-4-mini": llama(3072, 32, 24, 8, 8192, 200064, 131072, architectures=["Phi3ForCausalLM"], model_type="phi3",
                        sliding_window=262144, tie_word_embeddings=True, partial_rotary_factor=0.75, full_attn_mod=1,
                        interpolate_factor=1, lm_head_bias=False, mlp_bias=False, attention_bias=False),
    "command-r-35b": FILE | sized(8192, 40, 64, 22528, 256000, num_key_value_heads=64) | {
        "architectures": ["CohereForCausalLM"], "model_type": "cohere", "attention_bias": False, "attention_dropout": 0.0,
        "hidden_act": "silu", "layer_norm_eps": 1e-05, "logit_scale": 0.0625, "max_position_embeddings": 8192,
        "model_max_length": 131072, "pretraining_tp": 1, "rope_theta": 8000000.0, "torch_dtype": "float16",
        "use_qk_norm": False},
    "dbrx-132b": {"architectures": ["DbrxForCausalLM"], "model_type": "dbrx", "d_model": 6144, "emb_pdrop": 0.0,
                  "attn_config": {"clip_qkv": 8, "kv_n_heads": 8, "model_type": "", "rope_theta": 500000},
                  "ffn_config": {"ffn_hidden_size": 10752, "model_type": "", "moe_jitter_eps": 0.01, "moe_loss_weight": 0.05,
                                 "moe_num_experts": 16, "moe_top_k": 4}, "initializer_range": 0.02, "max_seq_len": 32768,
                  "n_heads": 48, "n_layers": 40, "output_router_logits": False, "resid_pdrop": 0.0, "use_cache": True,
                  "tie_word_embeddings": False, "torch_dtype": "bfloat16", "vocab_size": 100352},
    "deepseek-v2-lite": deepseek(2, 2048, 27, 16, 10944, 1408, 2, 64, 6) | {"q_lora_rank": None},
    "deepseek-v2": deepseek(2, 5120, 60, 128, 12288, 1536, 2, 160, 6) | {"n_group": 8, "topk_group": 3},
    "deepseek-v3": V3,
    "gpt-oss-20b": DECODER | sized(2880, 24, 64, 2880, 201088, num_key_value_heads=8, head_dim=64) | {
        "architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss", "attention_bias": True, "experts_per_token": 4,
        "attention_dropout": 0.0, "hidden_act": "silu", "initial_context_length": 4096, "num_experts_per_tok": 4,
        "layer_types": ["sliding_attention", "full_attention"] * 12, "max_position_embeddings": 131072,
        "num_local_experts": 32, "output_router_logits": False, "router_aux_loss_coef": 0.9, "sliding_window": 128,
        "swiglu_limit": 7.0, "tie_word_embeddings": False,
        "quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn"]}},
    "llama-3.2-3b": llama(3072, 28, 24, 8, 8192, 128256, 131072, tie_word_embeddings=True, head_dim=128),
    "mistral-7b-v0.3": llama(4096, 32, 32, 8, 14336, 32768, 32768, architectures=["MistralForCausalLM"], model_type="mistral",
                             sliding_window=None, tie_word_embeddings=False),
    "qwen3-1.7b": qwen3(2048, 28, 16, 8, 6144, tied=True),
    "qwen3-32b": qwen3(5120, 64, 64, 8, 25600, tied=False),
    "qwen2.5-1.5b": qwen2(1536, 28, 12, 2, 8960, 151936, tied=True),
    "qwen2.5-3b": qwen2(2048, 36, 16, 2, 11008, 151936, tied=True),
    "smollm2-1.7b": llama(2048, 24, 32, 32, 8192, 49152, 8192, tie_word_embeddings=True),
    "stories15m": llama(288, 6, 6, None, 768, 32000, 256, tie_word_embeddings=True),
    "stories42m": llama(512, 8, 8, 8, 1376, 32000, 1024, tie_word_embeddings=True),
    "stories110m": llama(768, 12, 12, 12, 2048, 32000, 1024, tie_word_embeddings=True),
    "t5-small": FILE | {"architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "d_ff": 2048, "d_kv": 64,
                        "d_model": 512, "decoder_start_token_id": 0, "dropout_rate": 0.1, "initializer_factor": 1.0,
                        "is_encoder_decoder": True, "layer_norm_epsilon": 1e-06, "n_positions": 512, "num_heads": 8,
                        "num_layers": 6, "output_past": True, "pad_token_id": 0, "relative_attention_num_buckets": 32,
                        "task_specific_params": {"summarization": {"max_length": 200}}, "vocab_size": 32128},
    "bart-large": FILE | {"architectures": ["BartForConditionalGeneration"], "model_type": "bart", "d_model": 1024,
                          "activation_dropout": 0.1, "activation_function": "gelu", "add_bias_logits": False,
                          "add_final_layer_norm": False, "attention_dropout": 0.1, "classif_dropout": 0.1,
                          "decoder_attention_heads": 16, "decoder_ffn_dim": 4096, "decoder_layerdrop": 0.0,
                          "decoder_layers": 12, "dropout": 0.1, "encoder_attention_heads": 16, "encoder_ffn_dim": 4096,
                          "encoder_layerdrop": 0.0, "encoder_layers": 12, "init_std": 0.02, "is_encoder_decoder": True,
                          "max_position_embeddings": 1024, "normalize_before": False, "num_hidden_layers": 12,
                          "scale_embedding": False, "vocab_size": 50265},
    "whisper-tiny": whisper(384, 4, 4, 6, 80, 51865),
    "whisper-large-v3": whisper(1280, 32, 32, 20, 128, 51866),
    "whisper-large-v3-turbo": whisper(1280, 32, 4, 20, 128, 51866),
    "bert-base-uncased": FILE | sized(768, 12, 12, 3072, 30522) | {
        "architectures": ["BertForMaskedLM"], "model_type": "bert", "attention_probs_dropout_prob": 0.1,
        "gradient_checkpointing": False, "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "layer_norm_eps": 1e-12,
        "max_position_embeddings": 512, "pad_token_id": 0, "position_embedding_type": "absolute", "type_vocab_size": 2},
    "mamba-130m": mamba(768, 24),
    "mamba-2.8b": mamba(2560, 64),
    "vit-b16-in1k": {"architectures": ["ViTForImageClassification"], "model_type": "vit", "hidden_size": 768,
                     "attention_probs_dropout_prob": 0.0, "encoder_stride": 16, "hidden_act": "gelu", "qkv_bias": True,
                     "hidden_dropout_prob": 0.0, "id2label": {str(n): f"LABEL_{n}" for n in range(1000)}, "image_size": 224,
                     "initializer_range": 0.02, "intermediate_size": 3072, "label2id": {}, "layer_norm_eps": 1e-12,
                     "num_attention_heads": 12, "num_channels": 3, "num_hidden_layers": 12, "patch_size": 16},
}  # fmt: skip

TOTALS = {
    "gpt2-124m": 124_439_808,
    "gpt2-xl": 1_557_611_200,
    "gpt-j-6b": 6_050_882_784,
    "gpt-neox-20b": 20_554_567_680,
    "pythia-6.9b": 6_857_302_016,
    "llama-2-7b": 6_738_415_616,
    "llama-2-13b": 13_015_864_320,
    "llama-2-70b": 68_976_648_192,
    "llama-3-8b": 8_030_261_248,
    "llama-3.1-405b": 405_853_388_800,
    "llama-3.2-1b": 1_235_814_400,
    "tinyllama-1.1b": 1_100_048_384,
    "smollm2-135m": 134_515_008,
    "stories15m": 15_191_712,
    "stories42m": 41_689_600,
    "stories110m": 109_529_856,
    "mixtral-8x22b": 140_620_634_112,
    "gemma-2b": 2_506_172_416,
    "gemma-2-9b": 9_241_705_984,
    "gemma-3-1b": 999_885_952,
    "qwen2.5-0.5b": 494_032_768,
    "qwen2.5-7b": 7_615_616_512,
    "qwen2.5-72b": 72_706_203_648,
    "qwen3-0.6b": 596_049_920,
    "qwen3-8b": 8_190_735_360,
    "qwen3-30b-a3b": 30_532_122_624,
    "qwen3-235b-a22b": 235_093_634_560,
    "olmoe-1b-7b": 6_919_161_856,
    "olmo-7b": 6_888_095_744,
    "olmo-2-7b": 7_298_617_344,
    "falcon-7b": 6_921_720_704,
    "mpt-7b": 6_649_286_656,
    "bloom-560m": 559_214_592,
    "bloom-176b": 176_247_271_424,
    "opt-125m": 125_239_296,
    "starcoder-15b": 15_517_456_384,
    "phi-2": 2_779_683_840,
    "phi-3-mini-3.8b": 3_821_079_552,
    "command-r-35b": 34_980_831_232,
    "dbrx-132b": 131_596_523_520,
    "deepseek-v2-lite": 15_706_484_224,
    "deepseek-v2": 235_741_434_880,
    "deepseek-v3": 671_026_419_200,
    "gpt-oss-20b": 20_914_757_184,
    "llama-3.2-3b": 3_212_749_824,
    "mistral-7b-v0.3": 7_248_023_552,
    "phi-4-14b": 14_659_507_200,
    "phi-4-mini": 3_836_021_760,
    "qwen3-1.7b": 1_720_574_976,
    "qwen3-32b": 32_762_123_264,
    "qwen2.5-1.5b": 1_543_714_304,
    "qwen2.5-3b": 3_085_938_688,
    "smollm2-1.7b": 1_711_376_384,
    "mamba-130m": 129_135_360,
    "mamba-2.8b": 2_768_345_600,
    "t5-small": 60_506_624,
    "bart-large": 406_291_456,
    "whisper-tiny": 37_760_640,
    "whisper-large-v3": 1_543_490_560,
    "whisper-large-v3-turbo": 808_878_080,
    "bert-base-uncased": 109_482_240,
    "vit-b16-in1k": 86_567_656,
}
"""Published parameter counts: unique trainable values, a tied matrix once."""
