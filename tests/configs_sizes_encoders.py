"""Further published sizes of encoders, of encoders with decoders and of mixtures, as their `config.json` has them."""

from __future__ import annotations

from tests.configs import CONFIGS, whisper
from tests.configs_encoders import ENCODERS, bart, deberta, distilbert, electra, encoder, roberta, t5
from tests.configs_moe import MOE
from tests.configs_recurrent import RECURRENT

MULTI, ENGLISH = 51865, 51864
"""Words of Whisper, in all languages and in English alone."""
WIDE = {"encoder_ffn_dim": 8192, "decoder_ffn_dim": 8192, "activation_function": "relu", "scale_embedding": True}


def bert(h: int, layers: int, a: int, v: int) -> dict:
    return encoder("BertModel", "bert", h, layers, a, v, 512, type_vocab_size=2, position_embedding_type="absolute")


def vit(h: int, layers: int, a: int, patch: int, f: int = 0, image: int = 224) -> dict:
    return CONFIGS["vit-b16-in1k"] | {"hidden_size": h, "num_hidden_layers": layers, "num_attention_heads": a,
                                      "patch_size": patch, "intermediate_size": f or 4 * h, "image_size": image}  # fmt: skip


def albert(h: int, layers: int, a: int) -> dict:
    return ENCODERS["albert-base-v2"] | {"hidden_size": h, "num_hidden_layers": layers, "num_attention_heads": a,
                                         "intermediate_size": 4 * h}  # fmt: skip


def m2m100(h: int, layers: int, v: int) -> dict:
    return bart("M2M100ForConditionalGeneration", "m2m_100", h, layers, 16, v, 1024, **WIDE)


def t5_first(h: int, layers: int, a: int, d: int, f: int) -> dict:
    return CONFIGS["t5-small"] | {"d_model": h, "num_layers": layers, "num_decoder_layers": layers, "num_heads": a, "d_kv": d,
                                  "d_ff": f}  # fmt: skip


V11 = {"small": (512, 8, 6, 1024), "base": (768, 12, 12, 2048), "large": (1024, 24, 16, 2816), "xl": (2048, 24, 32, 5120),
       "xxl": (4096, 24, 64, 10240)}  # fmt: skip
"""The later T5 in all its sizes: width, layers, heads, MLP width."""

