"""One import from start to end: read, find the table, apply it, write the text, compile it, count the weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from roofdsl.diagnostics import InternalError, Sink, fail
from roofdsl.errors.importing import COUNT_DIFFERS, MISSING_FIELD, UNKNOWN_ARCHITECTURE
from roofdsl.evaluate.bind import bind
from roofdsl.evaluate.extents import check_bound
from roofdsl.evaluate.number import NoValueError
from roofdsl.importing.apply import Imported, apply_table
from roofdsl.importing.count import Count, compare
from roofdsl.importing.inputs import Input, read_input
from roofdsl.importing.stored import with_stored_formats
from roofdsl.importing.table import Table, read_tables
from roofdsl.importing.write import name_of, roof_text
from roofdsl.passes.gather import load
from roofdsl.passes.names import suggest
from roofdsl.quantities.conventions import default_for
from roofdsl.quantities.quantity import quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import resolve_subject
from roofdsl.source import NOWHERE, Source, Span
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Outcome:
    """The text of the import, the name of its model and config, the parameters derived from it, and how the weights
    compare, if there were any.
    """

    text: str
    name: str
    parameters: int
    count: Count | None


def import_model(
    path: Path, *, name: str | None = None, weights: tuple[Path, ...] = (), ignored: Iterable[str] = ()
) -> Outcome:
    """Import a file or folder. Raises `RoofError` with all that is wrong or not understood."""
    sink = Sink()
    given = read_input(path, weights)
    table = with_part(find_table(given), given)
    imported = apply_table(table, given.fields, _architecture(given), sink, ignored)
    sink.stop_on_errors()
    if imported is None:
        raise InternalError("nothing was imported, and nothing was said about it")
    if given.kind and given.tensors:
        imported = with_stored_formats(imported, given.tensors, given.kind)
    called = _free_name(name_of(name or given.name), imported.spec)
    text = roof_text(imported, called, path.name)
    parameters = derived_parameters(text, called, given.fields.beginning)
    return Outcome(text, called, parameters, _counted(given, imported, parameters))


def find_table(given: Input) -> Table:
    """The table of an architecture, else of a model type where the file names no architecture."""
    tables = read_tables()
    for table in tables:
        if given.architecture in table.names or (not given.architecture and set(given.types) & set(table.types)):
            return table
    named = [name for table in tables for name in table.names]
    what = given.architecture or given.types[0]
    parts = dict.fromkeys(_own_part(name) for name in named)
    own = _own_part(what)
    near = own if own in parts else suggest(own, parts)
    meant = [name for name in named if near is not None and _own_part(name) == near]
    fail(
        UNKNOWN_ARCHITECTURE,
        given.place,
        f"`{what[:64]}` is not known",
        helps=(f"did you mean `{meant[0]}`?",) if meant else (_known(parts),),
    )


def _known(parts: Iterable[str]) -> str:
    """All that are known, without what their names share."""
    names = sorted(part for part in parts if ":" not in part)
    return f"known are the architectures {', '.join(names)}"


def _own_part(architecture: str) -> str:
    """What a name does not share with all others: `Llama` of `LlamaForCausalLM`."""
    return architecture.partition("For")[0]


def with_part(table: Table, given: Input) -> Table:
    """A table joined with that of the nested object it is about, such as the language model of a model of images."""
    names = [line.text for line in table.of("part")]
    if not names:
        return table
    kind = given.fields.find(f"{names[0]}.model_type")
    if kind is None:
        text = f"there is no `{names[0]}.model_type`"
        fail(MISSING_FIELD, given.fields.place(names[0]), text, expected="the type of the language model")
    inner = find_table(replace(given, architecture="", types=(str(kind.content),), place=kind.span))
    if inner.of("part"):
        fail(UNKNOWN_ARCHITECTURE, kind.span, "a language model was expected here", found=str(kind.content)[:64])
    inside = tuple(replace(line, keyword="inside") for line in table.of("part"))
    return replace(table, lines=(*inside, *table.lines, *inner.lines))


def derived_parameters(text: str, name: str, place: Span) -> int:
    """Parameters of the model of an import under its config: compiles the text on the way. Sizes that do not come out
    whole, such as that of a head, or are too small are errors (E0611, E0612).
    """
    sink = Sink()
    library = load(Source("<imported>", text), sink, folder=None)
    sink.stop_on_errors()
    binding = bind(library, sink, [(name, NOWHERE)])
    sink.stop_on_errors()
    session = Session(library)
    subject = resolve_subject(ast.Name(name), library)
    found = quantity(session, "params", subject, convention=default_for("params", library))
    check_bound(session.graph(subject, found.mode), binding, library, sink)
    sink.stop_on_errors()
    try:
        return int(binding.value(found.size))
    except NoValueError as error:
        fail(MISSING_FIELD, place, f"nothing in the file gives a size of the model: {error}")


def _free_name(name: str, spec: str) -> str:
    """The name, unless the shipped spec has one like it."""
    sink = Sink()
    library = load(Source("<imported>", f'use "{spec}"\n'), sink, folder=None, mentions=name)
    sink.stop_on_errors()
    taken = {*library.symbols, *library.definitions, *library.aliases, *library.configs}
    return f"imported_{name}" if name in taken else name


def _architecture(given: Input) -> str:
    return given.architecture or given.types[0]


def _bits(imported: Imported, given: Input) -> int | None:
    """Bits of a matrix weight without what groups share; None where all weights are stored one by one."""
    named = next((dtype for kind, dtype in imported.dtypes if kind.startswith("weights")), None)
    if named is None or given.kind:
        return None
    sink = Sink()
    library = load(Source("<imported>", ""), sink, folder=None)
    sink.stop_on_errors()
    return library.dtypes[named].declaration.bits


def _counted(given: Input, imported: Imported, parameters: int) -> Count | None:
    if given.tensors is None:
        return None
    layers = dict(imported.bindings).get("L")
    count = compare(given.tensors, parameters, int(layers) if layers is not None else None, _bits(imported, given))
    if not count.agrees:
        fail(
            COUNT_DIFFERS,
            given.place,
            f"{len(given.tensors)} tensors",
            expected=f"{parameters:,} elements, derived",
            found=f"{count.total:,}, a difference of {count.total - parameters:+,}",
        )
    return count
