"""Options that say what a time assumes beyond ideal roofs: launches, overlap, efficiencies, tiles. All are off unless given."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.quantities.conventions import Convention, Efficiency


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


def assumed(arguments: argparse.Namespace, convention: Convention) -> Convention:
    """A convention with what the options change in it, which its name then says."""
    from dataclasses import replace

    changes: dict[str, object] = {}
    for option in ("overhead", "overlap"):
        given = getattr(arguments, option, None)
        if given is not None:
            changes[option] = given
    shares = tuple(_efficiency(text) for text in getattr(arguments, "efficiency", ()))
    if shares:
        changes["efficiencies"] = (*convention.efficiencies, *shares)
    if not changes:
        return convention
    return replace(convention, name=f"{convention.name} with options", **changes)  # type: ignore[arg-type]


def _efficiency(text: str) -> Efficiency:
    from fractions import Fraction

    from roofdsl.cli.loading import argument
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import BAD_EFFICIENCY
    from roofdsl.quantities.conventions import Efficiency

    name, _, share = text.partition("=")
    try:
        value = Fraction(share)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not name or not 0 < value <= 1:
        expected = "NAME=SHARE with a share above 0 and at most 1"
        fail(BAD_EFFICIENCY, argument(text, "--efficiency"), "not an efficiency", expected=expected, found=text)
    return Efficiency(name.strip(), value, argument(text, "--efficiency"))
