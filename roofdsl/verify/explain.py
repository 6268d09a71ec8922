"""Provenance of a quantity as the table an appendix would print: rows, amounts, reasons, and the total (design §7).

A row is one tensor of one kernel (saved tensors by the kernel that reads them in backward), or one piece of work of one
statement: its forward by kind, each of its adjoints, its recompute. Rows are values; `report` prints them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import total
from roofdsl.algebra.scope import Scope
from roofdsl.ir.entry import Entry
from roofdsl.quantities.quantity import Quantity, contribution


@dataclass(frozen=True, slots=True)
class Row:
    """`label` says what: tensors saved or counted, or the statement that works or moves. `each` is the amount of one
    execution, `times` how often (their product is not always `amount`: a union over repeats may differ by entry);
    `amount` what the row adds to the total, and `count` the same before the lets are put in. `rules` as R1…R9.
    """

    label: str
    where: str
    amount: Normal
    count: Normal
    each: Normal
    times: tuple[Normal, ...]
    op: str | None
    kind: str | None
    phase: str
    reasons: tuple[str, ...]
    rules: tuple[str, ...]
    declared: bool
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The rows of a quantity and their total in its unit; a ratio or a sum of measures has `parts` instead of rows."""

    quantity: Quantity
    rows: tuple[Row, ...]
    total: Normal
    parts: tuple[Explanation, ...] = ()


def explain(quantity: Quantity, scope: Scope) -> Explanation:
    """The provenance of a quantity; amounts are expanded under the scope."""
    whole = total((quantity.size,), scope)
    if quantity.parts:
        return Explanation(quantity, (), whole, tuple(explain(part, scope) for part in quantity.parts))
    rows = (_row(group, scope, quantity.subject.root) for group in _groups(quantity.entries))
    return Explanation(quantity, tuple(row for row in rows if not row.amount.is_zero), whole)


def _groups(entries: Iterable[Entry]) -> Iterable[tuple[Entry, ...]]:
    """Entries that belong to one row, in the order of their first."""
    groups: dict[tuple[str | None, ...], list[Entry]] = {}
    for entry in entries:
        place = entry.kernel or entry.what
        piece = (entry.kind, entry.because) if entry.measure == "work" else (entry.access, entry.level)
        groups.setdefault((entry.measure, entry.phase, place, entry.what, *piece), []).append(entry)
    return (tuple(group) for group in groups.values())


def _row(group: tuple[Entry, ...], scope: Scope, root: str) -> Row:
    first = group[0]
    return Row(
        label=_label(group, root),
        where=shown_path(first.kernel, root) if first.kernel else shown_path(".".join(first.path), root),
        amount=total((contribution(entry) for entry in group), scope),
        count=total((contribution(entry) for entry in group), replace(scope, free=frozenset(scope.lets))),
        each=total((entry.amount for entry in group), scope),
        times=tuple(dict.fromkeys(total((entry.multiplicity,), scope) for entry in group)),
        op=first.op,
        kind=first.kind,
        phase=first.phase,
        reasons=tuple(dict.fromkeys(entry.because for entry in group if entry.because)),
        rules=tuple(sorted({entry.rule for entry in group})),
        declared=any(entry.declared for entry in group),
        entries=group,
    )


def _label(group: tuple[Entry, ...], root: str) -> str:
    if group[0].measure == "work":
        return shown_path(group[0].kernel or group[0].what, root)
    return shown_path(group[0].what, root)


def shown_path(dotted: str, root: str) -> str:
    """A path as people write it: without its root and the marks of carried names. A second instance of one name keeps its
    counter, as in `rmsnorm#2`.
    """
    adjoint = "∂" if dotted.startswith("∂") else ""
    parts = [part.split("@")[0].split("~")[0] for part in dotted.removeprefix("∂").split(".")]
    inner = parts[1:] if parts[:1] == [root] and len(parts) > 1 else parts
    return adjoint + ".".join(inner)
