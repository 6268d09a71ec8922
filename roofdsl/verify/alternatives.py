"""What else the left side of a claim may have meant: another convention, phase or placement of what is fused and
checkpointed. Each is derived once for a session, whatever claims are made about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from roofdsl.diagnostics import RoofError
from roofdsl.ir.library import Library
from roofdsl.quantities.ask import Asker, Context
from roofdsl.quantities.conventions import Convention, find_convention
from roofdsl.quantities.quantity import PHASES, WITH_PHASE, Asked, Quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import resolve_subject
from roofdsl.quantities.substitute import substitute
from roofdsl.syntax import ast
from roofdsl.verify.question import Question, context_of
from roofdsl.verify.reading import Reading, Sort

MOST_PLACEMENTS = 8
REBUILDING = ("hardware", "recompute")


def plain_readings(question: Question, session: Session) -> tuple[Reading, ...]:
    """Conventions, phases and the placements of aliases: named conventions first, single settings last."""
    found: tuple[Reading, ...] = session.remembered(
        ("readings", *_key(question)), lambda: tuple(_plain(question, session))
    )
    return found


def placed_readings(question: Question, session: Session) -> tuple[Reading, ...]:
    """Placements that no alias names: each region fused, each region or block checkpointed. Every one is compiled."""
    found: tuple[Reading, ...] = session.remembered(
        ("placements", *_key(question)), lambda: tuple(_unnamed_placements(question, session))
    )
    return found


def block_readings(question: Question, session: Session) -> tuple[Reading, ...]:
    """The same quantity of each block of the model, asked about on its own: one layer where the whole was asked."""
    found: tuple[Reading, ...] = session.remembered(
        ("blocks", *_key(question)), lambda: tuple(_blocks(question, session))
    )
    return found


def _blocks(question: Question, session: Session) -> Iterator[Reading]:
    roots = {_root(call) for call in _calls(question.claim.left)}
    if len(roots) != 1 or len(question.left_quantities) != 1:
        return
    (own,) = roots
    (quantity,) = question.left_quantities
    graph = session.graph(quantity.subject, quantity.mode)
    base = context_of(question.clauses, session.library)
    used = dict.fromkeys(step.split("#")[0] for call in graph.calls for step in call.path[1:])
    for name in used:
        if name in session.library.definitions:
            expr = substitute(question.claim.left, {own: ast.Name(name)})
            for reading, asked in _read(question, session, "subject", "", base, expr):
                yield replace(reading, text=f"this is `{asked.text}`, one of those in `{quantity.subject.text}`")


def _key(question: Question) -> tuple[object, ...]:
    clauses = question.clauses
    under, on = (None if clause is None else clause[0] for clause in (clauses.under, clauses.on))
    return question.claim.left, under, on, tuple((theirs, ours) for theirs, ours, _ in clauses.reading)


def _plain(question: Question, session: Session) -> Iterator[Reading]:
    yield from _named_conventions(question, session)
    yield from _phases(question, session)
    yield from _placements(question, session)
    yield from _settings(question, session)


def _read(
    question: Question, session: Session, sort: Sort, text: str, context: Context, expr: ast.Expr | None = None
) -> Iterator[tuple[Reading, Quantity]]:
    """The left side in another context, if it can be asked so."""
    asker = Asker(session, context)
    try:
        size = asker.resolve(expr or question.claim.left).size
    except RoofError:
        return
    counted = {quantity.convention.causal for quantity in asker.found}
    if (len(counted) == 1 and size != question.left.size) or (len(counted) == 1 and counted != {question.scope.causal}):
        whole = asker.found[0] if size == asker.found[0].size else None
        yield Reading(sort, text, size, counted.pop(), quantity=whole), asker.found[0]


def _named_conventions(question: Question, session: Session) -> Iterator[Reading]:
    current = _current(question)
    if current is None:
        return
    base = context_of(question.clauses, session.library)
    for name in session.library.conventions:
        convention = find_convention(name, session.library)
        text = f"right as it stands under `{name}` ({_differing(convention, current)})"
        if convention.settings != current.settings:
            context = replace(base, convention=convention)
            yield from (replace(r, convention=name) for r, _ in _read(question, session, "convention", text, context))


def _settings(question: Question, session: Session) -> Iterator[Reading]:
    current = _current(question)
    if current is None:
        return
    base = context_of(question.clauses, session.library)
    changed = [replace(current, work="all" if current.work == "contractions" else "contractions")]
    changed += [replace(current, causal=c) for c in ("full", "half", "exact") if c != current.causal]
    changed.append(replace(current, embedding="matmul" if current.embedding == "lookup" else "lookup"))
    for convention in changed:
        text = f"holds with {_differing(convention, current)}"
        context = replace(base, convention=convention)
        yield from (r for r, _ in _read(question, session, "convention", text, context))


def _current(question: Question) -> Convention | None:
    used = question.conventions
    return used[0] if len(used) == 1 else None


def _differing(convention: Convention, current: Convention) -> str:
    return ", ".join(f"{n} = {v}" for n, v in convention.settings if (n, v) not in current.settings)


def _phases(question: Question, session: Session) -> Iterator[Reading]:
    base = context_of(question.clauses, session.library)
    for phase in _other_phases(question):
        text = f"holds for the phase {phase}"
        yield from (r for r, _ in _read(question, session, "phase", text, replace(base, phase=phase)))


def _other_phases(question: Question) -> Iterator[Asked]:
    asked = {quantity.phase for quantity in question.left_quantities if quantity.name in WITH_PHASE}
    if len(asked) != 1:
        return
    for phase in PHASES:
        match phase:
            case "forward" | "backward" | "recompute" | "train" | "hardware" | "infer" if phase not in asked:
                yield phase
            case _:
                continue


def _placements(question: Question, session: Session) -> Iterator[Reading]:
    """Aliases of the same model that differ in what is fused and checkpointed only; recompute counted or not."""
    roots = {_root(call) for call in _calls(question.claim.left)}
    if len(roots) != 1:
        return
    (own,) = roots
    for name, told in _siblings(own, session.library):
        expr = substitute(question.claim.left, {own: ast.Name(name)})
        yield from _placed(question, session, expr, told)


def _placed(question: Question, session: Session, expr: ast.Expr, told: str) -> Iterator[Reading]:
    base = context_of(question.clauses, session.library)
    phases: list[Asked | None] = [None]
    phases += [phase for phase in _other_phases(question) if phase in REBUILDING]
    for phase in phases:
        context = base if phase is None else replace(base, phase=phase)
        for reading, quantity in _read(question, session, "placement", "", context, expr):
            yield replace(reading, text=f"holds for `{quantity.text}`{told}")


def _calls(expr: ast.Expr) -> Iterator[ast.Call]:
    match expr:
        case ast.Call(_, (ast.Name() | ast.Path(), *_)):
            yield expr
        case ast.Binary(_, left, right):
            yield from _calls(left)
            yield from _calls(right)
        case ast.Juxtaposed(parts):
            for part in parts:
                yield from _calls(part)
        case ast.Negate(inner) | ast.Measured(inner) | ast.Per(inner):
            yield from _calls(inner)
        case _:
            return


def _root(call: ast.Call) -> str:
    first = call.arguments[0]
    return first.text if isinstance(first, ast.Name) else first.parts[0] if isinstance(first, ast.Path) else ""


def _siblings(own: str, library: Library) -> Iterator[tuple[str, str]]:
    """Names of the same definition that place differently, and how."""
    if own not in library.aliases and own not in library.definitions:
        return
    root = resolve_subject(ast.Name(own), library).root
    for name in (root, *library.aliases):
        subject = resolve_subject(ast.Name(name), library)
        items = subject.braces.items if subject.braces is not None else ()
        if name != own and subject.root == root and all(isinstance(item, ast.Placement) for item in items):
            placed = ", ".join(_placement_text(item) for item in items if isinstance(item, ast.Placement))
            yield name, f", {placed}" if placed else ", with nothing fused or checkpointed"


def _placement_text(item: ast.Placement) -> str:
    return f"{item.kind} {'.'.join(item.path)}"


def _unnamed_placements(question: Question, session: Session) -> Iterator[Reading]:
    calls = list(_calls(question.claim.left))
    roots = {_root(call) for call in calls}
    if len(roots) != 1 or not question.left_quantities:
        return
    (own,) = roots
    for placement in _possible(question, session):
        braced = ast.Path((own,), ast.Braces((placement,)))
        yield from _placed(question, session, substitute(question.claim.left, {own: braced}), _told(placement))


def _told(placement: ast.Placement) -> str:
    return f", {_placement_text(placement)}"


def _possible(question: Question, session: Session) -> Iterable[ast.Placement]:
    quantity = question.left_quantities[0]
    graph = session.graph(quantity.subject, quantity.mode)
    named = dict.fromkeys(region for call in graph.calls for region in call.regions)
    paths = [tuple(region.split(".")[1:]) for region in named if "#" not in region and "." in region]
    inner = [path for path in paths if path]
    leaves = [path for path in inner if not any(other[: len(path)] == path and other != path for other in inner)]
    made = [ast.Placement("checkpoint", path) for path in ((graph.name,), *inner)] + [
        ast.Placement("fused", path) for path in leaves
    ]
    return made[:MOST_PLACEMENTS]
