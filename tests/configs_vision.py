"""Published configurations of models of images and text, as their `config.json` has them, and their parameter counts."""

from __future__ import annotations

from tests.configs import BF16, FILE, sized
from tests.configs_dense import named

SIGLIP = {"hidden_size": 1152, "intermediate_size": 4304, "model_type": "siglip_vision_model", "num_attention_heads": 16,
          "num_hidden_layers": 27, "patch_size": 14, "vision_use_head": False}  # fmt: skip
CLIP = {"hidden_size": 1024, "image_size": 336, "intermediate_size": 4096, "model_type": "clip_vision_model",
        "num_attention_heads": 16, "num_hidden_layers": 24, "patch_size": 14, "projection_dim": 768, "vocab_size": 32000}  # fmt: skip
VICUNA = {"_name_or_path": "vicuna", "architectures": ["LlamaForCausalLM"], "max_position_embeddings": 4096,
          "model_type": "llama", "rms_norm_eps": 1e-05, "torch_dtype": "float16", "vocab_size": 32064}  # fmt: skip
VICUNA_13B = VICUNA | {"hidden_size": 5120, "intermediate_size": 13824, "num_attention_heads": 40, "num_hidden_layers": 40,
                       "num_key_value_heads": 40}  # fmt: skip
MISTRAL = {"_name_or_path": "mistral", "architectures": ["MistralForCausalLM"], "intermediate_size": 14336,
           "max_position_embeddings": 32768, "model_type": "mistral", "num_key_value_heads": 8, "rms_norm_eps": 1e-05,
           "rope_theta": 1000000.0, "sliding_window": None, "torch_dtype": "bfloat16", "vocab_size": 32064}  # fmt: skip


def llava(kind: str, architecture: str, text: dict, vision: dict, **others: object) -> dict:
    own = {"ignore_index": -100, "image_token_index": 32000, "projector_hidden_act": "gelu", "text_config": text,
           "tie_word_embeddings": False, "vision_config": vision, "vision_feature_layer": -2,
           "vision_feature_select_strategy": "default"}  # fmt: skip
    return named(architecture, kind, own, {"torch_dtype": "float16", "transformers_version": "4.36.0"}, others)


def llava_next(text: dict) -> dict:
    grid = [[336, 672], [672, 336], [672, 672], [1008, 336], [336, 1008]]
    return llava("llava_next", "LlavaNextForConditionalGeneration", text, CLIP, image_grid_pinpoints=grid,
                 use_image_newline_parameter=True)  # fmt: skip


def gemma3(text: dict) -> dict:
    own = {"boi_token_index": 255999, "eoi_token_index": 256000, "image_token_index": 262144, "initializer_range": 0.02,
           "mm_tokens_per_image": 256, "text_config": text, "torch_dtype": "bfloat16", "transformers_version": "4.50.0",
           "vision_config": SIGLIP | {"image_size": 896}}  # fmt: skip
    return named("Gemma3ForConditionalGeneration", "gemma3", own)


def gemma3_text(h: int, layers: int, f: int, **others: object) -> dict:
    rope = {"factor": 8.0, "rope_type": "linear"}
    return {"hidden_size": h, "intermediate_size": f, "model_type": "gemma3_text", "num_hidden_layers": layers,
            "rope_scaling": rope, "sliding_window": 1024, **others}  # fmt: skip


