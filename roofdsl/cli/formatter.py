"""`roofdsl fmt FILE...`: files in canonical form, rewritten in place."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb

if TYPE_CHECKING:
    from pathlib import Path

    from roofdsl.diagnostics import Sink
    from roofdsl.source import Source


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a path, a folder of .roof files, or - (to stdout)")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file is not in this form")
    parser.add_argument("--diff", action="store_true", help="change nothing; print what would change")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from pathlib import Path

    from roofdsl.cli.checking import expand_folders

    if "-" in arguments.files:
        return _format_input(arguments, console)
    paths = [Path(name) for name in expand_folders(arguments.files)]
    results = [_format_file(path, arguments, console) for path in paths]
    return max(results, default=codes.FINE)


def _format_input(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.diagnostics import Sink
    from roofdsl.passes.read import read_standard_input

    sink = Sink()
    source = read_standard_input(sink)
    sink.stop_on_errors()
    if source is None:
        return codes.WRONG
    text = _formatted(source, sink)
    if arguments.check or arguments.diff:
        return _compare(source, text, arguments, console)
    console.out.write(text)
    return codes.FINE


def _format_file(path: Path, arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.diagnostics import RoofError, Sink
    from roofdsl.files import write_atomic
    from roofdsl.passes.read import read_file

    sink = Sink()
    try:
        source = read_file(path, sink)
        sink.stop_on_errors()
        if source is None:
            return codes.WRONG
        text = _formatted(source, sink)
        if arguments.check or arguments.diff:
            return _compare(source, text, arguments, console)
        if text.encode() != path.read_bytes():
            write_atomic(path, text)
            console.remark(f"reformatted {path}")
    except RoofError as error:
        console.report(error.diagnostics)
        return codes.WRONG
    return codes.FINE


def _formatted(source: Source, sink: Sink) -> str:
    from roofdsl.syntax.format import format_text

    text = format_text(source, sink)
    sink.stop_on_errors()
    return text


def _compare(source: Source, text: str, arguments: argparse.Namespace, console: Console) -> int:
    from difflib import unified_diff

    if text == source.text:
        return codes.FINE
    if arguments.diff:
        before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
        console.out.writelines(unified_diff(before, after, source.name, f"{source.name} (formatted)"))
    else:
        console.remark(f"{source.name} is not formatted")
    return codes.WRONG if arguments.check else codes.FINE


VERB = Verb(_configure, _run, "For example: roofdsl fmt --diff model.roof")
