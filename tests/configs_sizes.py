"""Further published sizes of the shipped families: decoders as their `config.json` has them. Totals are those of the framework's models.

Where a size differs from one of another module in numbers alone, it is written as that one with these numbers changed.
"""

from __future__ import annotations

from tests.configs import CONFIGS, bloom, gemma, gpt2, llama, mamba, mixtral, neox, qwen2
from tests.configs_dense import DENSE, cohere, falcon, gpt_neo, granite, mistral, opt, stablelm
from tests.configs_own_code import OWN_CODE
from tests.configs_recurrent import RECURRENT

TIED = {"tie_word_embeddings": True}


def pythia(h: int, layers: int, a: int, v: int = 50304, **others: object) -> dict:
    return neox(h, layers, a, 4 * h, "gelu") | {"vocab_size": v} | others


def cerebras(h: int, layers: int, a: int) -> dict:
    return gpt2(h, layers, a, activation_function="gelu", n_positions=2048, n_inner=4 * h, scale_attn_weights=True)


def bigcode(h: int, layers: int, a: int, **others: object) -> dict:
    return CONFIGS["starcoder-15b"] | {"n_embd": h, "n_layer": layers, "n_head": a, "n_inner": 4 * h} | others


def phi3(h: int, layers: int, a: int, g: int, f: int, s: int, **others: object) -> dict:
    own = {"architectures": ["Phi3ForCausalLM"], "model_type": "phi3", "embd_pdrop": 0.0, "resid_pdrop": 0.0}
    return llama(h, layers, a, g, f, 32064, s, tie_word_embeddings=False, sliding_window=2047) | own | others


def gemma3(h: int, layers: int, a: int, g: int, f: int, v: int, **others: object) -> dict:
    return CONFIGS["gemma-3-1b"] | gemma(h, layers, a, g, f, v, sliding_window=1024, **others)


def qwen(h: int, layers: int, a: int, f: int, v: int) -> dict:
    return OWN_CODE["qwen-7b"] | {"hidden_size": h, "num_hidden_layers": layers, "num_attention_heads": a,
                                  "intermediate_size": 2 * f, "vocab_size": v}  # fmt: skip


def codegen(h: int, layers: int, a: int) -> dict:
    return DENSE["codegen-350m"] | {"n_embd": h, "n_layer": layers, "n_head": a, "rotary_dim": 64}


def xglm(h: int, layers: int, a: int, f: int) -> dict:
    return DENSE["xglm-564m"] | {"d_model": h, "num_layers": layers, "attention_heads": a, "ffn_dim": f}


