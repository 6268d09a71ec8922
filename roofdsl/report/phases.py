"""What utilisation may be asked of. Light, since the command line reads it for every command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.quantities.quantity import Asked

PHASES = ("train", "forward", "decode", "prefill", "infer")
"""`decode` is inference of one new token, `prefill` and `infer` at the sizes given."""


def inference(phase: str) -> Asked:
    """The phase that is derived for one of `PHASES`."""
    return "train" if phase == "train" else "forward" if phase == "forward" else "infer"
