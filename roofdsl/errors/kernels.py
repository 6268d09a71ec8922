"""E051x: fused regions and tiles as kernels."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

NOT_CONTIGUOUS = Kind(
    "E0510",
    "a fused region is interrupted",
    "All calls of a fused region run as one kernel, so nothing outside the region may stand between them. Move the "
    "statement in between into the region or out of its way.",
)
UNKNOWN_TILE = Kind(
    "E0511",
    "a tiled index is no dimension of the region",
    "`fused core tile s = Br` names an index of a tensor the region reads or writes. An operand without that index is "
    "read once per tile, ceil(s/Br) times; an index that no tensor has cannot be tiled.",
)
