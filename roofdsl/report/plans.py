"""What was measured or is expected of a subject → rows of utilisation, a ceiling of inference, kernels against their roofs.

The command line and the Python API read what is stated and ask here; tables and documents are made beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from roofdsl.diagnostics import RoofError, Sink, fail
from roofdsl.errors.performance import BAD_AMOUNT, IMPOSSIBLE, NEEDS_MEASUREMENT, NO_CACHES, NO_TOKENS
from roofdsl.evaluate.bind import Binding, rebound
from roofdsl.evaluate.decoding import decode_sizes, growths, written_tokens
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.model import check_subject
from roofdsl.evaluate.roofline import KernelTime
from roofdsl.evaluate.utilisation import Counted, Measured, Step, measure, plan_of, step_at
from roofdsl.passes.names import did_you_mean
from roofdsl.quantities.conventions import default_for
from roofdsl.quantities.divisors import divisor
from roofdsl.quantities.session import Session
from roofdsl.report.ceilings import Ceiling, ceiling_of
from roofdsl.report.rooflines import Scene, graph_of, roofline_of
from roofdsl.report.utilisation import Row, check_measured, check_possible, hardware_of, ways_of_counting
from roofdsl.source import NOWHERE, Span, word
from roofdsl.units.display import significant


@dataclass(frozen=True, slots=True)
class Given:
    """What was measured (`seconds` of a step, or the `rate` in tokens per second of all devices) or is expected (`share`:
    the utilisation, or `achieved`: FLOP/s of each device). `per_step` are the tokens of a step of all devices, `planned`
    those of a run, which may have to be done in `within` seconds; `price` is in dollars per second of one device. `split`: inference with
    the model spread over the devices, not a copy on each. `place` is where the measurement was stated.
    """

    seconds: Fraction | None = None
    rate: Fraction | None = None
    share: Fraction | None = None
    achieved: Fraction | None = None
    devices: Fraction = Fraction(1)
    per_step: Fraction | None = None
    planned: Fraction | None = None
    within: Fraction | None = None
    price: Fraction | None = None
    split: bool = False
    place: Span = NOWHERE

    @property
    def measured(self) -> bool:
        """Whether a step was measured."""
        return self.seconds is not None or self.rate is not None


@dataclass(frozen=True, slots=True)
class Utilised:
    """Rows by way of counting; `sink` has the complaint about more than 100 %."""

    rows: tuple[Row, ...]
    given: Given
    sink: Sink


def utilised(session: Session, scene: Scene, machine: Machine, binding: Binding, given: Given) -> Utilised:
    """MFU and HFU of a measured step, or the step and the run at an expected utilisation. E0824 if neither is given."""
    if not given.measured and given.share is None and given.achieved is None:
        helps = ("--step-time '6.2 s'", "--tokens 15T --mfu 0.4")
        fail(NEEDS_MEASUREMENT, given.place, "nothing to work on", helps=helps)
    check_subject(session, scene.subject, binding, scene.phase)
    inputs = _tokens(session, scene, binding)
    tokens = given.per_step or inputs
    ways = ways_of_counting(session, scene.subject, machine, binding, scene.phase, inputs)
    counted = [(way, False) for way in ways]
    if scene.phase == "train":
        hardware = hardware_of(session, scene.subject, machine, binding, default_for("flops", session.library))
        if given.measured or hardware.flop > ways[0].flop:
            counted.append((hardware, True))
    rows = tuple(_row(_scaled(way, tokens / inputs), tokens, given, hardware=again) for way, again in counted)
    sink = Sink()
    check_possible(rows, given.place, sink)
    return Utilised(rows, given, sink)


def _row(counted: Counted, tokens: Fraction, given: Given, *, hardware: bool) -> Row:
    step = _step(counted, tokens, given)
    plan = None if given.planned is None else plan_of(step, given.planned, given.price)
    return Row(counted, step, plan, hardware)


def _step(counted: Counted, tokens: Fraction, given: Given) -> Step:
    """The step that was measured, or the one that what is expected leads to."""
    if given.seconds is not None:
        return Step(tokens, given.seconds, given.devices)
    if given.rate is not None:
        return Step(tokens, tokens / given.rate, given.devices)
    if given.share is not None:
        alone = step_at(counted, given.share, tokens, Fraction(1)).seconds
    else:
        alone = counted.flop / (given.achieved or Fraction(1))
    devices = given.devices
    if given.within is not None and given.planned is not None:
        devices = Fraction(ceil(alone * given.planned / (tokens * given.within)))
    return Step(tokens, alone / devices, devices)


def _scaled(counted: Counted, times: Fraction) -> Counted:
    """A way of counting for a step of more tokens than the subject's inputs have (several devices, accumulation)."""
    return replace(counted, flop=counted.flop * times, at_peak=counted.at_peak * times)


