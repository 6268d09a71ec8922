"""The clauses of a claim, sorted and checked: which fit together is decided here, what they mean in `question`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.source import Span
from roofdsl.syntax import ast

Once = Literal["on", "under", "within", "off", "limit", "regime", "from"]
ONCE: tuple[Once, ...] = ("on", "under", "within", "off", "limit", "regime", "from")


@dataclass(frozen=True, slots=True)
class Clauses:
    """What stands after the right side. `at` in the order written (later wins); `limit` is the symbol and where it
    goes; `regime` the large and the small symbol of `for h >> s`.
    """

    when: tuple[ast.Comparison, ...] = ()
    at: tuple[ast.Clause, ...] = ()
    free: tuple[tuple[str, Span], ...] = ()
    reading: tuple[tuple[str, str, Span], ...] = ()
    on: tuple[str, Span] | None = None
    under: tuple[str, Span] | None = None
    within: ast.Expr | None = None
    off: ast.Expr | None = None
    limit: ast.Binding | None = None
    regime: tuple[str, str, Span] | None = None
    source: str | None = field(default=None)


def read_clauses(claim: ast.Claim, *, ordered: bool = False) -> Clauses:
    """The clauses of a claim, `ordered` if it is one of order; E0713 where one is repeated or does not fit."""
    single: dict[Once, ast.Clause] = {}
    several: dict[str, list[ast.Clause]] = {}
    for clause in claim.clauses:
        if clause.kind in ("when", "at", "free", "reading"):
            several.setdefault(clause.kind, []).append(clause)
            continue
        kind = _once(clause)
        if kind in single:
            fail(errors.BAD_CLAUSE, clause.span, f"`{kind}` stands twice")
        single[kind] = clause
    _check_fit(claim, single, ordered=ordered)
    within, off, limit, regime = (single.get(kind) for kind in ("within", "off", "limit", "regime"))
    source = single.get("from")
    return Clauses(
        tuple(c for clause in several.get("when", ()) for c in clause.comparisons),
        tuple(several.get("at", ())),
        tuple((name, clause.span) for clause in several.get("free", ()) for name in clause.names),
        tuple((clause.names[0], clause.names[1], clause.span) for clause in several.get("reading", ())),
        _named(single.get("on")),
        _named(single.get("under")),
        within.exprs[0] if within else None,
        off.exprs[0] if off else None,
        limit.bindings[0] if limit else None,
        (regime.names[0], regime.names[1], regime.span) if regime else None,
        source.text if source else None,
    )


def _once(clause: ast.Clause) -> Once:
    for kind in ONCE:
        if clause.kind == kind:
            return kind
    raise AssertionError(clause.kind)


def _named(clause: ast.Clause | None) -> tuple[str, Span] | None:
    return None if clause is None else (clause.names[0], clause.span)


def _check_fit(claim: ast.Claim, single: dict[Once, ast.Clause], *, ordered: bool) -> None:
    if claim.relation == "->" and "limit" not in single:
        fail(errors.BAD_CLAUSE, claim.span, "a limit of what?", expected="`for s -> oo` after the right side")
    wanted: dict[Once, tuple[str, ...]] = {"limit": ("->",), "within": ("~",), "regime": ("~",), "off": ("=",)}
    if ordered and "off" in single:
        fail(errors.BAD_CLAUSE, single["off"].span, "an order has no difference: `off by` goes with formulas")
    for kind, relations in wanted.items():
        if ordered and kind in ("limit", "regime"):
            continue
        if kind in single and claim.relation not in relations:
            text = f"`{single[kind].span.text or kind}` goes with `{relations[0]}`"
            fail(errors.BAD_CLAUSE, single[kind].span, text, found=f"`{claim.relation}`")
    if "off" in single and not claim.negated:
        fail(errors.BAD_CLAUSE, single["off"].span, "`off by` goes with `claim not`", helps=("write `claim not …`",))
    if ordered and "limit" in single and "regime" in single:
        fail(errors.BAD_CLAUSE, single["regime"].span, "`for … -> oo` and `for … >> …` exclude each other")
    if "within" in single and "regime" in single:
        fail(errors.BAD_CLAUSE, single["within"].span, "`within` and `for … >> …` exclude each other")