MORE_SIZES = {
    "whisper-base": whisper(512, 6, 6, 8, 80, MULTI),
    "whisper-small": whisper(768, 12, 12, 12, 80, MULTI),
    "whisper-medium": whisper(1024, 24, 24, 16, 80, MULTI),
    "whisper-large": whisper(1280, 32, 32, 20, 80, MULTI),
    "whisper-large-v1": whisper(1280, 32, 32, 20, 80, MULTI),
    "whisper-large-v2": whisper(1280, 32, 32, 20, 80, MULTI),
    "whisper-tiny-en": whisper(384, 4, 4, 6, 80, ENGLISH),
    "whisper-base-en": whisper(512, 6, 6, 8, 80, ENGLISH),
    "whisper-small-en": whisper(768, 12, 12, 12, 80, ENGLISH),
    "whisper-medium-en": whisper(1024, 24, 24, 16, 80, ENGLISH),
    "distil-whisper-large-v2": whisper(1280, 32, 2, 20, 80, MULTI),
    "distil-whisper-large-v3": whisper(1280, 32, 2, 20, 128, MULTI + 1),
    **{f"t5-v1.1-{size}": t5("t5", *numbers, 32128) for size, numbers in V11.items()},
    **{f"flan-t5-{size}": t5("t5", *numbers, 32128) for size, numbers in V11.items()},
    **{f"mt5-{size}": t5("mt5", *numbers, 250112) for size, numbers in V11.items()},
    "aya-101-13b": t5("mt5", *V11["xxl"], 250112),
    "byt5-base": t5("t5", 1536, 18, 12, 3968, 384, num_decoder_layers=6),
    "byt5-large": t5("t5", 1536, 36, 16, 3840, 384, num_decoder_layers=12),
    "byt5-xl": t5("t5", 2560, 36, 32, 6720, 384, num_decoder_layers=12),
    "byt5-xxl": t5("t5", 4672, 36, 64, 12352, 384, num_decoder_layers=12),
    "t5-base": t5_first(768, 12, 12, 64, 3072),
    "t5-large": t5_first(1024, 24, 16, 64, 4096),
    "t5-3b": t5_first(1024, 24, 32, 128, 16384),
    "t5-11b": t5_first(1024, 24, 128, 128, 65536),
    "m2m100-1.2b": m2m100(1024, 24, 128112),
    "nllb-200-1.3b": m2m100(1024, 24, 256206),
    "nllb-200-distilled-1.3b": m2m100(1024, 24, 256206),
    "nllb-200-3.3b": m2m100(2048, 24, 256206),
    "vit-ti16-in1k": vit(192, 12, 3, 16),
    "vit-s16-in1k": vit(384, 12, 6, 16),
    "vit-s32-in1k": vit(384, 12, 6, 32),
    "vit-b32-in1k": vit(768, 12, 12, 32),
    "vit-l16-in1k": vit(1024, 24, 16, 16),
    "vit-l32-in1k": vit(1024, 24, 16, 32),
    "vit-h14-in1k": vit(1280, 32, 16, 14),
    "vit-b16-384-in1k": vit(768, 12, 12, 16, image=384),
    "vit-b32-384-in1k": vit(768, 12, 12, 32, image=384),
    "vit-l16-384-in1k": vit(1024, 24, 16, 16, image=384),
    "vit-l32-384-in1k": vit(1024, 24, 16, 32, image=384),
    "deit-ti16-in1k": vit(192, 12, 3, 16),
    "deit-s16-in1k": vit(384, 12, 6, 16),
    "deit-b16-in1k": vit(768, 12, 12, 16),
    "bert-base-cased": bert(768, 12, 12, 28996),
    "bert-large-uncased": bert(1024, 24, 16, 30522),
    "bert-large-cased": bert(1024, 24, 16, 28996),
    "bert-base-chinese": bert(768, 12, 12, 21128),
    "bert-base-multilingual-cased": bert(768, 12, 12, 119547),
    "bert-base-multilingual-uncased": bert(768, 12, 12, 105879),
    "bert-tiny": bert(128, 2, 2, 30522),
    "bert-mini": bert(256, 4, 4, 30522),
    "bert-small": bert(512, 4, 8, 30522),
    "bert-medium": bert(512, 8, 8, 30522),
    "all-minilm-l6-v2": bert(384, 6, 12, 30522),
    "all-minilm-l12-v2": bert(384, 12, 12, 30522),
    "bge-small-en-v1.5": bert(384, 12, 12, 30522),
    "bge-base-en-v1.5": bert(768, 12, 12, 30522),
    "bge-large-en-v1.5": bert(1024, 24, 16, 30522),
    "distilbert-base-cased": distilbert("DistilBertModel") | {"vocab_size": 28996},
    "distilbert-base-multilingual-cased": distilbert("DistilBertModel") | {"vocab_size": 119547},
    "roberta-large": roberta("RobertaForMaskedLM", "roberta", 1024, 24, 16, 50265),
    "distilroberta-base": roberta("RobertaForMaskedLM", "roberta", 768, 6, 12, 50265),
    "xlm-roberta-base": roberta("XLMRobertaForMaskedLM", "xlm-roberta", 768, 12, 12, 250002),
    "camembert-base": ENCODERS["camembert-base"],
    "albert-large-v2": albert(1024, 24, 16),
    "albert-xlarge-v2": albert(2048, 24, 16),
    "albert-xxlarge-v2": albert(4096, 12, 64),
    "electra-small": electra("ElectraForPreTraining", 256, 4, 128),
    "electra-large": electra("ElectraForPreTraining", 1024, 16, 1024) | {"num_hidden_layers": 24},
    "deberta-v3-xsmall": deberta("DebertaV2Model", 384, 12, 6),
    "deberta-v3-small": deberta("DebertaV2Model", 768, 6, 12),
    "deberta-v3-large": deberta("DebertaV2Model", 1024, 24, 16),
    "mdeberta-v3-base": deberta("DebertaV2Model", 768, 12, 12, vocab_size=251000),
    "modernbert-large": ENCODERS["modernbert-base"] | {
        "hidden_size": 1024, "intermediate_size": 2624, "num_attention_heads": 16, "num_hidden_layers": 28},
    "kimi-k2": MOE["kimi-k2"],
    "minimax-m2": MOE["minimax-m2"],
    "deepseek-v3.2": MOE["deepseek-v3.2"],
    "deepseek-v3.1": CONFIGS["deepseek-v3"],
    "deepseek-r1": CONFIGS["deepseek-v3"],
    "deepseek-v2.5": CONFIGS["deepseek-v2"],
    "deepseek-coder-v2": CONFIGS["deepseek-v2"],
    "deepseek-coder-v2-lite": CONFIGS["deepseek-v2-lite"],
    "phi-3.5-moe-42b": MOE["phi-3.5-moe"],
    "jamba-1.5-mini": RECURRENT["jamba-v0.1"],
    "granite-3.1-1b-a400m": MOE["granite-3.0-1b-a400m"] | {"max_position_embeddings": 131072},
    "granite-3.1-3b-a800m": MOE["granite-3.0-3b-a800m"] | {"max_position_embeddings": 131072},
}  # fmt: skip
