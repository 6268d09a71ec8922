"""Random claims with conditions, lets and divisibility, judged again by exact values at admissible sizes.

What is proved must hold at every size tried; what is refuted must fail at its witness, which must be admissible and, where
it says so, no larger than any other failure found. The values come from trees that share nothing with the algebra.
`python -m tests.random_claims 3000 SEED` prints the counts; CI runs a small batch.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from roofdsl.diagnostics import RoofError
from roofdsl.quantities.session import Session
from roofdsl.verify.judge import judge
from roofdsl.verify.judgement import Judgement
from roofdsl.verify.question import pose
from tests.asking import claim, session_of
from tests.batches import print_batch
from tests.random_terms import DIMS, Point, Term, atom, constant, formula, joined, power, same, symbol

TEXT = """
use "ops"
dim s
dim h
dim a
dim w
dim z >= 0
let d = h/a
let e = ceil(s/w)
let f = min(e, 2w) + e
let k = max(f - s, 0)

block lin(x[s,h]) -> y {
    param W[h,s]
    y[s] = sum(x[s,h] * W[h,s])
}
block heads(x[s,h]) -> y {
    param W[h,a,d]
    y[s,a,d] = sum(x[s,h] * W[h,a,d])
}
"""


@cache
def small() -> Session:
    return session_of(TEXT)


# ------------------------------------------------------------------------------------------ conditions

RELATIONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "=": Fraction.__eq__,
    "<": Fraction.__lt__,
    "<=": Fraction.__le__,
    ">=": Fraction.__ge__,
    ">": Fraction.__gt__,
}


@dataclass(frozen=True, slots=True)
class Condition:
    text: str
    holds: Callable[[Point], bool]


def condition(rng: random.Random) -> Condition:
    x, y, u = (symbol(name) for name in rng.sample(DIMS, 3))
    n = rng.randint(1, 5)
    match rng.randrange(9):
        case 0:
            return compared(rng.choice((x, power(x, 2))), rng.choice(("<", "<=")), constant(n * n))
        case 1:
            return compared(x, rng.choice((">=", ">")), constant(n))
        case 2:
            return compared(x, rng.choice((">=", ">", "<=")), joined("*", constant(n), y))
        case 3:
            return compared(x, "=", rng.choice((y, joined("*", constant(n), y), joined("*", y, u))))
        case 4:
            return compared(joined("+", x, y), "<=", constant(n + 3))
        case 5:
            return compared(joined("*", x, y), rng.choice(("<=", "=", ">=")), constant(n + 2))
        case 6:
            return compared(joined("*", x, y), rng.choice(("<=", ">=")), u)
        case 7:
            return compared(x, rng.choice((">=", "<")), joined("+", y, u))
        case _:
            return compared(power(x, 2), rng.choice(("=", ">=")), constant(n * n))


def compared(left: Term, relation: str, right: Term) -> Condition:
    test = RELATIONS[relation]
    return Condition(f"{left} {relation} {right}", lambda p: test(left.value(p), right.value(p)))


# ------------------------------------------------------------------------------------------ claims and judging


@dataclass(frozen=True, slots=True)
class Posed:
    """A claim with its meaning: whether a point is admissible, and whether the claim holds there."""

    kind: str
    text: str
    left: Term
    right: Term
    admits: Callable[[Point], bool]
    holds: Callable[[Point], bool]


def posed(rng: random.Random) -> Posed:
    whole = rng.random() < 0.4
    quantity, value = ("params(heads)", "h*h") if whole else ("params(lin)", "h*s")
    conditions = [condition(rng) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    base = formula(rng, rng.choice((1, 2, 2)))
    kind = rng.choice(("equal", "altered", "order", "edge", "within"))
    other = same(rng, base) if kind != "altered" or rng.random() < 0.3 else base
    if kind == "equal" and rng.random() < 0.5:
        other = same(rng, other)
    relation = "="
    if kind == "altered":
        other = joined(rng.choice("+-"), other, rng.choice((constant(1), atom(rng), formula(rng, 1))))
    if kind in ("order", "edge"):
        relation = rng.choice(("<", "<=", ">=", ">"))
        more = constant(rng.randint(0, 1)) if kind == "edge" else formula(rng, 1)
        other = joined(rng.choice("+-"), other, more)
    left = Term(f"{quantity} - {value} + {base}", base.value)
    when = f" when {', '.join(c.text for c in conditions)}" if conditions else ""
    test = RELATIONS[relation]
    if kind == "within":
        share = Fraction(rng.choice((1, 10, 25, 50, 100)), 100)
        other = joined("+", other, rng.choice((constant(1), atom(rng), formula(rng, 1))))
        when = f" within {share * 100}%{when}"
        relation, test = "~", lambda q, f: abs(q - f) <= share * abs(f)

    def admits(p: Point) -> bool:
        return (not whole or p["h"] % p["a"] == 0) and all(c.holds(p) for c in conditions)

    def holds(p: Point) -> bool:
        return test(base.value(p), other.value(p))

    return Posed(kind, f"{left.text} {relation} {other.text}{when}", base, other, admits, holds)


def sizes(rng: random.Random) -> Iterator[Point]:
    """All small sizes, and some large ones."""
    for values in product(range(1, 5), range(1, 5), range(1, 5), range(1, 4), (0, 1, 3)):
        yield dict(zip(DIMS, values, strict=True))
    for _ in range(300):
        yield {name: rng.choice((rng.randint(1, 12), rng.randint(1, 60), 2 ** rng.randint(0, 12))) for name in DIMS}


def judged(one: Posed, rng: random.Random) -> str:
    try:
        found = judge(pose(claim(one.text), small()))
    except RoofError as error:
        code = error.diagnostics[0].kind.code
        if code == "E0708":
            assert not any(one.admits(p) for p in sizes(rng)), (one.text, "said to be about nothing")
        return f"{one.kind}: refused ({code})"
    tried = [p for p in sizes(rng) if one.admits(p)]
    return f"{one.kind}: {_checked(one, found, tried)}"


def _checked(one: Posed, found: Judgement, tried: list[Point]) -> str:
    told = one.text, found.outcome
    failing = [p for p in tried if not _holds(one, p)]
    if found.outcome == "proved":
        assert not failing, (*told, failing[0])
        return "proved" if tried else "proved, at no size tried"
    if found.outcome == "undecided":
        return f"undecided, though it {'fails' if failing else 'holds everywhere tried'}"
    assert one.kind != "equal", told
    witness = found.witness
    assert witness is not None
    point = _completed(one, witness.sizes)
    assert point is not None, (*told, dict(witness.sizes), "not admissible")
    assert (witness.left, witness.right) == (one.left.value(point), one.right.value(point)), (*told, witness)
    assert not one.holds(point), (*told, point)
    if witness.smallest:
        least = max(witness.sizes.values(), default=0)
        smaller = [p for p in failing if witness.sizes and max(p[name] for name in witness.sizes) < least]
        assert not smaller, (*told, point, smaller[0])
    return "refuted"


REACH = {1: 5000, 2: 70, 3: 40}
"""How far a size that plays no part is looked for: a condition such as s = z a may make it large."""


def _completed(one: Posed, sizes: Point) -> Point | None:
    """An admissible point with these sizes; those that play no part are not among them."""
    missing = [name for name in DIMS if name not in sizes]
    for values in product(range(REACH.get(len(missing), 7)), repeat=len(missing)):
        point = {**dict(zip(missing, values, strict=True)), **sizes}
        if all(point[name] >= (0 if name == "z" else 1) for name in DIMS) and one.admits(point):
            return point
    return None


def _holds(one: Posed, point: Point) -> bool:
    """What is not defined at a size is no failure there."""
    try:
        return one.holds(point)
    except ZeroDivisionError:
        return True


def run(count: int, seed: int = 0) -> Counter[str]:
    """Outcomes of `count` random claims; a wrong one raises."""
    rng = random.Random(seed)
    return Counter(judged(posed(rng), rng) for _ in range(count))


if __name__ == "__main__":
    print_batch(run)
