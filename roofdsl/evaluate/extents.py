"""Extents of a graph at a binding: every size used has a value, is an integer and large enough.

Where a let such as d = h/a is the extent of a tensor it must come out integral; a config that rebinds it passes. Each
fault is reported once, with the first tensor that needs the size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.diagnostics import Label, Sink
from roofdsl.errors import evaluation as errors
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.divisibility import quotient_helps, quotient_of, titled
from roofdsl.evaluate.number import NoValueError, Number
from roofdsl.ir.graph import Graph
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size, Symbol, symbols_of
from roofdsl.quantities.lets import let_sizes
from roofdsl.source import NOWHERE, Span
from roofdsl.units.display import significant

_SHOWN_DIGITS = 24
_CONFIGS = 4


@dataclass(frozen=True, slots=True)
class Use:
    """Where a size is used as an extent or a count: what it is the extent of, in words."""

    size: Size
    what: str
    span: Span


def check_graph(graph: Graph, binding: Binding, library: Library, sink: Sink) -> None:
    """All extents and repeat counts of a graph, checked."""
    check_uses(_uses(graph), binding, library, sink, graph.vacant)


def check_bound(graph: Graph, binding: Binding, library: Library, sink: Sink) -> None:
    """The extents of a graph that have values, checked; a quantity need not use the others."""
    check_uses((use for use in _uses(graph) if _has_value(use.size, binding)), binding, library, sink, graph.vacant)


def _has_value(size: Size, binding: Binding) -> bool:
    try:
        binding.value(size)
    except NoValueError as error:
        return error.name is None
    return True


def _uses(graph: Graph) -> Iterable[Use]:
    for tensor in graph.tensors.values():
        for axis in tensor.axes:
            yield Use(axis.extent, f"the extent of {axis.name} in {tensor.name}", tensor.span)
        for loop in tensor.loops:
            yield Use(loop.count, "the count of a repeat", tensor.span)
    for call in graph.calls:
        for statement in call.statements:
            for index, extent in statement.extents:
                yield Use(extent, f"the extent of {index}", statement.span)


def check_uses(
    uses: Iterable[Use], binding: Binding, library: Library, sink: Sink, vacant: frozenset[str] = frozenset()
) -> None:
    """Each distinct size once, at its first use. `vacant` names the sizes that may be 0."""
    vacant |= {name for name, dim in library.dims.items() if dim.minimum == 0}
    first: dict[Size, Use] = {}
    for use in uses:
        first.setdefault(use.size, use)
    unbound: dict[str, Use] = {}
    for use in first.values():
        try:
            value = binding.value(use.size)
        except NoValueError as error:
            if error.name is None:
                report_no_value(error, use, binding, library, sink)
            for name in unbound_names(use.size, binding, library):
                unbound.setdefault(name, use)
            continue
        _check_extent(use, value, 0 if symbols_of(use.size) & vacant else 1, binding, library, sink)
    if unbound:
        report_unbound(unbound, library, sink)


def unbound_names(size: Size, binding: Binding, library: Library) -> tuple[str, ...]:
    """The sizes without a value that a size hangs on, lets followed, in the order of declaration."""
    definitions = let_sizes(library)
    found: dict[str, None] = {}
    waiting = sorted(symbols_of(size))
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        definition = binding.given.get(name) or definitions.get(name)
        if name in binding.values:
            continue
        if definition is None:
            found[name] = None
            continue
        new = symbols_of(definition) - seen
        waiting += new
        seen |= new
    order = {name: k for k, name in enumerate(library.symbols)}
    return tuple(sorted(found, key=lambda name: (order.get(name, len(order)), name)))


def report_unbound(needed: Mapping[str, Use], library: Library, sink: Sink) -> None:
    """One E0610 for all sizes that have no value, at their declarations; of an op's own sizes, where they are used."""
    first, *others = sorted(needed, key=[*library.dims, *needed].index)
    use = needed[first]
    labels = [Label(_declared_at(name, needed[name], library), f"nor has {titled(name, library)}") for name in others]
    if not others and first in library.dims and use.span != NOWHERE:
        labels.append(Label(use.span, f"needed for {use.what}"))
    text = f"{titled(first, library)} has no value"
    helps = unbound_helps((first, *others), library)
    span = _declared_at(first, use, library)
    sink.add(errors.UNBOUND_SIZE, span, text, secondary=tuple(labels), helps=helps)


