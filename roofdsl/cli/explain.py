"""`roofdsl explain FILE Q`: a quantity derived statement by statement, tensor by tensor."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format, add_rename

if TYPE_CHECKING:
    from roofdsl.quantities.session import Session
    from roofdsl.report.derivation import Derivation
    from roofdsl.report.derived import Derived


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("quantities", metavar="Q", nargs="+", help='a quantity: "saved(layer)"')
    add_format(parser, "html")
    add_rename(parser)
    add_convention(parser)
    parser.add_argument("--machine", metavar="M", help="the machine of quantities that need one")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.loading import open_file, read_context, read_shape
    from roofdsl.report.derived import derive

    source, session = open_file(arguments.file, console, arguments.quantities)
    context, shape = read_context(arguments, session), read_shape(arguments)
    found = [derive(session, text, context, shape) for text in arguments.quantities]
    if arguments.format == "json":
        console.write(_document(source.name, session, found, shape.renames))
    else:
        for derived in found:
            _write(session, derived, shape.renames, arguments.format, console)
    console.report(session.notes)
    return codes.FINE


def _document(file: str, session: Session, found: Sequence[Derived], renames: tuple[tuple[str, str], ...]) -> str:
    """One document: of one quantity its total and entries, of several a list of such."""
    from roofdsl.report.derive_table import derived_document
    from roofdsl.report.explain_table import explain_document, explanations
    from roofdsl.report.json import document

    results = []
    for derived in found:
        explained = [explanations(session, quantity, renames) for quantity in derived.found]
        entries = [entry for explanation, style in explained for entry in explain_document(explanation, style)]
        results.append({"total": derived_document(derived), "entries": entries})
    return document("explain", file=file, **(results[0] if len(results) == 1 else {"results": results}))


def _write(
    session: Session, derived: Derived, renames: tuple[tuple[str, str], ...], form: str, console: Console
) -> None:
    """The derivations of all quantities a formula is made of, and the formula itself where it is more than one of them."""
    from roofdsl.cli.output import write_formulas
    from roofdsl.report.derivation import derivation

    derivations = [derivation(session, quantity, renames) for quantity in derived.found]
    for found in derivations:
        _write_one(found, form, console)
    if len(derivations) != 1 or derivations[0].quantity.size != derived.size:
        write_formulas([derived], "markdown" if form == "html" else form, console)


def _write_one(found: Derivation, form: str, console: Console) -> None:
    from roofdsl.cli.output import write_table
    from roofdsl.report.derivation_table import derivation_tables

    match form:
        case "text":
            from roofdsl.report.derivation_text import derivation_text

            console.write(derivation_text(found))
        case "latex":
            from roofdsl.report.derivation_latex import derivation_latex

            console.write(derivation_latex(found))
        case _:
            for table in derivation_tables(found):
                write_table(table, form, console)


VERB = Verb(_configure, _run, 'For example: roofdsl explain gpt3 "saved(layer)"')
