"""Random pairs of formulas and whether one is bounded by a multiple of the other: sums of products are judged by the
extreme rays of a cone of exponents, which shares nothing with the compiler; other formulas by values at far points.

`python -m tests.random_orders 2000` prints the counts; the tests run a small batch.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from roofdsl.algebra.domain import Condition, Domain, Relation, domain_of
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.algebra.growth import Bounded, Fails, Unbounded, bounded
from roofdsl.algebra.normal import normal
from roofdsl.algebra.rays import Seen
from roofdsl.ir.size import Power, Size, Symbol, add, const, product
from tests.random_proofs import FREE, GRID, SCOPE, WHOLE, formula
from tests.sizes_by_hand import NAMES, value_of

Exponents = tuple[int, int, int]
FAR = [
    {name: base**power for name, power in zip(NAMES, powers, strict=True)}
    for base in (2, 1000)
    for powers in (
        (0, 0, 6),
        (0, 6, 0),
        (6, 0, 0),
        (6, 6, 0),
        (6, 0, 6),
        (0, 6, 6),
        (4, 6, 5),
        (1, 2, 5),
        (6, 3, 6),
        (6, 6, 6),
    )
]


def _where(left: Normal, relation: Relation, right: Normal) -> Domain:
    return domain_of(SCOPE, (), (Condition(left, relation, right),))


S, B, H = (symbol(name) for name in ("s", "b", "h"))
DOMAINS: list[tuple[Domain, tuple[Exponents, ...]]] = [
    (FREE, ()),
    (WHOLE, ((0, -1, 1),)),
    (_where(S, "<=", H), ((-1, 0, 1),)),
    (_where(2 * S, "<=", H * B), ((-1, 1, 1),)),
    (_where(S + B, "<=", H), ((-1, 0, 1), (0, -1, 1))),
    (_where(S, "=", B), ((1, -1, 0), (-1, 1, 0))),
    (_where(S**2, "<=", H), ((-2, 0, 1),)),
    (_where(S, "<=", number(64)), ((-1, 0, 0),)),
]
"""Each with what it asks of the exponents of s, b and h along a path."""


def posynomial(rng: random.Random) -> dict[Exponents, int]:
    count = rng.randint(1, 4)
    return {tuple(rng.randint(0, 3) for _ in NAMES): rng.randint(1, 30) for _ in range(count)}  # type: ignore[misc]


def size_of(terms: dict[Exponents, int]) -> Size:
    parts = []
    for powers, coefficient in terms.items():
        factors = (Power(Symbol(n), Fraction(e)) for n, e in zip(NAMES, powers, strict=True) if e)
        parts.append(product(const(coefficient), *factors))
    return add(*parts)


def outgrows(one: Exponents, others: Sequence[Exponents], further: Sequence[Exponents]) -> bool:
    """Whether a product outgrows a sum in some direction: strictly inside the cone of directions in which it is not below
    any of them, which the sum of the cone's extreme rays is if anything is. `further`: what directions fulfil beside
    that no size shrinks.
    """
    rows = [(1, 0, 0), (0, 1, 0), (0, 0, 1), *further]
    strict = [tuple(p - q for p, q in zip(one, other, strict=True)) for other in others]
    walls = [*rows, *strict]
    found = [Fraction(0)] * 3
    for first, second in combinations(walls, 2):
        across = _cross(first, second)
        for ray in (across, tuple(-c for c in across)):
            if any(ray) and all(_dot(wall, ray) >= 0 for wall in walls):
                length = max(ray)
                found = [f + Fraction(r, length) for f, r in zip(found, ray, strict=True)]
    return bool(any(found)) and all(_dot(row, found) > 0 for row in strict)


def _cross(u: Sequence[int], v: Sequence[int]) -> tuple[int, int, int]:
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def _dot(u: Sequence[int], v: Sequence[int | Fraction]) -> int | Fraction:
    return sum(x * y for x, y in zip(u, v, strict=True))


def judged(upper: Size, by: Size, domain: Domain) -> tuple[str, list[str]]:
    """What the compiler says, and what is wrong with its reasons: a constant that does not hold, a path that does not
    grow.
    """
    found = bounded(normal(upper, SCOPE), normal(by, SCOPE), domain)
    match found:
        case Bounded(factor):
            points = [p for p in (*GRID, *FAR) if _admits(domain, p)]
            broken = [p for p in points if factor is not None and value_of(upper, p) > factor * value_of(by, p)]
            return "bounded", [f"{factor} is no bound at {p}" for p in broken[:1]]
        case Unbounded(ray, seen):
            far = [_everywhere(ray.at(10**power)) for power in (6, 9, 12)]
            ratios = [value_of(upper, p) / value_of(by, p) for p in far]
            wrong = [] if ratios[0] < ratios[1] < ratios[2] else [f"no growth along {dict(ray.powers)}"]
            wrong += [f"{p} is not admissible" for p in far if not _admits(domain, p)]
            wrong += [f"the ratio at {s.sizes}" for s in seen if not _same(upper, by, s)]
            return "unbounded", wrong
        case Fails(sizes, _, _):
            point = _everywhere(sizes)
            fails = value_of(by, point) <= 0 < value_of(upper, point)
            return "unbounded", [] if fails else [f"{sizes} shows nothing"]
        case _:
            return "open", []


def _everywhere(sizes: Mapping[str, int]) -> dict[str, int]:
    """With the sizes that both formulas turn out not to depend on."""
    return {**dict.fromkeys(NAMES, 1), **sizes}


def _admits(domain: Domain, point: dict[str, int]) -> bool:
    return domain.admits(point) and all(point[name] <= most for name, most in domain.maximum.items())


def _same(upper: Size, by: Size, seen: Seen) -> bool:
    point = _everywhere(seen.sizes)
    return value_of(upper, point) == Fraction(seen.ratio) * value_of(by, point)


def run_posynomials(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Counts of right, open and wrong answers, and what was wrong."""
    rng, counts, faults = random.Random(seed), Counter[str](), []
    for i in range(count):
        domain, rows = DOMAINS[i % len(DOMAINS)]
        upper, by = posynomial(rng), posynomial(rng)
        expected = "unbounded" if any(outgrows(p, tuple(by), rows) for p in upper) else "bounded"
        said, wrong = judged(size_of(upper), size_of(by), domain)
        counts["open" if said == "open" else f"right, {said}" if said == expected else "wrong"] += 1
        if said not in (expected, "open"):
            faults.append(f"{upper} by {by} on {domain}: {said}, not {expected}")
        faults += [f"{upper} by {by}: {text}" for text in wrong]
    return counts, faults


def run_formulas(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """The same for formulas with min, max, ceil and differences, whose answers are checked by values alone."""
    rng, counts, faults = random.Random(seed), Counter[str](), []
    for i in range(count):
        domain = WHOLE if i % 2 else FREE
        upper, by = formula(rng, domain), formula(rng, domain)
        said, wrong = judged(upper, by, domain)
        counts[said] += 1
        faults += [f"{upper} by {by}: {text}" for text in wrong]
    return counts, faults


if __name__ == "__main__":
    amount = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for run in (run_posynomials, run_formulas):
        start = time.perf_counter()
        totals, wrongs = run(amount, 1)
        each = (time.perf_counter() - start) / amount
        print(run.__name__, dict(totals), f"{1000 * each:.1f} ms each", *wrongs[:5], sep="\n  ")
