"""`roofdsl graph FILE --of X -o out.svg`: the op graph, coloured by bound."""

from __future__ import annotations

import argparse

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_scene, add_values


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_scene(parser)
    add_assumptions(parser)
    add_values(parser)
    add_convention(parser)
    parser.add_argument("--params", action="store_true", help="draw parameters and buffers too")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="NAME.dot, .svg, .png or .pdf; without it DOT on standard output"
    )


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from pathlib import Path

    from roofdsl.cli.loading import open_file, read_binding, read_scene
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.describe import named_machine
    from roofdsl.files import write_atomic
    from roofdsl.report.dot import render_dot
    from roofdsl.report.graph_scene import scene_picture
    from roofdsl.report.render import draw, picture_format
    from roofdsl.report.rooflines import graph_of

    form = "dot" if arguments.output is None else picture_format(arguments.output)
    source, session = open_file(arguments.file, console, (arguments.of or "",))
    scene = read_scene(arguments, session, source)
    binding = read_binding(arguments, session, graph_of(session, scene).symbols)
    machine = named_machine(arguments.machine, session.library, Sink()) if arguments.machine else None
    dot = render_dot(scene_picture(session, scene, binding, machine, params=arguments.params))
    if arguments.output is None:
        console.write(dot)
    else:
        write_atomic(Path(arguments.output), draw(dot, form))
    console.report(session.notes)
    return codes.FINE


VERB = Verb(
    _configure, _run, "For example: roofdsl graph gpt3 --of layer --config gpt3_175b --machine h100_sxm -o layer.svg"
)
