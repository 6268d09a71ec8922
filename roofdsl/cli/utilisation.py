"""`roofdsl utilisation FILE`: what a measured step, rate or kernel says; what a run will take; what decoding can reach."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_convention, add_file, add_format, add_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from roofdsl.evaluate.bind import Binding
    from roofdsl.evaluate.machine import Machine
    from roofdsl.evaluate.roofline import KernelTime
    from roofdsl.evaluate.utilisation import Counted, Step
    from roofdsl.quantities.session import Session
    from roofdsl.report.rooflines import Scene
    from roofdsl.source import Span


def _configure(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_values(parser)
    parser.add_argument("--of", metavar="X", help="a model, block or op; without it the file's first model")
    parser.add_argument(
        "--phase", choices=("train", "forward", "infer"), default="train", help="train (default), infer"
    )
    add_convention(parser)
    add_assumptions(parser)
    group = parser.add_argument_group("measured or expected")
    group.add_argument("--step-time", metavar="T", help="measured: seconds of a step, '6.2 s'")
    group.add_argument("--tokens-per-second", metavar="R", help="measured, all devices together")
    group.add_argument(
        "--kernel-time", metavar="K=T", action="append", default=[], help="measured: 'attention.core=51 us'; repeatable"
    )
    group.add_argument("--mfu", metavar="U", help="expected utilisation: 0.4 or 40%%")
    group.add_argument("--devices", metavar="N", default="1", help="how many machines take part (1)")
    group.add_argument("--tokens-per-step", metavar="N", help="of all devices; else those of the subject's inputs")
    group.add_argument("--tokens", metavar="N", help="plan a run over so many tokens: 15T")
    group.add_argument("--price", metavar="P", help="of one device: '2.5 $/hour'; else the machine's own")
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.loading import open_file, read_binding, read_scene
    from roofdsl.diagnostics import Sink, fail
    from roofdsl.errors.usage import NEEDS_MACHINE
    from roofdsl.evaluate.describe import named_machine
    from roofdsl.evaluate.model import check_subject
    from roofdsl.report.rooflines import graph_of

    source, session = open_file(arguments.file, console, (arguments.of or "", *arguments.settings))
    scene = read_scene(arguments, session, source)
    if arguments.machine is None:
        fail(NEEDS_MACHINE, scene.subject.span, "utilisation is that of a machine", helps=("--machine h100_sxm",))
    machine = named_machine(arguments.machine, session.library, Sink())
    binding = read_binding(arguments, session, graph_of(session, scene).symbols)
    check_subject(session, scene.subject, binding, scene.phase)
    if arguments.kernel_time:
        code = _kernels(arguments, session, scene, machine, binding, console)
    elif scene.phase == "infer":
        code = _decode(arguments, session, scene, machine, binding, console)
    else:
        code = _train(arguments, session, scene, machine, binding, console)
    console.report(session.notes)
    return code


def _kernels(
    arguments: argparse.Namespace, session: Session, scene: Scene, machine: Machine, binding: Binding, console: Console
) -> int:
    from roofdsl.cli.output import write_table
    from roofdsl.evaluate.utilisation import measure
    from roofdsl.report.json import document
    from roofdsl.report.rooflines import roofline_of
    from roofdsl.report.utilisation import check_measured, kernel_table, measured_document

    roofline = roofline_of(session, scene, machine, binding)
    found = []
    for text in arguments.kernel_time:
        kernel, seconds, span = _measurement(text, roofline.kernels)
        measured = measure(kernel, seconds)
        check_measured(measured, span)
        found.append(measured)
    if arguments.format == "json":
        console.write(document("utilisation", machine=machine.name, kernels=[measured_document(m) for m in found]))
    else:
        title = f"{scene.subject.text} · {scene.phase} · {machine.name}"
        write_table(kernel_table(found, title), arguments.format, console)
    return codes.FINE


def _measurement(text: str, kernels: Sequence[KernelTime]) -> tuple[KernelTime, Fraction, Span]:
    """The kernel a `K=T` names, and its time."""
    from roofdsl.cli.amounts import read_amount
    from roofdsl.cli.loading import argument
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import BAD_AMOUNT
    from roofdsl.quantities.names import suggestion
    from roofdsl.units.dimension import SECOND

    name, sign, time = text.rpartition("=")
    span = argument(text, "--kernel-time")
    names = {kernel.kernel: kernel for kernel in kernels}
    ending = [k for k in kernels if not sign or k.kernel == name or k.kernel.endswith(f".{name}") or k.label == name]
    if len(ending) != 1:
        known = ", ".join(names)
        fail(
            BAD_AMOUNT, span, "which kernel?", expected=f"NAME=TIME with one of {known}", helps=suggestion(name, names)
        )
    return ending[0], read_amount(time.strip(), "--kernel-time", SECOND), span


def _decode(
    arguments: argparse.Namespace, session: Session, scene: Scene, machine: Machine, binding: Binding, console: Console
) -> int:
    from roofdsl.cli.amounts import read_count
    from roofdsl.cli.loading import argument
    from roofdsl.cli.output import write_table
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import IMPOSSIBLE
    from roofdsl.report.ceilings import ceiling_document, ceiling_of, ceiling_table
    from roofdsl.report.json import document
    from roofdsl.report.rooflines import roofline_of
    from roofdsl.units.display import significant

    roofline = roofline_of(session, scene, machine, binding)
    given = arguments.tokens_per_second
    measured = None if given is None else read_count(given, "--tokens-per-second")
    step = (_tokens(arguments, session, scene, binding), read_count(arguments.devices, "--devices"))
    found = ceiling_of(session, scene.subject, roofline, binding, step, _price(arguments, machine), measured)
    if measured is not None and measured > found.by_roofline:
        expected = f"at most {significant(found.by_roofline)} tokens/s"
        fail(
            IMPOSSIBLE,
            argument(given, "--tokens-per-second"),
            "faster than the roofs allow",
            expected=expected,
            found=given,
        )
    if arguments.format == "json":
        console.write(document("utilisation", machine=machine.name, ceiling=ceiling_document(found)))
    else:
        title = " · ".join((scene.subject.text, scene.phase, *arguments.config, *arguments.settings, machine.name))
        write_table(ceiling_table(found, title), arguments.format, console)
    return codes.FINE


def _train(
    arguments: argparse.Namespace, session: Session, scene: Scene, machine: Machine, binding: Binding, console: Console
) -> int:
    from roofdsl.cli.amounts import read_count, read_share
    from roofdsl.cli.loading import argument
    from roofdsl.cli.output import write_table
    from roofdsl.diagnostics import Sink
    from roofdsl.quantities.conventions import default_for
    from roofdsl.report.json import diagnostics_of, document
    from roofdsl.report.utilisation import (
        check_possible,
        hardware_of,
        row_document,
        rows_of,
        utilisation_table,
        ways_of_counting,
    )

    inputs = _tokens(arguments, session, scene, binding, own=True)
    tokens = _tokens(arguments, session, scene, binding)
    devices = read_count(arguments.devices, "--devices")
    planned = None if arguments.tokens is None else read_count(arguments.tokens, "--tokens")
    step = _step(arguments, tokens, devices)
    expected = None if arguments.mfu is None else read_share(arguments.mfu, "--mfu")
    _need_something(arguments, step, expected)
    ways = ways_of_counting(session, scene.subject, machine, binding, scene.phase, inputs)
    ways = tuple(_scaled(way, tokens / inputs) for way in ways)
    convention = default_for("flops", session.library)
    hardware = None
    if step is not None and scene.phase == "train":
        hardware = _scaled(hardware_of(session, scene.subject, machine, binding, convention), tokens / inputs)
    rows = rows_of(ways, hardware, step, expected, (tokens, devices, planned), _price(arguments, machine))
    sink = Sink()
    given = arguments.step_time or arguments.tokens_per_second or ""
    check_possible(rows, argument(given, "--step-time" if arguments.step_time else "--tokens-per-second"), sink)
    if arguments.format == "json":
        shown = [row_document(row) for row in rows]
        console.write(document("utilisation", machine=machine.name, rows=shown, diagnostics=diagnostics_of(sink.found)))
    else:
        title = " · ".join(
            (
                scene.subject.text,
                scene.phase,
                *arguments.config,
                machine.name,
                f"{devices} device{'s' if devices != 1 else ''}",
            )
        )
        notes = (f"{int(tokens):,} tokens a step",)
        write_table(utilisation_table(rows, title, notes, measured=step is not None), arguments.format, console)
        console.report(sink.found)
    return codes.WRONG if sink.errors else codes.FINE


def _scaled(counted: Counted, times: Fraction) -> Counted:
    """A way of counting for a step of more tokens than the subject's inputs have (several devices, accumulation)."""
    from dataclasses import replace

    return replace(counted, flop=counted.flop * times, at_peak=counted.at_peak * times)


