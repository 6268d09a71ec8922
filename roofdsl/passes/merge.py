"""Declarations of all files in force become one `Library`; names declared twice or reserved become diagnostics.

Takes parsed files in order with their rank; does not know where they came from nor how they were found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, assert_never

from roofdsl.diagnostics import Label, Sink
from roofdsl.errors.names import DUPLICATE, HIDES_FOR_ANOTHER, HIDES_LIBRARY, RESERVED, UNKNOWN_NAME
from roofdsl.ir.library import Dtype, Library
from roofdsl.passes.formats import DEFAULT_ROLES, OF_PARAMETERS, read_dtype
from roofdsl.passes.names import RESERVED_DEFINITIONS, RESERVED_SYMBOLS, did_you_mean
from roofdsl.source import Span
from roofdsl.syntax import ast

Rank = Literal["library", "used", "root"]
"""`library`: the base and used folders of operators, which a user's own definitions may hide. `used`: other files in
force. `root`: the file asked about; only its claims are in force.
"""

Named = (
    ast.Dim
    | ast.Let
    | ast.MeasuredFact
    | ast.Definition
    | ast.Alias
    | ast.Dtype
    | ast.Scalar
    | ast.Optimizer
    | ast.Config
    | ast.Machine
    | ast.Convention
    | ast.QuantityDef
    | ast.Reference
)
Space = Literal[
    "symbol", "definition", "dtype", "scalar", "optimizer", "config", "machine", "convention", "quantity", "source"
]


@dataclass(frozen=True, slots=True)
class Part:
    """A parsed file (or the needed part of one) and its rank; of a file read whole its path, the files it uses, those
    they use included, and the names in its text.
    """

    file: ast.File
    rank: Rank
    path: Path | None = None
    reach: frozenset[Path] = frozenset()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A declaration in force, and the part it stands in."""

    declaration: Named
    part: Part

    @property
    def rank(self) -> Rank:
        """How near it is to the root file."""
        return self.part.rank


Table = dict[tuple[Space, str], _Entry]


def merge(parts: Iterable[Part], sink: Sink, *, offered: tuple[str, ...] = ()) -> Library:
    """The library of all parts, in their order; a later one never silently replaces an earlier one. `offered` are
    names of definitions that could have been parsed too.
    """
    table: Table = {}
    defaults: list[ast.Default] = []
    claims: list[ast.Claim] = []
    listed = tuple(parts)
    for part in listed:
        for declaration in part.file.declarations:
            match declaration:
                case ast.Use():
                    pass  # followed by the loader
                case ast.Default():
                    defaults.append(declaration)
                case ast.Claim():
                    claims += (declaration,) if part.rank == "root" else ()
                case _:
                    _declare(table, _Entry(declaration, part), listed, sink)
    library = _library(table, defaults, tuple(claims), sink)
    _check_bounds(library, sink)
    return replace(library, offered=tuple(name for name in offered if ("definition", name) not in table))


def _declare(table: Table, entry: _Entry, parts: tuple[Part, ...], sink: Sink) -> None:
    space = _space(entry.declaration)
    key = space, entry.declaration.name
    _check_reserved(entry, space, sink)
    earlier = table.get(key)
    if earlier is None:
        table[key] = entry
        return
    if "library" in (entry.rank, earlier.rank) and entry.rank != earlier.rank:
        own, hidden = (earlier, entry) if entry.rank == "library" else (entry, earlier)
        if own is entry:
            del table[key]  # the user's stands where the user wrote it
            table[key] = own
        if space != "symbol":  # a size of a block's file is there for the block alone; whoever uses it has the say
            _report_hidden(own, hidden, parts, sink)
    elif not _same_symbol(earlier.declaration, entry.declaration):
        _report_duplicate(earlier, entry, sink)
    elif isinstance(entry.declaration, ast.Dim) and entry.declaration.most is not None:
        table[key] = entry  # a bound that one file states holds for all


def _same_symbol(left: Named, right: Named) -> bool:
    """The same dim or let declared again in another file: one symbol."""
    if name_span(left).source is name_span(right).source:
        return False
    match left, right:
        case ast.Dim(_, _, minimum, most), ast.Dim(_, _, other, bound):
            return minimum == other and (most == bound or None in (most, bound))
        case ast.Let(_, value), ast.Let(_, other):
            return value == other
        case _:
            return False


def _check_bounds(library: Library, sink: Sink) -> None:
    """What bounds a dim must be a dim."""
    for dim in library.dims.values():
        if dim.most is not None and dim.most not in library.dims:
            helps = did_you_mean(dim.most, library.dims)
            sink.add(UNKNOWN_NAME, dim.span, f"`{dim.most}` is no dim, so it bounds none", helps=helps)


def _check_reserved(entry: _Entry, space: Space, sink: Sink) -> None:
    if entry.rank == "library":
        return
    name = entry.declaration.name
    reserved = {"symbol": RESERVED_SYMBOLS, "quantity": RESERVED_SYMBOLS, "definition": RESERVED_DEFINITIONS}
    if name in reserved.get(space, frozenset()):
        text = f"`{name}` has a fixed meaning in formulas"
        sink.add(RESERVED, name_span(entry.declaration), text, helps=("choose another name",))


def _report_duplicate(earlier: _Entry, entry: _Entry, sink: Sink) -> None:
    first, second = earlier.declaration, entry.declaration
    sink.add(
        DUPLICATE,
        name_span(second),
        f"`{second.name}` is declared again, as {_kind(second)}",
        secondary=(Label(name_span(first), f"declared here as {_kind(first)}"),),
        helps=("rename one of them",),
    )


