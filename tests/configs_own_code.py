"""Published configurations of decoders that come with code of their own, of which the framework has no model."""

from __future__ import annotations

from tests.configs import BF16, FILE, llama
from tests.configs_dense import named

CHATGLM = {
    "add_bias_linear": False, "add_qkv_bias": True, "apply_query_key_layer_scaling": True, "attention_dropout": 0.0,
    "apply_residual_connection_post_layernorm": False, "attention_softmax_in_fp32": True, "bias_dropout_fusion": True,
    "ffn_hidden_size": 13696, "fp32_residual_connection": False, "hidden_dropout": 0.0, "hidden_size": 4096,
    "kv_channels": 128, "layernorm_epsilon": 1e-05, "multi_query_attention": True, "multi_query_group_num": 2,
    "num_attention_heads": 32, "num_layers": 28, "original_rope": True, "padded_vocab_size": 65024, "post_layer_norm": True,
    "rmsnorm": True, "seq_length": 8192, "tie_word_embeddings": False, "torch_dtype": "float16",
}  # fmt: skip

OWN_CODE = {
    "qwen-7b": FILE | {
        "architectures": ["QWenLMHeadModel"], "model_type": "qwen", "attn_dropout_prob": 0.0, "bf16": False,
        "emb_dropout_prob": 0.0, "fp16": False, "fp32": False, "hidden_size": 4096, "intermediate_size": 22016,
        "kv_channels": 128, "layer_norm_epsilon": 1e-06, "max_position_embeddings": 8192, "no_bias": True,
        "num_attention_heads": 32, "num_hidden_layers": 32, "onnx_safe": None, "rotary_emb_base": 10000, "rotary_pct": 1.0,
        "scale_attn_weights": True, "seq_length": 8192, "tie_word_embeddings": False, "tokenizer_class": "QWenTokenizer",
        "use_dynamic_ntk": True, "use_flash_attn": "auto", "use_logn_attn": True, "vocab_size": 151936},
    "minicpm-2b": named("MiniCPMForCausalLM", "minicpm", llama(2304, 40, 36, 36, 5760, 122753, 4096), dim_model_base=256,
                        scale_depth=1.4, scale_emb=12),
    "internlm-7b": named("InternLMForCausalLM", "internlm", llama(4096, 32, 32, None, 11008, 103168, 2048), bias=True,
                         tie_word_embeddings=False),
    "internlm2-7b": named("InternLM2ForCausalLM", "internlm2", llama(4096, 32, 32, 8, 14336, 92544, 32768), bias=False,
                          attn_implementation="eager", tie_word_embeddings=False),
    "internlm3-8b": named("InternLM3ForCausalLM", "internlm3", llama(4096, 48, 32, 2, 10240, 128512, 32768), bias=False,
                          head_dim=128, qkv_bias=False, tie_word_embeddings=False),
    "baichuan2-7b": named("BaichuanForCausalLM", "baichuan", llama(4096, 32, 32, None, 11008, 125696, 4096),
                          model_max_length=4096, tie_word_embeddings=False, z_loss_weight=0),
    "chatglm3-6b": named("ChatGLMModel", "chatglm", CHATGLM),
    "exaone-3.5-7.8b": named("ExaoneForCausalLM", "exaone", FILE, BF16, activation_function="silu", attention_dropout=0.0,
                             embed_dropout=0.0, head_dim=128, hidden_size=4096, intermediate_size=14336,
                             layer_norm_epsilon=1e-05, max_position_embeddings=32768, num_attention_heads=32,
                             num_key_value_heads=8, num_layers=32, rope_theta=1000000, tie_word_embeddings=False,
                             vocab_size=102400),
}  # fmt: skip

OWN_CODE_TOTALS = {
    "qwen-7b": 7_721_324_544,
    "minicpm-2b": 2_724_880_896,
    "internlm-7b": 7_321_948_160,
    "internlm2-7b": 7_737_708_544,
    "internlm3-8b": 8_804_241_408,
    "baichuan2-7b": 7_505_973_248,
    "chatglm3-6b": 6_243_584_000,
    "exaone-3.5-7.8b": 7_818_448_896,
}
