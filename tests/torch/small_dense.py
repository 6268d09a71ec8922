"""Further dense decoders and encoders, made small: the same architectures at sizes that run in a moment."""

from __future__ import annotations

from tests.configs_dense import DENSE, GLOBAL, LOCAL
from tests.configs_encoders import ENCODERS
from tests.torch.small import DECODER, ENCODER, GPT, GQA

HEADS = GQA | {"head_dim": 12, "pad_token_id": 0}
WINDOWS = HEADS | {"num_hidden_layers": 4, "sliding_window": 64, "layer_types": [LOCAL, LOCAL, LOCAL, GLOBAL]}
BODY = DECODER | {"pad_token_id": 0}
LATE = ENCODER | {"max_position_embeddings": 64, "dropout": 0.0}
T5 = {"d_model": 48, "d_ff": 80, "d_kv": 12, "num_heads": 6, "num_layers": 2, "num_decoder_layers": 3, "vocab_size": 97}

CHANGES: dict[str, dict] = {
    "mistral-nemo-12b": HEADS,
    "qwen3-4b": WINDOWS | {"use_sliding_window": True, "max_window_layers": 1},
    "olmo-1b": DECODER | {"num_key_value_heads": 6, "pad_token_id": 0},
    "olmo-3-7b": WINDOWS,
    "command-r-plus-104b": GQA | {"pad_token_id": 0},
    "command-r7b": WINDOWS,
    "smollm3-3b": GQA | {"num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0], "layer_types": [GLOBAL] * 4, "pad_token_id": 0},
    "granite-3.1-2b": GQA,
    "ernie-4.5-0.3b": HEADS,
    "hunyuan-7b": HEADS,
    "seed-oss-36b": HEADS,
    "apertus-8b": HEADS,
    "minitron-4b": HEADS,
    "starcoder2-3b": GQA | {"sliding_window": 64},
    "stablelm-2-12b": GQA | {"hidden_size": 96, "num_hidden_layers": 2},
    "glm-4-9b": HEADS | {"head_dim": 16},
    "glm-4-9b-0414": HEADS | {"head_dim": 16},
    "exaone-4-32b": WINDOWS,
    "falcon-40b": {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 6, "num_kv_heads": 2, "vocab_size": 97},
    "falcon-rw-1b": {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 6, "vocab_size": 97},
    "gpt-neo-125m": {"hidden_size": 48, "num_layers": 2, "num_heads": 6, "vocab_size": 97, "window_size": 64,
                     "max_position_embeddings": 64, "attention_layers": ["global", "local"],
                     "attention_types": [[["global", "local"], 1]]},
    "codegen-350m": GPT | {"n_head": 4, "rotary_dim": 4},
    "opt-350m": {"hidden_size": 48, "word_embed_proj_dim": 24, "num_hidden_layers": 2, "num_attention_heads": 6,
                 "ffn_dim": 80, "vocab_size": 97, "max_position_embeddings": 64},
    "xglm-564m": {"d_model": 48, "num_layers": 2, "attention_heads": 6, "ffn_dim": 80, "vocab_size": 97, "max_position_embeddings": 64},
    "openai-gpt": GPT,
    "roberta-base": BODY | {"pad_token_id": 1},
    "bert-for-classes": BODY,
    "bert-for-tokens": BODY,
    "distilbert-for-classes": {"dim": 48, "hidden_dim": 80, "n_heads": 6, "n_layers": 2, "vocab_size": 97, "max_position_embeddings": 64},
    "albert-base-v2": BODY | {"embedding_size": 20},
    "electra-for-classes": BODY | {"embedding_size": 20},
    "deberta-for-tokens": BODY | {"position_buckets": 16, "pooler_hidden_size": 48},
    "modernbert-base": BODY | {"num_hidden_layers": 4, "local_attention": 64, "cls_token_id": 1, "sep_token_id": 2},
    "flan-t5-base": T5,
    "mbart-large-50": LATE,
    "nllb-200-distilled-600m": LATE,
    "pegasus-large": LATE,
    "opus-mt-en-de": LATE | {"decoder_vocab_size": 97, "decoder_start_token_id": 0},
}  # fmt: skip

SMALL = {name: (DENSE | ENCODERS)[name] | change for name, change in CHANGES.items()}
