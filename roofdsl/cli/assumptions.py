"""Options that say what a time assumes beyond ideal roofs: launches, overlap, efficiencies, tiles. All are off unless given."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.quantities.assumptions import Assumptions
    from roofdsl.quantities.conventions import Efficiency


def add_assumptions(parser: argparse.ArgumentParser) -> None:
    """`--overhead`, `--overlap`, `--efficiency`, `--tile`."""
    group = parser.add_argument_group("assumptions", "beyond ideal roofs; off unless given")
    group.add_argument("--overhead", choices=("none", "launch", "graph"), help="one launch per kernel, or one per step")
    group.add_argument(
        "--overlap", choices=("full", "none"), help="units and memory at the same time (full), or in turn"
    )
    group.add_argument(
        "--efficiency",
        metavar="NAME=SHARE",
        action="append",
        default=[],
        help="the share of its roofs a kernel, op, unit or memory level reaches: matmul=0.7, memory=0.9",
    )
    group.add_argument("--tile", metavar="RxC[xK]", help="matrix products in whole tiles and waves: 256x128")


def read_assumptions(arguments: argparse.Namespace) -> Assumptions:
    """What the options change in every convention; a verb may have only some of them."""
    from roofdsl.evaluate.tiling import read_tile
    from roofdsl.quantities.assumptions import Assumptions
    from roofdsl.source import word

    tile = getattr(arguments, "tile", None)
    return Assumptions(
        getattr(arguments, "overhead", None),
        getattr(arguments, "overlap", None),
        tuple(_efficiency(text) for text in getattr(arguments, "efficiency", ())),
        None if tile is None else read_tile(tile, word(tile, "--tile")),
    )


def _efficiency(text: str) -> Efficiency:
    from fractions import Fraction

    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import BAD_EFFICIENCY
    from roofdsl.quantities.conventions import Efficiency
    from roofdsl.source import word

    name, _, share = text.partition("=")
    try:
        value = Fraction(share.strip().removesuffix("%")) / (100 if share.strip().endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not name or not 0 < value <= 1:
        expected = "NAME=SHARE with a share above 0 and at most 1"
        fail(BAD_EFFICIENCY, word(text, "--efficiency"), "not an efficiency", expected=expected, found=text)
    return Efficiency(name.strip(), value, word(text, "--efficiency"))
