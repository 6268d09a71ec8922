"""Bounds on what one run accepts, so that hostile or broken input ends in a quick diagnostic and never in a hang.

One value is passed to whoever needs a bound; nothing here is changed at run time.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a text, of its tokens and of its numbers; counts, and lengths in characters."""

    tokens: int = 1_000_000
    brackets: int = 200
    tree_depth: int = 250
    numeral_length: int = 40
    decimal_exponent: int = 400
    name_length: int = 64
    power_exponent: int = 1000
    power_digits: int = 400
    syntax_errors: int = 20


LIMITS = Limits()
