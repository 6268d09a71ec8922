"""`roofdsl tiles FILE --machine M --tile 256x128`: tiles and waves of every matrix product."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format, add_scene, add_values

if TYPE_CHECKING:
    from roofdsl.evaluate.machine import Machine
    from roofdsl.evaluate.tiling import Tiling


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_values(parser)
    add_scene(parser)
    add_convention(parser)
    parser.add_argument(
        "--tile", metavar="RxC[xK]", help="results a unit computes at a time; else the machine's `array`"
    )
    parser.add_argument("--units", metavar="N", type=int, help="units that run tiles; else the machine's `sms`")
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.loading import needs_machine, open_file, read_binding, read_scene
    from roofdsl.cli.output import write_table
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.describe import named_machine
    from roofdsl.evaluate.model import check_subject, products_of
    from roofdsl.report.json import document
    from roofdsl.report.rooflines import graph_of
    from roofdsl.report.tiles import tiled_products, tiles_document, tiles_table, waves_table
    from roofdsl.report.values import bindings_document

    source, session = open_file(arguments.file, console, (arguments.of or "", *arguments.settings))
    scene = read_scene(arguments, session, source)
    if arguments.machine is None and (arguments.tile is None or arguments.units is None):
        needs_machine(scene, "units are those of a machine", "or say both: --tile 256x128 --units 132")
    machine = None if arguments.machine is None else named_machine(arguments.machine, session.library, Sink())
    tiling = _tiling(arguments, machine)
    binding = read_binding(arguments, session, graph_of(session, scene).symbols)
    check_subject(session, scene.subject, binding, scene.phase)
    products = products_of(session, scene.subject, scene.phase)
    found = tiled_products(products, tiling, binding, scene.convention.causal)
    name = "" if machine is None else machine.name
    if arguments.format == "json":
        shown = {"rows": tiling.rows, "columns": tiling.columns, "inner": tiling.inner, "units": tiling.units}
        bindings = bindings_document(binding)
        tiles = tiles_document(found, tiling)
        console.write(
            document("tiles", file=source.name, machine=name or None, tiling=shown, bindings=bindings, products=tiles)
        )
    else:
        title = " · ".join(word for word in (scene.subject.text, scene.phase, name) if word)
        write_table(tiles_table(found, tiling, title), arguments.format, console)
        if found:
            console.write("")
            write_table(waves_table(found, tiling), arguments.format, console)
    console.report(session.notes)
    return codes.FINE


def _tiling(arguments: argparse.Namespace, machine: Machine | None) -> Tiling:
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import BAD_TILE
    from roofdsl.evaluate.tiling import array_tiling, read_tiling
    from roofdsl.source import word

    if arguments.units is not None and arguments.units < 1:
        units = str(arguments.units)
        fail(BAD_TILE, word(units, "--units"), "not a number of units", expected="at least 1", found=units)
    if arguments.tile is not None or machine is None:
        return read_tiling(arguments.tile, machine, word(arguments.tile, "--tile"), arguments.units)
    found = array_tiling(machine)
    if found is None:
        helps = ("for example --tile 256x128",)
        fail(BAD_TILE, word(machine.name, "--machine"), "this machine states no tile of its own", helps=helps)
    return found


VERB = Verb(
    _configure,
    _run,
    "For example: roofdsl tiles primer --of gemm --set M=1793 --set n=1793 --set K=1793 --machine a100_80gb --tile 256x128",
)
