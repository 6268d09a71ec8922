"""The field's rule of thumb: FLOP of a phase from the number of parameters and tokens alone.

A parameter that multiplies does so once for each token, a multiplication and an addition; backward computes two products
for each of the forward's.
"""

from __future__ import annotations

from roofdsl.quantities.quantity import Asked

_FORWARD = 2
_BACKWARD = 2 * _FORWARD


def flop_per_parameter(phase: Asked | None) -> int:
    """FLOP for each parameter and token: 2 forward, 4 backward, 6 of a training step."""
    match phase:
        case "train" | "hardware":
            return _FORWARD + _BACKWARD
        case "backward":
            return _BACKWARD
        case _:
            return _FORWARD
