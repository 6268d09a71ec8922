"""`roofdsl derive FILE [Q...]`: closed forms."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format, add_rename, add_shape, add_values

if TYPE_CHECKING:
    from roofdsl.quantities.session import Session
    from roofdsl.report.derived import Derived
    from roofdsl.source import Source


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument(
        "quantities", metavar="Q", nargs="*", help='formulas over quantities: "saved(layer)", "flops(gpt, train)"'
    )
    add_format(parser)
    add_shape(parser)
    add_rename(parser)
    parser.add_argument("--macros", metavar="OUT.tex", help=r"also write a \newcommand for each formula")
    add_convention(parser)
    add_assumptions(parser)
    add_values(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.assumptions import read_assumptions
    from roofdsl.cli.loading import open_file, read_binding, read_context, read_shape
    from roofdsl.report.derived import derive

    source, session = open_file(arguments.file, console, arguments.quantities, read_assumptions(arguments))
    context, shape = read_context(arguments, session), read_shape(arguments)
    questions = arguments.quantities or _main_questions(session, source)
    if arguments.per is not None:
        questions = [f"{question} per {arguments.per}" for question in questions]
    bound = arguments.config or arguments.settings
    bind = (lambda own: read_binding(arguments, session, own).given) if bound else None
    results = [derive(session, question, context, shape, bind) for question in questions]
    _write(results, source, arguments, console)
    if arguments.macros is not None:
        from roofdsl.files import write_atomic
        from roofdsl.report.macros import macros_text

        write_atomic(Path(arguments.macros), macros_text(results, source.name))
    console.report(session.notes)
    return codes.FINE


def _main_questions(session: Session, source: Source) -> tuple[str, ...]:
    from roofdsl.report.derive_table import main_questions

    return main_questions(session.library, source)


def _write(results: list[Derived], source: Source, arguments: argparse.Namespace, console: Console) -> None:
    """What is imported here is what the format needs: a single formula is to come at once."""
    if arguments.format == "json":
        from roofdsl.report.derive_table import derived_document
        from roofdsl.report.json import document

        console.write(document("derive", file=source.name, results=[derived_document(d) for d in results]))
    elif arguments.quantities:
        from roofdsl.cli.output import write_formulas

        write_formulas(results, arguments.format, console)
    else:
        from roofdsl.cli.output import MARKUP, write_table
        from roofdsl.report.derive_table import derive_table

        write_table(derive_table("", results, markup=arguments.format in MARKUP), arguments.format, console)


VERB = Verb(_configure, _run, 'For example: roofdsl derive gpt3 "saved(layer)"')
