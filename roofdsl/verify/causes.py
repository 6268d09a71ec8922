"""Contributions that explain a difference: one entry, else one named group, else a pair (design §7.3).

There is no free search over subsets, since almost any coefficient is a sum of something. What fits is shown only if it
is the only one, or if all that fit are alike by repetition; otherwise how many fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.ir.entry import Entry
from roofdsl.ir.size import Size, add
from roofdsl.quantities.quantity import contribution
from roofdsl.verify.question import Question
from roofdsl.verify.recounts import share_of
from roofdsl.verify.ways import slot_of

Sort = Literal["entry", "group", "pair"]
Sense = Literal["left out", "counted twice", "counted three times"]
MOST_PAIRED = 160
MOST_OF_A_BLOCK = 4
FEWEST_TERMS = 2
"""Of a difference that a pair may explain: of a single term almost any coefficient is a sum of two."""
_PHASE = "the phase "
_BLOCK = "block "
_OF_PARAMS = ("params", "active_params", "param_bytes")


@dataclass(frozen=True, slots=True)
class Cause:
    """`entries` whose sum is the difference: the claimed formula leaves them out or counts them twice. Where several
    that are not alike fit, `entries` is empty and `fits` says how many. `name` is that of a group; `names` those of the
    groups that fit. `any_of`: each of the entries alone is of this size, and all stand in one block.
    """

    sort: Sort
    sense: Sense
    entries: tuple[Entry, ...]
    fits: int = 1
    name: str = ""
    names: tuple[str, ...] = ()
    any_of: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """Entries that together amount to something, under a name."""

    entries: tuple[Entry, ...]
    amount: Normal
    name: str = ""


def find_causes(question: Question, difference: Normal) -> tuple[Cause, ...]:
    """What explains right − left, of the smallest sort that fits; nothing where the sides are numbers or the left side
    is not proportional to one quantity.
    """
    parts = _parts(question)
    if not parts or difference.constant is not None:
        return ()
    searches: tuple[tuple[Sort, Iterable[_Part]], ...] = (
        ("entry", parts),
        ("group", _groups(parts, question.scope)),
        ("pair", _pairs(parts, difference)),
    )
    senses: tuple[tuple[Sense, Normal], ...] = (("left out", -difference), ("counted twice", difference))
    for sort, candidates in searches:
        pool = tuple(candidates)
        kept = tuple(
            cause
            for sense, wanted in senses
            if (cause := _cause(sort, sense, [p for p in pool if p.amount == wanted and _likely(p, sense)])) is not None
        )
        if kept:
            return kept
        if sort == "group":
            thrice = [part for part in pool if part.name.startswith(_PHASE) and part.amount * 2 == difference]
            if len(thrice) == 1:
                return (Cause("group", "counted three times", thrice[0].entries, 1, thrice[0].name),)
    return ()


def _likely(part: _Part, sense: Sense) -> bool:
    """Whole blocks and phases are counted twice by mistake; all uses of an op, or all of a kind, hardly."""
    return sense != "counted twice" or not part.name or part.name.startswith((_PHASE, _BLOCK))


def named_parts(question: Question) -> list[tuple[str, tuple[Entry, ...]]]:
    """The named groups of contributions, each with its entries."""
    share = share_of(question)
    if share is None:
        return []
    parts = tuple(_Part((entry,), number(0)) for entry in share.quantity.entries)
    return [(group.name, group.entries) for group in _groups(parts, question.scope)]


def groups_of(question: Question) -> Iterator[tuple[str, Size]]:
    """The named groups of contributions and single parameters outside all repeats, and the left side without each."""
    share = share_of(question)
    if share is None:
        return
    entries = share.quantity.entries
    parts = tuple(_Part((entry,), number(0)) for entry in entries)
    alone = (
        _Part((e,), number(0), e.what.rsplit(".", 1)[-1]) for e in entries if e.measure in _OF_PARAMS and not e.loops
    )
    for group in (*alone, *_groups(parts, question.scope)):
        left_out = {id(entry) for entry in group.entries}
        rest = add(*(contribution(entry) for entry in entries if id(entry) not in left_out))
        yield group.name, share.put(rest)


def single_parameters(question: Question) -> Iterator[tuple[str, Size]]:
    """The left side without one of the parameters of the repeats, such as one matrix of three."""
    share = share_of(question)
    for entry in share.quantity.entries if share is not None else ():
        if (
            share is not None
            and entry.measure in _OF_PARAMS
            and entry.loops
            and not _one_dimensional(entry, question.scope)
        ):
            rest = add(*(contribution(other) for other in share.quantity.entries if other is not entry))
            yield f"{entry.what.rsplit('.', 1)[-1]} of every repeat", share.put(rest)


def _parts(question: Question) -> tuple[_Part, ...]:
    """Each entry's share of the left side."""
    if len(question.left_quantities) != 1 or not question.left_quantities[0].entries:
        return ()
    (quantity,) = question.left_quantities
    whole = normal(quantity.size, question.scope)
    if whole.is_zero:
        return ()
    scale = normal(question.left.size, question.scope) / whole
    if not (len(scale.numer) == 1 and len(scale.denom) == 1):
        return ()
    return tuple(_Part((e,), normal(contribution(e), question.scope) * scale) for e in quantity.entries)