def paligemma(size: int) -> dict:
    text = {"hidden_size": 2048, "intermediate_size": 16384, "model_type": "gemma", "num_attention_heads": 8,
            "num_hidden_layers": 18, "num_image_tokens": (size // 14) ** 2, "num_key_value_heads": 1,
            "torch_dtype": "float32", "vocab_size": 257216}  # fmt: skip
    vision = SIGLIP | {"num_image_tokens": (size // 14) ** 2, "projection_dim": 2048, "projector_hidden_act": "gelu_fast",
                       "torch_dtype": "float32", "image_size": size}  # fmt: skip
    own = {"bos_token_id": 2, "eos_token_id": 1, "hidden_size": 2048, "ignore_index": -100, "image_token_index": 257152,
           "pad_token_id": 0, "projection_dim": 2048, "text_config": text, "torch_dtype": "float32",
           "transformers_version": "4.41.0", "vision_config": vision}  # fmt: skip
    return named("PaliGemmaForConditionalGeneration", "paligemma", own)


def qwen2_vl(h: int, layers: int, a: int, g: int, f: int, v: int, tied: bool, **others: object) -> dict:
    vision = {"depth": 32, "embed_dim": 1280, "mlp_ratio": 4, "num_heads": 16, "in_chans": 3, "hidden_size": h, "patch_size": 14,
              "spatial_merge_size": 2, "spatial_patch_size": 14, "temporal_patch_size": 2}  # fmt: skip
    own = {"attention_dropout": 0.0, "hidden_act": "silu", "image_token_id": 151655, "max_position_embeddings": 32768,
           "max_window_layers": layers, "num_key_value_heads": g, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0,
           "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}, "sliding_window": 32768,
           "tie_word_embeddings": tied, "use_sliding_window": False, "video_token_id": 151656, "vision_config": vision,
           "vision_end_token_id": 151653, "vision_start_token_id": 151652, "vision_token_id": 151654}  # fmt: skip
    return named("Qwen2VLForConditionalGeneration", "qwen2_vl", FILE, BF16, sized(h, layers, a, f, v), own, others)


def qwen2_5_vl(h: int, layers: int, a: int, g: int, f: int, v: int, tied: bool, width: int = 3420) -> dict:
    vision = {"depth": 32, "hidden_act": "silu", "hidden_size": 1280, "intermediate_size": width, "num_heads": 16, "in_chans": 3,
              "out_hidden_size": h, "patch_size": 14, "spatial_merge_size": 2, "spatial_patch_size": 14, "window_size": 112,
              "fullatt_block_indexes": [7, 15, 23, 31], "tokens_per_second": 2, "temporal_patch_size": 2}  # fmt: skip
    return qwen2_vl(h, layers, a, g, f, v, tied) | {
        "architectures": ["Qwen2_5_VLForConditionalGeneration"], "model_type": "qwen2_5_vl", "vision_config": vision,
        "max_position_embeddings": 128000,
    }  # fmt: skip


def qwen3_vl(h: int, layers: int, a: int, f: int, tied: bool, depth: int, width: int) -> dict:
    text = sized(h, layers, a, f, 151936, num_key_value_heads=8) | {
        "attention_bias": False, "attention_dropout": 0.0, "head_dim": 128, "hidden_act": "silu", "initializer_range": 0.02,
        "max_position_embeddings": 262144, "model_type": "qwen3_vl_text", "rms_norm_eps": 1e-06, "rope_theta": 5000000,
        "rope_scaling": {"mrope_interleaved": True, "mrope_section": [24, 20, 20], "rope_type": "default"}, "use_cache": True,
        "dtype": "bfloat16",
    }  # fmt: skip
    indexes = [5, 11, 17] if depth == 24 else [8, 16, 24]
    vision = {"deepstack_visual_indexes": indexes, "depth": depth, "hidden_act": "gelu_pytorch_tanh", "hidden_size": width,
              "in_channels": 3, "initializer_range": 0.02, "intermediate_size": 4096 if depth == 24 else 4304, "model_type": "qwen3_vl",
              "num_heads": 16, "num_position_embeddings": 2304, "out_hidden_size": h, "patch_size": 16, "spatial_merge_size": 2,
              "temporal_patch_size": 2}  # fmt: skip
    own = {"image_token_id": 151655, "text_config": text, "tie_word_embeddings": tied, "transformers_version": "4.57.0",
           "video_token_id": 151656, "vision_config": vision, "vision_end_token_id": 151653, "vision_start_token_id": 151652}  # fmt: skip
    return named("Qwen3VLForConditionalGeneration", "qwen3_vl", own)


def smolvlm(h: int, layers: int, a: int, g: int, f: int, vision: dict, scale: int) -> dict:
    text = sized(h, layers, a, f, 49280, num_key_value_heads=g) | {
        "architectures": ["LlamaForCausalLM"], "attention_bias": False, "attention_dropout": 0.0, "head_dim": h // a,
        "hidden_act": "silu", "max_position_embeddings": 8192, "mlp_bias": False, "model_type": "llama", "rms_norm_eps": 1e-05,
        "pixel_shuffle_factor": scale, "qk_layer_norms": False, "rope_theta": 100000, "torch_dtype": "bfloat16",
        "use_resampler": False,
    }  # fmt: skip
    own = {"image_token_id": 49190, "scale_factor": scale, "text_config": text, "tie_word_embeddings": False,
           "torch_dtype": "bfloat16", "vision_config": vision, "vocab_size": 49280}  # fmt: skip
    return named("Idefics3ForConditionalGeneration", "idefics3", own)


SMALL_SIGLIP = {"hidden_size": 768, "image_size": 512, "intermediate_size": 3072, "max_image_size": {"longest_edge": 512},
                "model_type": "smolvlm_vision", "num_attention_heads": 12, "num_hidden_layers": 12, "patch_size": 16,
                "size": {"longest_edge": 2048}, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
                "use_base_siglip": True}  # fmt: skip
PIXTRAL = {"head_dim": 64, "hidden_act": "silu", "hidden_size": 1024, "image_size": 1540, "initializer_range": 0.02,
           "intermediate_size": 4096, "model_type": "pixtral", "num_attention_heads": 16, "num_channels": 3,
           "num_hidden_layers": 24, "patch_size": 14, "rope_theta": 10000.0, "attention_dropout": 0.0}  # fmt: skip
MISTRAL_SMALL = {"attention_dropout": 0.0, "head_dim": 128, "hidden_act": "silu", "hidden_size": 5120, "initializer_range": 0.02,
                 "intermediate_size": 32768, "max_position_embeddings": 131072, "model_type": "mistral",
                 "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8, "rms_norm_eps": 1e-05,
                 "rope_theta": 1000000000.0, "sliding_window": None, "use_cache": True, "vocab_size": 131072}  # fmt: skip
NEMO = {"hidden_size": 5120, "head_dim": 128, "intermediate_size": 14336, "max_position_embeddings": 1024000,
        "model_type": "mistral", "num_hidden_layers": 40, "num_key_value_heads": 8, "rms_norm_eps": 1e-05,
        "num_attention_heads": 32, "rope_theta": 1000000000.0, "sliding_window": None, "vocab_size": 131072}  # fmt: skip

VISION: dict[str, dict] = {
    "llava-1.5-7b": llava("llava", "LlavaForConditionalGeneration", VICUNA, CLIP),
    "llava-1.5-13b": llava("llava", "LlavaForConditionalGeneration", VICUNA_13B, CLIP),
    "llava-1.6-mistral-7b": llava_next(MISTRAL),
    "llava-1.6-vicuna-7b": llava_next(VICUNA),
    "llava-1.6-vicuna-13b": llava_next(VICUNA_13B),
    "pixtral-12b": llava("llava", "LlavaForConditionalGeneration", NEMO, PIXTRAL | {"image_size": 1024, "patch_size": 16},
                         image_token_index=10, vision_feature_layer=-1, vision_feature_select_strategy="full"),
    "mistral-small-3.1-24b": named(
        "Mistral3ForConditionalGeneration", "mistral3", BF16, image_token_index=10, multimodal_projector_bias=False,
        projector_hidden_act="gelu", spatial_merge_size=2, text_config=MISTRAL_SMALL, tie_word_embeddings=False,
        vision_config=PIXTRAL, vision_feature_layer=-1,
    ),
    "paligemma-3b-224": paligemma(224),
    "paligemma-3b-448": paligemma(448),
    "gemma-3-4b-it": gemma3(gemma3_text(2560, 34, 10240)),
    "gemma-3-12b-it": gemma3(gemma3_text(3840, 48, 15360, num_attention_heads=16, num_key_value_heads=8)),
    "gemma-3-27b-it": gemma3(gemma3_text(5376, 62, 21504, num_attention_heads=32, num_key_value_heads=16, head_dim=128,
                                         query_pre_attn_scalar=168)),
    "qwen2-vl-2b": qwen2_vl(1536, 28, 12, 2, 8960, 151936, True),
    "qwen2-vl-7b": qwen2_vl(3584, 28, 28, 4, 18944, 152064, False),
    "qwen2-vl-72b": qwen2_vl(8192, 80, 64, 8, 29568, 152064, False),
    "qwen2.5-vl-3b": qwen2_5_vl(2048, 36, 16, 2, 11008, 151936, True),
    "qwen2.5-vl-7b": qwen2_5_vl(3584, 28, 28, 4, 18944, 152064, False),
    "qwen2.5-vl-72b": qwen2_5_vl(8192, 80, 64, 8, 29568, 152064, False, 3456),
    "qwen3-vl-2b": qwen3_vl(2048, 28, 16, 6144, True, 24, 1024),
    "qwen3-vl-4b": qwen3_vl(2560, 36, 32, 9728, True, 24, 1024),
    "qwen3-vl-8b": qwen3_vl(4096, 36, 32, 12288, False, 27, 1152),
    "smolvlm-256m": smolvlm(576, 30, 9, 3, 1536, SMALL_SIGLIP, 4),
    "smolvlm-500m": smolvlm(960, 32, 15, 5, 2560, SMALL_SIGLIP, 4),
}  # fmt: skip
VISION["qwen3-vl-30b-a3b"] = VISION["qwen3-vl-8b"] | {
    "architectures": ["Qwen3VLMoeForConditionalGeneration"], "model_type": "qwen3_vl_moe",
    "text_config": VISION["qwen3-vl-8b"]["text_config"] | {
        "hidden_size": 2048, "num_hidden_layers": 48, "num_key_value_heads": 4, "intermediate_size": 6144,
        "model_type": "qwen3_vl_moe_text", "decoder_sparse_step": 1, "mlp_only_layers": [], "moe_intermediate_size": 768,
        "norm_topk_prob": True, "num_experts": 128, "num_experts_per_tok": 8,
    },
    "vision_config": VISION["qwen3-vl-8b"]["vision_config"] | {"out_hidden_size": 2048, "model_type": "qwen3_vl_moe"},
}  # fmt: skip
VISION["smolvlm2-256m"] = VISION["smolvlm-256m"] | {
    "architectures": ["SmolVLMForConditionalGeneration"],
    "model_type": "smolvlm",
}
TEXTS = {"hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12, "num_hidden_layers": 12, "hidden_act": "quick_gelu",
         "attention_dropout": 0.0, "layer_norm_eps": 1e-05, "max_position_embeddings": 77, "model_type": "clip_text_model",
         "projection_dim": 768, "vocab_size": 49408}  # fmt: skip
VISION |= {
    "clip-vit-b32": named("CLIPModel", "clip", initializer_factor=1.0, logit_scale_init_value=2.6592, projection_dim=512,
                          text_config={"bos_token_id": 0, "eos_token_id": 2}, vision_config={"dropout": 0.0}),
    "clip-vit-b16": named("CLIPModel", "clip", initializer_factor=1.0, logit_scale_init_value=2.6592, projection_dim=512,
                          text_config={"bos_token_id": 0, "eos_token_id": 2}, vision_config={"patch_size": 16}),
    "clip-vit-l14": named("CLIPModel", "clip", logit_scale_init_value=2.6592, projection_dim=768, text_config=TEXTS,
                          vision_config=CLIP | {"image_size": 224, "hidden_act": "quick_gelu"}),
}  # fmt: skip

VISION_TOTALS = {
    "clip-vit-b32": 151_277_313,
    "clip-vit-b16": 149_620_737,
    "clip-vit-l14": 427_616_513,
    "llava-1.5-7b": 7_063_427_072,
    "llava-1.5-13b": 13_351_494_656,
    "llava-1.6-mistral-7b": 7_566_747_648,
    "llava-1.6-vicuna-7b": 7_063_431_168,
    "llava-1.6-vicuna-13b": 13_351_499_776,
    "pixtral-12b": 12_682_739_712,
    "mistral-small-3.1-24b": 24_011_361_280,
    "paligemma-3b-224": 2_923_466_480,
    "paligemma-3b-448": 2_924_351_216,
    "gemma-3-4b-it": 4_300_079_472,
    "gemma-3-12b-it": 12_187_325_040,
    "gemma-3-27b-it": 27_432_406_640,
    "qwen2-vl-2b": 2_208_985_600,
    "qwen2-vl-7b": 8_291_375_616,
    "qwen2-vl-72b": 73_405_560_320,
    "qwen2.5-vl-3b": 3_754_622_976,
    "qwen2.5-vl-7b": 8_292_166_656,
    "qwen2.5-vl-72b": 73_410_777_344,
    "qwen3-vl-2b": 2_127_532_032,
    "qwen3-vl-4b": 4_437_815_808,
    "qwen3-vl-8b": 8_767_123_696,
    "qwen3-vl-30b-a3b": 31_070_754_032,
    "smolvlm-256m": 256_484_928,
    "smolvlm2-256m": 256_484_928,
    "smolvlm-500m": 507_482_304,
}
