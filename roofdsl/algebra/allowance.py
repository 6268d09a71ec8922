"""What one proof may cost, in steps about as long as one term of a polynomial is handled: the same on every machine.

A proof that would take longer is given up, which leaves its statement undecided. Used up while a proof runs.
"""

from __future__ import annotations

from dataclasses import dataclass

STEPS = 400_000
"""About two seconds on a machine of 2024."""


class Spent(Exception):  # noqa: N818 (not an error: the proof is given up)
    """The allowance is used up."""


@dataclass(slots=True)
class Allowance:
    """Steps that may still be taken."""

    steps: int = STEPS

    def spend(self, steps: int) -> None:
        """Raises `Spent` once nothing is left."""
        self.steps -= steps
        if self.steps < 0:
            raise Spent
