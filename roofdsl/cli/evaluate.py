"""`roofdsl eval FILE [Q...]`: numbers with units; without Q the roofline of every kernel."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format, add_scene, add_values

if TYPE_CHECKING:
    from roofdsl.quantities.session import Session
    from roofdsl.source import Source


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("quantities", metavar="Q", nargs="*", help='formulas over quantities: "time(gpt, train)"')
    add_values(parser)
    add_scene(parser)
    add_assumptions(parser)
    add_convention(parser)
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.assumptions import read_assumptions
    from roofdsl.cli.loading import open_file

    mentions = (*arguments.quantities, arguments.of or "", *arguments.settings)
    source, session = open_file(arguments.file, console, mentions, read_assumptions(arguments))
    if arguments.quantities:
        _values(arguments, source, session, console)
    else:
        _kernels(arguments, source, session, console)
    console.report(session.notes)
    return codes.FINE


def _values(arguments: argparse.Namespace, source: Source, session: Session, console: Console) -> None:
    from dataclasses import replace

    from roofdsl.cli.loading import read_binding, read_context
    from roofdsl.cli.output import write_table
    from roofdsl.report.derived import ask
    from roofdsl.report.json import document
    from roofdsl.report.values import bindings_document, evaluate, value_document, values_table

    context = replace(read_context(arguments, session), stored=True)
    asked = [(text, *ask(session, text, context)) for text in arguments.quantities]
    own = tuple(dict.fromkeys(name for _, asker, _ in asked for name in asker.own))
    binding = read_binding(arguments, session, own)
    results = [evaluate(asker, text, formula, binding) for text, asker, formula in asked]
    if arguments.format == "json":
        data = [value_document(result) for result in results]
        console.write(document("values", file=source.name, bindings=bindings_document(binding), results=data))
    else:
        write_table(values_table(results, _title(arguments)), arguments.format, console)


def _kernels(arguments: argparse.Namespace, source: Source, session: Session, console: Console) -> None:
    from roofdsl.cli.loading import read_binding, read_machine, read_scene
    from roofdsl.cli.output import write_table
    from roofdsl.report.footer import roofline_footer
    from roofdsl.report.json import document
    from roofdsl.report.roofline_table import bound_table, kernel_document, roofline_table, totals_document
    from roofdsl.report.rooflines import entries_for, graph_of, roofline_of, stored_convention
    from roofdsl.report.values import bindings_document

    scene = read_scene(arguments, session, source)
    machine = read_machine(arguments, session, scene, "a roofline needs a machine")
    binding = read_binding(arguments, session, graph_of(session, scene).symbols)
    roofline, convention = roofline_of(session, scene, machine, binding), stored_convention(session, scene)
    if arguments.format == "json":
        kernels = [kernel_document(kernel) for kernel in roofline.kernels]
        text = document(
            "kernels",
            file=source.name,
            subject=scene.subject.text,
            phase=scene.phase,
            machine=machine.name,
            convention=f"{convention.name} ({convention})",
            bindings=bindings_document(binding),
            kernels=kernels,
            totals=totals_document(roofline),
        )
        console.write(text)
        return
    footer = roofline_footer(convention, entries_for(session, scene))
    title = f"{scene.subject.text} · {scene.phase} · {_title(arguments)}"
    write_table(roofline_table(roofline, title, footer), arguments.format, console)
    console.write("")
    write_table(bound_table(roofline), arguments.format, console)


def _title(arguments: argparse.Namespace) -> str:
    machine = (arguments.machine,) if arguments.machine else ()
    tile = (f"tiles of {arguments.tile}",) if arguments.tile else ()
    return " · ".join((*arguments.config, *arguments.settings, *machine, *tile))


VERB = Verb(
    _configure, _run, 'For example: roofdsl eval gpt3 "time(layer)" --config gpt3_175b --machine h100_sxm --set s=4Ki'
)