def _report_hidden(own: _Entry, hidden: _Entry, parts: tuple[Part, ...], sink: Sink) -> None:
    """A note, but an error where a file that knows nothing of `own` means the library's: it would be read wrong."""
    name = own.declaration.name
    reader = next((part for part in parts if own.rank == "used" and _means_library(part, name, own.part)), None)
    if reader is not None and reader.path is not None:
        sink.add(
            HIDES_FOR_ANOTHER,
            name_span(own.declaration),
            f"`{reader.path.name}` means the library's `{name}`, and this one would be used",
            secondary=(Label(name_span(hidden.declaration), "the library's"),),
            helps=("use one of the two in a file of its own", f"or rename this `{name}`"),
        )
        return
    sink.add(
        HIDES_LIBRARY,
        name_span(own.declaration),
        f"this {_kind(own.declaration).split(' ', 1)[1]} is used instead of the library's `{own.declaration.name}`",
        secondary=(Label(name_span(hidden.declaration), "the library's, not used"),),
    )


def _means_library(part: Part, name: str, hiding: Part) -> bool:
    """Whether another used file mentions a name without having anything to do with the file that hides it."""
    related = part is hiding or hiding.path in part.reach or part.path in hiding.reach
    return part.rank == "used" and not related and name in part.words


def name_span(declaration: Named) -> Span:
    """The name alone, where the tree keeps it or the declaration's text has it as a word; else the declaration."""
    if isinstance(declaration, ast.Definition) and declaration.name_span.end > declaration.name_span.start:
        return declaration.name_span
    span = declaration.span
    offset = span.text.find(declaration.name, len(span.text.split(maxsplit=1)[0]) if span.text.strip() else 0)
    if offset < 0:
        return span
    return Span(span.source, span.start + offset, span.start + offset + len(declaration.name))


def _space(declaration: Named) -> Space:
    match declaration:
        case ast.Dim() | ast.Let() | ast.MeasuredFact():
            return "symbol"
        case ast.Definition() | ast.Alias():
            return "definition"
        case ast.Dtype():
            return "dtype"
        case ast.Scalar():
            return "scalar"
        case ast.Optimizer():
            return "optimizer"
        case ast.Config():
            return "config"
        case ast.Machine():
            return "machine"
        case ast.Convention():
            return "convention"
        case ast.QuantityDef():
            return "quantity"
        case ast.Reference():
            return "source"
        case _:
            assert_never(declaration)


def _kind(declaration: Named) -> str:
    match declaration:
        case ast.Definition(kind):
            return f"an {kind}" if kind == "op" else f"a {kind}"
        case ast.Alias(kind):
            return f"a {kind}"
        case ast.MeasuredFact():
            return "a measured fact"
        case ast.QuantityDef():
            return "a quantity"
        case ast.Optimizer():
            return "an optimizer"
        case ast.Reference():
            return "a source"
        case _:
            return f"a {type(declaration).__name__.lower()}"


def _library(table: Table, defaults: list[ast.Default], claims: tuple[ast.Claim, ...], sink: Sink) -> Library:
    values = [entry.declaration for entry in table.values()]
    dtypes = {d.name: read_dtype(d, sink) for d in values if isinstance(d, ast.Dtype)}
    return Library(
        dims={d.name: d for d in values if isinstance(d, ast.Dim)},
        lets={d.name: d for d in values if isinstance(d, ast.Let)},
        dtypes=dtypes,
        defaults=dict(_defaults(defaults, dtypes, sink)),
        scalars={d.name: d for d in values if isinstance(d, ast.Scalar)},
        definitions={d.name: d for d in values if isinstance(d, ast.Definition)},
        aliases={d.name: d for d in values if isinstance(d, ast.Alias)},
        optimizers={d.name: d for d in values if isinstance(d, ast.Optimizer)},
        configs={d.name: d for d in values if isinstance(d, ast.Config)},
        machines={d.name: d for d in values if isinstance(d, ast.Machine)},
        conventions={d.name: d for d in values if isinstance(d, ast.Convention)},
        claims=claims,
        measured={d.name: d for d in values if isinstance(d, ast.MeasuredFact)},
        quantities={d.name: d for d in values if isinstance(d, ast.QuantityDef)},
        references={d.name: d for d in values if isinstance(d, ast.Reference)},
    )


def _defaults(defaults: list[ast.Default], dtypes: dict[str, Dtype], sink: Sink) -> Iterator[tuple[str, str]]:
    for default in defaults:
        role, _, whose = default.role.partition(".")
        if role not in (OF_PARAMETERS if whose else DEFAULT_ROLES):
            text = f"nothing has a default called `{default.role}`"
            at = _last_word(Span(default.span.source, default.span.start, default.span.end), default.role)
            helps = did_you_mean(default.role, DEFAULT_ROLES) or (f"there are: {', '.join(DEFAULT_ROLES)}",)
            sink.add(UNKNOWN_NAME, at, text, helps=helps)
        if default.dtype not in dtypes:
            helps = did_you_mean(default.dtype, dtypes, "format")
            sink.add(
                UNKNOWN_NAME,
                _last_word(default.span, default.dtype),
                f"no number format is called `{default.dtype}`",
                helps=helps,
            )
        yield default.role, default.dtype


def _last_word(span: Span, word: str) -> Span:
    offset = span.text.rfind(word)
    return span if offset < 0 else Span(span.source, span.start + offset, span.start + offset + len(word))
