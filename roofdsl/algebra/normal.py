"""Sizes to normal forms: lets expanded, bindings applied, guards counted by the causal convention. Everything exact.

A total is expanded at once, in time linear in its terms. `Normal` forms of different scopes may be mixed; arithmetic is
by operators. What would not end is refused with E0750.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from roofdsl.algebra.atoms import apply
from roofdsl.algebra.evaluation import evaluate, substitute
from roofdsl.algebra.expansion import Expansion, Meaning, OutsideRing
from roofdsl.algebra.form import Atom, Normal, number, symbol
from roofdsl.algebra.limits import check_generators
from roofdsl.algebra.roots import power
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.symbols import generator_order
from roofdsl.diagnostics import fail
from roofdsl.errors.algebra import CIRCULAR_BINDING
from roofdsl.ir.pairs import pairs
from roofdsl.ir.size import Band, Const, Function, Power, Product, Size, Sum, Symbol
from roofdsl.source import NOWHERE

__all__ = ["Atom", "Normal", "bounded", "evaluate", "normal", "number", "substitute", "symbol", "total"]


def normal(size: Size, scope: Scope) -> Normal:
    """The normal form of a size. Raises `RoofError` (E0750 too large, E0751 division by zero, E0752, E0753)."""
    return total((size,), scope)


def total(sizes: Iterable[Size], scope: Scope) -> Normal:
    """The normal form of a sum of sizes."""
    return _Reader(scope).total(tuple(sizes))


def bounded(scope: Scope, most: Mapping[str, str]) -> Scope:
    """The scope with bounds of symbols by others assumed: `most` gives what a symbol never exceeds. What has a value is
    checked where it is bound.
    """
    forms = (normal(Symbol(other), scope) - normal(Symbol(name), scope) for name, other in most.items())
    return replace(scope, assumed=(*scope.assumed, *(form for form in forms if form.symbols)))


class _Reader:
    """Remembers the forms of names and functions while one total is expanded."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.known = scope.known
        self.forms: dict[str, Normal] = {}
        self.open: list[str] = []
        self.specials: dict[int, tuple[Size, Normal]] = {}
        self.meaning = Meaning(self.definition, self.special)

    def total(self, sizes: tuple[Size, ...]) -> Normal:
        """Most totals need the symbols of the scope only; atoms or unknown names need a wider ring."""
        try:
            return Expansion(generator_order(self.scope.symbols), self.meaning).total(sizes)
        except OutsideRing:
            names: set[str] = set()
            for size in sizes:
                self._gather(size, names)
            atoms = sum("(" in name for name in names)
            check_generators(atoms, len(names) - atoms)
            return Expansion(generator_order(names), self.meaning).total(sizes)

    def definition(self, name: str) -> Normal | None:
        """The form of a let or a bound name; None for a symbol. A circle is E0752."""
        if name in self.forms:
            return self.forms[name]
        size = self.scope.definition(name)
        if size is None or size == Symbol(name):
            return None
        if name in self.open:
            circle = " → ".join((*self.open[self.open.index(name) :], name))
            fail(CIRCULAR_BINDING, NOWHERE, f"{circle}: bound in a circle")
        self.open.append(name)
        form = self.total((size,))
        self.open.pop()
        self.forms[name] = form
        return form

    def special(self, size: Function | Band | Power) -> Normal:
        """The form of what is not a sum or product."""
        if id(size) not in self.specials:  # the size is kept too: an id is free again once its owner is gone
            self.specials[id(size)] = (size, self._special(size))
        return self.specials[id(size)][1]

    def _special(self, size: Function | Band | Power) -> Normal:
        match size:
            case Function(name, arguments):
                return apply(name, tuple(self.total((a,)) for a in arguments), self.known)
            case Power(base, exponent):
                return power(self.total((base,)), exponent, self.known)
            case Band():
                return self.total((self._counted(size),))
            case _:
                assert_never(size)

    def _counted(self, band: Band) -> Size:
        """The pairs of a band as a tree, with sides that are numbers put in, since one row has a shorter count."""
        return pairs(Band(self._side(band.rows), self._side(band.columns), band.lower, band.upper), self.scope.causal)

    def _side(self, side: Size) -> Size:
        value = self.total((side,)).constant
        return side if value is None else Const(value)

    def _gather(self, size: Size, names: set[str]) -> None:
        """The generators a size will need."""
        match size:
            case Const():
                return
            case Symbol(name):
                form = self.definition(name)
                names.update((name,) if form is None else form.generators)
            case Sum(parts) | Product(parts):
                for part in parts:
                    self._gather(part, names)
            case Power(base, exponent) if exponent.denominator == 1:
                self._gather(base, names)
            case Function() | Band() | Power():
                names.update(self.special(size).generators)
            case _:
                assert_never(size)
