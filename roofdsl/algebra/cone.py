"""Whether a vector is a combination of others, in exact rationals: the weights, or a direction that tells them apart.

One of the two always exists (Farkas' lemma), so that either answer can be checked by itself. Bland's rule ends the
search without cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Vector = Sequence[int | Fraction]


@dataclass(frozen=True, slots=True)
class Combination:
    """Weights of the columns, none below zero, that give the target."""

    weights: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Separation:
    """A direction in which the target lies above zero and no column does."""

    direction: tuple[Fraction, ...]


def combination(columns: Sequence[Vector], target: Vector) -> Combination | Separation:
    """The target as a sum of columns times weights that are not negative, or a direction that shows it is none."""
    count, rows = len(columns), len(target)
    signs = [1 if value >= 0 else -1 for value in target]
    table = [
        [
            *(Fraction(signs[i] * column[i]) for column in columns),
            *(Fraction(i == k) for k in range(rows)),
            Fraction(signs[i] * target[i]),
        ]
        for i in range(rows)
    ]
    basis = list(range(count, count + rows))
    costs = [-sum((row[j] for row in table), Fraction(0)) for j in range(count + rows + 1)]
    for j in range(count, count + rows):
        costs[j] = Fraction(0)
    _minimise(table, basis, costs, count)
    if costs[-1] != 0:
        return Separation(tuple(signs[i] * (1 - costs[count + i]) for i in range(rows)))
    weights = [Fraction(0)] * count
    for row, place in zip(table, basis, strict=True):
        if place < count:
            weights[place] = row[-1]
    return Combination(tuple(weights))


def _minimise(table: list[list[Fraction]], basis: list[int], costs: list[Fraction], count: int) -> None:
    """The simplex method on the sum of what is missing: pivots until no column of the first `count` lessens it."""
    while True:
        entering = next((j for j in range(count) if costs[j] < 0), None)
        if entering is None:
            return
        steps = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        _, _, leaving = min(steps)  # there is one: what is missing cannot fall without bound
        pivot = [value / table[leaving][entering] for value in table[leaving]]
        for row in (*table, costs):
            share = row[entering]
            if share:
                row[:] = [value - share * other for value, other in zip(row, pivot, strict=True)]
        table[leaving][:] = pivot
        basis[leaving] = entering
