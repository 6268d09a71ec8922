"""A quantity derived as a paper derives it: statement by statement, tensor by tensor, the sum, the sum in factors.

Takes an explanation with its graph and gives a `Derivation` of plain steps; `derivation_text`, `derivation_latex` and
`derivation_table` print it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.normal import normal
from roofdsl.ir.entry import Entry
from roofdsl.ir.graph import Call, Graph
from roofdsl.ir.show import show_size
from roofdsl.passes.normalise import origin
from roofdsl.quantities.quantity import Quantity
from roofdsl.quantities.session import Session
from roofdsl.report.derived import scope_of, style_of
from roofdsl.report.footer import basis_of, footer_text
from roofdsl.report.formula_layout import Layout, Style
from roofdsl.report.formula_shape import as_papers
from roofdsl.report.shape import check_renames
from roofdsl.verify.explain import Explanation, Row, explain, shown_path

UNSTATED = "parameters"
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Step:
    """One contribution: `what` is the tensor with its extents and format, or the phase of work; `count` the amount before
    lets are put in, `amount` after; `tensor` the name alone.
    """

    what: str
    tensor: str
    count: Normal
    amount: Normal
    why: str
    rule: str
    declared: bool
    phase: str


@dataclass(frozen=True, slots=True)
class Passage:
    """All contributions of one statement, in the words of its file; `name` is its path."""

    statement: str
    name: str
    steps: tuple[Step, ...]

    @property
    def total(self) -> Normal:
        """What the statement adds."""
        return _sum(step.amount for step in self.steps)


@dataclass(frozen=True, slots=True)
class Derivation:
    """`phases` are the subtotals where there are several; `factored` the total as papers factor it, where that differs;
    `lets` what was put in. A ratio or a total of several measures has `parts`, and no passages.
    """

    text: str
    quantity: Quantity
    passages: tuple[Passage, ...]
    phases: tuple[tuple[str, Normal], ...]
    total: Normal
    factored: Layout | None
    lets: tuple[tuple[str, Normal], ...]
    style: Style
    footer: str
    parts: tuple[Derivation, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all passages."""
        return tuple(step for passage in self.passages for step in passage.steps)


def derivation(session: Session, quantity: Quantity, renames: tuple[tuple[str, str], ...] = ()) -> Derivation:
    """The derivation of a quantity."""
    graph = session.graph(quantity.subject, quantity.mode)
    order = tuple(dict.fromkeys((*session.library.symbols, *graph.symbols)))
    scope = scope_of(session, order, quantity.convention.causal, graph.symbols)
    return _derivation(explain(quantity, scope), graph, session, style_of(session, order, renames))


def _derivation(found: Explanation, graph: Graph, session: Session, style: Style) -> Derivation:
    quantity = found.quantity
    parts = tuple(_derivation(part, graph, session, style) for part in found.parts)
    passages = () if parts else tuple(_passages(found.rows, graph, style))
    footer = footer_text(basis_of((quantity,)), (quantity.dimension,))
    phases = dict.fromkeys(row.phase for row in found.rows)
    subtotals = tuple((phase, _sum(row.amount for row in found.rows if row.phase == phase)) for phase in phases)
    if len(subtotals) == 1:
        subtotals = ()
    lets = tuple((style.renamed.get(name, name), form) for name, form in _lets(found.rows, session, quantity))
    check_renames(style.renamed, {*found.total.symbols, *(name for row in found.rows for name in row.count.symbols)})
    return Derivation(
        quantity.text,
        quantity,
        passages,
        subtotals,
        found.total,
        as_papers(found.total, style),
        lets,
        style,
        footer,
        parts,
    )


def _sum(forms: Iterable[Normal]) -> Normal:
    whole = number(0)
    for form in forms:
        whole += form
    return whole


def _lets(rows: tuple[Row, ...], session: Session, quantity: Quantity) -> tuple[tuple[str, Normal], ...]:
    """The lets that stand in the counts, with what they are in the end."""
    used = {name for row in rows for name in row.count.symbols}
    order = session.library.symbols
    scope = scope_of(session, order, quantity.convention.causal)
    return tuple((name, normal(session.lets[name], scope)) for name in session.lets if name in used)


def _passages(rows: Iterable[Row], graph: Graph, style: Style) -> Iterable[Passage]:
    """Rows of one statement together, in the order of their first."""
    owners = {tensor: call for call in graph.calls for tensor in (*call.results, *call.internal)}
    kernels = {kernel.id: kernel.calls for kernel in graph.kernels}
    groups: dict[str, list[Row]] = {}
    heads: dict[str, tuple[str, str]] = {}
    for row in rows:
        key, statement, name = _head(row.entries[0], graph, owners, kernels)
        groups.setdefault(key, []).append(row)
        heads[key] = statement, name
    for key, group in groups.items():
        statement, name = heads[key]
        yield Passage(_renamed(statement, style), name, tuple(_step(row, graph, style) for row in group))


def _renamed(text: str, style: Style) -> str:
    """A text with the paper's names for sizes; no tensor has the name of a size."""
    return _WORD.sub(lambda word: style.renamed.get(word.group(), word.group()), text) if style.renamed else text


def _head(
    entry: Entry, graph: Graph, owners: dict[str, Call], kernels: dict[str, tuple[Call, ...]]
) -> tuple[str, str, str]:
    """The statement an entry belongs to: its key, its text and its name."""
    if not entry.kernel:
        path = shown_path(".".join(entry.path), graph.name)
        return f"{UNSTATED} {path}", f"{entry.measure if entry.measure == 'cache' else UNSTATED} of {path}", path
    kernel = entry.primal or entry.kernel
    calls = kernels.get(kernel, ())
    call = owners.get(origin(entry.what)) if entry.measure == "work" else None
    if call is None and len(calls) == 1:
        call = calls[0]
    if call is None:
        name = shown_path(kernel, graph.name)
        return kernel, name, name
    return call.id, _statement(call, graph.name), shown_path(call.id, graph.name)


def _statement(call: Call, root: str) -> str:
    """A statement as written, on one line, with the path of the block it stands in."""
    text = " ".join(call.span.text.split())
    name = shown_path(call.id, root)
    path, _, target = name.rpartition(".")
    if not text:
        return name
    if call.op is not None or not text.startswith(target):
        text = f"{target} = {text}"
    return f"{path}: {text}" if path else text


def _step(row: Row, graph: Graph, style: Style) -> Step:
    entry = row.entries[0]
    kind = f" {row.kind}" if row.kind not in (None, "contraction") else ""
    if entry.measure == "work":
        what, tensor = f"{row.phase}{kind}", row.phase
    else:
        what, tensor = _renamed(_tensor(entry, graph), style), shown_path(entry.what, graph.name)
    why = _renamed("; ".join(row.reasons), style)
    return Step(what, tensor, row.count, row.amount, why, ", ".join(row.rules), row.declared, row.phase)


def _tensor(entry: Entry, graph: Graph) -> str:
    """`attention.q[s,b,a,d] bf16`, with `read` or `written` where it is moved."""
    name, key = shown_path(entry.what, graph.name), entry.what.removeprefix("∂")
    access = {"read": " read", "write": " written", None: ""}[entry.access]
    if key not in graph.tensors:
        return f"{name}{access}"
    axes = ",".join(show_size(axis.extent) for axis in graph.resolve(key).axes)
    return f"{name}[{axes}] {entry.dtype or ''}".rstrip() + access
