"""Random formulas as text of the language and as exact functions of a point, made side by side: the text goes through the
tool, the function through nothing of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

Point = Mapping[str, int]
Value = Callable[[Point], Fraction]
DIMS = ("s", "h", "a", "w", "z")


@dataclass(frozen=True, slots=True)
class Term:
    """A formula as text and as a function of a point; text binds like a sum unless it is in parentheses."""

    text: str
    value: Value

    def __str__(self) -> str:
        return f"({self.text})"


def symbol(name: str) -> Term:
    return Term(name, lambda p: Fraction(p[name]))


def constant(value: int | Fraction) -> Term:
    return Term(str(value) if value >= 0 else f"(0 - {-value})", lambda _: Fraction(value))


def joined(sign: str, one: Term, two: Term) -> Term:
    a, b = one.value, two.value
    made: Mapping[str, Value] = {
        "+": lambda p: a(p) + b(p),
        "-": lambda p: a(p) - b(p),
        "*": lambda p: a(p) * b(p),
        "/": lambda p: a(p) / b(p),
    }
    return Term(f"{one} {sign} {two}", made[sign])


def function(name: str, *terms: Term) -> Term:
    inside = ", ".join(term.text for term in terms)
    parts = [term.value for term in terms]
    made: Mapping[str, Value] = {
        "min": lambda p: min(part(p) for part in parts),
        "max": lambda p: max(part(p) for part in parts),
        "abs": lambda p: abs(parts[0](p)),
        "ceil": lambda p: Fraction(ceil(parts[0](p))),
        "floor": lambda p: Fraction(floor(parts[0](p))),
    }
    return Term(f"{name}({inside})", made[name])


def power(term: Term, exponent: int) -> Term:
    return Term(f"{term}^{exponent}", lambda p: term.value(p) ** exponent)


LETS: Mapping[str, Value] = {
    "d": lambda p: Fraction(p["h"], p["a"]),
    "e": lambda p: Fraction(ceil(Fraction(p["s"], p["w"]))),
    "f": lambda p: min(LETS["e"](p), Fraction(2 * p["w"])) + LETS["e"](p),
    "k": lambda p: max(LETS["f"](p) - p["s"], Fraction(0)),
}


def atom(rng: random.Random) -> Term:
    roll = rng.random()
    if roll < 0.2:
        return constant(rng.choice((1, 2, 3, 4, 7, 10 ** rng.randint(1, 25))) if roll < 0.03 else rng.randint(1, 4))
    if roll < 0.35:
        name = rng.choice("defk")
        return Term(name, LETS[name])
    return symbol(rng.choice(DIMS[:4] if roll < 0.95 else DIMS))


def formula(rng: random.Random, depth: int) -> Term:
    if depth == 0:
        return atom(rng)
    one, two = formula(rng, depth - 1), formula(rng, rng.randrange(depth))
    match rng.randrange(14):
        case 0 | 1 | 2:
            return joined("+", one, two)
        case 3:
            return joined("-", joined("+", one, two), atom(rng))
        case 4 | 5 | 6:
            return joined("*", one, two)
        case 7:
            return function(rng.choice(("min", "max")), one, two)
        case 8:
            return function(rng.choice(("ceil", "floor")), joined("/", one, constant(rng.choice((2, 3, 4)))))
        case 9:
            return function(rng.choice(("ceil", "floor")), joined("/", one, symbol(rng.choice(DIMS[:4]))))
        case 10:
            return joined("/", one, joined("+", symbol(rng.choice(DIMS)), constant(rng.randint(1, 3))))
        case 11:
            return function("abs", joined("-", one, two))
        case 12:
            return function(rng.choice(("min", "max")), one, two, atom(rng))
        case _:
            return power(one, rng.choice((2, 2, 2, 3, 11)) if depth == 1 else 2)


def same(rng: random.Random, term: Term) -> Term:
    """The same value in other words."""
    extra = formula(rng, 1)
    match rng.randrange(9):
        case 0:
            return joined("-", joined("+", extra, term), extra)
        case 1:
            return joined("/", joined("*", term, joined("+", symbol("s"), symbol("h"))), Term("s + h", _sum))
        case 2:
            return function("min", term, joined("+", term, symbol("w")))
        case 3:
            return function("max", joined("-", term, symbol("z")), term)
        case 4:
            other = joined("+", function("max", term, extra), function("min", term, extra))
            return joined("-", other, extra)
        case 5:
            inner = function("ceil", joined("/", joined("*", constant(2), term), constant(2)))
            return joined("+", joined("-", term, inner), function("ceil", term))
        case 6:
            minus = joined("*", Term("(0 - 1)", lambda _: Fraction(-1)), term)
            down = joined("*", Term("(0 - 1)", lambda _: Fraction(-1)), function("floor", minus))
            return joined("+", joined("-", term, function("ceil", term)), down)
        case 7:
            both = joined("+", joined("+", term, extra), function("abs", joined("-", term, extra)))
            return joined("-", both, joined("+", extra, function("abs", joined("-", extra, term))))
        case _:
            return joined("*", term, power(joined("/", symbol("a"), symbol("a")), 2))


def _sum(p: Point) -> Fraction:
    return Fraction(p["s"] + p["h"])