def _cause(sort: Sort, sense: Sense, found: Sequence[_Part]) -> Cause | None:
    if not found:
        return None
    kinds = {tuple(sorted(_kind(entry) for entry in part.entries)) for part in found}
    if len(found) == 1 or (len(kinds) == 1 and sort != "group"):
        return Cause(sort, sense, found[0].entries, len(found), found[0].name)
    if sort == "entry" and len(found) <= MOST_OF_A_BLOCK and len({_place(part.entries[0]) for part in found}) == 1:
        return Cause(sort, sense, tuple(part.entries[0] for part in found), len(found), any_of=True)
    return Cause(sort, sense, (), len(found), names=tuple(part.name for part in found if part.name))


def _place(entry: Entry) -> tuple[object, ...]:
    """Where a contribution stands: the block, the phase and what kind of thing it is."""
    return entry.path, entry.measure, entry.phase, entry.op, entry.kind, entry.dtype


def _kind(entry: Entry) -> tuple[str, ...]:
    """What entries alike by repetition have in common: their names without the instances they stand in."""
    last = entry.what.rsplit(".", 1)[-1].split("#")[0]
    return (entry.measure, entry.phase, entry.op or "", last if entry.op is None else "", entry.kind or "")


def _groups(parts: tuple[_Part, ...], scope: Scope) -> Iterable[_Part]:
    """Named groups of two entries or more: blocks, ops, kinds of work, phases, masks, parameters of one dimension."""
    named: dict[str, list[_Part]] = {}
    for part in parts:
        for name in _group_names(part, scope):
            named.setdefault(name, []).append(part)
    seen: set[frozenset[int]] = set()
    for name, members in named.items():
        key = frozenset(id(member) for member in members)
        if 1 < len(members) < len(parts) and key not in seen:
            seen.add(key)
            yield _together(members, name)


def _group_names(part: _Part, scope: Scope) -> Iterable[str]:
    (entry,) = part.entries
    if entry.measure == "work":
        yield f"{_PHASE}{entry.phase}"
    if entry.measure == "saved" and entry.declared:
        yield "kept masks"
    if entry.measure in _OF_PARAMS and _one_dimensional(entry, scope):
        yield "parameters of one dimension (biases, gains)"
    for depth in range(2, len(entry.path) + 1):
        yield f"{_BLOCK}{'.'.join(step.split('#')[0] for step in entry.path[1:depth])}"
    if entry.measure == "state":
        yield f"`{slot_of(entry)}`"
    if entry.measure in _OF_PARAMS and not entry.loops:
        yield "what stands outside of the repeats"
    if entry.op is not None:
        yield f"op {entry.op}"
    if entry.kind is not None:
        yield f"{entry.kind} work"


def _one_dimensional(entry: Entry, scope: Scope) -> bool:
    form = normal(entry.elements or entry.amount, scope)
    if not form.is_polynomial or len(form.numer) != 1:
        return False
    monomial: tuple[int, ...] = next(iter(form.numer))
    return sum(monomial) == 1


def _together(members: Sequence[_Part], name: str = "") -> _Part:
    total = number(0)
    for member in members:
        total = total + member.amount
    return _Part(tuple(entry for member in members for entry in member.entries), total, name)


def _pairs(parts: tuple[_Part, ...], difference: Normal) -> Iterable[_Part]:
    if len(parts) > MOST_PAIRED or len(difference.numer) < FEWEST_TERMS:
        return
    for pair in combinations(parts, 2):
        yield _together(pair)
