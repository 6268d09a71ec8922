"""Models of images and text: FLOP of tower, projector and language model are those the framework's counter sees."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.configs_vision import VISION
from tests.torch.derived import imported, numbers
from tests.torch.framework import build, flops, parameters

S = 40
TEXT = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 2, "intermediate_size": 80,
        "vocab_size": 97, "max_position_embeddings": 64, "head_dim": 8, "pad_token_id": 0}  # fmt: skip
TOWER = {"hidden_size": 36, "num_hidden_layers": 3, "num_attention_heads": 6, "intermediate_size": 56, "patch_size": 8}
QWEN = {"depth": 3, "num_heads": 4, "patch_size": 8}
IMAGE = 96

FLOATS = {"torch_dtype": "float32"}


def small(name: str, vision: dict, **others: object) -> dict:
    """A published configuration at sizes that run in a moment; a part that is missing has its fields at the top."""
    config = VISION[name]
    text = TEXT | {"num_hidden_layers": 8, "sliding_window": 64} if name.startswith("gemma") else TEXT
    parts = {
        "vision_config": config["vision_config"] | vision | FLOATS,
        "image_token_id": IMAGE,
        "image_token_index": IMAGE,
    }
    inner = {"text_config": config["text_config"] | text | FLOATS} if "text_config" in config else text
    return config | inner | parts | FLOATS | others


RULED = {"rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]}}
SMALL = {
    "llava-1.5-7b": small("llava-1.5-7b", TOWER | {"image_size": 32}),
    "pixtral-12b": small("pixtral-12b", TOWER | {"image_size": 32, "hidden_size": 48, "head_dim": 8}),
    "mistral-small-3.1-24b": small("mistral-small-3.1-24b", TOWER | {"image_size": 32, "hidden_size": 48, "head_dim": 8}),
    "paligemma-3b-224": small("paligemma-3b-224", TOWER | {"image_size": 32, "projection_dim": 48}, projection_dim=48),
    "gemma-3-4b-it": small("gemma-3-4b-it", TOWER | {"image_size": 64}, mm_tokens_per_image=16),
    "qwen2-vl-7b": small("qwen2-vl-7b", QWEN | {"embed_dim": 32, "hidden_size": 48}, **RULED),
    "qwen2.5-vl-7b": small(
        "qwen2.5-vl-7b",
        QWEN | {"hidden_size": 32, "intermediate_size": 56, "out_hidden_size": 48, "fullatt_block_indexes": [1], "window_size": 32},
        **RULED,
    ),
    "smolvlm-256m": small("smolvlm-256m", TOWER | {"image_size": 32}, scale_factor=2),
}  # fmt: skip
TOKENS = {"llava-1.5-7b": 16, "pixtral-12b": 16, "mistral-small-3.1-24b": 4, "paligemma-3b-224": 16, "gemma-3-4b-it": 16,
          "qwen2-vl-7b": 16, "qwen2.5-vl-7b": 16, "smolvlm-256m": 4}  # fmt: skip


def inputs(name: str) -> tuple[dict[str, torch.Tensor], dict[str, int]]:
    """What the framework's model takes, one image per sequence, and the sizes that is."""
    kind = str(SMALL[name]["vision_config"].get("model_type"))
    batch = 1 if kind == "pixtral" else 2  # it joins all images into one sequence and masks what is not of one image
    tokens = torch.randint(3, 90, (batch, S))
    tokens[:, 2 : 2 + TOKENS[name]] = IMAGE
    vision = SMALL[name]["vision_config"]
    if "depth" in vision:
        grid = torch.tensor([[1, 8, 8]] * batch)
        pixels = torch.randn(batch * 64, 3 * 2 * vision["patch_size"] ** 2)
        types = (tokens == IMAGE).int()
        return {"input_ids": tokens, "pixel_values": pixels, "image_grid_thw": grid, "mm_token_type_ids": types}, {
            "s": S, "b": batch, "G": 8}  # fmt: skip
    side = vision["image_size"]
    pixels = torch.randn(batch, 3, side, side)
    if name.startswith("smolvlm"):
        pixels = pixels[:, None]
    given = {"input_ids": tokens, "pixel_values": pixels}
    if kind == "pixtral":
        given["image_sizes"] = torch.tensor([[side, side]] * batch)
    if name.startswith(("gemma", "paligemma")):
        given["token_type_ids"] = (tokens == IMAGE).int()
    return given, {"s": S, "b": batch}


@pytest.mark.parametrize("name", SMALL)
def test_forward_and_backward(name: str, tmp_path: Path) -> None:
    model = build(SMALL[name])
    arguments, sizes = inputs(name)
    text = imported(SMALL[name], tmp_path)
    held, forward, backward = numbers(text, sizes, "params(mine)", "flops(mine)", "flops(mine, backward)")
    assert held == parameters(model)
    assert (forward, backward) == flops(model, arguments)
