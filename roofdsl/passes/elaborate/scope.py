"""Equality of two sizes by their normal forms, lets expanded. Imports the algebra, so it is asked last."""

from __future__ import annotations

from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.ir.size import Size, Symbol
from roofdsl.passes.elaborate.env import Env
from roofdsl.passes.sizes import size_of


def equal_in_scope(env: Env, left: Size, right: Size) -> bool:
    """Whether both are the same for every value of the dims."""
    names = env.names

    def lookup(name: str, _span: object) -> Size | None:
        return Symbol(name) if name in env.dims or name in env.lets or name in env.sizes else None

    lets = {name: size for name, let in env.lets.items() if (size := size_of(let.value, lookup, names)) is not None}
    scope = Scope(order=names, lets=lets)
    return normal(left, scope) == normal(right, scope)
