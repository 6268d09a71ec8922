"""Single changes under which a refuted claim holds: phase, convention, symbol, binding, factor, unit, dtype (design §7.4).

A symbolic claim must hold identically after the change. A claim about numbers needs three significant digits, and what
is found is only consistent with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal, total
from roofdsl.diagnostics import RoofError
from roofdsl.ir.entry import Entry
from roofdsl.ir.library import Library
from roofdsl.ir.show import show_size
from roofdsl.ir.size import Const, Size, Symbol, product, symbols_of
from roofdsl.quantities.conventions import Convention, find_convention
from roofdsl.quantities.quantity import PHASES, WITH_PHASE, Asked, contribution
from roofdsl.quantities.session import Session
from roofdsl.syntax import ast
from roofdsl.units.dimension import BYTE, FLOP
from roofdsl.verify.judge import judge
from roofdsl.verify.printed import printed
from roofdsl.verify.question import Change, Question, forms, pose
from roofdsl.verify.sizes import renamed, size_of_form

Sort = Literal["convention", "phase", "symbol", "binding", "factor", "unit", "dtype"]
FEWEST_DIGITS = 3
MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change and what it says; `consistent`: the claim is about a printed number, which others may fit too. `last_resort`:
    worth saying only where nothing plainer was found.
    """

    sort: Sort
    text: str
    consistent: bool = False
    last_resort: bool = False


def find_remedies(claim: ast.Claim, session: Session, question: Question) -> tuple[Remedy, ...]:
    """Single changes that make the claim hold, the plainest first, at most a few."""
    if claim.negated or claim.relation not in ("=", "~"):
        return ()
    numeric = claim.relation == "~" and question.clauses.within is None and question.clauses.regime is None
    if numeric:
        shown = printed(claim.right)
        if shown is None or shown.digits < FEWEST_DIGITS:
            return ()
    found: dict[str, Remedy] = {}
    for remedy in _candidates(claim, session, question, numeric=numeric):
        if remedy.text and not (remedy.last_resort and found):
            found.setdefault(remedy.text, replace(remedy, consistent=numeric))
        if len(found) == MOST_SHOWN:
            break
    return tuple(found.values())


def _candidates(claim: ast.Claim, session: Session, question: Question, *, numeric: bool) -> Iterator[Remedy]:
    yield from _conventions(claim, session, question)
    yield from _phases(claim, session, question)
    if numeric:
        yield from _scaled_numbers(question)
    else:
        yield from _symbols(question)
        yield from _bindings(question)
        yield from _factors(question)
        yield from _ones(question)
        yield from _dtypes(question, session.library)


def _holds(claim: ast.Claim, session: Session, change: Change) -> bool:
    try:
        return judge(pose(claim, session, change)).outcome == "proved"
    except RoofError:
        return False


def _conventions(claim: ast.Claim, session: Session, question: Question) -> Iterator[Remedy]:
    """Named conventions first (the claim is right as it stands under one), then single settings."""
    used = question.conventions
    if len(used) != 1:
        return
    (current,) = used
    for name in session.library.conventions:
        convention = find_convention(name, session.library)
        if convention != current and _holds(claim, session, Change(convention=convention)):
            yield Remedy("convention", f"right as it stands under `{name}` ({_differing(convention, current)})")
            return
    for changed in _settings(current):
        if _holds(claim, session, Change(convention=changed)):
            yield Remedy("convention", f"holds with {_differing(changed, current)}")
            return


def _settings(current: Convention) -> Iterable[Convention]:
    yield replace(current, work="all" if current.work == "contractions" else "contractions")
    yield from (replace(current, causal=c) for c in ("full", "half", "exact") if c != current.causal)
    yield replace(current, embedding="matmul" if current.embedding == "lookup" else "lookup")


def _differing(convention: Convention, current: Convention) -> str:
    return ", ".join(f"{n} = {v}" for n, v in convention.settings if (n, v) not in current.settings)


def _phases(claim: ast.Claim, session: Session, question: Question) -> Iterator[Remedy]:
    asked = {q.phase for q in question.left_quantities if q.name in WITH_PHASE}
    if len(asked) != 1:
        return
    for phase in PHASES:
        chosen = _asked(phase)
        if chosen not in asked and _holds(claim, session, Change(phase=chosen)):
            yield Remedy("phase", f"holds for the phase {phase}")
            return


def _asked(phase: str) -> Asked:
    match phase:
        case "backward" | "recompute" | "train" | "hardware" | "infer":
            return phase
        case _:
            return "forward"


