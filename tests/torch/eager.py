"""A small pre-norm transformer block in PyTorch, and what autograd keeps of it: every storage once, weights left out."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Literal

import torch
from torch import nn
from torch.nn import functional

Drop = Callable[[torch.Tensor], torch.Tensor]
Core = Literal["plain", "causal", "flash", "copied"]


def native(x: torch.Tensor) -> torch.Tensor:
    """Dropout as one kernel, which keeps a mask of a byte per element."""
    return torch.native_dropout(x, 0.1, True)[0]


def noise(x: torch.Tensor) -> torch.Tensor:
    """Dropout as a CPU does it: a product with noise in the format of the operand."""
    return functional.dropout(x, 0.1, training=True)


def none(x: torch.Tensor) -> torch.Tensor:
    """No dropout."""
    return x


class Block(nn.Module):
    """Attention and MLP, with one matrix for queries, keys and values. `core` says how scores become context: step by
    step, with a causal mask, or fused (`copied`: heads apart in memory, as a framework's models often have them).
    """

    def __init__(self, h: int, a: int, drop: Drop, core: Core = "plain", chance: float = 0.0) -> None:
        super().__init__()
        self.a, self.drop, self.core, self.chance = a, drop, core, chance
        self.norm1, self.norm2 = nn.LayerNorm(h), nn.LayerNorm(h)
        self.qkv, self.out = nn.Linear(h, 3 * h), nn.Linear(h, h)
        self.up, self.down = nn.Linear(h, 4 * h), nn.Linear(4 * h, h)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        r = x + self.attention(self.norm1(x))
        return r + self.drop(self.down(functional.gelu(self.up(self.norm2(r)))))

    def attention(self, x: torch.Tensor) -> torch.Tensor:
        parts = self.qkv(x).chunk(3, -1)
        context = self.stepwise(*parts) if self.core in ("plain", "causal") else self.fused(*parts)
        return self.drop(self.out(context))

    def stepwise(self, *parts: torch.Tensor) -> torch.Tensor:
        s, b, h = parts[0].shape
        q, k, v = (part.reshape(s, b * self.a, h // self.a).transpose(0, 1) for part in parts)
        scores = torch.bmm(q, k.transpose(1, 2)) * (1 / math.sqrt(h // self.a))
        if self.core == "causal":
            scores = scores.masked_fill(torch.ones(s, s, dtype=torch.bool).triu(1), float("-inf"))
        return torch.bmm(self.drop(torch.softmax(scores, -1)), v).transpose(0, 1).reshape(s, b, h)

    def fused(self, *parts: torch.Tensor) -> torch.Tensor:
        s, b, h = parts[0].shape
        heads = [part.view(s, b, self.a, h // self.a).permute(1, 2, 0, 3) for part in parts]
        if self.core == "copied":
            heads = [part.contiguous() for part in heads]
        context = functional.scaled_dot_product_attention(*heads, dropout_p=self.chance)
        return context.permute(2, 0, 1, 3).reshape(s, b, h)


@contextlib.contextmanager
def kept(model: nn.Module) -> Iterator[dict[int, torch.Tensor]]:
    """What autograd saves inside the block, by storage; each is held, so that no address is used twice."""
    own = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    found: dict[int, torch.Tensor] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        address = tensor.untyped_storage().data_ptr()
        if address not in own:
            found.setdefault(address, tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        yield found


def saved(
    block: Block, shape: tuple[int, int, int], *, dtype: torch.dtype, autocast: bool = False
) -> list[torch.Tensor]:
    """The tensors kept by one forward of an input of this shape (s, b, h)."""
    block = block.to(dtype)
    x = torch.randn(shape, dtype=dtype, requires_grad=True)
    with kept(block) as found, torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
        block(x)
    return list(found.values())


def size(tensors: list[torch.Tensor]) -> int:
    """Bytes of their storages."""
    return sum(tensor.untyped_storage().nbytes() for tensor in tensors)
