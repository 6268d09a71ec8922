"""`roofdsl utilisation FILE`: what a measured step, rate or kernel says; what a run will take; what decoding can reach."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format, add_values
from roofdsl.report.phases import PHASES, inference

if TYPE_CHECKING:
    from roofdsl.evaluate.bind import Binding
    from roofdsl.evaluate.machine import Machine
    from roofdsl.quantities.session import Session
    from roofdsl.report.plans import Given, Timing
    from roofdsl.report.rooflines import Scene


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_values(parser)
    parser.add_argument("--of", metavar="X", help="a model, block or op; without it the file's first model")
    says = "train (default); decode: one new token after those the cache holds; prefill: a whole prompt; infer: what the sizes say"
    parser.add_argument("--phase", choices=PHASES, default="train", help=says)
    add_convention(parser)
    add_assumptions(parser)
    group = parser.add_argument_group("measured or expected")
    group.add_argument("--step-time", metavar="T", help="measured: seconds of a step, '6.2 s'")
    group.add_argument("--tokens-per-second", metavar="R", help="measured, all devices together")
    group.add_argument(
        "--kernel-time", metavar="K=T", action="append", default=[], help="measured: 'attention.core=51 us'; repeatable"
    )
    group.add_argument("--mfu", metavar="U", help="expected utilisation: 0.4 or 40%%")
    group.add_argument("--achieved", metavar="R", help="expected rate of each device: '140 TFLOP/s'")
    group.add_argument("--devices", metavar="N", default="1", help="how many machines take part (1)")
    group.add_argument("--split", action="store_true", help="inference: the model is split over the devices")
    group.add_argument("--tokens-per-step", metavar="N", help="of all devices; else those of the subject's inputs")
    group.add_argument("--tokens", metavar="N", help="plan a run over so many tokens: 15T")
    group.add_argument("--days", metavar="D", help="how many devices a run needs to take so many days at most")
    group.add_argument("--price", metavar="P", help="of one device: '2.5 $/hour'; else the machine's own")
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.loading import open_file, read_binding, read_machine, read_scene
    from roofdsl.report.plans import decoding
    from roofdsl.report.rooflines import graph_of

    source, session = open_file(arguments.file, console, (arguments.of or "", *arguments.settings))
    derived = argparse.Namespace(**{**vars(arguments), "phase": inference(arguments.phase)})
    scene = read_scene(derived, session, source)
    machine = read_machine(arguments, session, scene, "utilisation is that of a machine")
    binding = read_binding(arguments, session, graph_of(session, scene).symbols)
    if arguments.phase == "decode":
        binding, sizes = decoding(session, scene, binding)
        kept = [text for text in arguments.settings if text.partition("=")[0].strip() not in sizes]
        arguments.settings = [*kept, *(f"{name}={value}" for name, value in sizes.items())]  # for the title
    code = _answer(arguments, session, scene, machine, binding, console)
    console.report(session.notes)
    return code


def _answer(
    arguments: argparse.Namespace, session: Session, scene: Scene, machine: Machine, binding: Binding, console: Console
) -> int:
    if arguments.kernel_time:
        return _kernels(arguments, session, scene, machine, binding, console)
    if scene.phase == "infer":
        return _infer(arguments, session, scene, machine, binding, console)
    return _train(arguments, session, scene, machine, binding, console)


def _kernels(
    arguments: argparse.Namespace, session: Session, scene: Scene, machine: Machine, binding: Binding, console: Console
) -> int:
    from roofdsl.cli.output import write_table
    from roofdsl.report.json import document
    from roofdsl.report.plans import measured_kernels
    from roofdsl.report.utilisation import kernel_table, measured_document

    timings = [_timing(text) for text in arguments.kernel_time]
    found = measured_kernels(session, scene, machine, binding, timings)
    if arguments.format == "json":
        console.write(document("utilisation", machine=machine.name, kernels=[measured_document(m) for m in found]))
    else:
        write_table(kernel_table(found, _title(arguments, scene)), arguments.format, console)
    return codes.FINE


def _timing(text: str) -> Timing:
    """The kernel a `K=T` names, and its time."""
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import BAD_AMOUNT
    from roofdsl.report.stating import timing
    from roofdsl.source import word

    name, sign, time = text.rpartition("=")
    span = word(text, "--kernel-time")
    if not sign:
        fail(BAD_AMOUNT, span, "which kernel, and what time?", expected="NAME=TIME", helps=("'attention.core=51 us'",))
    return timing(name.strip(), time.strip(), "--kernel-time")


def _infer(
    arguments: argparse.Namespace, session: Session, scene: Scene, machine: Machine, binding: Binding, console: Console
) -> int:
    from roofdsl.cli.output import write_table
    from roofdsl.report.ceilings import ceiling_document, ceiling_table
    from roofdsl.report.json import document
    from roofdsl.report.plans import inferred

    found = inferred(session, scene, machine, binding, _given(arguments, machine))
    if arguments.format == "json":
        console.write(document("utilisation", machine=machine.name, ceiling=ceiling_document(found)))
    else:
        write_table(ceiling_table(found, _title(arguments, scene)), arguments.format, console)
    return codes.FINE


def _train(
    arguments: argparse.Namespace, session: Session, scene: Scene, machine: Machine, binding: Binding, console: Console
) -> int:
    from roofdsl.cli.output import write_table
    from roofdsl.report.json import diagnostics_of, document
    from roofdsl.report.plans import utilised
    from roofdsl.report.utilisation import row_document, step_notes, utilisation_table

    found = utilised(session, scene, machine, binding, _given(arguments, machine))
    if arguments.format == "json":
        rows = [row_document(row) for row in found.rows]
        complaints = diagnostics_of(found.sink.found)
        console.write(document("utilisation", machine=machine.name, rows=rows, diagnostics=complaints))
    else:
        title, notes = _title(arguments, scene), step_notes(found.rows)
        write_table(
            utilisation_table(found.rows, title, notes, measured=found.given.measured), arguments.format, console
        )
        console.report(found.sink.found)
    return codes.WRONG if found.sink.errors else codes.FINE


def _given(arguments: argparse.Namespace, machine: Machine) -> Given:
    """What the options state, in base units."""
    from roofdsl.report.stating import Stating, given

    stating = Stating(
        step_time=arguments.step_time,
        tokens_per_second=arguments.tokens_per_second,
        mfu=arguments.mfu,
        achieved=arguments.achieved,
        devices=arguments.devices,
        tokens_per_step=arguments.tokens_per_step,
        tokens=arguments.tokens,
        days=arguments.days,
        price=arguments.price,
        split=arguments.split,
    )
    return given(stating, machine, arguments.file)


def _title(arguments: argparse.Namespace, scene: Scene) -> str:
    """What was asked, under which sizes, on how many machines."""
    devices = f"{arguments.devices} devices" if arguments.devices != "1" else ""
    words = (scene.subject.text, arguments.phase, *arguments.config, *arguments.settings, arguments.machine, devices)
    return " · ".join(word for word in words if word)


VERB = Verb(
    _configure,
    _run,
    "For example: roofdsl utilisation llama --config llama_3_8b --machine h100_sxm --set b=1024 --devices 1024 --mfu 0.4 --tokens 15T",
)
