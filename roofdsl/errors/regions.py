"""E050x: regions and placements."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

UNKNOWN_REGION = Kind(
    "E0501",
    "no such region or instance",
    "`fused PATH` and `checkpoint PATH` in braces name a region, a block instance or an op call by the end of its path "
    "(`attention.core`, `layer`). Nothing of that name was met while elaborating.",
)
