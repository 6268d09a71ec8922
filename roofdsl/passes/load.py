"""The entry for people: a path, `-`, or the name of something that ships becomes a source and its library.

Also machines by name, looked up in the library first and then among the shipped ones, which are parsed only then.
"""

from __future__ import annotations

import re
from pathlib import Path

from roofdsl.diagnostics import Sink, fail
from roofdsl.errors.names import CANNOT_READ, EMPTY, UNKNOWN_NAME
from roofdsl.ir.library import Library
from roofdsl.passes.find import SUFFIX, find_spec, shown, spec_files, spec_name, specs_root
from roofdsl.passes.gather import load
from roofdsl.passes.listing import model_configs
from roofdsl.passes.names import did_you_mean
from roofdsl.passes.outline import outline
from roofdsl.passes.read import argument, read_file, read_standard_input
from roofdsl.source import Source, Span
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_file

_LAYOUT = re.compile(r"(?:\s|#[^\n]*)*+")  # blanks and comments

__all__ = ["find_machine", "find_spec", "load", "load_named", "machine_names"]


def load_named(name: str, sink: Sink, *, mentions: str = "") -> tuple[Source, Library]:
    """The source and library of a path, of `-` (standard input), or of a shipped spec such as `gpt3`.

    Raises `RoofError` if there is no text to load (E0208–E0210); what is wrong inside it goes to the sink.
    """
    source, folder = _open(name, sink)
    if source is None:
        sink.stop_on_errors()
        fail(CANNOT_READ, argument(name), "cannot be read")
    if _LAYOUT.fullmatch(source.text):
        fail(
            EMPTY,
            Span(source, 0, len(source.text.split("\n", 1)[0])),
            "nothing is declared here",
            helps=("`roofdsl specs primer` prints small blocks to start from",),
        )
    return source, load(source, sink, folder=folder, mentions=mentions)


def _open(name: str, sink: Sink) -> tuple[Source | None, Path | None]:
    if name == "-":
        return read_standard_input(sink), None
    path = Path(name)
    spec = find_spec(name)
    if _exists(path) and not (spec is not None and path.is_dir()):
        return read_file(path, sink), path.parent.resolve()
    if spec is not None:
        return read_file(spec, sink, name=shown(spec, None)), spec.parent
    _report_missing(name, sink)
    return None, None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _report_missing(name: str, sink: Sink) -> None:
    names = [spec_name(path) for path in spec_files()]
    configs = model_configs()
    near = did_you_mean(name, (*(n.rsplit("/", 1)[-1] for n in names), *names, *configs))
    beside = f"{name}{SUFFIX}"
    helps = near or (() if name.endswith(SUFFIX) else ("`roofdsl specs` lists what ships",))
    if _exists(Path(beside)):
        helps = (f"there is a file {beside}",)
    elif name in configs:
        helps = (f"it is a config of the shipped `{configs[name]}`: `roofdsl eval {configs[name]} --config {name}`",)
    sink.add(CANNOT_READ, argument(name), f"there is no file and no shipped spec `{name}`", helps=helps)


def machine_names(library: Library) -> tuple[str, ...]:
    """The machines a claim or the command line may name: the library's, then the shipped ones."""
    shipped = (path.stem for path in sorted((specs_root() / "machines").glob(f"*{SUFFIX}")))
    return tuple(dict.fromkeys((*library.machines, *shipped)))


def find_machine(library: Library, name: str, sink: Sink, *, span: Span | None = None) -> ast.Machine | None:
    """The machine of a name, from the library or the shipped ones; a path ending in `.roof` is read, and the machine in it taken. None, with
    a diagnostic (E0201) at `span`, if there is none.
    """
    if name in library.machines:
        return library.machines[name]
    path = Path(name) if name.endswith(SUFFIX) else _machine_file(name)
    machine = None if path is None else _machine_in(path, name, sink)
    if machine is None and not sink.errors:
        helps = did_you_mean(name, machine_names(library)) or ("`roofdsl machines` lists what ships",)
        sink.add(UNKNOWN_NAME, span or argument(name), f"no machine is called `{name}`", helps=helps)
    return machine


def _machine_file(name: str) -> Path | None:
    """The shipped file that declares a machine; normally the one of its name."""
    for path in sorted((specs_root() / "machines").glob(f"*{SUFFIX}"), key=lambda p: p.stem != name):
        source = read_file(path, Sink())
        if source is not None and any((p.kind, p.name) == ("machine", name) for p in outline(source).pieces):
            return path
    return None


def _machine_in(path: Path, name: str, sink: Sink) -> ast.Machine | None:
    source = read_file(path, sink, name=shown(path, None))
    if source is None:
        return None
    declared = parse_file(source, sink).declarations
    machines = [d for d in declared if isinstance(d, ast.Machine)]
    wanted = [m for m in machines if m.name == name] or (machines if name.endswith(SUFFIX) else [])
    return wanted[0] if wanted else None
