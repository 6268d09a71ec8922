"""Formulas rewritten by identities, and altered as little as possible: what is equal must never be refuted, what differs
never proved, and every witness must tell both apart. Values come from an evaluator that shares nothing with the algebra.

`python -m tests.random_proofs 5000` prints the counts; CI runs a small batch.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product as every

from roofdsl.algebra.decide import Proved, Refuted, decide
from roofdsl.algebra.domain import Domain, domain_of
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import RoofError
from roofdsl.ir.size import Const, Function, Power, Product, Size, Sum, Symbol, add, const, divide, product
from tests.batches import print_batch
from tests.sizes_by_hand import NAMES, ceiling, floored, less, maximum, minimum, over, value_of

SCOPE = Scope(order=NAMES)
FREE = domain_of(SCOPE)
WHOLE = domain_of(SCOPE, (normal(divide(Symbol("h"), Symbol("b")), SCOPE),))
GRID = [dict(zip(NAMES, point, strict=True)) for point in every(range(1, 8), repeat=3)]
GRID += [dict(zip(NAMES, point, strict=True)) for point in every((1, 12, 60, 4097), repeat=3)]
Relation = str


# ---------------------------------------------------------------- random formulas


def monomial(rng: random.Random) -> Size:
    return product(const(rng.randint(1, 5)), *(Symbol(n) for n in rng.choices(NAMES, k=rng.randint(0, 2))))


def polynomial(rng: random.Random) -> Size:
    """Positive and whole."""
    return add(*(monomial(rng) for _ in range(rng.randint(1, 3))))


def formula(rng: random.Random, domain: Domain) -> Size:
    """A sum of terms as counts and times have them; few functions, since cases multiply."""
    terms: list[Size] = [polynomial(rng)]
    terms += [_term(rng, domain) for _ in range(rng.randint(1, 2))]
    return add(*terms)


def _term(rng: random.Random, domain: Domain) -> Size:
    one, two = polynomial(rng), polynomial(rng)
    match rng.randrange(8):
        case 0:
            return maximum(one, two)
        case 1:
            return product(monomial(rng), minimum(one, two))
        case 2:
            return ceiling(over(one, rng.choice((2, 3, 4))))
        case 3:
            return product(monomial(rng), floored(over(one, rng.choice((2, 3)))))
        case 4:
            return divide(one, two)
        case 5:
            return product(Const(Fraction(rng.randint(1, 7), rng.randint(2, 5))), one)
        case 6 if domain is WHOLE:
            return product(monomial(rng), divide(Symbol("h"), Symbol("b")))
        case _:
            return Power(one, Fraction(2))


# ---------------------------------------------------------------- identities


def rewritten(rng: random.Random, size: Size, steps: int) -> Size:
    """The same function in other words."""
    for _ in range(steps):
        size = _rewritten_once(rng, size)
    return size


def _rewritten_once(rng: random.Random, size: Size) -> Size:
    spots = list(_spots(size))
    node, put = rng.choice(spots)
    return put(_same(rng, node))


def _spots(size: Size) -> Iterator[tuple[Size, Callable[[Size], Size]]]:
    yield size, lambda new: new
    match size:
        case Sum(parts) | Product(parts):
            kind = type(size)
            for i, part in enumerate(parts):
                for node, put in _spots(part):
                    yield node, lambda new, i=i, put=put: kind((*parts[:i], put(new), *parts[i + 1 :]))
        case Function(name, parts):
            for i, part in enumerate(parts):
                for node, put in _spots(part):
                    yield node, lambda new, i=i, put=put: Function(name, (*parts[:i], put(new), *parts[i + 1 :]))
        case Power(base, exponent):
            for node, put in _spots(base):
                yield node, lambda new, put=put: Power(put(new), exponent)
        case _:
            return


def _same(rng: random.Random, size: Size) -> Size:
    extra = polynomial(rng)
    match size:
        case Function("min", (x, y)) if rng.random() < 0.7:
            return less(add(x, y), maximum(y, x))
        case Function("max", (x, y)) if rng.random() < 0.7:
            return over(add(x, y, Function("abs", (less(y, x),))), 2)
        case Function("ceil", (x,)) if rng.random() < 0.7:
            return product(const(-1), floored(product(const(-1), x)))
        case Function("floor", (x,)) if rng.random() < 0.7:
            return less(floored(add(x, const(3))), const(3))
        case Product((x, Sum(parts))):
            return add(*(product(x, part) for part in parts))
        case Power(base, exponent) if exponent == 2:
            return product(base, base)
        case _:
            ways = (
                lambda: Sum((extra, size, product(const(-1), extra))),
                lambda: Product((size, extra, Power(extra, Fraction(-1)))),
                lambda: minimum(size, add(size, extra)),
                lambda: maximum(less(size, extra), size),
                lambda: product(Const(Fraction(1, 3)), add(size, size, size)),
            )
            return rng.choice(ways)()


# ---------------------------------------------------------------- the smallest alterations


def altered(rng: random.Random, size: Size) -> Size:
    """One number, symbol, exponent or function changed."""
    node, put = rng.choice(list(_spots(size)))
    match node:
        case Const(value):
            return put(Const(value + rng.choice((1, -1, Fraction(1, 7)))))
        case Symbol(name):
            return put(Symbol(rng.choice([n for n in NAMES if n != name])))
        case Power(base, exponent):
            return put(Power(base, exponent + 1))
        case Function("min" | "max" as name, arguments):
            return put(Function("max" if name == "min" else "min", arguments))
        case Function("ceil" | "floor" as name, arguments):
            return put(Function("floor" if name == "ceil" else "ceil", arguments))
        case _:
            return put(add(node, rng.choice((const(1), const(-1), Symbol("s"), product(const(-1), Symbol("b"))))))


# ---------------------------------------------------------------- judging


def points(domain: Domain) -> list[dict[str, int]]:
    fine = [p for p in GRID if domain is FREE or p["h"] % p["b"] == 0]
    return random.sample(fine, 60)


def values(size: Size, where: list[dict[str, int]]) -> list[Fraction] | None:
    try:
        return [value_of(size, point) for point in where]
    except ZeroDivisionError:
        return None


def run(count: int, seed: int = 0) -> Counter[str]:
    """Outcomes of `count` equal pairs, `count` altered ones and `count` orders; a wrong one raises."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    for i in range(count):
        domain = WHOLE if i % 3 == 0 else FREE
        size = formula(rng, domain)
        found[_judged(size, rewritten(rng, size, rng.randint(1, 3)), "=", domain, "equal")] += 1
        found[_judged(size, altered(rng, rewritten(rng, size, rng.randint(0, 1))), "=", domain, "altered")] += 1
        more = add(rewritten(rng, size, 1), rng.choice((polynomial(rng), const(0), product(const(-1), monomial(rng)))))
        found[_judged(size, more, rng.choice(("<", "<=", ">=", ">")), domain, "order")] += 1
    return found


