"""What names mean where a size is asked for: lets, detached lets, bindings, declared minima, the causal convention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from roofdsl.ir.size import Size

if TYPE_CHECKING:
    from roofdsl.algebra.form import Normal
    from roofdsl.algebra.signs import Known

Causal = Literal["full", "half", "exact"]


@dataclass(frozen=True, slots=True)
class Scope:
    """`order` is the order of declaration of dims, then lets: the order formulas print in. A name in `bindings` stands
    for that size; else a let stands for its value unless it is in `free`; else it is a symbol, an integer of at least
    `minimum` (1 if not stated). `assumed` forms are known not to be negative.
    """

    order: tuple[str, ...] = ()
    lets: Mapping[str, Size] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    bindings: Mapping[str, Size] = field(default_factory=dict)
    causal: Causal = "full"
    minimum: Mapping[str, int] = field(default_factory=dict)
    assumed: tuple[Normal, ...] = ()

    @property
    def known(self) -> Known:
        """What is known of symbols: their minima, and the assumed forms."""
        from roofdsl.algebra.signs import Known

        return Known(self.minimum, self.assumed)

    def definition(self, name: str) -> Size | None:
        """What a name stands for, or None where it is a symbol."""
        if name in self.bindings:
            return self.bindings[name]
        return None if name in self.free else self.lets.get(name)

    def least(self, name: str) -> int:
        """The smallest value of a symbol."""
        return self.minimum.get(name, 1)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of `order` that are symbols here."""
        return tuple(name for name in self.order if self.definition(name) is None)
