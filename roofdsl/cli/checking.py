"""What `check` does to one file: each stage reports everything it finds before the next one starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from roofdsl.diagnostics import Diagnostic, RoofError, Sink, fail
from roofdsl.errors.names import CANNOT_READ
from roofdsl.errors.shapes import TOO_MANY_CALLS
from roofdsl.evaluate.bind import bind
from roofdsl.evaluate.describe import build_machine
from roofdsl.evaluate.opening import open_session
from roofdsl.ir.graph import Mode
from roofdsl.ir.library import Library
from roofdsl.passes.find import find_spec, spec_name, specs_root
from roofdsl.passes.load import load_named
from roofdsl.passes.read import argument
from roofdsl.quantities.conventions import read_convention
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject, resolve_subject
from roofdsl.source import Source
from roofdsl.syntax import ast
from roofdsl.verify.question import pose

D = TypeVar("D", ast.Definition, ast.Alias, ast.Config, ast.Machine, ast.Convention, ast.Claim)
MODES: tuple[Mode, ...] = ("train", "infer")


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a file: counts of what it declares, and all diagnostics of the last stage reached."""

    name: str
    counts: dict[str, int]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """No errors; notes may be there."""
        return all(diagnostic.kind.severity != "error" for diagnostic in self.diagnostics)


def expand_folders(names: Iterable[str]) -> list[str]:
    """Folders stand for all .roof files below them, also shipped ones by name (`papers`, `specs/papers`); a folder
    without any is an error (E0210).
    """
    found: list[str] = []
    for name in names:
        path = Path(name)
        shipped = None if name == "-" or path.exists() else _shipped_folder(name)
        if shipped is not None:
            found += sorted(spec_name(p) for p in shipped.rglob("*.roof"))
            continue
        if name == "-" or not path.is_dir():
            found.append(name)
            continue
        inside = sorted(str(p) for p in path.rglob("*.roof") if not p.is_dir())
        if not inside:
            fail(CANNOT_READ, argument(name), f"there is no .roof file in {name}")
        found += inside
    return found


def _shipped_folder(name: str) -> Path | None:
    """The shipped folder of a name, unless a shipped spec has it too."""
    path = (specs_root() / name.removesuffix("/").removeprefix("specs").removeprefix("/")).resolve()
    inside = path.is_relative_to(specs_root()) and path.is_dir()
    return path if inside and (path != specs_root() or name.startswith("specs")) and find_spec(name) is None else None


def check_file(name: str) -> Checked:
    """All diagnostics of a file: of reading it, then of what it declares, then of its claims."""
    sink = Sink()
    try:
        source, library = load_named(name, sink)
    except RoofError as error:
        return Checked(name, {}, error.diagnostics)
    if sink.errors:
        return Checked(source.name, {}, tuple(sink.found))
    _check_declarations(library, source, sink)
    return Checked(source.name, _counts(library, source), tuple(sink.found))


def _check_declarations(library: Library, source: Source, sink: Sink) -> None:
    session = open_session(library)
    _try(sink, lambda: session.lets)
    for machine in _own(library.machines.values(), source):
        build_machine(machine, library, sink)
    for convention in _own(library.conventions.values(), source):
        _try(sink, partial(read_convention, convention, library))
    if sink.errors:
        return
    for config in _own(library.configs.values(), source):
        _try(sink, partial(bind, library, sink, [(config.name, config.span)]))
    for subject in _subjects(library, source, sink):
        for mode in MODES:
            _try(sink, partial(session.graph, subject, mode))
    _take(sink, session.notes)
    if not sink.errors:
        _check_claims(session, source, sink)


def _check_claims(session: Session, source: Source, sink: Sink) -> None:
    for claim in _own(session.library.claims, source):
        _try(sink, partial(pose, claim, session))


def _subjects(library: Library, source: Source, sink: Sink) -> list[Subject]:
    """What the file defines itself; an alias of nothing is reported and left out."""
    found = [Subject(d.name, text=d.name, span=d.name_span) for d in _own(library.definitions.values(), source)]
    for alias in _own(library.aliases.values(), source):
        _try(sink, lambda alias=alias: found.append(resolve_subject(ast.Name(alias.name, alias.span), library)))  # type: ignore[misc]
    return found


def _own(declared: Iterable[D], source: Source) -> list[D]:
    return [d for d in declared if d.span.source is source]


def _try(sink: Sink, step: Callable[[], object]) -> None:
    try:
        step()
    except RoofError as error:
        _take(sink, error.diagnostics)


def _take(sink: Sink, diagnostics: Iterable[Diagnostic]) -> None:
    """What is new; that something is too large is said once, not of everything it is part of."""
    for found in diagnostics:
        repeated = found.kind is TOO_MANY_CALLS and any(known.kind is found.kind for known in sink.found)
        if not repeated and found not in sink.found:
            sink.found.append(found)


def _counts(library: Library, source: Source) -> dict[str, int]:
    """How many of each kind of declaration the file has itself, in reading order of kinds."""
    kinds = [d.kind for d in _own(library.definitions.values(), source)]
    kinds += [alias.kind for alias in _own(library.aliases.values(), source)]
    counts = {kind: kinds.count(kind) for kind in ("op", "block", "model")}
    counts["config"] = len(_own(library.configs.values(), source))
    counts["machine"] = len(_own(library.machines.values(), source))
    counts["claim"] = len(_own(library.claims, source))
    return {kind: number for kind, number in counts.items() if number}
