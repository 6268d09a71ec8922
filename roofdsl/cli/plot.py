"""`roofdsl plot FILE --of X -o out.svg`: the roofline with every kernel on it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_scene, add_values

if TYPE_CHECKING:
    from roofdsl.quantities.session import Session
    from roofdsl.report.plot_model import Series
    from roofdsl.report.rooflines import Scene


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_scene(parser)
    add_values(parser)
    add_convention(parser)
    add_assumptions(parser)
    parser.add_argument(
        "--also",
        metavar="M|C",
        action="append",
        default=[],
        help="overlay another machine, or another config; may be repeated",
    )
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="NAME.svg, .pdf or .png")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from pathlib import Path

    from roofdsl.cli.loading import needs_machine, open_file, read_scene
    from roofdsl.files import write_atomic
    from roofdsl.report.plot_draw import check_matplotlib, draw_plot, plot_format
    from roofdsl.report.plot_model import overlaid, title_of
    from roofdsl.source import word

    check_matplotlib(word(arguments.output, "-o"))
    form = plot_format(arguments.output)
    source, session = open_file(arguments.file, console, (arguments.of or "", *arguments.settings))
    scene = read_scene(arguments, session, source)
    if arguments.machine is None:
        needs_machine(scene, "a roofline needs a machine")
    pairs = overlaid(arguments.machine, tuple(arguments.config), arguments.also, session.library.configs)
    series = [_series(arguments, session, scene, machine, configs) for machine, configs in pairs]
    write_atomic(Path(arguments.output), draw_plot(series, title_of(scene, series), form))
    console.report(session.notes)
    return codes.FINE


def _series(
    arguments: argparse.Namespace, session: Session, scene: Scene, name: str, configs: tuple[str, ...]
) -> Series:
    from roofdsl.cli.loading import read_binding
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.describe import named_machine
    from roofdsl.report.plot_model import series_in
    from roofdsl.report.rooflines import graph_of
    from roofdsl.source import word

    machine = named_machine(name, session.library, Sink(), word(name, "--machine"))
    own = graph_of(session, scene).symbols
    binding = read_binding(argparse.Namespace(**{**vars(arguments), "config": configs}), session, own)
    title = " · ".join((*configs[-1:], *arguments.settings, machine.name))
    return series_in(session, scene, machine, binding, title)


VERB = Verb(
    _configure, _run, "For example: roofdsl plot gpt3 --of layer --config gpt3_175b --machine h100_sxm -o layer.svg"
)
