"""From the arguments of `crossover`, `utilisation` and `plot` to what the reports take, and from their answers to values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from roofdsl.api import asking
from roofdsl.api.answers import Boundary, Change, Crossing, Crossover, Plot, Utilisation
from roofdsl.api.asking import Number
from roofdsl.diagnostics import fail
from roofdsl.errors.performance import NEEDS_SIZE
from roofdsl.source import Source, word

if TYPE_CHECKING:
    from sympy import Expr

    from roofdsl.algebra.form import Normal
    from roofdsl.algebra.solve import Solution
    from roofdsl.evaluate import crossover as numbers
    from roofdsl.evaluate.bind import Binding
    from roofdsl.evaluate.machine import Machine
    from roofdsl.evaluate.stated import Stated
    from roofdsl.quantities.quantity import Asked
    from roofdsl.quantities.session import Session
    from roofdsl.report import crossover as crossings
    from roofdsl.report.plot_model import Series
    from roofdsl.report.rooflines import Scene
    from roofdsl.report.stating import Stating


_RIDGE = "I_ridge"


@dataclass(frozen=True, slots=True)
class Place:
    """What is asked about: a subject of a file in a phase, on a machine, at sizes of configs and keywords."""

    session: Session
    source: Source
    of: str | None
    machine: str | None
    config: str | Iterable[str]
    phase: str
    under: str | None
    sizes: Mapping[str, Number]

    def binding(self) -> Binding:
        return asking.binding(self.session, self.config, self.sizes)

    def scene(self, phase: Asked) -> Scene:
        return asking.scene(self.session, self.source, self.of, phase, self.under)

    def on(self) -> Machine:
        return asking.named_machine(self.session, self.machine)


def bounds(asked: Place, size: str) -> Crossover:
    """Where the bound of each kernel changes."""
    from roofdsl.quantities.quantity import PHASES
    from roofdsl.report.crossover import crossing_lines, find_crossings, setting_of
    from roofdsl.report.rooflines import entries_for, graph_of

    session = asked.session
    scene = asked.scene(asking.known_phase(asked.phase, PHASES))
    machine, graph = asked.on(), graph_of(session, scene)
    at = word(size, "size")
    setting = setting_of(session, graph.symbols, at, asked.binding(), scene.convention)
    order = setting.style.order
    places = {kernel.id: number for number, kernel in enumerate(graph.kernels)}
    found = find_crossings(entries_for(session, scene), machine, setting, places, at)
    title = f"{scene.subject.text} · {scene.phase} · {machine.name} · in {size}"
    text = "\n".join((title, *(line for crossing in found for line in crossing_lines(crossing, setting))))
    return Crossover(size, tuple(_crossing(session, order, one) for one in found), (), (), text)


def _crossing(session: Session, order: tuple[str, ...], found: crossings.Crossing) -> Crossing:
    from roofdsl.report.crossover import bound_name

    made = [_boundary(session, order, b, s) for b in found.boundaries for s in b.found or ()]
    changes = None if found.changes is None else tuple(_change(change) for change in found.changes)
    return Crossing(found.kernels, tuple(made), None if found.first is None else bound_name(found.first), changes)


def _boundary(session: Session, order: tuple[str, ...], found: numbers.Boundary, solution: Solution) -> Boundary:
    from roofdsl.report.crossover import bound_name

    one, other = found.pair
    needs = tuple(_expr(session, order, form) for form in solution.needs)
    return Boundary((bound_name(one), bound_name(other)), _expr(session, order, solution.value), needs, found.ridge)


def _change(found: numbers.Change) -> Change:
    from roofdsl.report.crossover import bound_name

    return Change(bound_name(found.before), bound_name(found.after), found.last, _number(found.value))


def _number(value: object) -> Fraction | float | None:
    """Exact where it is rational."""
    return value if value is None or isinstance(value, Fraction) else float(value)  # type: ignore[arg-type]


def _expr(session: Session, order: tuple[str, ...], form: Normal) -> Expr:
    """On the model's symbols; the ridge, written I*, is the symbol `I_ridge`."""
    from roofdsl.algebra.expr import to_expr
    from roofdsl.algebra.symbols import SymbolTable, symbol_table
    from roofdsl.evaluate.crossover import RIDGE

    minimum = {name: dim.minimum for name, dim in session.library.dims.items()}
    table = symbol_table(order, minimum, (_RIDGE,))
    found: Expr = to_expr(form, SymbolTable(table.names, {**table.by_name, RIDGE: table[_RIDGE]}))
    return found