def mamba2(h: int, layers: int) -> dict:
    return RECURRENT["mamba2-2.7b"] | {"hidden_size": h, "num_hidden_layers": layers, "num_heads": h // 32,
                                       "time_step_rank": h // 16}  # fmt: skip


def sized_as(config: dict, h: int, layers: int, a: int, g: int, f: int, **others: object) -> dict:
    """A configuration in other numbers."""
    return config | {"hidden_size": h, "num_hidden_layers": layers, "num_attention_heads": a, "num_key_value_heads": g,
                     "intermediate_size": f} | others  # fmt: skip


SIZES = {
    "gpt2-medium": gpt2(1024, 24, 16),
    "distilgpt2-82m": gpt2(768, 6, 12),
    "cerebras-gpt-111m": cerebras(768, 10, 12),
    "cerebras-gpt-256m": cerebras(1088, 14, 17),
    "cerebras-gpt-590m": cerebras(1536, 18, 12),
    "cerebras-gpt-1.3b": cerebras(2048, 24, 16),
    "cerebras-gpt-2.7b": cerebras(2560, 32, 32),
    "cerebras-gpt-6.7b": cerebras(4096, 32, 32),
    "cerebras-gpt-13b": cerebras(5120, 40, 40),
    "gpt-neo-1.3b": gpt_neo(2048, 24, 16),
    "pythia-14m": pythia(128, 6, 4),
    "pythia-31m": pythia(256, 6, 8),
    "pythia-70m": pythia(512, 6, 8),
    "pythia-160m": pythia(768, 12, 12),
    "pythia-410m": pythia(1024, 24, 16),
    "pythia-1b": pythia(2048, 16, 8),
    "pythia-1.4b": pythia(2048, 24, 16),
    "pythia-2.8b": pythia(2560, 32, 32),
    "pythia-12b": pythia(5120, 36, 40, 50688),
    "dolly-v2-3b": pythia(2560, 32, 32, 50280),
    "dolly-v2-7b": pythia(4096, 32, 32, 50280),
    "dolly-v2-12b": pythia(5120, 36, 40, 50280),
    "stablelm-base-alpha-3b": pythia(4096, 16, 32, 50688),
    "stablelm-base-alpha-7b": pythia(6144, 16, 48, 50432),
    "opt-1.3b": opt(2048, 24, 32),
    "opt-2.7b": opt(2560, 32, 32),
    "opt-13b": opt(5120, 40, 40),
    "opt-30b": opt(7168, 48, 56),
    "opt-66b": opt(9216, 64, 72),
    "opt-175b": opt(12288, 96, 96),
    "bloom-1b1": bloom(1536, 24, 16),
    "bloom-1b7": bloom(2048, 24, 16),
    "bloom-3b": bloom(2560, 30, 32),
    "bloom-7b1": bloom(4096, 30, 32),
    "mpt-30b": CONFIGS["mpt-7b"] | {"d_model": 7168, "n_layers": 48, "n_heads": 64, "max_seq_len": 8192},
    "falcon-rw-7b": falcon(4096, 36, 64, 65024, alibi=True, multi_query=False, parallel_attn=False) | {"bias": True},
    "falcon2-11b": DENSE["falcon-11b"],
    "falcon3-1b": llama(2048, 18, 8, 4, 8192, 131072, 4096, head_dim=256, tie_word_embeddings=False),
    "falcon3-3b": llama(3072, 22, 12, 4, 9216, 131072, 32768, head_dim=256, tie_word_embeddings=False),
    "falcon3-10b": llama(3072, 40, 12, 4, 23040, 131072, 32768, head_dim=256, tie_word_embeddings=False),
    "starcoderbase-1b": bigcode(2048, 24, 16),
    "starcoderbase-3b": bigcode(2816, 36, 22),
    "starcoderbase-7b": bigcode(4096, 42, 32),
    "starcoderbase-15b": bigcode(6144, 40, 48),
    "santacoder-1.1b": bigcode(2048, 24, 16, n_positions=2048, vocab_size=49280, activation_function="gelu_pytorch_tanh"),
    "phi-1": DENSE["phi-1.5"],
    "phi-3-medium-14b": DENSE["phi-3-medium"],
    "phi-3.5-mini-3.8b": phi3(3072, 32, 32, 32, 8192, 131072, sliding_window=262144),
    "phi-4-mini-3.8b": CONFIGS["phi-4-mini"],
    "llama-7b": llama(4096, 32, 32, None, 11008, 32000, 2048),
    "llama-13b": llama(5120, 40, 40, None, 13824, 32000, 2048),
    "llama-30b": llama(6656, 60, 52, None, 17920, 32000, 2048),
    "llama-33b": llama(6656, 60, 52, None, 17920, 32000, 2048),
    "llama-65b": llama(8192, 80, 64, None, 22016, 32000, 2048),
    "llama-3-70b": llama(8192, 80, 64, 8, 28672, 128256, 8192),
    "llama-3.1-8b": llama(4096, 32, 32, 8, 14336, 128256, 131072),
    "llama-3.3-70b": llama(8192, 80, 64, 8, 28672, 128256, 131072),
    "llama-3.1-minitron-4b": llama(3072, 32, 32, 8, 9216, 128256, 131072, head_dim=128),
    "codellama-7b": llama(4096, 32, 32, 32, 11008, 32016, 16384),
    "codellama-13b": llama(5120, 40, 40, 40, 13824, 32016, 16384),
    "codellama-34b": llama(8192, 48, 64, 8, 22016, 32000, 16384),
    "codellama-70b": llama(8192, 80, 64, 8, 28672, 32016, 16384),
    "open-llama-3b": llama(3200, 26, 32, None, 8640, 32000, 2048),
    "open-llama-7b": llama(4096, 32, 32, None, 11008, 32000, 2048),
    "open-llama-13b": llama(5120, 40, 40, None, 13824, 32000, 2048),
    "vicuna-7b": llama(4096, 32, 32, None, 11008, 32000, 4096),
    "vicuna-13b": llama(5120, 40, 40, None, 13824, 32000, 4096),
    "sheared-llama-1.3b": llama(2048, 24, 16, 16, 5504, 32000, 4096),
    "sheared-llama-2.7b": llama(2560, 32, 20, 20, 6912, 32000, 4096),
    "salamandra-2b": llama(2048, 24, 16, 16, 5440, 256000, 8192),
    "salamandra-7b": llama(4096, 32, 32, 8, 11008, 256000, 8192),
    "amber-7b": llama(4096, 32, 32, None, 11008, 32000, 2048),
    "yi-9b": llama(4096, 48, 32, 4, 11008, 64000, 4096),
    "yi-1.5-6b": llama(4096, 32, 32, 4, 11008, 64000, 4096),
    "yi-1.5-9b": llama(4096, 48, 32, 4, 11008, 64000, 4096),
    "yi-1.5-34b": llama(7168, 60, 56, 8, 20480, 64000, 4096),
    "solar-10.7b": llama(4096, 48, 32, 8, 14336, 32000, 4096),
    "deepseek-llm-7b": llama(4096, 30, 32, 32, 11008, 102400, 4096),
    "deepseek-llm-67b": llama(8192, 95, 64, 8, 22016, 102400, 4096),
    "deepseek-coder-1.3b": llama(2048, 24, 16, 16, 5504, 32256, 16384),
    "deepseek-coder-6.7b": llama(4096, 32, 32, 32, 11008, 32256, 16384),
    "deepseek-coder-33b": llama(7168, 62, 56, 8, 19200, 32256, 16384),
    "deepseek-r1-distill-llama-8b": llama(4096, 32, 32, 8, 14336, 128256, 131072),
    "deepseek-r1-distill-llama-70b": llama(8192, 80, 64, 8, 28672, 128256, 131072),
    "smollm-135m": llama(576, 30, 9, 3, 1536, 49152, 2048, **TIED),
    "smollm-360m": llama(960, 32, 15, 5, 2560, 49152, 2048, **TIED),
    "smollm-1.7b": llama(2048, 24, 32, 32, 8192, 49152, 2048, **TIED),
    "mistral-7b-v0.1": mistral(4096, 32, 32, 14336, 32768, vocab_size=32000),
    "mistral-7b-v0.2": mistral(4096, 32, 32, 14336, 32768, vocab_size=32000),
    "zephyr-7b": mistral(4096, 32, 32, 14336, 32768, vocab_size=32000),
    "mathstral-7b": mistral(4096, 32, 32, 14336, 32768, vocab_size=32768),
    "codestral-22b": mistral(6144, 56, 48, 16384, 32768, vocab_size=32768),
    "mistral-small-22b": mistral(6144, 56, 48, 16384, 32768, vocab_size=32768),
    "mistral-small-3.2-24b": mistral(5120, 40, 32, 32768, 131072),
    "devstral-small-24b": mistral(5120, 40, 32, 32768, 131072),
    "magistral-small-24b": mistral(5120, 40, 32, 32768, 40960),
    "mistral-large-123b": mistral(12288, 88, 96, 28672, 131072, vocab_size=32768),
    "mistral-nemo-minitron-8b": mistral(4096, 40, 32, 11520, 8192),
    "mixtral-8x7b": mixtral(4096, 32, 32, 14336),
    "gemma-7b": CONFIGS["gemma-2b"] | gemma(3072, 28, 16, 16, 24576, 256000),
    "codegemma-2b": CONFIGS["gemma-2b"],
    "codegemma-7b": CONFIGS["gemma-2b"] | gemma(3072, 28, 16, 16, 24576, 256000),
    "gemma-2-2b": CONFIGS["gemma-2-9b"] | gemma(2304, 26, 8, 4, 9216, 256000),
    "gemma-2-27b": CONFIGS["gemma-2-9b"] | gemma(4608, 46, 32, 16, 36864, 256000, head_dim=128, query_pre_attn_scalar=144),
    "gemma-3-270m": CONFIGS["gemma-3-1b"] | gemma(640, 18, 4, 1, 2048, 262144, sliding_window=512),
    "gemma-3-4b": gemma3(2560, 34, 8, 4, 10240, 262208),
    "gemma-3-12b": gemma3(3840, 48, 16, 8, 15360, 262208),
    "gemma-3-27b": gemma3(5376, 62, 32, 16, 21504, 262208, head_dim=128, query_pre_attn_scalar=168),
    "qwen-1.8b": qwen(2048, 24, 16, 5504, 151936),
    "qwen-14b": qwen(5120, 40, 40, 13696, 152064),
    "qwen-72b": qwen(8192, 80, 64, 24576, 152064),
    "qwen1.5-1.8b": qwen2(2048, 24, 16, 16, 5504, 151936),
    "qwen1.5-4b": qwen2(2560, 40, 20, 20, 6912, 151936),
    "qwen1.5-7b": qwen2(4096, 32, 32, 32, 11008, 151936),
    "qwen1.5-14b": qwen2(5120, 40, 40, 40, 13696, 152064),
    "qwen1.5-32b": qwen2(5120, 64, 40, 8, 27392, 152064),
    "qwen1.5-72b": qwen2(8192, 80, 64, 64, 24576, 152064),
    "qwen1.5-110b": qwen2(8192, 80, 64, 8, 49152, 152064),
    "codeqwen1.5-7b": qwen2(4096, 32, 32, 4, 13440, 92416),
    "qwen2-0.5b": qwen2(896, 24, 14, 2, 4864, 151936, tied=True),
    "qwen2-1.5b": qwen2(1536, 28, 12, 2, 8960, 151936, tied=True),
    "qwen2-72b": qwen2(8192, 80, 64, 8, 29568, 152064),
    **{f"qwen2.5-coder-{size}": (CONFIGS | DENSE)[f"qwen2.5-{size}"] for size in ("0.5b", "1.5b", "3b", "7b", "14b", "32b")},
    **{f"qwen2.5-math-{size}": CONFIGS[f"qwen2.5-{size}"] for size in ("1.5b", "7b", "72b")},
    "qwq-32b": DENSE["qwen2.5-32b"],
    "deepseek-r1-distill-qwen-1.5b": CONFIGS["qwen2.5-1.5b"] | {"tie_word_embeddings": False},
    "deepseek-r1-distill-qwen-7b": CONFIGS["qwen2.5-7b"],
    "deepseek-r1-distill-qwen-14b": DENSE["qwen2.5-14b"],
    "deepseek-r1-distill-qwen-32b": DENSE["qwen2.5-32b"],
    "qwen3-coder-30b-a3b": CONFIGS["qwen3-30b-a3b"],
    "olmo-2-1b": CONFIGS["olmo-2-7b"] | llama(2048, 16, 16, 16, 8192, 100352, 4096) | {
        "architectures": ["Olmo2ForCausalLM"], "model_type": "olmo2"},
    "olmo-2-32b": sized_as(CONFIGS["olmo-2-7b"], 5120, 64, 40, 8, 27648),
    "olmo-3-32b": sized_as(DENSE["olmo-3-7b"], 5120, 64, 40, 8, 27648, layer_types=DENSE["olmo-3-7b"]["layer_types"] * 2),
    "command-r-32b": cohere("cohere", 8192, 40, 64, 8, 24576),
    "aya-23-8b": cohere("cohere", 4096, 32, 32, 8, 14336),
    "aya-23-35b": cohere("cohere", 8192, 40, 64, 64, 22528),
    "aya-expanse-32b": cohere("cohere", 8192, 40, 64, 8, 24576),
    "command-a-111b": sized_as(DENSE["command-r7b"], 12288, 64, 96, 8, 36864),
    "granite-3.0-2b": granite(2048, 40, 32, 8192),
    "granite-3.0-8b": granite(4096, 40, 32, 12800),
    "granite-3.2-2b": granite(2048, 40, 32, 8192),
    "granite-3.2-8b": granite(4096, 40, 32, 12800),
    "granite-3.3-2b": granite(2048, 40, 32, 8192, vocab_size=49159),
    "granite-3.3-8b": granite(4096, 40, 32, 12800, vocab_size=49159),
    "stable-code-3b": stablelm(2560, 32, 32, 32, 6912, 50304),
    "stablelm-2-zephyr-1.6b": stablelm(2048, 24, 32, 32, 5632, 100352, use_qkv_bias=True),
    "stablelm-zephyr-3b": stablelm(2560, 32, 32, 32, 6912, 50304),
    "mamba-370m": mamba(1024, 48),
    "mamba-790m": mamba(1536, 48),
    "mamba-1.4b": mamba(2048, 48),
    "mamba2-130m": mamba2(768, 24),
    "mamba2-370m": mamba2(1024, 48),
    "mamba2-780m": mamba2(1536, 48),
    "mamba2-1.3b": mamba2(2048, 48),
    "codegen-2b": codegen(2560, 32, 32),
    "codegen-6b": codegen(4096, 33, 16),
    "codegen-16b": codegen(6144, 34, 24),
    "xglm-1.7b": xglm(2048, 24, 16, 8192),
    "xglm-2.9b": xglm(2048, 48, 16, 8192),
    "xglm-4.5b": xglm(2048, 48, 16, 16384),
    "xglm-7.5b": xglm(4096, 32, 32, 16384),
    "internlm2-1.8b": sized_as(OWN_CODE["internlm2-7b"], 2048, 24, 16, 8, 8192),
    "internlm2-20b": sized_as(OWN_CODE["internlm2-7b"], 6144, 48, 48, 8, 16384),
    "internlm2.5-1.8b": sized_as(OWN_CODE["internlm2-7b"], 2048, 24, 16, 8, 8192),
    "internlm2.5-7b": OWN_CODE["internlm2-7b"],
    "internlm2.5-20b": sized_as(OWN_CODE["internlm2-7b"], 6144, 48, 48, 8, 16384),
    "baichuan-7b": OWN_CODE["baichuan2-7b"] | {"vocab_size": 64000},
    "chatglm3-6b": OWN_CODE["chatglm3-6b"],
    "exaone-3.0-7.8b": OWN_CODE["exaone-3.5-7.8b"],
    "exaone-3.5-2.4b": OWN_CODE["exaone-3.5-7.8b"] | {
        "hidden_size": 2560, "num_layers": 30, "intermediate_size": 7168, "head_dim": 80, "tie_word_embeddings": True},
    "exaone-3.5-32b": OWN_CODE["exaone-3.5-7.8b"] | {
        "hidden_size": 5120, "num_layers": 64, "num_attention_heads": 40, "intermediate_size": 27392},
    "apertus-70b": sized_as(DENSE["apertus-8b"], 8192, 80, 64, 8, 43008),
}  # fmt: skip
