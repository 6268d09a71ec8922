"""Published configurations of further dense decoders, as their `config.json` has them, and their parameter counts."""

from __future__ import annotations

from tests.configs import BF16, FILE, llama, qwen2, qwen3, sized

LOCAL = "sliding_attention"
GLOBAL = "full_attention"


def named(architecture: str, kind: str, *fields: dict, **others: object) -> dict:
    """Fields under an architecture and a model type."""
    return {k: v for part in fields for k, v in part.items()} | {
        "architectures": [architecture],
        "model_type": kind,
        **others,
    }


def mistral(h: int, layers: int, a: int, f: int, s: int, **others: object) -> dict:
    return llama(h, layers, a, 8, f, 131072, s, architectures=["MistralForCausalLM"], model_type="mistral", head_dim=128,
                 attention_dropout=0.0, sliding_window=None, tie_word_embeddings=False, **others)  # fmt: skip


def granite(h: int, layers: int, a: int, f: int, **others: object) -> dict:
    return named("GraniteForCausalLM", "granite", llama(h, layers, a, 8, f, 49155, 131072), attention_bias=False,
                 attention_multiplier=0.015625, embedding_multiplier=12.0, logits_scaling=8.0, mlp_bias=False,
                 residual_multiplier=0.22, tie_word_embeddings=True, **others)  # fmt: skip


def starcoder2(h: int, layers: int, a: int, g: int, f: int, s: int, window: int | None = 4096) -> dict:
    own = {"attention_dropout": 0.1, "embedding_dropout": 0.1, "hidden_act": "gelu_pytorch_tanh", "mlp_type": "default",
           "max_position_embeddings": s, "norm_epsilon": 1e-05, "norm_type": "layer_norm", "residual_dropout": 0.1,
           "rope_theta": 999999.4420358813, "sliding_window": window, "use_bias": True}  # fmt: skip
    return named(
        "Starcoder2ForCausalLM", "starcoder2", FILE, BF16, sized(h, layers, a, f, 49152, num_key_value_heads=g), own
    )


def stablelm(h: int, layers: int, a: int, g: int, f: int, v: int, **others: object) -> dict:
    own = {"hidden_act": "silu", "layer_norm_eps": 1e-05, "max_position_embeddings": 4096, "partial_rotary_factor": 0.25,
           "rope_theta": 10000, "rope_scaling": None, "tie_word_embeddings": False}  # fmt: skip
    return named(
        "StableLmForCausalLM", "stablelm", FILE, BF16, sized(h, layers, a, f, v, num_key_value_heads=g), own, others
    )


def nemotron(h: int, layers: int, a: int, g: int, f: int, **others: object) -> dict:
    own = {"attention_bias": False, "attention_dropout": 0.0, "hidden_act": "relu2", "hidden_dropout": 0.0, "mlp_bias": False,
           "max_position_embeddings": 4096, "norm_eps": 1e-05, "partial_rotary_factor": 0.5, "rope_theta": 10000,
           "tie_word_embeddings": False}  # fmt: skip
    return named(
        "NemotronForCausalLM",
        "nemotron",
        FILE,
        BF16,
        sized(h, layers, a, f, 256000, num_key_value_heads=g),
        own,
        others,
    )


def falcon(h: int, layers: int, a: int, v: int, **others: object) -> dict:
    own = {"alibi": False, "apply_residual_connection_post_layernorm": False, "attention_dropout": 0.0, "bias": False,
           "hidden_dropout": 0.0, "hidden_size": h, "layer_norm_epsilon": 1e-05, "num_attention_heads": a, "vocab_size": v,
           "num_hidden_layers": layers}  # fmt: skip
    return named("FalconForCausalLM", "falcon", FILE, BF16, own, others)


def cohere(kind: str, h: int, layers: int, a: int, g: int, f: int, **others: object) -> dict:
    own = {"attention_bias": False, "attention_dropout": 0.0, "hidden_act": "silu", "layer_norm_eps": 1e-05,
           "logit_scale": 0.0625, "rope_theta": 10000, "use_qk_norm": False}  # fmt: skip
    fields = sized(h, layers, a, f, 256000, num_key_value_heads=g, max_position_embeddings=8192)
    return named(f"{kind.capitalize()}ForCausalLM", kind, FILE, BF16, fields, own, others)


