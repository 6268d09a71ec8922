"""`roofdsl crossover FILE --of X --machine M --in b`: where the bound changes; `crossover FILE "Q1 = Q2" --in s`: where
two quantities are equal.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_scene, add_values

if TYPE_CHECKING:
    from roofdsl.quantities.session import Session
    from roofdsl.source import Source


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("equation", metavar="Q = Q", nargs="?", help='two quantities: "cache(gpt) = param_bytes(gpt)"')
    parser.add_argument("--in", dest="size", metavar="N", help="the size that varies")
    add_values(parser)
    add_scene(parser)
    add_convention(parser)
    add_assumptions(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.assumptions import read_assumptions
    from roofdsl.cli.loading import open_file
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import NEEDS_SIZE, TILES_CHANGE_BACK
    from roofdsl.source import word

    if arguments.size is None:
        fail(NEEDS_SIZE, word(arguments.file, "FILE"), "which size varies?", helps=("--in b",))
    if arguments.tile is not None and arguments.equation is None:
        helps = ("at one size: `roofdsl eval --tile …`, `roofdsl tiles`",)
        fail(TILES_CHANGE_BACK, word(arguments.tile, "--tile"), "a crossover has no tiles", helps=helps)
    mentions = (arguments.equation or "", arguments.of or "", *arguments.settings)
    source, session = open_file(arguments.file, console, mentions, read_assumptions(arguments))
    if arguments.equation is None:
        _bounds(arguments, source, session, console)
    else:
        _equal(arguments, source, session, console)
    console.report(session.notes)
    return codes.FINE


def _bounds(arguments: argparse.Namespace, source: Source, session: Session, console: Console) -> None:
    from roofdsl.cli.loading import read_binding, read_machine, read_scene
    from roofdsl.report.crossover import crossing_document, crossing_lines, find_crossings, setting_of
    from roofdsl.report.json import document
    from roofdsl.report.rooflines import entries_for, graph_of
    from roofdsl.source import word

    scene = read_scene(arguments, session, source)
    machine = read_machine(arguments, session, scene, "roofs are those of a machine")
    graph = graph_of(session, scene)
    size = word(arguments.size, "--in")
    binding = read_binding(arguments, session, graph.symbols)
    setting = setting_of(session, graph.symbols, size, binding, scene.convention)
    place = {kernel.id: number for number, kernel in enumerate(graph.kernels)}
    entries = entries_for(session, scene)
    found = find_crossings(entries, machine, setting, place, size)
    if arguments.json:
        crossings = [crossing_document(crossing, setting) for crossing in found]
        text = document("crossover", file=source.name, size=setting.name, machine=machine.name, crossings=crossings)
        console.write(text)
        return
    console.write(f"{scene.subject.text} · {scene.phase} · {machine.name} · in {setting.name}")
    for crossing in found:
        console.write("\n".join(crossing_lines(crossing, setting)))


def _equal(arguments: argparse.Namespace, source: Source, session: Session, console: Console) -> None:
    from roofdsl.cli.loading import read_binding, read_context
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import NEEDS_SIZE
    from roofdsl.report.equality import equality, equality_document, equality_lines
    from roofdsl.report.json import document
    from roofdsl.source import word

    left, sign, right = arguments.equation.partition("=")
    if not sign:
        at = word(arguments.equation, "Q = Q")
        fail(NEEDS_SIZE, at, "two quantities are compared", expected="Q1 = Q2", found=arguments.equation)
    context = read_context(arguments, session)
    size = word(arguments.size, "--in")
    found = equality(
        session, left.strip(), right.strip(), size, context, lambda own: read_binding(arguments, session, own)
    )
    if arguments.json:
        console.write(document("crossover", file=source.name, size=arguments.size, **equality_document(found)))
    else:
        console.write("\n".join(equality_lines(found)))


VERB = Verb(
    _configure,
    _run,
    "For example: roofdsl crossover primer --of gemm --machine h100_sxm --in M --set K=4096 --set n=4096",
)
