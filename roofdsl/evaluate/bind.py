"""Values of sizes: a config, then `--set`, then the lets, evaluated in the order they depend on each other.

A binding is made once and used for every amount. A size without a value is no error until something needs it: lets
that cannot be evaluated are kept with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

from roofdsl.algebra.scope import Causal, Scope
from roofdsl.diagnostics import Label, RoofError, Sink
from roofdsl.errors import evaluation as errors
from roofdsl.evaluate.number import NoValueError, Number, evaluate_size
from roofdsl.ir.library import Library
from roofdsl.ir.size import Const, Size, symbols_of
from roofdsl.passes.names import did_you_mean, some
from roofdsl.quantities.formula import Names, symbol_formulas
from roofdsl.quantities.lets import let_sizes, size_formula, size_names, unit_of
from roofdsl.source import Span
from roofdsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Binding:
    """`values` of every size that has one, exact; `given` is what was stated, as formulas; `missing` maps a size that
    has no value to the reason.
    """

    values: Mapping[str, Number] = field(default_factory=dict)
    given: Mapping[str, Size] = field(default_factory=dict)
    missing: Mapping[str, NoValueError] = field(default_factory=dict)
    places: Mapping[str, Span] = field(default_factory=dict)

    def value(self, size: Size, causal: Causal = "full") -> Fraction:
        """The value of a size. `NoValueError` says which dim has none, or why there is no value."""
        try:
            return evaluate_size(size, self.values, causal)
        except NoValueError as error:
            if error.name is not None and error.name in self.missing:
                raise self.missing[error.name] from error
            raise

    def scope(self, library: Library, causal: Causal = "full") -> Scope:
        """The same bindings for the algebra, which keeps what is not bound as symbols."""
        minimum = {name: dim.minimum for name, dim in library.dims.items()}
        return Scope(library.symbols, let_sizes(library), bindings=self.given, causal=causal, minimum=minimum)


def bind(
    library: Library,
    sink: Sink,
    configs: Iterable[tuple[str, Span]] = (),
    settings: Iterable[ast.Binding] = (),
    own: Iterable[str] = (),
) -> Binding:
    """Values of all sizes: configs in order, then settings (later wins), then the lets. `own` are names beyond the
    library's (the indices of an op asked about on its own). Errors go to the sink; faulty bindings are left out.
    """
    stated: dict[str, ast.Binding] = {}
    for name, span in configs:
        stated |= {binding.name: binding for binding in _config(name, span, library, sink)}
    stated |= {binding.name: binding for binding in settings}
    sizes = {b.name: size for b in stated.values() if (size := _stated_size(b, library, tuple(own), sink)) is not None}
    lets = let_sizes(library)
    definitions = lets | sizes
    values, missing = _evaluate_all(definitions, {n: b.span for n, b in stated.items()}, library, sink)
    places = {name: stated[name].value.span for name in sizes}
    _check_stated(values, places, library, sink)
    return Binding(values, sizes, missing, places)


def rebound(binding: Binding, sizes: Mapping[str, Fraction], span: Span, library: Library, sink: Sink) -> Binding:
    """The binding with some sizes bound anew, all for what stands at a place, and the lets evaluated again."""
    given = dict(binding.given) | {name: Const(value) for name, value in sizes.items()}
    places = dict(binding.places) | dict.fromkeys(sizes, span)
    values, missing = _evaluate_all(let_sizes(library) | given, places, library, sink)
    _check_stated(values, places, library, sink)
    return Binding(values, given, missing, places)


def _config(name: str, span: Span, library: Library, sink: Sink) -> tuple[ast.Binding, ...]:
    if name in library.configs:
        return library.configs[name].bindings
    known = ", ".join(library.configs)
    helps = did_you_mean(name, library.configs)
    expected = f"one of {known}" if known else "the file declares none"
    sink.add(errors.UNKNOWN_CONFIG, span, f"there is no config `{name}`", expected=expected, found=name, helps=helps)
    return ()


def _stated_size(binding: ast.Binding, library: Library, own: tuple[str, ...], sink: Sink) -> Size | None:
    """The formula of a stated size; None after a diagnostic."""
    name = binding.name
    if name in library.definitions or name in library.aliases:
        help_ = f"exchange it in braces, as in `model other = name{{{name} = …}}`"
        text = f"`{name}` is a callee, and sizes alone are bound here"
        sink.add(errors.UNKNOWN_SIZE, binding.span, text, expected="a dim or a let", found=name, helps=(help_,))
        return None
    known = (*library.dims, *library.lets, *own)
    if name not in known:
        helps = did_you_mean(name, known) or (f"declare it: `dim {name}`",)
        expected = f"one of {some(known)}" if known else None
        text = f"`{name}` is no dim and no let"
        sink.add(errors.UNKNOWN_SIZE, binding.span, text, expected=expected, found=name, helps=helps)
        return None
    names = size_names(library)
    symbols = dict(names.symbols) | symbol_formulas(own)
    try:
        return size_formula(binding.value, Names(symbols, unit=unit_of, reserved=names.reserved))
    except RoofError as error:
        sink.found.extend(d for d in error.diagnostics if d not in sink.found)
        return None


def _evaluate_all(
    definitions: Mapping[str, Size], places: Mapping[str, Span], library: Library, sink: Sink
) -> tuple[dict[str, Number], dict[str, NoValueError]]:
    """Values of all definitions in the order they depend on each other."""
    values: dict[str, Number] = {}
    missing: dict[str, NoValueError] = {}
    for name in _in_order(definitions, places, library, sink):
        if name not in definitions:
            continue
        try:
            value = evaluate_size(definitions[name], values)
        except NoValueError as error:
            missing[name] = missing.get(error.name or "", error)
            continue
        values[name] = value.numerator if value.denominator == 1 else value
    return values, missing


def _in_order(
    definitions: Mapping[str, Size], places: Mapping[str, Span], library: Library, sink: Sink
) -> tuple[str, ...]:
    dependencies = {name: symbols_of(size) for name, size in definitions.items()}
    try:
        return tuple(TopologicalSorter(dependencies).static_order())
    except CycleError as error:
        cycle: list[str] = list(reversed(error.args[1]))
    spans = {n: places.get(n) or library.lets[n].span for n in cycle if n in places or n in library.lets}
    first, *others = spans
    labels = tuple(Label(spans[name], f"`{name}` is bound here") for name in others)
    sink.add(errors.CYCLE, spans[first], f"{' → '.join(cycle)}", secondary=labels)
    return ()


def _check_stated(values: Mapping[str, Number], places: Mapping[str, Span], library: Library, sink: Sink) -> None:
    """Dims that were stated are integers and not below their declared minimum. Lets are checked where used."""
    for name, span in places.items():
        if name not in values or name in library.lets:
            continue
        _check_dim(name, values[name], library.dims.get(name), span, sink)
    for name, most in library.bounds().items():
        if name in places and name in values and most in values and values[name] > values[most]:
            declared = (Label(library.dims[name].span, "declared here"),)
            above = (Label(places[most], f"{most} = {values[most]}"),) if most in places else ()
            text, expected = f"{name} = {values[name]}", f"at most {most}"
            sink.add(errors.SIZE_ABOVE, places[name], text, secondary=(*above, *declared), expected=expected)


def _check_dim(name: str, value: Number, dim: ast.Dim | None, span: Span, sink: Sink) -> None:
    minimum = 1 if dim is None else dim.minimum
    declared = () if dim is None else (Label(dim.span, "declared here"),)
    if value.denominator != 1:
        sink.add(errors.NOT_AN_INTEGER, span, f"{name} = {value} is not an integer", secondary=declared)
    elif value < minimum:
        sink.add(
            errors.SIZE_TOO_SMALL,
            span,
            f"{name} = {value}",
            secondary=declared,
            expected=f"an integer of at least {minimum}",
            found=str(value),
            helps=(f"if there may be none, declare it so: `dim {name} >= 0`",) if value == 0 else (),
        )
