"""Published configurations of decoders without an output matrix, and of later relatives of shipped mixtures."""

from __future__ import annotations

from tests.configs import BF16, FILE, llama, qwen2, qwen3, sized
from tests.configs_dense import named

LABEL = {"id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}, "_num_labels": 1}
MISTRAL = llama(4096, 32, 32, 8, 14336, 32000, 32768, sliding_window=4096, tie_word_embeddings=False)
GLM_5 = FILE | BF16 | sized(6144, 78, 64, 12288, 154880) | {
    "architectures": ["GlmMoeDsaForCausalLM"], "model_type": "glm_moe_dsa", "attention_bias": False, "attention_dropout": 0.0,
    "ep_size": 1, "first_k_dense_replace": 3, "head_dim": 64, "hidden_act": "silu", "index_head_dim": 128,
    "index_n_heads": 32, "index_topk": 2048, "indexer_rope_interleave": True, "kv_lora_rank": 512,
    "max_position_embeddings": 202752, "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_group": 1,
    "n_routed_experts": 256, "n_shared_experts": 1, "norm_topk_prob": True, "num_experts_per_tok": 8,
    "num_key_value_heads": 64, "num_nextn_predict_layers": 1, "pretraining_tp": 1, "q_lora_rank": 2048, "qk_head_dim": 256,
    "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "rms_norm_eps": 1e-05, "rope_interleave": True,
    "rope_parameters": {"rope_theta": 1000000, "rope_type": "default"}, "routed_scaling_factor": 2.5,
    "scoring_func": "sigmoid", "tie_word_embeddings": False, "topk_group": 1, "topk_method": "noaux_tc", "v_head_dim": 256,
}  # fmt: skip
GLM_4_7_FLASH = FILE | BF16 | sized(2048, 47, 20, 10240, 154880) | {
    "architectures": ["Glm4MoeLiteForCausalLM"], "model_type": "glm4_moe_lite", "attention_bias": False,
    "attention_dropout": 0.0, "first_k_dense_replace": 1, "hidden_act": "silu", "kv_lora_rank": 512,
    "max_position_embeddings": 202752, "mlp_layer_types": ["dense", *["sparse"] * 46], "moe_intermediate_size": 1536,
    "n_group": 1, "n_routed_experts": 64, "n_shared_experts": 1, "norm_topk_prob": True, "num_experts_per_tok": 4,
    "num_key_value_heads": 20, "num_nextn_predict_layers": 1, "q_lora_rank": 768, "qk_nope_head_dim": 192,
    "qk_rope_head_dim": 64, "rms_norm_eps": 1e-05, "routed_scaling_factor": 1.8, "tie_word_embeddings": False,
    "topk_group": 1, "topk_method": "noaux_tc", "v_head_dim": 256,
}  # fmt: skip

OUTPUTS = {
    "llama-2-7b-body": named("LlamaModel", "llama", llama(4096, 32, 32, 32, 11008, 32000, 4096)),
    "e5-mistral-7b": named("MistralModel", "mistral", MISTRAL, sliding_window=4096),
    "qwen2-7b-body": named("Qwen2Model", "qwen2", qwen2(3584, 28, 28, 4, 18944, 152064)),
    "qwen3-8b-body": named("Qwen3Model", "qwen3", qwen3(4096, 36, 32, 8, 12288, False)),
    "skywork-reward-llama-3.1-8b": named("LlamaForSequenceClassification", "llama",
                                         llama(4096, 32, 32, 8, 14336, 128256, 131072, head_dim=128), LABEL),
    "mistral-7b-reward": named("MistralForSequenceClassification", "mistral", MISTRAL, LABEL),
    "qwen2.5-7b-reward": named("Qwen2ForSequenceClassification", "qwen2", qwen2(3584, 28, 28, 4, 18944, 152064), LABEL),
    "qwen3-8b-reward": named("Qwen3ForSequenceClassification", "qwen3", qwen3(4096, 36, 32, 8, 12288, False), LABEL),
    "mimo-7b": named("MiMoForCausalLM", "mimo", qwen2(4096, 36, 32, 8, 11008, 151680), attention_bias=True, head_dim=128,
                     num_nextn_predict_layers=1, rms_norm_eps=1e-05, use_mrope=False),
    "glm-5": GLM_5,
    "glm-4.7-flash": GLM_4_7_FLASH,
}  # fmt: skip

# A body has no output matrix; a reward has one row in its place.
OUTPUTS_TOTALS = {
    "llama-2-7b-body": 6738415616 - 32000 * 4096,
    "e5-mistral-7b": 7241732096 - 32000 * 4096,
    "qwen2-7b-body": 7615616512 - 152064 * 3584,
    "qwen3-8b-body": 8190735360 - 151936 * 4096,
    "skywork-reward-llama-3.1-8b": 8030261248 - 128256 * 4096 + 4096,
    "mistral-7b-reward": 7241732096 - 32000 * 4096 + 4096,
    "qwen2.5-7b-reward": 7615616512 - 152064 * 3584 + 3584,
    "qwen3-8b-reward": 8190735360 - 151936 * 4096 + 4096,
    "mimo-7b": 2 * 151680 * 4096 + 36 * (2 * 4096**2 + 2 * 4096 * 1024 + 6144 + 3 * 4096 * 11008 + 8192) + 4096,
    "glm-5": 743911218432,
    "glm-4.7-flash": 29943393920,
}
