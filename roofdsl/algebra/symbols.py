"""The only place where SymPy symbols and the generators of polynomial rings are made.

Symbols that print alike but differ in assumptions are different to SymPy, so one table owns those of the `Expr` edge;
inside the algebra, generators carry no assumptions and rings are told apart by the names alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sympy import Symbol

Poly = Any
"""A `PolyElement` of SymPy's rings, which are not annotated: a dict from exponents to coefficients with arithmetic."""
Ring = Any
"""A `PolyRing`."""


@dataclass(frozen=True, slots=True)
class SymbolTable:
    """The symbols users meet in a SymPy `Expr`: integers, positive, or nonnegative where 0 is a declared minimum."""

    names: tuple[str, ...]
    by_name: Mapping[str, Symbol] = field(repr=False)

    def __getattr__(self, name: str) -> Symbol:
        if name in ("names", "by_name") or name not in self.by_name:
            raise AttributeError(name)
        return self.by_name[name]

    def symbol(self, name: str) -> Symbol:
        """The symbol of a name, made where the table lacks it (a let detached by a claim)."""
        return self.by_name[name] if name in self.by_name else _integer(name, 1)

    def __getitem__(self, name: str) -> Symbol:
        return self.by_name[name]

    def __iter__(self) -> Any:
        return iter(self.by_name.values())


def symbol_table(
    names: Iterable[str], minimum: Mapping[str, int] | None = None, values: Iterable[str] = ()
) -> SymbolTable:
    """The table of these names, in their order, then of `values`: names of which nothing is assumed but that they are
    real (a let may be a fraction, and a ceiling of it must stay one).
    """
    least = minimum or {}
    ordered = tuple(dict.fromkeys(names))
    made = {name: _integer(name, least.get(name, 1)) for name in ordered}
    made |= {name: _real(name) for name in values if name not in made}
    return SymbolTable(tuple(made), made)


def _integer(name: str, least: int) -> Symbol:
    from sympy import Symbol

    kind = {"positive": True} if least > 0 else {"nonnegative": True} if least == 0 else {}
    return Symbol(name, integer=True, **kind)


def _real(name: str) -> Symbol:
    from sympy import Symbol

    return Symbol(name, real=True)


def generator_order(names: Iterable[str]) -> tuple[str, ...]:
    """The order of generators in a ring: symbols before atoms (their names hold a parenthesis), each alphabetically.

    It does not depend on any scope, so equal forms have the same leading term wherever they come from.
    """
    return tuple(sorted(set(names), key=lambda name: ("(" in name, name)))


@lru_cache(maxsize=256)
def ring_of(names: tuple[str, ...]) -> Ring:
    """The ring of polynomials over the rationals in these generators, which must be in `generator_order`."""
    from sympy import QQ, Symbol
    from sympy.polys.orderings import lex
    from sympy.polys.rings import PolyRing

    return PolyRing(tuple(Symbol(name) for name in names), QQ, lex)


def names_of(ring: Ring) -> tuple[str, ...]:
    """The names of a ring's generators."""
    return tuple(symbol.name for symbol in ring.symbols)
