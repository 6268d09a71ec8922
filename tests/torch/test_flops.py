"""FLOP of products: those derived are those the framework's counter sees, forward and backward, to the unit.

Windows are as wide as the sequence: an eager framework computes what a narrower one masks. Everything else is as it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.torch import small, small_dense, small_moe
from tests.torch.derived import imported, numbers
from tests.torch.framework import build, corrections, flops, parameters

SMALL = small.SMALL | small_dense.SMALL | small_moe.SMALL
B, S, U = 2, 12, 8


def inputs(name: str) -> tuple[dict[str, torch.Tensor], dict[str, int]]:
    """What the framework's model takes, and the sizes that is."""
    tokens = torch.randint(3, 90, (B, S))
    if name.startswith("vit"):
        return {"pixel_values": torch.randn(B, 3, 32, 32)}, {"b": B}
    if name.startswith("whisper"):
        return {"input_features": torch.randn(B, 10, 40), "decoder_input_ids": tokens}, {"s": S, "b": B}
    if SMALL[name].get("is_encoder_decoder"):
        source = torch.randint(3, 90, (B, U))
        return {"input_ids": source, "decoder_input_ids": tokens}, {"s": S, "b": B, "u": U}
    return {"input_ids": tokens}, {"s": S, "b": B}


UNSUMMED = {"qwen1.5-moe-a2.7b": 2 * B * S * 48}
"""A product that nothing is added up of (the adjoint of a gate's one number per token with respect to what it is of) is
counted as if it had an addition per element.
"""

EXACT = [name for name in SMALL if not name.startswith("mamba")]


@pytest.mark.parametrize("name", EXACT)
def test_forward_and_backward(name: str, tmp_path: Path) -> None:
    model = build(SMALL[name])
    arguments, sizes = inputs(name)
    text = imported(SMALL[name], tmp_path)
    held, forward, backward = numbers(text, sizes, "params(mine)", "flops(mine)", "flops(mine, backward)")
    assert held == parameters(model) + corrections(model)
    counted = flops(model, arguments)
    assert (forward, backward) == (counted[0], counted[1] - UNSUMMED.get(name, 0))


def test_enough_architectures_are_compared() -> None:
    assert len({SMALL[name]["model_type"] for name in EXACT}) >= 30


@pytest.mark.parametrize("name", ["gemma-2-9b", "gpt-oss-20b"])
def test_a_window_saves_what_a_mask_does_not(name: str, tmp_path: Path) -> None:
    """With a window of 5 the framework still multiplies all s·s pairs of a local layer; derived are those inside: what
    lies below the window is left out, 4 FLOP per pair and element forward and 8 backward.
    """
    config = SMALL[name] | {"sliding_window": 5}
    counted = flops(build(config), inputs(name)[0])
    text = imported(config, tmp_path)
    forward, backward = numbers(text, inputs(name)[1], "flops(mine)", "flops(mine, backward)")
    below = sum(max(0, row - 5 + 1) for row in range(S))
    left_out = 4 * B * below * 6 * 12
    assert (counted[0] - forward, counted[1] - backward) == (left_out, 2 * left_out)


def test_mamba_but_for_what_its_counter_does_not_know(tmp_path: Path) -> None:
    """The convolution of the reference runs over J − 1 positions more and throws them away; the formula for its backward
    takes a grouped convolution for a dense one, so it is left out on both sides; and a product of two vectors without a
    sum (the adjoint of c with respect to the state) is counted as if it had one addition per element.
    """
    name = "mamba-130m"
    config, (arguments, sizes) = SMALL[name], inputs(name)
    inner, taps, state, layers = 96, 4, 16, 2
    model = build(config).eval()
    counted, _ = flops(model, arguments)
    backward = _backward_without_convolution(model, arguments)
    text = imported(config, tmp_path)
    derived = numbers(
        text, sizes, "flops(mine)", "flops(mine, backward)", "flops(mine.layer.mamba.short_conv, backward)"
    )
    assert counted - derived[0] == layers * 2 * B * (taps - 1) * inner * taps
    assert backward - (derived[1] - derived[2]) == layers * B * S * inner * state


def _backward_without_convolution(model: torch.nn.Module, arguments: dict[str, torch.Tensor]) -> int:
    from torch.utils.flop_counter import FlopCounterMode

    result = model(**arguments).logits.sum()
    with FlopCounterMode(display=False) as counter:
        result.backward()
    return sum(n for op, n in counter.get_flop_counts()["Global"].items() if "convolution" not in str(op))
