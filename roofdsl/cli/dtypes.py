"""`roofdsl dtypes`: the number formats that ship, or those of a file, with what follows from their bits."""

from __future__ import annotations

import argparse

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_format


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="also the number formats this file declares")
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.output import write_table
    from roofdsl.diagnostics import Sink
    from roofdsl.passes.load import load, load_named
    from roofdsl.report.formats import dtype_document, formats_table
    from roofdsl.report.json import document
    from roofdsl.source import Source

    sink = Sink()
    if arguments.file is None:
        library = load(Source("<dtypes>", ""), sink, folder=None)
    else:
        _, library = load_named(arguments.file, sink)
    sink.stop_on_errors()
    found = tuple(library.dtypes.values())
    if arguments.format == "json":
        console.write(document("dtypes", dtypes=[dtype_document(d) for d in found], defaults=library.defaults))
    else:
        write_table(formats_table(found, library.defaults), arguments.format, console)
    return codes.FINE


VERB = Verb(_configure, _run, "For example: roofdsl dtypes")