def _factors(question: Question) -> Iterator[Remedy]:
    """The sides differ by a number, or by one product of symbols."""
    left, right = forms(question)
    if left.is_zero or right.is_zero:
        return
    ratio = right / left
    value = ratio.constant
    if value is not None:
        meaning = _meaning(value, question)
        if not meaning and not (left.symbols or right.symbols):
            return
        text = f"the claimed formula is {value} times the derived one{meaning}"
        yield Remedy("factor", text, last_resort=not meaning)
    elif len(ratio.numer) == 1 and len(ratio.denom) == 1:
        yield Remedy("factor", f"the claimed formula is {_monomial(ratio)} times the derived one", last_resort=True)


def _meaning(factor: Fraction, question: Question) -> str:
    if question.dimension == FLOP and factor == Fraction(1, 2):
        return ": a multiply-accumulate counted as one FLOP, not two"
    if question.dimension == FLOP and factor == 2:
        return ": a multiply-accumulate counted twice over"
    if question.dimension == BYTE and factor == 8:
        return ": bits for bytes"
    if question.dimension == BYTE and factor == Fraction(1, 2):
        return ": elements of two bytes counted as one byte"
    return ""


def _monomial(ratio: Normal) -> str:
    size = size_of_form(ratio)
    return "a function" if size is None else show_size(size)


def _symbols(question: Question) -> Iterator[Remedy]:
    """One symbol of the claimed formula read as another (a for L, t for s)."""
    left, right = forms(question)
    names = tuple(n for n in question.scope.order if n not in question.scope.bindings)
    used = symbols_of(question.right.size)
    for wrong in (name for name in names if name in used):
        for meant in (name for name in names if name != wrong):
            form = normal(renamed(question.right.size, {wrong: meant}), question.scope)
            if form == left and form != right:
                yield Remedy("symbol", f"holds with {meant} in place of {wrong}")


def _bindings(question: Question) -> Iterator[Remedy]:
    """One dim equal to another, on both sides."""
    left, right = forms(question)
    difference = right - left
    free = [n for n in question.scope.symbols if n in difference.symbols]
    for later, earlier in ((b, a) for a, b in combinations(free, 2)):
        if _vanishes(question, later, Symbol(earlier)):
            yield Remedy("binding", f"holds when {later} = {earlier}")


def _ones(question: Question) -> Iterator[Remedy]:
    """One dim equal to one, on both sides."""
    left, right = forms(question)
    difference = right - left
    for name in (n for n in question.scope.symbols if n in difference.symbols):
        if _vanishes(question, name, Const(Fraction(1))):
            yield Remedy("binding", f"holds when {name} = 1", last_resort=True)


def _vanishes(question: Question, name: str, value: Symbol | Const) -> bool:
    scope = replace(question.scope, bindings={**question.scope.bindings, name: value})
    return normal(question.left.size, scope) == normal(question.right.size, scope)


def _scaled_numbers(question: Question) -> Iterator[Remedy]:
    """Factors that people slip by between printed numbers: binary for decimal prefixes, bits for bytes, twice, half."""
    slips: list[tuple[str, Fraction]] = [
        ("holds with twice the printed number", Fraction(2)),
        ("holds with half the printed number", Fraction(1, 2)),
    ]
    if question.dimension is not None and any(name == "byte" for name, _ in question.dimension.factors):
        for power, prefix in enumerate("KMGT", start=1):
            slips.append((f"holds in {prefix}iB", Fraction(1024, 1000) ** power))
            slips.append((f"holds in {prefix}B, if the unit was meant to be decimal", Fraction(1000, 1024) ** power))
        slips.append(("holds in bits", Fraction(1, 8)))
    for text, factor in slips:
        size = product(Const(factor), question.right.size)
        changed = replace(question, right=replace(question.right, size=size))
        if judge(changed).outcome == "proved":
            yield Remedy("unit", text)


def _dtypes(question: Question, library: Library) -> Iterator[Remedy]:
    """All elements of one number format counted in another width."""
    if len(question.left_quantities) != 1 or question.dimension != BYTE:
        return
    (quantity,) = question.left_quantities
    left, right = forms(question)
    whole = normal(quantity.size, question.scope)
    if whole.is_zero or any(entry.elements is None for entry in quantity.entries):
        return
    widths = {dtype.bits: name for name, dtype in reversed(library.dtypes.items()) if not dtype.integer}
    for current in dict.fromkeys(entry.dtype for entry in quantity.entries if entry.dtype is not None):
        for bits, name in widths.items():
            counted = total((_counted(entry, current, bits) for entry in quantity.entries), question.scope)
            if counted != whole and left * counted / whole == right:
                yield Remedy("dtype", f"holds with elements of {name} where {current} is counted")


def _counted(entry: Entry, current: str, bits: Fraction) -> Size:
    """The bytes of an entry, those in one format counted in another width."""
    if entry.dtype != current or entry.elements is None:
        return contribution(entry)
    return product(Const(bits / 8), entry.elements, entry.multiplicity)
