"""E051x: fused regions as kernels."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

UNKNOWN_TILE = Kind(
    "E0511",
    "a tiled index is no dimension of the region",
    "`fused core tile s = Br` names an index of a tensor the region reads or writes. An operand without that index is "
    "read once per tile, ceil(s/Br) times; an index that no tensor has cannot be tiled.",
)
