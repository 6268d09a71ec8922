"""Models of a public framework, built from the same `config.json` that `roofdsl import` reads, and what it counts.

Two things are told to the framework, so that every product is one its counter sees: attention is eager (fused attention
on a CPU counts nothing), and experts are a loop (a grouped product is not counted).
"""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

CLASSES = {
    "MPTForCausalLM": "MptForCausalLM", "BertForMaskedLM": "BertModel", "RobertaForMaskedLM": "RobertaModel",
    "XLMRobertaForMaskedLM": "XLMRobertaModel", "CamembertForMaskedLM": "CamembertModel", "AlbertForMaskedLM": "AlbertModel",
    "DistilBertForMaskedLM": "DistilBertModel", "ElectraForPreTraining": "ElectraModel",
    "ModernBertForMaskedLM": "ModernBertModel",
}  # fmt: skip
"""Names that a file has for what the framework calls otherwise, or that name more than the shipped model."""

NOT_OF_THE_MODEL = ("architectures", "model_type", "auto_map", "quantization_config", "transformers_version")


def has(config: dict) -> bool:
    """Whether the framework has a class of this architecture: some publish their own."""
    name = config["architectures"][0]
    return hasattr(transformers, CLASSES.get(name, name))


def build(config: dict, device: str = "cpu") -> torch.nn.Module:
    """The model of a configuration, its weights as the framework begins with them (none on `meta`)."""
    fields = {name: value for name, value in config.items() if name not in NOT_OF_THE_MODEL}
    settings = transformers.AutoConfig.for_model(config["model_type"], **fields)
    settings._attn_implementation = "eager"
    settings._experts_implementation = "eager"
    settings.use_cache = False
    name = config["architectures"][0]
    kind = getattr(transformers, CLASSES.get(name, name))
    with torch.device(device):
        return kind(settings)


def parameters(model: torch.nn.Module) -> int:
    """Unique trainable values, a tied matrix once."""
    return sum(p.numel() for p in {id(p): p for p in model.parameters()}.values())


def corrections(model: torch.nn.Module) -> int:
    """What published files have and the framework has no parameter for: biases that correct a router's load, an output matrix."""
    biases = sum(b.numel() for name, b in model.named_buffers() if name.endswith(("correction_bias", "expert_bias")))
    return biases + _output_matrix(model)


def _output_matrix(model: torch.nn.Module) -> int:
    """The own output matrix of the later T5 and of mT5: published files have it, the framework ties it to the table."""
    if model.config.model_type != "mt5" and getattr(model.config, "scale_decoder_outputs", True):
        return 0
    return model.config.vocab_size * model.config.d_model


def flops(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> tuple[int, int]:
    """FLOP of products and convolutions, forward and backward, without those that only make rotary tables."""
    model.eval()
    with FlopCounterMode(display=False) as forward:
        output = model(**inputs)
    result = next(output[name] for name in ("logits", "pooler_output", "last_hidden_state") if name in output)
    with FlopCounterMode(display=False) as backward:
        result.float().sum().backward()
    return forward.get_total_flops() - _of_tables(forward), backward.get_total_flops()


def _of_tables(counter: FlopCounterMode) -> int:
    """What modules of rotary tables did: positions times frequencies, constants to a model."""
    return sum(
        sum(counts.values())
        for name, counts in counter.get_flop_counts().items()
        if name.rpartition(".")[2] in ("rotary_emb", "rotary_pos_emb")
    )
