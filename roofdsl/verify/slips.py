"""The right side read otherwise: symbols mixed up, sizes that happen to be equal, one number or exponent changed.

Every occurrence of a name, number or exponent in the author's formula can be changed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from roofdsl.algebra.evaluation import compiled
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import RoofError
from roofdsl.ir.show import show_size
from roofdsl.ir.size import ONE, Const, Function, Power, Product, Size, Sum, Symbol, product, symbols_of
from roofdsl.verify.question import Question, comes_to, forms
from roofdsl.verify.reading import Point, Remedy
from roofdsl.verify.sizes import renamed

RATIOS = (2, 4, 8)
MOST_NUMERAL = 10_000
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Place:
    """A leaf of a size (a name, a number, or a power of one), and the size with another in its place."""

    leaf: Size
    put: Callable[[Size], Size]


def places(size: Size) -> Iterator[Place]:
    """All leaves of a size."""
    match size:
        case Const() | Symbol():
            yield Place(size, lambda new: new)
        case Sum(parts):
            yield from _inside(parts, Sum)
        case Product(parts):
            yield from _inside(parts, Product)
        case Function(name, parts):
            yield from _inside(parts, lambda new: Function(name, new))
        case Power(Symbol(), exponent) if exponent > 0:
            yield Place(size, lambda new: new)
        case Power(base, exponent):
            yield from _inside((base,), lambda new: Power(new[0], exponent))
        case _:
            return


def _inside(parts: tuple[Size, ...], build: Callable[[tuple[Size, ...]], Size]) -> Iterator[Place]:
    for i, part in enumerate(parts):
        for place in places(part):
            yield Place(place.leaf, _rebuilt(parts, i, place, build))


def _rebuilt(
    parts: tuple[Size, ...], i: int, place: Place, build: Callable[[tuple[Size, ...]], Size]
) -> Callable[[Size], Size]:
    return lambda new: build((*parts[:i], place.put(new), *parts[i + 1 :]))


def symbol_slips(question: Question, wanted: Normal, at: Point) -> Iterator[Remedy]:
    """Symbols of the right side read as others: everywhere, two exchanged, or in one place."""
    right, goal = question.right.size, at.value(question.left.size)
    names = [n for n in question.scope.order if n not in question.scope.bindings and n in at.values]
    used = [name for name in names if name in symbols_of(right)]
    changes = [{wrong: meant} for wrong in used for meant in names if meant != wrong]
    changes += [{one: two, two: one} for one, two in combinations(used, 2)]
    for change in changes:
        if at.value(right, changed=change) == goal and comes_to(renamed(right, change), question.scope, wanted):
            yield Remedy("symbol", f"holds with {_exchanged(change, question.scope)}")
            return
    for place in places(right):
        name = _name_of(place.leaf)
        for meant in names if name is not None else ():
            size = place.put(renamed(place.leaf, {name or "": meant}))
            if meant != name and at.value(size) == goal and comes_to(size, question.scope, wanted):
                yield Remedy("symbol", f"holds with {meant} in place of one {name}")
                return


def _name_of(leaf: Size) -> str | None:
    match leaf:
        case Symbol(name) | Power(Symbol(name)):
            return name
        case _:
            return None


def _exchanged(change: dict[str, str], scope: Scope) -> str:
    if len(change) == 1:
        ((wrong, meant),) = change.items()
        both = wrong in scope.symbols and meant in scope.symbols
        return f"{meant} in place of {wrong}{f', or where {meant} = {wrong}' if both else ''}"
    one, two = change
    return f"{one} and {two} exchanged"


def equal_sizes(question: Question, at: Point) -> Iterator[Remedy]:
    """Sizes equal to one another, to a product or a small multiple of others, or to one, on both sides."""
    left, right = forms(question)
    difference = right - left
    value = compiled(difference)
    free = [n for n in question.scope.symbols if n in difference.symbols]
    rest = [n for n in question.scope.symbols if n in at.values]
    for name, size in _bindings(free, rest):
        given = at.value(size)
        if given is None:
            continue
        try:
            vanishes = value({**at.values, name: given}) == 0
        except RoofError:
            continue
        if vanishes and _holds_where(question, name, size):
            yield Remedy("binding", f"holds when {name} = {shown(size)}", last_resort=size == ONE)


def _bindings(free: list[str], names: list[str]) -> Iterator[tuple[str, Size]]:
    for later, earlier in ((b, a) for a, b in combinations(free, 2)):
        yield later, Symbol(earlier)
    for name in free:
        yield from ((name, product(Const(Fraction(k)), Symbol(o))) for o in names if o != name for k in RATIOS)
    for name in free:
        yield from ((name, product(Symbol(a), Symbol(b))) for a, b in combinations(names, 2) if name not in (a, b))
    yield from ((name, ONE) for name in free)


def _holds_where(question: Question, name: str, size: Size) -> bool:
    scope = replace(question.scope, bindings={**question.scope.bindings, name: size})
    try:
        return normal(question.left.size, scope) == normal(question.right.size, scope)
    except RoofError:
        return False


def constant_slips(question: Question, wanted: Normal, at: Point, other: Point) -> Iterator[Remedy]:
    """One number or exponent of the right side that, changed alone, makes the claim hold: its correction."""
    goal = at.value(question.left.size)
    plain = _is_expanded(question.right.size)
    for place in places(question.right.size):
        read_off = plain and isinstance(place.leaf, Const)  # its coefficient is read off the derived formula
        for leaf in (*(() if read_off else _corrections(place, goal, at)), *_extended(place, question, at)):
            if at.value(place.put(leaf)) != goal:
                continue
            size = place.put(leaf)
            if other.value(size) == other.value(question.left.size) and comes_to(size, question.scope, wanted):
                yield Remedy("constant", _corrected(place.leaf, leaf), last_resort=True)
                return


def _is_expanded(size: Size) -> bool:
    """Whether a size is a sum of products of numbers and powers of names."""
    match size:
        case Sum(terms):
            return all(_is_expanded(term) and not isinstance(term, Sum) for term in terms)
        case Product(factors):
            return all(_is_expanded(factor) and not isinstance(factor, Sum) for factor in factors)
        case Power(base, exponent):
            return exponent > 0 and isinstance(base, Symbol)
        case Const() | Symbol():
            return True
        case _:
            return False


def _corrected(leaf: Size, other: Size) -> str:
    if isinstance(leaf, Symbol) and isinstance(other, Const):
        return f"holds without one factor {leaf.name}"
    return f"holds with {shown(other)} in place of {shown(leaf)}"


def shown(size: Size) -> str:
    """A number, a symbol, a power of one or a product of those, as papers write them."""
    match size:
        case Power(base, exponent) if exponent.denominator == 1:
            return shown(base) + str(exponent).translate(_RAISED)
        case Product(factors):
            parts = [shown(factor) for factor in factors]
            short = all(len(part.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹")) == 1 or part.isdigit() for part in parts)
            return ("" if short else " ").join(parts)
        case _:
            return show_size(size)


def _corrections(place: Place, goal: Fraction | None, at: Point) -> Iterator[Size]:
    match place.leaf:
        case Const(value) if goal is not None:
            found = solved(lambda number: at.value(place.put(Const(number))), goal)
            yield from (Const(number) for number in found if number != value)
        case Symbol(name):
            yield Power(Symbol(name), Fraction(2))
            yield Const(Fraction(1))
        case Power(base, exponent):
            yield Power(base, exponent + 1)
            yield base if exponent == 2 else Power(base, exponent - 1)
        case _:
            return


def _extended(place: Place, question: Question, at: Point) -> Iterator[Size]:
    """A coefficient with a symbol that was left out behind it."""
    match place.leaf:
        case Const():
            yield from (product(place.leaf, Symbol(n)) for n in question.scope.order if n in at.values)
        case _:
            return


def solved(value: Callable[[Fraction], Fraction | None], goal: Fraction) -> Iterator[Fraction]:
    """The number with which a value is the goal, where the number enters to the power 1 or −1."""
    one, two, four = (value(Fraction(k)) for k in (1, 2, 4))
    if one is None or two is None or four is None or one == two:
        return
    if four - two == 2 * (two - one):
        found = 1 + (goal - one) / (two - one)
    elif (one - two) == 2 * (two - four) and goal != 2 * two - one:
        found = 2 * (one - two) / (goal - 2 * two + one)
    else:
        return
    if found > 0 and max(found.numerator, found.denominator) < MOST_NUMERAL:
        yield found
