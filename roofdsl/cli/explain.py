"""`roofdsl explain FILE Q`: where every term of a quantity comes from."""

from __future__ import annotations

import argparse

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("quantities", metavar="Q", nargs="+", help='a quantity: "saved(layer)"')
    add_format(parser)
    add_convention(parser)
    parser.add_argument("--machine", metavar="M", help="the machine of quantities that need one")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.loading import open_file, read_context
    from roofdsl.cli.output import MARKUP, write_table
    from roofdsl.report.derive_table import derived_document
    from roofdsl.report.derived import derive
    from roofdsl.report.explain_table import explain_document, explain_tables, explanations
    from roofdsl.report.json import document

    source, session = open_file(arguments.file, console, arguments.quantities)
    context = read_context(arguments, session)
    for text in arguments.quantities:
        derived = derive(session, text, context)
        found = [explanations(session, quantity) for quantity in derived.found]
        if arguments.format == "json":
            entries = [entry for explanation, style in found for entry in explain_document(explanation, style)]
            console.write(document("explain", file=source.name, total=derived_document(derived), entries=entries))
            continue
        for explanation, style in found:
            for table in explain_tables(explanation, style, markup=arguments.format in MARKUP):
                write_table(table, arguments.format, console)
    console.report(session.notes)
    return codes.FINE


VERB = Verb(_configure, _run, 'For example: roofdsl explain gpt3 "saved(layer)"')