def unbound_helps(names: Collection[str], library: Library) -> tuple[str, ...]:
    """How to bind sizes: on the command line, or by configs that bind them all."""
    settings = " ".join(f"--set {name}=…" for name in names)
    configs = [c.name for c in library.configs.values() if set(names) <= {b.name for b in c.bindings}]
    there = f"or use a config that does: {' or '.join(f'`--config {name}`' for name in configs[:_CONFIGS])}"
    return (f"bind {'it' if len(names) == 1 else 'them'}: `{settings}`", *((there,) if configs else ()))


def _declared_at(name: str, use: Use, library: Library) -> Span:
    return library.dims[name].span if name in library.dims else use.span


def report_no_value(error: NoValueError, use: Use, binding: Binding, library: Library, sink: Sink) -> None:
    """E0616 or E0617: a size whose formula has no value at these sizes."""
    kind = errors.TOO_LARGE if error.too_large else errors.NO_VALUE
    name = use.size.name if isinstance(use.size, Symbol) else None
    span = _defined_at(name, binding, library) or use.span
    helps = _values_help(_definition(name, use.size, binding, library), binding)
    needed = (Label(use.span, f"needed for {use.what}"),) if span != use.span else ()
    sink.add(kind, span, str(error), secondary=needed, helps=helps)


def _values_help(size: Size, binding: Binding) -> tuple[str, ...]:
    known = sorted(name for name in symbols_of(size) if name in binding.values)
    return (f"here {', '.join(f'{name} = {_short(binding.values[name])}' for name in known)}",) if known else ()


def _short(value: Number) -> str:
    """All digits of a number a person would write, else a rounded one."""
    text = str(value)
    return text if len(text) <= _SHOWN_DIGITS else significant(Fraction(value))


def _check_extent(use: Use, value: Number, minimum: int, binding: Binding, library: Library, sink: Sink) -> None:
    name = use.size.name if isinstance(use.size, Symbol) else None
    needed = Label(use.span, f"{use.what} must be an integer")
    span = _defined_at(name, binding, library) or use.span
    if value.denominator != 1:
        text, helps = _fraction_text(use, name, value, binding, library)
        sink.add(errors.NOT_AN_INTEGER, span, text, secondary=(needed,) if span != use.span else (), helps=helps)
        return
    if value < minimum and name not in library.dims:
        needed = Label(use.span, f"this is {use.what}")
        sink.add(
            errors.SIZE_TOO_SMALL,
            span,
            f"{name or use.what} = {value}",
            secondary=(needed,) if span != use.span else (),
            expected=f"an integer of at least {minimum}",
            found=str(value),
            helps=_values_help(_definition(name, use.size, binding, library), binding),
        )


def _defined_at(name: str | None, binding: Binding, library: Library) -> Span | None:
    if name is None:
        return None
    return binding.places.get(name) or (library.lets[name].span if name in library.lets else None)


def _definition(name: str | None, size: Size, binding: Binding, library: Library) -> Size:
    """What a name stands for, so that the sizes it is made of can be shown."""
    if name is None:
        return size
    definition = binding.scope(library).definition(name)
    return size if definition is None else definition


def _fraction_text(
    use: Use, name: str | None, value: Number, binding: Binding, library: Library
) -> tuple[str, tuple[str, ...]]:
    """`d = h/a is 10/3: h = 10 is not divisible by a = 3`, and how to mend it."""
    definition = _followed(_definition(name, use.size, binding, library), binding, library)
    text = f"{name or use.what} is {value}"
    quotient = quotient_of(definition, binding)
    helps = _values_help(definition, binding)
    if quotient is not None:
        text = f"{text}: {quotient.text}"
        helps = (*helps, *quotient_helps(quotient, binding, library))
    if name in library.lets:
        helps = (*helps, f"if the model means another {name}, bind it in a config or with `--set {name}=…`")
    return text, helps


def _followed(size: Size, binding: Binding, library: Library) -> Size:
    """What a chain of names stands for in the end."""
    seen: set[str] = set()
    while isinstance(size, Symbol) and size.name not in seen:
        seen.add(size.name)
        size = _definition(size.name, size, binding, library)
    return size
