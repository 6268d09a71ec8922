"""Another way to read a claim, and what is said if the claim holds so: the unit that explanations are made of.

Readings are tried at one exact point first, which costs microseconds; a symbolic claim must then hold identically.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from roofdsl.algebra.form import Normal
from roofdsl.algebra.scope import Causal, Scope
from roofdsl.evaluate.number import NoValueError, evaluate_size
from roofdsl.ir.size import Size, symbols_of
from roofdsl.quantities.quantity import Quantity

Sort = Literal[
    "convention",
    "phase",
    "placement",
    "subject",
    "unit",
    "dtype",
    "count",
    "symbol",
    "binding",
    "constant",
    "factor",
    "rounding",
]
_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211)


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change and what it says; `consistent`: the claim is about a printed number, which others may fit too.
    `last_resort`: worth saying only where nothing plainer was found. `convention` names the one it holds under.
    `second` is the sort of another change that goes with it. `amounts` are formulas that stand at the `{}` of the text.
    """

    sort: Sort
    text: str
    consistent: bool = False
    last_resort: bool = False
    convention: str = ""
    second: Sort | None = None
    amounts: tuple[Normal, ...] = ()

    @property
    def sorts(self) -> tuple[Sort, ...]:
        """What is changed: one thing, or two."""
        return (self.sort,) if self.second is None else (self.sort, self.second)


@dataclass(frozen=True, slots=True)
class Reading:
    """The left side read otherwise. `causal`: how its guards count. `convention`: that it is under one with a name.
    `quantity`: what was asked instead, where the side is that alone.
    """

    sort: Sort
    text: str
    left: Size
    causal: Causal = "full"
    convention: str = ""
    quantity: Quantity | None = None

    @property
    def remedy(self) -> Remedy:
        """What is said if the claim holds so."""
        return Remedy(self.sort, self.text, convention=self.convention)


@dataclass(frozen=True, slots=True)
class Point:
    """Exact values of all names of a scope, lets and bindings followed."""

    values: Mapping[str, Fraction]
    causal: Causal

    def value(
        self, size: Size, causal: Causal | None = None, changed: Mapping[str, str] | None = None
    ) -> Fraction | None:
        """The value of a size, `changed` names read as others; None where it has none."""
        values = self.values
        if changed:
            values = {**values, **{name: values[meant] for name, meant in changed.items()}}
        try:
            return evaluate_size(size, values, causal or self.causal)
        except (NoValueError, OverflowError):
            return None


def point_of(scope: Scope, turn: int = 0) -> Point:
    """A point with a different prime for every symbol; another one for every `turn`."""
    made = {name: Fraction(_prime(i, turn)) for i, name in enumerate(scope.symbols)}
    for name, _ in _followed(scope):
        _define(name, scope, made)
    return Point(made, scope.causal)


def _prime(place: int, turn: int) -> int:
    shift = (place + 7 * turn) % len(_PRIMES)
    return _PRIMES[shift] + (0 if place < len(_PRIMES) else 1000 * (place // len(_PRIMES)))


def _followed(scope: Scope) -> Iterator[tuple[str, Size]]:
    for name in dict.fromkeys((*scope.order, *scope.lets, *scope.bindings)):
        size = scope.definition(name)
        if size is not None:
            yield name, size


def _define(name: str, scope: Scope, made: dict[str, Fraction]) -> None:
    """The value of a let or bound name, once those it mentions have theirs; circles were refused before."""
    if name in made:
        return
    size = scope.definition(name)
    if size is None:
        made[name] = Fraction(_prime(len(made), 0))
        return
    for inner in sorted(symbols_of(size) - {name}):
        _define(inner, scope, made)
    try:
        made[name] = evaluate_size(size, made, scope.causal)
    except (NoValueError, OverflowError):
        return
