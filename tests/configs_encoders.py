"""Published configurations of encoders, and of encoders with decoders, as their `config.json` has them."""

from __future__ import annotations

from tests.configs import CONFIGS, FILE, sized
from tests.configs_dense import named

LABELS = {"id2label": {"0": "a", "1": "b", "2": "c"}, "label2id": {"a": 0, "b": 1, "c": 2}}
DROPPED = {
    "attention_probs_dropout_prob": 0.1,
    "hidden_dropout_prob": 0.1,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
}


def encoder(architecture: str, kind: str, h: int, layers: int, a: int, v: int, n: int, **others: object) -> dict:
    """The fields BERT and its kin share."""
    own = DROPPED | {"max_position_embeddings": n, "pad_token_id": 0}
    return named(architecture, kind, FILE, sized(h, layers, a, 4 * h, v), own, others)


def roberta(architecture: str, kind: str, h: int, layers: int, a: int, v: int, **others: object) -> dict:
    own = {"pad_token_id": 1, "type_vocab_size": 1, "position_embedding_type": "absolute"}
    return encoder(architecture, kind, h, layers, a, v, 514, **(own | others))


def electra(architecture: str, h: int, a: int, narrow: int, **others: object) -> dict:
    own = {"embedding_size": narrow, "position_embedding_type": "absolute", "summary_activation": "gelu", "type_vocab_size": 2,
           "summary_last_dropout": 0.1, "summary_type": "first", "summary_use_proj": True}  # fmt: skip
    return encoder(architecture, "electra", h, 12, a, 30522, 512, **(own | others))


def distilbert(architecture: str, **others: object) -> dict:
    return named(architecture, "distilbert", FILE, activation="gelu", attention_dropout=0.1, dim=768, dropout=0.1, hidden_dim=3072,
                 max_position_embeddings=512, n_heads=12, n_layers=6, pad_token_id=0, qa_dropout=0.1, seq_classif_dropout=0.2,
                 sinusoidal_pos_embds=False, tie_weights_=True, vocab_size=30522, **others)  # fmt: skip


def albert(architecture: str, **others: object) -> dict:
    own = {"attention_probs_dropout_prob": 0, "classifier_dropout_prob": 0.1, "down_scale_factor": 1, "embedding_size": 128,
           "gap_size": 0, "hidden_act": "gelu_new", "hidden_dropout_prob": 0, "inner_group_num": 1, "net_structure_type": 0,
           "num_hidden_groups": 1, "num_memory_blocks": 0, "type_vocab_size": 2}  # fmt: skip
    return encoder(architecture, "albert", 768, 12, 12, 30000, 512) | own | others


def deberta(architecture: str, h: int, layers: int, a: int, **others: object) -> dict:
    own = {"max_relative_positions": -1, "norm_rel_ebd": "layer_norm", "pooler_dropout": 0, "pooler_hidden_act": "gelu",
           "pooler_hidden_size": h, "pos_att_type": "p2c|c2p", "position_biased_input": False, "position_buckets": 256,
           "relative_attention": True, "share_att_key": True, "type_vocab_size": 0}  # fmt: skip
    return encoder(architecture, "deberta-v2", h, layers, a, 128100, 512, **(own | others))


def t5(kind: str, h: int, layers: int, a: int, f: int, v: int, **others: object) -> dict:
    own = {"d_ff": f, "d_kv": 64, "d_model": h, "decoder_start_token_id": 0, "dropout_rate": 0.1, "initializer_factor": 1.0,
           "feed_forward_proj": "gated-gelu", "is_encoder_decoder": True, "layer_norm_epsilon": 1e-06, "num_heads": a,
           "num_decoder_layers": layers, "num_layers": layers, "relative_attention_max_distance": 128, "vocab_size": v,
           "relative_attention_num_buckets": 32, "pad_token_id": 0, "tie_word_embeddings": False}  # fmt: skip
    return named(
        "MT5ForConditionalGeneration" if kind == "mt5" else "T5ForConditionalGeneration", kind, FILE, own, others
    )


def bart(architecture: str, kind: str, h: int, layers: int, a: int, v: int, n: int, **others: object) -> dict:
    own = {"d_model": h, "encoder_layers": layers, "decoder_layers": layers, "encoder_attention_heads": a, "vocab_size": v,
           "decoder_attention_heads": a, "encoder_ffn_dim": 4 * h, "decoder_ffn_dim": 4 * h, "num_hidden_layers": layers,
           "max_position_embeddings": n}  # fmt: skip
    return CONFIGS["bart-large"] | named(architecture, kind, own, others)


MODERN = {
    "attention_bias": False, "attention_dropout": 0.0, "classifier_activation": "gelu", "classifier_bias": False,
    "classifier_dropout": 0.0, "classifier_pooling": "mean", "decoder_bias": True, "deterministic_flash_attn": False,
    "embedding_dropout": 0.0, "global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "gradient_checkpointing": False,
    "hidden_activation": "gelu", "initializer_cutoff_factor": 2.0, "layer_norm_eps": 1e-05, "local_attention": 128,
    "local_rope_theta": 10000.0, "max_position_embeddings": 8192, "mlp_bias": False, "mlp_dropout": 0.0, "norm_bias": False,
    "norm_eps": 1e-05, "pad_token_id": 50283, "position_embedding_type": "absolute", "reference_compile": None,
    "repad_logits_with_grad": False, "sparse_pred_ignore_index": -100, "sparse_prediction": False, "vocab_size": 50368,
}  # fmt: skip
NLLB = {"activation_function": "relu", "scale_embedding": True}