def _tokens(session: Session, scene: Scene, binding: Binding) -> Fraction:
    """Tokens of the subject's inputs; E0643 if none enumerates tokens."""
    try:
        return binding.value(divisor(graph_of(session, scene), "token", scene.subject.span))
    except RoofError:
        fail(NO_TOKENS, scene.subject.span, "no input enumerates tokens", helps=("--tokens-per-step N",))


def decoding(session: Session, scene: Scene, binding: Binding) -> tuple[Binding, Mapping[str, Fraction]]:
    """The binding of a step that decodes one token after what a binding holds, and the sizes that this binds anew; E0645
    where no cache grows.
    """
    kinds = growths(graph_of(session, scene), session.library)
    if not kinds:
        fail(NO_CACHES, scene.subject.span, f"{scene.subject.text} has no cache that grows with each token")
    check_subject(session, scene.subject, binding, scene.phase)
    sizes, sink = decode_sizes(kinds, binding), Sink()
    found = rebound(binding, sizes, word("decode", "--phase"), session.library, sink)
    sink.stop_on_errors()
    return found, sizes


def inferred(session: Session, scene: Scene, machine: Machine, binding: Binding, given: Given) -> Ceiling:
    """What a step of inference can reach. E0640 for a measured rate above it, E0823 for what is said of training only."""
    if given.share is not None or given.achieved is not None or given.within is not None:
        text = "inference is held to its roofs, not to a utilisation of FLOP"
        fail(BAD_AMOUNT, given.place, text, expected="a measured rate or step, or nothing", found="an expected rate")
    roofline = roofline_of(session, scene, machine, binding)
    graph = graph_of(session, scene)
    kinds = growths(graph, session.library)
    written = written_tokens(graph, kinds)
    tokens = given.per_step or (_tokens(session, scene, binding) if written is None else binding.value(written))
    grown = next(((binding.value(k.written), binding.value(k.size)) for k in kinds if k.least), None)
    found = ceiling_of(session, scene.subject, roofline, binding, tokens, grown)
    rate = given.rate
    if given.seconds is not None:
        rate = tokens * (1 if given.split else given.devices) / given.seconds
    found = replace(found, devices=given.devices, price=given.price, measured=rate, split=given.split)
    found = replace(found, planned=given.planned)
    if rate is not None and rate > found.by_roofline:
        expected = f"at most {significant(found.by_roofline)} tokens/s"
        helps = ("`roofdsl explain-error E0640` lists the usual causes",)
        text = "faster than the roofs allow"
        fail(IMPOSSIBLE, given.place, text, expected=expected, found=f"{significant(rate)} tokens/s", helps=helps)
    return found


@dataclass(frozen=True, slots=True)
class Timing:
    """A kernel's measured time: its name as stated, the seconds of one execution, where both were said."""

    name: str
    seconds: Fraction
    place: Span


def measured_kernels(
    session: Session, scene: Scene, machine: Machine, binding: Binding, timings: Iterable[Timing]
) -> tuple[Measured, ...]:
    """Measured kernels against their roofs. E0823 for a name that means none or several, E0640 for a time below a roof."""
    kernels = roofline_of(session, scene, machine, binding).kernels
    found = []
    for timing in timings:
        kernel = _kernel(timing, kernels)
        measured = measure(kernel, timing.seconds * kernel.count)
        check_measured(measured, timing.place)
        found.append(measured)
    return tuple(found)


def _kernel(timing: Timing, kernels: Sequence[KernelTime]) -> KernelTime:
    """The kernel a name means: its whole name, the end of one, or an op's name that only one kernel has."""
    name = timing.name
    whole = [kernel for kernel in kernels if kernel.kernel == name]
    fitting = whole or [k for k in kernels if k.kernel.endswith(f".{name}") or k.label == name]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        several = ", ".join(kernel.kernel for kernel in fitting)
        fail(
            BAD_AMOUNT, timing.place, f"{len(fitting)} kernels are called so", expected=f"one of {several}", found=name
        )
    names = tuple(kernel.kernel for kernel in kernels)
    called = dict.fromkeys((*(end for full in names for end in _ends(full)), *(kernel.label for kernel in kernels)))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    known = ", ".join(names[:_SHOWN]) + more
    helps = (*did_you_mean(name, called), "`roofdsl eval` lists all kernels, with their times")
    fail(BAD_AMOUNT, timing.place, "no kernel is called so", expected=f"one of {known}", found=name, helps=helps)


_SHOWN = 12
"""Kernels that a complaint names."""


def _ends(name: str) -> tuple[str, ...]:
    parts = name.split(".")
    return tuple(".".join(parts[start:]) for start in range(len(parts)))
