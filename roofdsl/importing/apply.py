"""Applies a table to the fields of a file: what is bound, which model it is, and everything that is not understood.

All faults of a file are reported in one run. Nothing is guessed: a field that no line of the table mentions is an
error, since it could change the cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from roofdsl.diagnostics import Sink
from roofdsl.errors.importing import MISSING_FIELD, UNKNOWN_FIELD, UNSUPPORTED_VALUE
from roofdsl.importing.amount import Number, Scope, choose, names_of
from roofdsl.importing.condition import Test, holds, reads, tests_of
from roofdsl.importing.fields import Fields, kind_of
from roofdsl.importing.json_text import Content, Value
from roofdsl.importing.table import Line, Table, binding, names_in


@dataclass(frozen=True, slots=True)
class Imported:
    """What a configuration says in the language's terms: the model of a shipped spec, what is exchanged in it, dims
    with their exact values.
    """

    architecture: str
    spec: str
    model: str
    swaps: tuple[tuple[str, str], ...] = ()
    bindings: tuple[tuple[str, Number], ...] = ()
    dtypes: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def apply_table(
    table: Table, fields: Fields, architecture: str, sink: Sink, ignored: Iterable[str] = ()
) -> Imported | None:
    """The import of a file under a table; None if there were errors, which are in the sink."""
    fields = _prepared(table, fields)
    scope = Scope(fields, own=dict(binding(line) for line in table.of("field")))
    _check_needs(table, scope, sink)
    bindings = _bind(table, scope, sink)
    _check_understood(table, scope, set(ignored), sink)
    model = _model(table, scope, sink)
    if sink.errors:
        return None
    notes = tuple(dict.fromkeys(line.text for line in table.of("note") if holds(line.condition, scope)))
    spec = next((line.text for line in table.of("use") if holds(line.condition, scope)), "")
    swaps = tuple(binding(line) for line in table.of("swap") if holds(line.condition, scope))
    return Imported(architecture, spec, model, swaps, bindings, _dtypes(table, scope), notes)


def _prepared(table: Table, fields: Fields) -> Fields:
    """The nested part a table looks into, and its defaults."""
    inside = next((part for line in table.of("inside") for part in names_in(line) if fields.find(part)), None)
    fields = replace(fields, inside=(inside,) if inside else ())
    as_given = Scope(fields)
    defaults: dict[str, Content] = {}
    for line in table.of("default"):
        name, text = binding(line)
        if holds(line.condition, as_given):
            defaults[name] = _default(text)
    return replace(fields, defaults=defaults)


def _default(text: str) -> Content:
    """A default as JSON would have it."""
    known: dict[str, bool | None] = {"true": True, "false": False, "null": None}
    if text in known:
        return known[text]
    return Fraction(text) if text.replace(".", "", 1).isdigit() else text


def _check_needs(table: Table, scope: Scope, sink: Sink) -> None:
    for line in table.of("need"):
        if holds(line.condition, scope):
            for test in tests_of(line.text):
                _check_need(test, line, scope, sink)


def _check_need(test: Test, line: Line, scope: Scope, sink: Sink) -> None:
    text = f"{test.left} {test.relation} {test.right}".strip()
    names = reads(text, scope)
    if all(scope.fields.content(name) is None for name in names) and test.relation != "missing":
        if test.relation != "=" or test.right != "null":
            _missing(names, scope, sink)
        return
    if holds(text, scope):
        return
    place = next((n for n in names if scope.fields.find(n) is not None), names[0])
    found = kind_of(scope.fields.content(place))
    because = line.reason or "the shipped model is for another value"
    sink.add(UNSUPPORTED_VALUE, scope.fields.place(place), because, expected=_expected(test), found=found)


def _expected(test: Test) -> str:
    match test.relation:
        case "=" | "==":
            return test.right
        case "in":
            return "one of " + test.right
        case "only":
            return "nothing but " + test.right
        case "names":
            return "names that end in one of " + test.right
        case "missing":
            return f"no {test.left}"
        case "!=":
            return f"anything but {test.right}"
        case _:
            return f"{test.left} {test.relation} {test.right}"


def _missing(names: tuple[str, ...], scope: Scope, sink: Sink) -> None:
    wanted = " or ".join(f"`{name}`" for name in dict.fromkeys(names))
    empty = next((n for n in names if scope.fields.find(n) is not None), None)
    place = scope.fields.place(empty) if empty else scope.fields.beginning
    sink.add(MISSING_FIELD, place, f"{wanted} is null" if empty else f"there is no {wanted}", expected=wanted)


def _bind(table: Table, scope: Scope, sink: Sink) -> tuple[tuple[str, Number], ...]:
    found: list[tuple[str, Number]] = []
    for line in table.of("bind"):
        name, right = binding(line)
        if not holds(line.condition, scope):
            continue
        chosen = choose(right, scope)
        if chosen is None:
            _missing(names_of(right, scope.own), scope, sink)
        elif chosen.value is not None:
            _check_whole(name, chosen.value, chosen.formula, scope, sink)
            scope.known[name] = chosen.value
            found.append((name, chosen.value))
    return tuple(found)


def _check_whole(name: str, value: Number, formula: str, scope: Scope, sink: Sink) -> None:
    """A size is a whole number from 0 on; the model says which of its dims may be 0."""
    if value == int(value) and value >= 0:
        return
    text = f"{name} = {formula} is no size"
    sink.add(UNSUPPORTED_VALUE, scope.place(formula), text, expected="a whole number", found=str(value))


def _check_understood(table: Table, scope: Scope, ignored: set[str], sink: Sink) -> None:
    understood = {name for line in table.lines for name in _mentioned(line, scope)}
    whole = ignored | {name for line in table.of("ignore") for name in names_in(line)}
    for name, value in scope.fields.names():
        _check_field(name, value, understood, whole, sink)


def _check_field(path: str, value: Value, understood: set[str], whole: set[str], sink: Sink) -> None:
    """A field is understood by its own name; an object of which parts are named, by the names of all its parts, unless
    it is ignored as a whole. What is ignored at the top is ignored in a part too.
    """
    if path in whole or path.rpartition(".")[2] in whole or value.content is None or not path:
        return
    below = value.object
    if below is not None and any(name.startswith(f"{path}.") for name in understood):
        for name, inner in below.items():
            _check_field(f"{path}.{name}", inner, understood, whole, sink)
        return
    if path in understood:
        return
    sink.add(
        UNKNOWN_FIELD,
        value.span,
        f"`{path[:64]}` could change the cost",
        helps=(f"if you know that it does not: --ignore {path[:64]}",),
    )


def _mentioned(line: Line, scope: Scope) -> tuple[str, ...]:
    """The fields a line speaks of."""
    condition = reads(line.condition, scope)
    match line.keyword:
        case "bind" | "field":
            return names_of(binding(line)[1], scope.own) + condition
        case "need":
            return reads(line.text, scope) + condition
        case "default":
            return (binding(line)[0], *condition)
        case "ignore":
            return names_in(line) + condition
        case _:
            return condition


def _model(table: Table, scope: Scope, sink: Sink) -> str:
    lines = table.of("model")
    for line in lines:
        if holds(line.condition, scope):
            return line.text
    names = [name for line in lines for name in reads(line.condition, scope)]
    given = [name for name in dict.fromkeys(names) if scope.fields.find(name) is not None]
    what = ", ".join(f"{name} = {kind_of(scope.fields.content(name))}" for name in given) or "no such field"
    place = scope.fields.place(given[0]) if given else scope.fields.beginning
    expected = "; or ".join(line.condition for line in lines)
    sink.add(UNSUPPORTED_VALUE, place, "no shipped model is built like this", expected=expected, found=what)
    return ""


def _dtypes(table: Table, scope: Scope) -> tuple[tuple[str, str], ...]:
    """`dtype weights fp8_block if …`: the first line of each kind whose condition holds. Exceptions from the format of
    matrix weights are said only where one is.
    """
    found: dict[str, str] = {}
    for line in table.of("dtype"):
        kind, _, name = line.text.partition(" ")
        if kind not in found and holds(line.condition, scope):
            found[kind] = name
    general = "weights" in found
    plain = found.get("params", "bf16")
    return tuple((kind, name) for kind, name in found.items() if general or "." not in kind or name != plain)