ENCODERS = {
    "vit-b16-in21k": CONFIGS["vit-b16-in1k"] | {"architectures": ["ViTModel"]},
    "roberta-base": roberta("RobertaForMaskedLM", "roberta", 768, 12, 12, 50265),
    "xlm-roberta-large": roberta("XLMRobertaForMaskedLM", "xlm-roberta", 1024, 24, 16, 250002, output_past=True),
    "camembert-base": roberta("CamembertForMaskedLM", "camembert", 768, 12, 12, 32005),
    "bert-for-classes": encoder("BertForSequenceClassification", "bert", 768, 12, 12, 30522, 512, type_vocab_size=2, **LABELS),
    "bert-for-tokens": encoder("BertForTokenClassification", "bert", 1024, 24, 16, 28996, 512, type_vocab_size=2, **LABELS),
    "roberta-for-classes": roberta("RobertaForSequenceClassification", "roberta", 1024, 24, 16, 50265, **LABELS),
    "roberta-for-answers": roberta("RobertaForQuestionAnswering", "roberta", 768, 12, 12, 50265),
    "distilbert-base": distilbert("DistilBertForMaskedLM"),
    "distilbert-for-classes": distilbert("DistilBertForSequenceClassification", finetuning_task="sst-2"),
    "distilbert-for-answers": distilbert("DistilBertForQuestionAnswering"),
    "albert-base-v2": albert("AlbertForMaskedLM"),
    "albert-for-classes": albert("AlbertForSequenceClassification"),
    "albert-for-tokens": albert("AlbertForTokenClassification", **LABELS),
    "electra-base": electra("ElectraForPreTraining", 768, 12, 768),
    "electra-small": electra("ElectraForPreTraining", 256, 4, 128),
    "electra-for-classes": electra("ElectraForSequenceClassification", 768, 12, 768, **LABELS),
    "electra-for-tokens": electra("ElectraForTokenClassification", 256, 4, 128, **LABELS),
    "deberta-v3-base": deberta("DebertaV2Model", 768, 12, 12),
    "deberta-for-classes": deberta("DebertaV2ForSequenceClassification", 1024, 24, 16, **LABELS),
    "deberta-for-tokens": deberta("DebertaV2ForTokenClassification", 768, 6, 12, pos_att_type=["p2c", "c2p"]),
    "modernbert-base": named("ModernBertForMaskedLM", "modernbert", MODERN, hidden_size=768, intermediate_size=1152,
                             num_attention_heads=12, num_hidden_layers=22),
    "flan-t5-base": t5("t5", 768, 12, 12, 2048, 32128, n_positions=512, output_past=True),
    "flan-t5-xxl": t5("t5", 4096, 24, 64, 10240, 32128, n_positions=512, dense_act_fn="gelu_new", is_gated_act=True),
    "mt5-small": t5("mt5", 512, 8, 6, 1024, 250112, tokenizer_class="T5Tokenizer"),
    "byt5-small": t5("t5", 1472, 12, 6, 3584, 384, num_decoder_layers=4),
    "t5-rectified": t5("t5", 512, 6, 8, 2048, 32128, feed_forward_proj="relu"),
    "bart-base": bart("BartModel", "bart", 768, 6, 12, 50265, 1024),
    "mbart-large-50": bart("MBartForConditionalGeneration", "mbart", 1024, 12, 16, 250054, 1024, add_final_layer_norm=True,
                           activation_function="relu", normalize_before=True, normalize_embedding=True, scale_embedding=True,
                           static_position_embeddings=False),
    "nllb-200-distilled-600m": bart("M2M100ForConditionalGeneration", "m2m_100", 1024, 12, 16, 256206, 1024, **NLLB),
    "pegasus-large": bart("PegasusForConditionalGeneration", "pegasus", 1024, 16, 16, 96103, 1024, add_final_layer_norm=True,
                          activation_function="relu", normalize_before=True, scale_embedding=True,
                          static_position_embeddings=True, pad_token_id=0),
    "opus-mt-en-de": bart("MarianMTModel", "marian", 512, 6, 8, 58101, 512, activation_function="swish", scale_embedding=True,
                          decoder_vocab_size=58101, share_encoder_decoder_embeddings=True, static_position_embeddings=True,
                          pad_token_id=58100, decoder_start_token_id=58100),
}  # fmt: skip

ENCODERS_TOTALS = {
    "vit-b16-in21k": 86_389_248,
    "roberta-base": 124_645_632,
    "xlm-roberta-large": 559_890_432,
    "camembert-base": 110_621_952,
    "bert-for-classes": 109_484_547,
    "bert-for-tokens": 332_532_739,
    "roberta-for-classes": 355_362_819,
    "roberta-for-answers": 124_056_578,
    "distilbert-base": 66_362_880,
    "distilbert-for-classes": 66_955_010,
    "distilbert-for-answers": 66_364_418,
    "albert-base-v2": 11_683_584,
    "albert-for-classes": 11_685_122,
    "albert-for-tokens": 11_095_299,
    "electra-base": 108_891_648,
    "electra-small": 13_483_008,
    "electra-for-classes": 109_484_547,
    "electra-for-tokens": 13_483_779,
    "deberta-v3-base": 183_831_552,
    "deberta-for-classes": 435_064_835,
    "deberta-for-tokens": 141_305_858,
    "modernbert-base": 149_014_272,
    "flan-t5-base": 247_577_856,
    "flan-t5-xxl": 11_135_332_352,
    "mt5-small": 300_176_768,
    "byt5-small": 299_637_760,
    "t5-rectified": 76_956_160,
    "bart-base": 139_420_416,
    "mbart-large-50": 610_879_488,
    "nllb-200-distilled-600m": 615_073_792,
    "pegasus-large": 570_797_056,
    "opus-mt-en-de": 74_410_496,
}
"""Bodies without the head that guesses words, as those of BERT are published; files for classes with what they add."""