def equal(asked: Place, equation: str, size: str) -> Crossover:
    """Where two quantities are equal."""
    from roofdsl.report.equality import equality, equality_lines

    left, sign, right = equation.partition("=")
    if not sign:
        at = word(equation, "equation")
        fail(NEEDS_SIZE, at, "two quantities are compared", expected="Q1 = Q2", found=equation)
    context = asking.context(asked.session, asked.under, asked.machine)
    found = equality(asked.session, left.strip(), right.strip(), word(size, "size"), context, lambda _: asked.binding())
    order = found.setting.style.order
    formulas = tuple(_expr(asked.session, order, solution.value) for solution in found.found or ())
    values = tuple(number for value in found.values or () if (number := _number(value)) is not None)
    return Crossover(size, (), formulas, values, "\n".join(equality_lines(found)))


def utilisation(asked: Place, stating: Stating, kernel_times: Mapping[str, Stated]) -> Utilisation:
    """Measured kernels, else a ceiling of inference, else rows by way of counting."""
    from roofdsl.report.ceilings import ceiling_table
    from roofdsl.report.phases import PHASES, inference
    from roofdsl.report.plans import decoding, inferred, measured_kernels, utilised
    from roofdsl.report.stating import given, timing
    from roofdsl.report.utilisation import kernel_table, step_notes, utilisation_table

    scene = asked.scene(inference(asking.known_phase(asked.phase, PHASES)))
    session, machine, binding = asked.session, asked.on(), asked.binding()
    if asked.phase == "decode":
        binding, _ = decoding(session, scene, binding)
    title = f"{scene.subject.text} · {asked.phase} · {machine.name}"
    if kernel_times:
        timings = [timing(name, stated, "kernel_times") for name, stated in kernel_times.items()]
        kernels = measured_kernels(session, scene, machine, binding, timings)
        return Utilisation((), None, kernels, kernel_table(kernels, title))
    said = given(stating, machine, scene.subject.text)
    if scene.phase == "infer":
        ceiling = inferred(session, scene, machine, binding, said)
        return Utilisation((), ceiling, (), ceiling_table(ceiling, title))
    found = utilised(session, scene, machine, binding, said)
    table = utilisation_table(found.rows, title, step_notes(found.rows), measured=said.measured)
    return Utilisation(found.rows, None, (), table)


def plot(asked: Place, also: Iterable[str]) -> Plot:
    """The roofline with every kernel on it; other machines or configs overlaid."""
    from roofdsl.quantities.quantity import PHASES
    from roofdsl.report.plot_model import overlaid, title_of

    scene = asked.scene(asking.known_phase(asked.phase, PHASES))
    own = (asked.config,) if isinstance(asked.config, str) else tuple(asked.config)
    pairs = overlaid(asked.machine, own, also, asked.session.library.configs)
    series = tuple(_series(replace(asked, machine=machine, config=configs), scene) for machine, configs in pairs)
    return Plot(title_of(scene, series), series)


def _series(asked: Place, scene: Scene) -> Series:
    from roofdsl.report.plot_model import series_in

    sizes = tuple(f"{name}={value}" for name, value in asked.sizes.items())
    machine = asked.on()
    title = " · ".join((*tuple(asked.config)[-1:], *sizes, machine.name))
    return series_in(asked.session, scene, machine, asked.binding(), title)
