"""Saved bytes of a transformer block: those derived are those autograd really keeps, difference 0, in nine variants.

`eager.roof` is the block as the framework's operators run it; the laws are what it derives, written out. What the
operators keep beside their operands is stated in that text (two statistics of a norm, the masks of a dropout, the row
sums of fused attention, copies of weights under autocast); the rest follows.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from roofdsl import load_text
from tests.torch.derived import numbers
from tests.torch.eager import Block, Core, Drop, native, noise, none, saved, size

TEXT = (Path(__file__).parent / "eager.roof").read_text(encoding="utf-8")
FP32 = "default activations fp32\ndefault params fp32\n"
SHAPES = [(16, 2, 24, 3), (8, 1, 16, 2), (24, 3, 40, 5)]
BF16 = torch.bfloat16

VARIANTS: dict[str, tuple[str, str, tuple[Drop, Core, float], torch.dtype, bool]] = {
    "fused dropout": ("layer", "34sbh + 5as²b + 8sb", (native, "plain", 0.0), BF16, False),
    "dropout of a CPU": ("layer_noise", "36sbh + 6as²b + 8sb", (noise, "plain", 0.0), BF16, False),
    "no dropout": ("layer_plain", "32sbh + 2as²b + 8sb", (none, "plain", 0.0), BF16, False),
    "causal": ("layer_causal", "34sbh + 5as²b + 8sb + s²", (native, "causal", 0.0), BF16, False),
    "fp32": ("layer", "66sbh + 9as²b + 16sb", (native, "plain", 0.0), torch.float32, False),
    "fused attention": ("layer_flash_copied", "34sbh + 4asb + 8sb", (none, "copied", 0.0), BF16, False),
    "fused attention, views": ("layer_flash", "32sbh + 4asb + 8sb", (none, "flash", 0.0), BF16, False),
    "fused attention with dropout": ("layer_fallback", "40sbh + 12as²b + 8sb", (native, "flash", 0.1), BF16, False),
    "autocast": ("layer_autocast", "38sbh + 5as²b + 16sb + 24h²", (native, "plain", 0.0), torch.float32, True),
}


def text_of(variant: str) -> str:
    return FP32 + TEXT if variant == "fp32" else TEXT


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("variant", VARIANTS)
def test_bytes_are_those_autograd_keeps(variant: str, shape: tuple[int, int, int, int]) -> None:
    block, _, settings, dtype, autocast = VARIANTS[variant]
    s, b, h, a = shape
    measured = size(saved(Block(h, a, *settings), (s, b, h), dtype=dtype, autocast=autocast))
    sizes = {"s": s, "b": b, "h": h, "a": a}
    assert numbers(text_of(variant), sizes, f"saved({block})", config=None) == [measured]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_law_is_derived(variant: str) -> None:
    block, law, *_ = VARIANTS[variant]
    assert load_text(text_of(variant)).verify(f"saved({block}) = {law}")


def test_the_published_formula_lacks_four_vectors() -> None:
    """34sbh + 5as²b, which `gpt3` derives, is all that is kept but for mean and reciprocal deviation of both norms."""
    s, b, h, a = SHAPES[0]
    tensors = saved(Block(h, a, native), (s, b, h), dtype=BF16)
    statistics = [tensor for tensor in tensors if tensor.shape == (s, b, 1)]
    assert len(statistics) == 4
    (derived,) = numbers('use "gpt3"\n', {"s": s, "b": b, "h": h, "a": a}, "saved(layer)", config=None)
    assert size(tensors) - size(statistics) == derived == 34 * s * b * h + 5 * a * s * s * b
