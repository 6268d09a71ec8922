"""The op graph of a subject in a phase: formulas in the boxes, numbers where sizes are bound, bounds on a machine."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap

from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.number import NoValueError
from roofdsl.ir.size import Size
from roofdsl.quantities.session import Session
from roofdsl.report.derived import scope_of, style_of
from roofdsl.report.footer import roofline_footer
from roofdsl.report.formula import formula
from roofdsl.report.graph_model import KernelNote, Picture, build_picture
from roofdsl.report.kernel_notes import notes_on_machine, notes_with_formulas, notes_with_numbers
from roofdsl.report.rooflines import Scene, entries_for, part_of, roofline_of
from roofdsl.units.display import format_number, format_seconds

_WIDTH = 90
_KEPT = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"


def scene_picture(
    session: Session, scene: Scene, binding: Binding, machine: Machine | None = None, *, params: bool = False
) -> Picture:
    """The picture of a scene; raises `RoofError` as rooflines do."""
    graph = part_of(session, scene)
    order = tuple(dict.fromkeys((*session.library.symbols, *graph.symbols)))
    notes, about = _notes(session, scene, binding, machine, order)
    lines = (about, *_bindings(binding), roofline_footer(scene.convention, entries_for(session, scene)))
    caption = tuple(part for line in lines for part in _wrapped(line))
    extents = _extents(session, order)
    count = _counts(extents, binding)
    title = scene.subject.text
    return build_picture(graph, notes, extents, count=count, title=title, caption=caption, params=params)


def _notes(
    session: Session, scene: Scene, binding: Binding, machine: Machine | None, order: tuple[str, ...]
) -> tuple[dict[str, KernelNote], str]:
    """What to write in the boxes, and what the picture shows in a line."""
    entries = entries_for(session, scene)
    if machine is not None:
        roofline = roofline_of(session, scene, machine, binding)
        name = f"{machine.name} ({machine.title})" if machine.title else machine.name
        about = f"{scene.phase} on {name}: {format_seconds(roofline.time)}; boxes show one execution"
        return notes_on_machine(roofline, entries), about
    if binding.given:
        numbers = notes_with_numbers(entries, binding, scene.convention.causal)
        if numbers is not None:
            return numbers, f"{scene.phase}; boxes show one execution"
    scope, style = scope_of(session, order, scene.convention.causal), style_of(session, order)
    return notes_with_formulas(
        entries, lambda size: formula(normal(size, scope), style)
    ), f"{scene.phase}; boxes show one execution"


def _wrapped(line: str) -> list[str]:
    """A long line of the caption in several, broken between statements and not inside `causal = full`."""
    kept = line.replace(" = ", _KEPT)
    return [part.replace(_KEPT, " = ") for part in wrap(kept, _WIDTH, break_long_words=False, break_on_hyphens=False)]


def _extents(session: Session, order: tuple[str, ...]) -> Callable[[Size], str]:
    """Prints extents by their names: lets are not put in."""
    scope, style = Scope(order), style_of(session, order)
    return lambda size: formula(normal(size, scope), style)


def _counts(extents: Callable[[Size], str], binding: Binding) -> Callable[[Size], str]:
    """Prints how often a repeat runs: `L`, or `L = 96` where it is bound."""

    def show(size: Size) -> str:
        known = binding.given and _known(size, binding)
        return f"{extents(size)} = {format_number(binding.value(size))}" if known else extents(size)

    return show


def _bindings(binding: Binding) -> tuple[str, ...]:
    """The sizes in force, as a line of the caption."""
    shown = [
        f"{name} = {format_number(binding.value(size))}"
        for name, size in binding.given.items()
        if _known(size, binding)
    ]
    return (", ".join(shown),) if shown else ()


def _known(size: Size, binding: Binding) -> bool:
    try:
        binding.value(size)
    except NoValueError:
        return False
    return True
