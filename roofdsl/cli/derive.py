"""`roofdsl derive FILE [Q...]`: closed forms."""

from __future__ import annotations

import argparse

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format, add_shape


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument(
        "quantities", metavar="Q", nargs="*", help='formulas over quantities: "saved(layer)", "flops(gpt, train)"'
    )
    add_format(parser)
    add_shape(parser)
    add_convention(parser)
    parser.add_argument("--machine", metavar="M", help="the machine of quantities that need one")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.loading import open_file, read_context, read_shape
    from roofdsl.cli.output import MARKUP, write_formulas, write_table
    from roofdsl.report.derive_table import derive_table, derived_document, main_questions
    from roofdsl.report.derived import derive
    from roofdsl.report.json import document

    source, session = open_file(arguments.file, console, arguments.quantities)
    context, shape = read_context(arguments, session), read_shape(arguments)
    questions = arguments.quantities or main_questions(session.library, source)
    results = [derive(session, question, context, shape) for question in questions]
    if arguments.format == "json":
        results_data = [derived_document(derived) for derived in results]
        console.write(document("derive", file=source.name, results=results_data))
    elif arguments.quantities:
        write_formulas(results, arguments.format, console)
    else:
        write_table(derive_table("", results, markup=arguments.format in MARKUP), arguments.format, console)
    console.report(session.notes)
    return codes.FINE


VERB = Verb(
    "derive",
    "closed forms of quantities; without Q the main ones of every block and model",
    _configure,
    _run,
    'For example: roofdsl derive gpt3 "saved(layer)"',
)
