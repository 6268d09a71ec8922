"""Hybrids and state spaces beside the framework's own models: parameters, products with weights, and what is kept for the next
token, all to the unit.

The framework runs scans in chunks, whose products are another algorithm's; those with weights are the same in all. What is
left of the derived FLOP is attention, scans and convolutions, added up here from the sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from tests.torch.derived import imported, numbers
from tests.torch.framework import build, corrections, parameters
from tests.torch.small_hybrids import SMALL

B, S = 2, 12
ATTENTION = 6 * (12 + 12)
"""Products per pair of positions in one layer: six heads, keys and values of 12 numbers."""

REST: dict[str, tuple[int, int]] = {
    "lfm2-1.2b": (ATTENTION, 0),
    "lfm2-8b-a1b": (ATTENTION, 0),
    "falcon-h1-0.5b": (2 * ATTENTION, 2 * 96 * 8),
    "nemotron-h-8b": (ATTENTION, 96 * 8),
    "nemotron-3-nano-30b-a3b": (ATTENTION, 96 * 8),
    "qwen3.5-4b": (ATTENTION, 3 * 2 * 4 * 8 * 10),
    "qwen3.5-35b-a3b": (ATTENTION, 3 * 2 * 4 * 8 * 10),
    "qwen3-next-80b-a3b": (ATTENTION, 3 * 2 * 4 * 8 * 10),
    "kimi-linear-48b-a3b": (6 * (16 + 14), 3 * 2 * 3 * 8 * 8),
    "bamba-9b": (ATTENTION, 2 * 96 * 8),
    "granite-4.0-h-tiny": (ATTENTION, 2 * 96 * 8),
    "jamba-v0.1": (ATTENTION, 3 * 96 * 8),
    "minimax-text-01": (ATTENTION, 2 * 6 * 12 * 12),
    "codestral-mamba-7b": (0, 2 * 96 * 8),
    "falcon-mamba-7b": (0, 2 * 96 * 8),
    "rwkv-4-169m": (0, 0),
}
"""Products per pair of positions, and with states per position: one per number of a state, two where the delta rule reads it
twice.
"""


def products(model: torch.nn.Module, tokens: torch.Tensor) -> dict[str, int]:
    """FLOP of a forward by kind: `mm` is what has a matrix of weights."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(input_ids=tokens)
    return {str(kind).rpartition(".")[2]: count for kind, count in counter.get_flop_counts()["Global"].items()}


def kept(held: object, seen: set[int]) -> Iterator[torch.Tensor]:
    """All tensors of numbers in what the framework keeps for the next token, each once."""
    if id(held) in seen or isinstance(held, str | bytes | type):
        return
    seen.add(id(held))
    if isinstance(held, torch.Tensor):
        if held.is_floating_point():
            yield held
        return
    inside = held.values() if isinstance(held, dict) else held if isinstance(held, list | tuple) else ()
    for part in (*inside, *vars(held).values()) if hasattr(held, "__dict__") else inside:
        yield from kept(part, seen)


@pytest.mark.parametrize("name", SMALL)
def test_parameters_and_products_with_weights(name: str, tmp_path: Path) -> None:
    model = build(SMALL[name]).eval()
    held, forward = numbers(imported(SMALL[name], tmp_path), {"s": S, "b": B}, "params(mine)", "flops(mine)")
    assert held == parameters(model) + corrections(model)
    counted = products(model, torch.randint(3, 90, (B, S)))
    taps = 3 if name.startswith("lfm2") else 4
    convolutions = counted.get("convolution", 0) * S // (S + taps - 1)  # the reference pads, and throws results away
    pairs, states = REST[name]
    assert forward == counted["mm"] + convolutions + 2 * B * S * (S * pairs + states)


@pytest.mark.parametrize("name", SMALL)
def test_what_is_kept_for_the_next_token(name: str, tmp_path: Path) -> None:
    model = build(SMALL[name]).eval()
    with torch.no_grad():
        output = model(input_ids=torch.randint(3, 90, (B, S)), use_cache=True)
    found = [
        output[key] for key in ("cache", "past_key_values", "cache_params", "state") if output.get(key) is not None
    ]
    counted = sum(tensor.numel() for tensor in kept(found, set()) if tensor.dim() > 1)
    (derived,) = numbers(imported(SMALL[name], tmp_path), {"s": 1, "t": S, "b": B}, "cache(mine)")
    largest = (
        B * 48 * 2 if name == "rwkv-4-169m" else 0
    )  # it also keeps the largest exponent so far, per channel and layer
    assert derived == 2 * (counted - largest)