def gpt_neo(h: int, layers: int, a: int) -> dict:
    own = {"activation_function": "gelu_new", "attention_dropout": 0, "attention_layers": ["global", "local"] * (layers // 2),
           "attention_types": [[["global", "local"], layers // 2]], "embed_dropout": 0, "hidden_size": h,
           "intermediate_size": None, "layer_norm_epsilon": 1e-05, "max_position_embeddings": 2048, "num_heads": a,
           "num_layers": layers, "resid_dropout": 0, "vocab_size": 50257, "window_size": 256}  # fmt: skip
    return named("GPTNeoForCausalLM", "gpt_neo", FILE, own)


def opt(h: int, layers: int, a: int, **others: object) -> dict:
    own = {"_remove_final_layer_norm": False, "activation_dropout": 0.0, "activation_function": "relu", "dropout": 0.1,
           "attention_dropout": 0.0, "do_layer_norm_before": True, "ffn_dim": 4 * h, "hidden_size": h, "init_std": 0.02,
           "layerdrop": 0.0, "max_position_embeddings": 2048, "num_attention_heads": a, "num_hidden_layers": layers,
           "torch_dtype": "float16", "vocab_size": 50272, "word_embed_proj_dim": h}  # fmt: skip
    return named("OPTForCausalLM", "opt", FILE, own, others)


def glm(architecture: str, kind: str, h: int, layers: int, a: int, g: int, f: int, **others: object) -> dict:
    own = {"attention_dropout": 0.0, "head_dim": 128, "hidden_act": "silu", "max_position_embeddings": 32768,
           "partial_rotary_factor": 0.5, "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "tie_word_embeddings": False,
           "pad_token_id": 151329}  # fmt: skip
    return named(architecture, kind, FILE, BF16, sized(h, layers, a, f, 151552, num_key_value_heads=g), own, others)


CODEGEN = {"activation_function": "gelu_new", "attn_pdrop": 0.0, "embd_pdrop": 0.0, "layer_norm_epsilon": 1e-05,
           "n_ctx": 2048, "n_embd": 1024, "n_head": 16, "n_inner": None, "n_layer": 20, "n_positions": 2048, "resid_pdrop": 0.0,
           "rotary_dim": 32, "scale_attn_weights": True, "summary_type": "cls_index", "tie_word_embeddings": False,
           "tokenizer_class": "GPT2Tokenizer", "torch_dtype": "float16", "vocab_size": 51200}  # fmt: skip

DENSE = {
    "llama-3.1-70b": llama(8192, 80, 64, 8, 28672, 128256, 131072, mlp_bias=False, attention_bias=False),
    "falcon3-7b": llama(3072, 28, 12, 4, 23040, 131072, 32768, head_dim=256, mlp_bias=False, activation="swiglu"),
    "yi-6b": llama(4096, 32, 32, 4, 11008, 64000, 4096, tie_word_embeddings=False),
    "yi-34b": llama(7168, 60, 56, 8, 20480, 64000, 4096, tie_word_embeddings=False),
    "smollm2-360m": llama(960, 32, 15, 5, 2560, 49152, 8192, tie_word_embeddings=True, rope_interleaved=False),
    "mistral-nemo-12b": mistral(5120, 40, 32, 14336, 1024000),
    "mistral-small-24b": mistral(5120, 40, 32, 32768, 32768),
    "ministral-8b": mistral(4096, 36, 32, 12288, 32768) | {"sliding_window": 32768},
    "qwen2-7b": qwen2(3584, 28, 28, 4, 18944, 152064),
    "qwen2.5-14b": qwen2(5120, 48, 40, 8, 13824, 152064),
    "qwen2.5-32b": qwen2(5120, 64, 40, 8, 27648, 152064),
    "qwen1.5-0.5b": qwen2(1024, 24, 16, 16, 2816, 151936, tied=True),
    "qwen3-4b": qwen3(2560, 36, 32, 8, 9728, tied=True),
    "qwen3-14b": qwen3(5120, 40, 40, 8, 17408, tied=False),
    "phi-1.5": FILE | sized(2048, 24, 32, 8192, 51200, num_key_value_heads=None) | {
        "architectures": ["PhiForCausalLM"], "model_type": "phi", "attention_dropout": 0.0, "embd_pdrop": 0.0,
        "hidden_act": "gelu_new", "layer_norm_eps": 1e-05, "max_position_embeddings": 2048, "partial_rotary_factor": 0.5,
        "qk_layernorm": False, "resid_pdrop": 0.0, "rope_scaling": None, "rope_theta": 10000.0,
        "tie_word_embeddings": False, "torch_dtype": "float16"},
    "phi-3-medium": llama(5120, 40, 40, 10, 17920, 32064, 4096, architectures=["Phi3ForCausalLM"], model_type="phi3",
                          embd_pdrop=0.0, resid_pdrop=0.0, sliding_window=2047, tie_word_embeddings=False,
                          attention_bias=False, original_max_position_embeddings=4096),
    "olmo-1b": named("OlmoForCausalLM", "olmo", llama(2048, 16, 16, 16, 8192, 50304, 2048), clip_qkv=None,
                     attention_bias=False, attention_dropout=0.0, tie_word_embeddings=True),
    "olmo-2-13b": named("Olmo2ForCausalLM", "olmo2", llama(5120, 40, 40, 40, 13824, 100352, 4096), attention_bias=False,
                        attention_dropout=0.0, tie_word_embeddings=False),
    "olmo-3-7b": named("Olmo3ForCausalLM", "olmo3", llama(4096, 32, 32, 32, 11008, 100278, 65536), attention_bias=False,
                       layer_types=[LOCAL, LOCAL, LOCAL, GLOBAL] * 8, sliding_window=4096, tie_word_embeddings=False),
    "aya-expanse-8b": cohere("cohere", 4096, 32, 32, 8, 14336),
    "command-r-plus-104b": cohere("cohere", 12288, 64, 96, 8, 33792) | {"use_qk_norm": True},
    "command-r7b": cohere("cohere2", 4096, 32, 32, 8, 14336, head_dim=128, layer_switch=4, sliding_window=4096,
                          sliding_window_pattern=4, order_of_interleaved_layers="local_attn_first", rotary_pct=1.0,
                          position_embedding_type="rope_gptj", use_embedding_sharing=True, use_gated_activation=True,
                          use_parallel_block=True, use_parallel_embedding=True, cache_implementation="hybrid"),
    "smollm3-3b": named("SmolLM3ForCausalLM", "smollm3", llama(2048, 36, 16, 4, 11008, 128256, 65536), attention_bias=False,
                        layer_types=[GLOBAL] * 36, max_window_layers=28, mlp_bias=False, no_rope_layer_interval=4,
                        no_rope_layers=[1, 1, 1, 0] * 9, pretraining_tp=2, sliding_window=None, use_sliding_window=False,
                        pad_token_id=128004, tie_word_embeddings=True),
    "granite-3.1-2b": granite(2048, 40, 32, 8192),
    "granite-3.1-8b": granite(4096, 40, 32, 12800),
    "ernie-4.5-0.3b": named("Ernie4_5ForCausalLM", "ernie4_5", llama(1024, 18, 16, 2, 3072, 103424, 131072), head_dim=128,
                            compression_ratio=1.0, tie_word_embeddings=True, use_bias=False),
    "hunyuan-7b": named("HunYuanDenseV1ForCausalLM", "hunyuan_v1_dense", llama(4096, 32, 32, 8, 14336, 128256, 262144),
                        attention_bias=False, head_dim=128, tie_word_embeddings=True, use_cla=False, use_qk_norm=True),
    "seed-oss-36b": named("SeedOssForCausalLM", "seed_oss", llama(5120, 64, 80, 8, 27648, 155136, 524288), head_dim=128,
                          attention_bias=True, attention_out_bias=False, mlp_bias=False, residual_dropout=0.1,
                          tie_word_embeddings=False),
    "apertus-8b": named("ApertusForCausalLM", "apertus", llama(4096, 32, 32, 8, 21504, 131072, 65536), attention_bias=False,
                        hidden_act="xielu", mlp_bias=False, post_norm=False, qk_norm=True, tie_word_embeddings=False),
    "afm-4.5b": named("ArceeForCausalLM", "arcee", llama(2560, 36, 20, 4, 18432, 128004, 65536), attention_bias=False,
                      head_dim=128, hidden_act="relu2", mlp_bias=False, tie_word_embeddings=False),
    "minitron-4b": nemotron(3072, 32, 24, 8, 9216, head_dim=128),
    "starcoder2-3b": starcoder2(3072, 30, 24, 2, 12288, 16384),
    "starcoder2-7b": starcoder2(4608, 32, 36, 4, 18432, 16384),
    "starcoder2-15b": starcoder2(6144, 40, 48, 4, 24576, 16384) | {"tie_word_embeddings": False},
    "stablelm-3b": stablelm(2560, 32, 32, 32, 6912, 50304),
    "stablelm-2-1.6b": stablelm(2048, 24, 32, 32, 5632, 100352, use_qkv_bias=True),
    "stablelm-2-12b": stablelm(5120, 40, 32, 8, 13824, 100352, qk_layernorm=True, use_parallel_residual=True),
    "glm-4-9b": glm("GlmForCausalLM", "glm", 4096, 40, 32, 2, 13696, attention_bias=True),
    "glm-4-9b-0414": glm("Glm4ForCausalLM", "glm4", 4096, 40, 32, 2, 13696, attention_bias=True),
    "exaone-4-1.2b": named("Exaone4ForCausalLM", "exaone4", llama(2048, 30, 32, 8, 4096, 102400, 65536), head_dim=64,
                           layer_types=[GLOBAL] * 30, sliding_window=None, sliding_window_pattern=None,
                           attention_dropout=0.0, tie_word_embeddings=True),
    "exaone-4-32b": named("Exaone4ForCausalLM", "exaone4", llama(5120, 64, 40, 8, 27392, 102400, 131072), head_dim=128,
                          layer_types=[LOCAL, LOCAL, LOCAL, GLOBAL] * 16, sliding_window=4096,
                          sliding_window_pattern="LLLG", attention_dropout=0.0, tie_word_embeddings=False),
    "helium-1-2b": named("HeliumForCausalLM", "helium", llama(2560, 24, 20, 20, 7040, 48000, 4096), head_dim=128,
                         attention_bias=False, attention_dropout=0.0, mlp_bias=False, tie_word_embeddings=False),
    "falcon-40b": falcon(8192, 60, 128, 65024, multi_query=True, new_decoder_architecture=True, num_kv_heads=8,
                         parallel_attn=True),
    "falcon-180b": falcon(14848, 80, 232, 65024, multi_query=True, new_decoder_architecture=True, num_kv_heads=8,
                          parallel_attn=True),
    "falcon-11b": falcon(4096, 60, 32, 65024, activation="gelu", ff_factor=4, ffn_hidden_size=16384,
                         max_position_embeddings=8192, multi_query=True, new_decoder_architecture=True, num_kv_heads=8,
                         num_ln_in_parallel_attn=1, parallel_attn=True, rope_theta=500042.0, tie_word_embeddings=False),
    "falcon-rw-1b": falcon(2048, 24, 32, 50304, alibi=True, multi_query=False, parallel_attn=False) | {"bias": True},
    "gpt-neo-125m": gpt_neo(768, 12, 12),
    "gpt-neo-2.7b": gpt_neo(2560, 32, 20),
    "codegen-350m": named("CodeGenForCausalLM", "codegen", FILE, CODEGEN),
    "opt-350m": opt(1024, 24, 16, do_layer_norm_before=False, word_embed_proj_dim=512),
    "opt-6.7b": opt(4096, 32, 32),
    "xglm-564m": named("XGLMForCausalLM", "xglm", FILE, activation_dropout=0, activation_function="gelu", attention_dropout=0.1,
                       attention_heads=16, d_model=1024, decoder_start_token_id=2, dropout=0.1, ffn_dim=4096, init_std=0.02,
                       layerdrop=0.0, max_position_embeddings=2048, num_layers=24, scale_embedding=True, vocab_size=256008),
    "openai-gpt": named("OpenAIGPTLMHeadModel", "openai-gpt", FILE, afn="gelu", attn_pdrop=0.1, embd_pdrop=0.1, n_ctx=512,
                        layer_norm_epsilon=1e-05, n_embd=768, n_head=12, n_layer=12, n_positions=512, n_special=0,
                        predict_special_tokens=True, resid_pdrop=0.1, summary_type="cls_index", vocab_size=40478),
    "gpt2-large": named("GPT2LMHeadModel", "gpt2", FILE, n_ctx=1024, n_embd=1280, n_head=20, n_layer=36, n_positions=1024,
                        activation_function="gelu_new", attn_pdrop=0.1, layer_norm_epsilon=1e-05, vocab_size=50257),
    "ministral-3b-windows": named("MinistralForCausalLM", "ministral", mistral(3072, 28, 32, 8192, 131072),
                                  layer_types=[GLOBAL, LOCAL, LOCAL, LOCAL] * 7, sliding_window=32768),
}  # fmt: skip

DENSE_TOTALS = {
    "llama-3.1-70b": 70_553_706_496,
    "falcon3-7b": 7_455_550_464,
    "yi-6b": 6_061_035_520,
    "yi-34b": 34_388_917_248,
    "smollm2-360m": 361_821_120,
    "mistral-nemo-12b": 12_247_782_400,
    "mistral-small-24b": 23_572_403_200,
    "ministral-8b": 8_019_808_256,
    "qwen2-7b": 7_615_616_512,
    "qwen2.5-14b": 14_770_033_664,
    "qwen2.5-32b": 32_763_876_352,
    "qwen1.5-0.5b": 463_987_712,
    "qwen3-4b": 4_022_468_096,
    "qwen3-14b": 14_768_307_200,
    "phi-1.5": 1_418_270_720,
    "phi-3-medium": 13_960_238_080,
    "olmo-1b": 1_176_764_416,
    "olmo-2-13b": 13_716_198_400,
    "olmo-3-7b": 7_298_011_136,
    "aya-expanse-8b": 8_028_033_024,
    "command-r-plus-104b": 103_810_674_688,
    "command-r7b": 8_028_033_024,
    "smollm3-3b": 3_075_098_624,
    "granite-3.1-2b": 2_533_531_648,
    "granite-3.1-8b": 8_170_848_256,
    "ernie-4.5-0.3b": 360_748_032,
    "hunyuan-7b": 7_504_932_864,
    "seed-oss-36b": 36_151_104_512,
    "apertus-8b": 8_053_338_176,
    "afm-4.5b": 4_619_184_640,
    "minitron-4b": 4_190_509_056,
    "starcoder2-3b": 3_030_371_328,
    "starcoder2-7b": 7_173_923_840,
    "starcoder2-15b": 15_957_889_024,
    "stablelm-3b": 2_795_443_200,
    "stablelm-2-1.6b": 1_644_515_328,
    "stablelm-2-12b": 12_143_185_920,
    "glm-4-9b": 9_399_951_360,
    "glm-4-9b-0414": 9_400_279_040,
    "exaone-4-1.2b": 1_279_391_488,
    "exaone-4-32b": 32_003_216_384,
    "helium-1-2b": 2_172_643_840,
    "falcon-40b": 41_303_293_952,
    "falcon-180b": 178_557_088_768,
    "falcon-11b": 11_102_822_400,
    "falcon-rw-1b": 1_311_625_216,
    "gpt-neo-125m": 125_198_592,
    "gpt-neo-2.7b": 2_651_307_520,
    "codegen-350m": 356_712_448,
    "opt-350m": 331_196_416,
    "opt-6.7b": 6_658_473_984,
    "xglm-564m": 564_463_616,
    "openai-gpt": 116_534_784,
    "gpt2-large": 774_030_080,
    "ministral-3b-windows": 3_800_214_528,
}
"""Unique values, a tied matrix once: those of the framework's own models, and of the published files where these are known."""
