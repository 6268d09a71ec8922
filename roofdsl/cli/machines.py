"""`roofdsl machines` lists and compares what ships; `roofdsl machine-check FILE` checks a machine somebody wrote."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_file, add_format

if TYPE_CHECKING:
    from roofdsl.report.machines import Described


def _configure_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        metavar="M",
        nargs="*",
        help="shipped machines, or files that declare one: the text and figures of one, or several compared",
    )
    parser.add_argument("--dtype", metavar="D", default="bf16", help="the dtype whose peak and ridge are listed (bf16)")
    add_format(parser)


def _run_list(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.output import text_document, write_table, write_texts
    from roofdsl.passes.listing import shipped_texts
    from roofdsl.report.json import document
    from roofdsl.report.machines import comparison_table, list_table, machine_document

    found = _described(arguments.names)
    texts = shipped_texts(arguments.names, "machine")
    if arguments.format == "json":
        documents = [machine_document(*one) | text_document(texts.get(one[0].name)) for one in found]
        console.write(document("machines", machines=documents))
    else:
        if arguments.format == "text" and len(found) == 1:
            write_texts(texts.values(), console)
        table = comparison_table(found) if arguments.names else list_table(found, arguments.dtype)
        write_table(table, arguments.format, console)
    return codes.FINE


def _described(names: list[str]) -> list[Described]:
    """The machines of some names, or all that ship."""
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.describe import build_machine
    from roofdsl.passes.load import find_machine, load, machine_names
    from roofdsl.source import Source, word

    sink = Sink()
    library = load(Source("<machines>", ""), sink, folder=None)
    found: list[Described] = []
    for name in names or machine_names(library):
        declared = find_machine(library, name, sink, span=word(name, "M"))
        if declared is not None:
            found.append((declared, build_machine(declared, library, sink)))
    sink.stop_on_errors()
    return found


def _configure_check(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("--json", action="store_true", help="as JSON, diagnostics included")


def _run_check(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.diagnostics import Sink
    from roofdsl.errors.performance import NO_MACHINE_IN_FILE
    from roofdsl.evaluate.headline import check_machines
    from roofdsl.passes.load import load_named
    from roofdsl.report.json import diagnostics_of, document
    from roofdsl.report.machines import comparison_table, machine_document
    from roofdsl.source import word

    sink = Sink()
    source, library = load_named(arguments.file, sink)
    if not library.machines and not sink.errors:
        sink.add(NO_MACHINE_IN_FILE, word(arguments.file, "FILE"), "there is no `machine NAME { … }` in it")
    machines = check_machines(library, sink, strict=True)
    fine = not sink.errors
    found = list(zip(library.machines.values(), machines, strict=True)) if fine else []
    if arguments.json:
        shown = [machine_document(*one) for one in found]
        diagnostics = diagnostics_of(sink.found)
        console.write(document("machine-check", file=source.name, ok=fine, machines=shown, diagnostics=diagnostics))
    else:
        console.report(sink.found)
        if fine:
            console.write_table(comparison_table(found))
            console.write(f"ok {source.name}")
    if any(diagnostic.kind is NO_MACHINE_IN_FILE for diagnostic in sink.errors):
        return codes.USAGE
    return codes.FINE if fine else codes.WRONG


LIST = Verb(_configure_list, _run_list, "For example: roofdsl machines h100_sxm mi300x")
CHECK = Verb(_configure_check, _run_check, "For example: roofdsl machine-check mine.roof")
