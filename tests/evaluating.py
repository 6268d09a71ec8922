"""The `# eval: --of X --config C --machine M --under V --set n=v` line at the top of a file in `tests/errors`: what is to be
evaluated, so that errors of evaluation have goldens too. Without the line a file is loaded and its machines are checked,
after `# machine-check` as strictly as that verb does.
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from roofdsl.diagnostics import Diagnostic, RoofError, Sink
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.figures import open_session
from roofdsl.evaluate.headline import check_machines
from roofdsl.evaluate.model import bind_subject, evaluate_subject
from roofdsl.evaluate.settings import read_setting
from roofdsl.ir.library import Library
from roofdsl.passes.load import load
from roofdsl.quantities.conventions import ALL_WORK, find_convention
from roofdsl.quantities.subject import Subject, resolve_subject
from roofdsl.source import Source, Span
from roofdsl.syntax.parser import parse_subject

DIRECTIVE = "# eval: "
STRICT = "# machine-check"


def evaluate_file(path: Path) -> tuple[Diagnostic, ...]:
    """Everything found while loading a file and doing what its directive says."""
    sink = Sink()
    try:
        _evaluate(Source(path.name, path.read_text(encoding="utf-8")), path.parent, sink)
    except RoofError as error:
        sink.found += [d for d in error.diagnostics if d not in sink.found]
    return tuple(sink.found)


def _evaluate(source: Source, folder: Path, sink: Sink) -> None:
    library = load(source, sink, folder=folder)
    sink.stop_on_errors()
    check_machines(library, sink, strict=source.text.startswith(STRICT))
    sink.stop_on_errors()
    if not source.text.startswith(DIRECTIVE):
        return
    asked = _arguments(source.text.splitlines()[0].removeprefix(DIRECTIVE))
    configs = [(name, _argument("--config", name)) for name in asked.config]
    settings = [read_setting(text, sink, library.symbols) for text in asked.set]
    sink.stop_on_errors()
    session = open_session(library)
    subject = _subject(asked.of, library, sink)
    binding = bind_subject(session, subject, configs, [s for s in settings if s is not None])
    if asked.machine:
        machine = named_machine(asked.machine, library, sink, _argument("--machine", asked.machine))
        convention = find_convention(asked.under, library) if asked.under else ALL_WORK
        evaluate_subject(session, subject, machine, binding, convention=convention)
    sink.found += session.notes


def _arguments(line: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", required=True)
    parser.add_argument("--machine")
    parser.add_argument("--under")
    parser.add_argument("--config", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    return parser.parse_args(shlex.split(line))


def _subject(text: str, library: Library, sink: Sink) -> Subject:
    expr = parse_subject(Source("--of", text), sink)
    sink.stop_on_errors()
    assert expr is not None
    return resolve_subject(expr, library)


def _argument(option: str, text: str) -> Span:
    source = Source(option, text)
    return Span(source, 0, len(text))
