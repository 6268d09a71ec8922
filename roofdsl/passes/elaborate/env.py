"""What names mean inside an instance: sizes bound by headers and braces, callees bound by braces.

An `Env` is inherited by every instance it calls. A let is evaluated again where something it depends on was bound
anew, so that `t = s` follows s; an explicit binding of the let itself wins (design §3: braces, config, let).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from roofdsl.ir.library import Library
from roofdsl.ir.size import Size, Symbol
from roofdsl.passes.sizes import names_in, size_of
from roofdsl.syntax import ast

_LET_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Env:
    """`sizes` are explicit bindings; `lets` and `dims` hold those of the file and of enclosing bodies; `callees` maps
    a called name to the definition bound for it; `local` are lets of bodies, which are always expanded, since only
    lets of the file are known to formulas. `hidden` are sizes whose names stand for tensors of this body.
    """

    dims: Mapping[str, ast.Dim]
    lets: Mapping[str, ast.Let]
    sizes: Mapping[str, Size] = field(default_factory=dict)
    callees: Mapping[str, str] = field(default_factory=dict)
    local: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def hide(self, name: str) -> Env:
        """With a size of that name out of sight here; lets still see it, and so does what is called from here."""
        return replace(self, hidden=self.hidden | {name})

    def bind(self, name: str, size: Size) -> Env:
        """With `name` bound; a dim bound to its own root symbol needs no entry."""
        sizes = dict(self.sizes)
        if size == Symbol(name) and name in self.dims:
            sizes.pop(name, None)
        else:
            sizes[name] = size
        return replace(self, sizes=sizes)

    def declare(self, item: ast.Dim | ast.Let) -> Env:
        """With a dim or let of a body in force; it hides what an outer scope bound to that name."""
        sizes = {name: size for name, size in self.sizes.items() if name != item.name}
        match item:
            case ast.Dim():
                return replace(self, dims={**self.dims, item.name: item}, sizes=sizes)
            case ast.Let():
                lets = {**self.lets, item.name: item}
                return replace(self, lets=lets, sizes=sizes, local=self.local | {item.name})

    def __contains__(self, name: object) -> bool:
        return name not in self.hidden and (name in self.sizes or name in self.lets or name in self.dims)

    def __iter__(self) -> Iterator[str]:
        """The names known here, listed only if somebody asks: a file may have thousands, and a name is seldom split."""
        return (name for name in dict.fromkeys((*self.sizes, *self.dims, *self.lets)) if name not in self.hidden)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self)

    def _with_hidden(self) -> Env:
        return replace(self, hidden=frozenset()) if self.hidden else self

    def size(self, name: str, depth: int = 0) -> Size | None:
        """The size a name stands for in this scope, over root symbols; None if it is unknown."""
        if name in self.hidden and depth == 0:
            return None
        if name in self.sizes:
            return self.sizes[name]
        if name in self.lets:
            return self._let(name, depth)
        return Symbol(name) if name in self.dims else None

    def _let(self, name: str, depth: int) -> Size | None:
        if depth > _LET_DEPTH:
            return None
        if name not in self.local and not self._rebound(name, depth):
            return Symbol(name)
        return size_of(self.lets[name].value, lambda inner, _span: self.size(inner, depth + 1), self._with_hidden())

    def _rebound(self, name: str, depth: int) -> bool:
        """Whether something the let depends on differs from its root meaning."""
        if depth > _LET_DEPTH:
            return False
        for inner in names_in(self.lets[name].value, self._with_hidden()):
            if inner in self.local or (inner in self.sizes and self.sizes[inner] != Symbol(inner)):
                return True
            if inner in self.lets and inner not in self.sizes and self._rebound(inner, depth + 1):
                return True
        return False


def root_env(library: Library) -> Env:
    return Env(library.dims, library.lets)