def _need_something(arguments: argparse.Namespace, step: object, expected: object) -> None:
    from roofdsl.cli.loading import argument
    from roofdsl.diagnostics import fail
    from roofdsl.errors.performance import NEEDS_MEASUREMENT

    if step is None and expected is None:
        helps = ("--step-time '6.2 s'", "--tokens 15T --mfu 0.4")
        fail(NEEDS_MEASUREMENT, argument(arguments.file, "FILE"), "nothing to work on", helps=helps)


def _step(arguments: argparse.Namespace, tokens: Fraction, devices: Fraction) -> Step | None:
    """The measured step, if one was."""
    from roofdsl.cli.amounts import read_amount, read_count
    from roofdsl.evaluate.utilisation import Step
    from roofdsl.units.dimension import SECOND

    if arguments.step_time is not None:
        return Step(tokens, read_amount(arguments.step_time, "--step-time", SECOND), devices)
    if arguments.tokens_per_second is not None:
        return Step(tokens, tokens / read_count(arguments.tokens_per_second, "--tokens-per-second"), devices)
    return None


def _tokens(
    arguments: argparse.Namespace, session: Session, scene: Scene, binding: Binding, *, own: bool = False
) -> Fraction:
    """Tokens of a step: as given, or those of the subject's inputs (`own`)."""
    from roofdsl.cli.amounts import read_count
    from roofdsl.diagnostics import RoofError, fail
    from roofdsl.errors.performance import NO_TOKENS
    from roofdsl.quantities.divisors import divisor
    from roofdsl.report.rooflines import graph_of

    if arguments.tokens_per_step is not None and not own:
        return read_count(arguments.tokens_per_step, "--tokens-per-step")
    try:
        return binding.value(divisor(graph_of(session, scene), "token", scene.subject.span))
    except RoofError:
        fail(NO_TOKENS, scene.subject.span, "no input enumerates tokens", helps=("--tokens-per-step N",))


def _price(arguments: argparse.Namespace, machine: Machine) -> Fraction | None:
    from roofdsl.cli.amounts import read_amount
    from roofdsl.units.dimension import DOLLAR, SECOND

    if arguments.price is not None:
        return read_amount(arguments.price, "--price", DOLLAR / SECOND)
    stated = machine.figures.get("price")
    return None if stated is None else stated.value


VERB = Verb(
    _configure,
    _run,
    "For example: roofdsl utilisation llama --config llama_3_8b --machine h100_sxm --devices 1024 --mfu 0.4 --tokens 15T",
)