HOLDS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": Fraction.__eq__,
    "<": Fraction.__lt__,
    "<=": Fraction.__le__,
    ">=": Fraction.__ge__,
    ">": Fraction.__gt__,
}


def _judged(left: Size, right: Size, relation: Relation, domain: Domain, kind: str) -> str:
    where = points(domain)
    one, two = values(left, where), values(right, where)
    if one is None or two is None:
        return f"{kind}: undefined somewhere, left out"
    holds = all(HOLDS[relation](x, y) for x, y in zip(one, two, strict=True))
    try:
        verdict = decide(normal(left, SCOPE), relation, normal(right, SCOPE), domain)
    except RoofError as error:
        return f"{kind}: refused ({error.diagnostics[0].kind.code})"
    told = f"{kind} {relation}", left, right, verdict
    if isinstance(verdict, Proved):
        assert holds, told
        return f"{kind}: proved"
    if isinstance(verdict, Refuted):
        assert kind != "equal", told
        witness = {**dict.fromkeys(NAMES, 1), **verdict.witness}
        assert domain is FREE or witness["h"] % witness["b"] == 0, told
        assert (verdict.left, verdict.right) == (value_of(left, witness), value_of(right, witness)), told
        assert not HOLDS[relation](Fraction(verdict.left), Fraction(verdict.right)), told
        return f"{kind}: refuted"
    return f"{kind}: undecided, though it {'holds everywhere tried' if holds else 'fails'}"


if __name__ == "__main__":
    print_batch(run)
