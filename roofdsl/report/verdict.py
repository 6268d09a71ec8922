"""Verdicts as text: what was proved or refuted, both forms and the difference, the witness, and where terms come from.

Takes a `Verdict` and gives lines; a claim that stands takes two of them, one that fails as many as a reader needs to
see why (design §7).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add

from roofdsl.algebra.evaluation import Value, evaluate
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.quantities.session import Session
from roofdsl.report.derived import style_of
from roofdsl.report.footer import basis_of, convention_text
from roofdsl.report.formula import formula, render
from roofdsl.report.formula_layout import Style
from roofdsl.report.formula_shape import factored
from roofdsl.report.formula_written import written_orders
from roofdsl.report.verdict_sizes import domain_text, trail_lines
from roofdsl.units.dimension import PURE
from roofdsl.units.display import format_amount, significant, unit_symbol
from roofdsl.verify.causes import Cause
from roofdsl.verify.explain import shown_path
from roofdsl.verify.judge import sizes_of
from roofdsl.verify.provenance import Origin
from roofdsl.verify.reading import Remedy
from roofdsl.verify.verdict import Verdict

MOST_ORIGINS = 12
MOST_IF_EXPLAINED = 4
MOST_NAMED = 8
WIDTH = 10
DIGITS = 6
MANIFOLD = Fraction(3, 2)


def render_verdict(verdict: Verdict, session: Session) -> str:
    """The verdict as lines of text without a final newline."""
    style = verdict_style(verdict, session)
    word = _heading(verdict)
    heading = f"{word:<{WIDTH}} {claim_text(verdict)}" if len(word) < WIDTH else f"{word}: {claim_text(verdict)}"
    details = [*_findings(verdict, style), *_basis(verdict, style)]
    return "\n".join((heading, *(f"  {line}" for line in details)))


def verdict_style(verdict: Verdict, session: Session) -> Style:
    """Formulas as the claim's author writes them, then as the file's does."""
    style = style_of(session, verdict.question.scope.order)
    return replace(style, written={**style.written, **written_orders((verdict.claim.right,), style.names)})


def _heading(verdict: Verdict) -> str:
    if verdict.claim.negated and verdict.passed:
        return "refuted, as claimed"
    if verdict.claim.negated and verdict.outcome == "refuted":
        return "refuted, but not by this"
    if verdict.claim.negated and verdict.outcome == "proved":
        return "not refuted, it holds"
    return verdict.outcome


def claim_text(verdict: Verdict) -> str:
    """The claim as written, on one line, without its source."""
    if verdict.claim.written is not None:
        return verdict.claim.written
    text = verdict.claim.span.text.strip()
    text = text.removeprefix("claim").strip()
    source = verdict.question.clauses.source
    if source is not None:
        text = text.replace(f'from "{source}"', "").strip()
    return " ".join(text.split())


def _findings(verdict: Verdict, style: Style) -> list[str]:
    if not _symbolic(verdict) and verdict.outcome != "undecided" and verdict.claim.relation != "->":
        return [*_number(verdict), *(_remedies(verdict, style) if not verdict.passed else ())]
    if verdict.outcome == "proved" and verdict.passed:
        return [] if verdict.judgement.reason == "the difference is zero" else [verdict.judgement.reason]
    if verdict.outcome == "undecided":
        return [*_sides(verdict, style), *_undecided(verdict)]
    lines = _sides(verdict, style)
    lines += _limit(verdict, style) + _witness(verdict)
    if verdict.judgement.reason:
        lines.append(verdict.judgement.reason)
    lines += trail_lines(verdict)
    lines += _off(verdict, style)
    if verdict.passed:
        return lines
    return [*lines, *_causes(verdict, style), *_remedies(verdict, style), *_origins(verdict.origins, style, verdict)]


def _symbolic(verdict: Verdict) -> bool:
    """Whether the sides still hold symbols, so that their forms say more than their values."""
    return bool(verdict.left.symbols or verdict.right.symbols)


def _sides(verdict: Verdict, style: Style) -> list[str]:
    unit = unit_symbol(verdict.question.dimension or PURE)
    note = "" if verdict.question.dimension is None else f"  [{unit}]"
    lines = [
        f"derived     {formula(verdict.left, style)}{note}",
        f"claimed     {claimed(verdict, style)}",
    ]
    if has_difference(verdict) and not verdict.difference.is_zero:
        lines.append(f"difference  {render(factored(verdict.difference, style), style)}  (claimed − derived)")
    return lines


def claimed(verdict: Verdict, style: Style) -> str:
    """The right side expanded, within its order."""
    shown, order = formula(verdict.right, style), verdict.question.order
    return shown if order is None else f"{order}({shown})"


def has_difference(verdict: Verdict) -> bool:
    """Whether the sides are claimed to be equal, or nearly."""
    return verdict.claim.relation in ("=", "~") and verdict.question.order is None


def _limit(verdict: Verdict, style: Style) -> list[str]:
    found = verdict.judgement.limit
    return [] if found is None else [f"limit       {formula(found, style)}"]


def _witness(verdict: Verdict) -> list[str]:
    witness = verdict.judgement.witness
    if witness is None:
        return []
    sizes = ", ".join(f"{name} = {value}" for name, value in witness.sizes.items()) or "all sizes"
    left, right = (_exact(value, verdict) for value in (witness.left, witness.right))
    subject = "limit" if verdict.judgement.limit is not None else "derived"
    word = "smallest" if witness.smallest else "for example"
    return [f"{word:<11} {sizes}: {subject} {left}, claimed {right}"]


def _exact(value: Value, verdict: Verdict) -> str:
    dimension = verdict.question.dimension or PURE
    if isinstance(value, float):
        return f"about {format_amount(Fraction(value), dimension)}"
    unit = "" if dimension.pure else f" {unit_symbol(dimension)}"
    return f"{value.numerator:,}{unit}" if value.denominator == 1 else f"{value}{unit}"


def _number(verdict: Verdict) -> list[str]:
    """Both values of a claim about numbers."""
    left, right = (evaluate(form, {}) for form in (verdict.left, verdict.right))
    dimension = verdict.question.dimension or PURE
    one, two = (format_amount(Fraction(value), dimension, DIGITS) for value in (left, right))
    if one == two and left != right:
        one, two = _exact(left, verdict), _exact(right, verdict)
    lines = [f"derived     {one}"]
    if verdict.outcome == "proved" and verdict.claim.relation == "~":
        return lines
    lines.append(f"claimed     {two}{_share(left, right)}")
    sizes = sizes_of(verdict.question)
    return [*lines, *([f"at          {', '.join(f'{n} = {v}' for n, v in sizes.items())}"] if sizes else ())]


def _share(left: Value, right: Value) -> str:
    """How far apart two values are, in percent of the claimed one."""
    if not right or left == right:
        return ""
    away = abs(Fraction(left) / Fraction(right) - 1)
    times = Fraction(right) / Fraction(left) if left else Fraction(0)
    if times >= MANIFOLD:
        return f"  ({significant(times, 4)} times the derived)"
    return f"  ({significant(100 * away, 3)}% away)"


def _undecided(verdict: Verdict) -> list[str]:
    judgement = verdict.judgement
    tried = f"; it held at {judgement.points} exact points, which proves nothing" if judgement.points else ""
    return [f"undecided   {judgement.reason or 'neither a proof nor a counterexample was found'}{tried}"]


def _off(verdict: Verdict, style: Style) -> list[str]:
    question = verdict.question
    if verdict.off is None or question.off is None or verdict.off.outcome == "proved":
        return []
    said = formula(normal(question.off.size, question.scope), style)
    return [f"off by      {said} was claimed, which was {verdict.off.outcome}"]


def _origins(origins: tuple[Origin, ...], style: Style, verdict: Verdict) -> list[str]:
    """Entries with a term that differs; those that would explain the difference alone are marked where several would."""
    if not origins:
        return []
    root = verdict.question.left_quantities[0].subject.root
    explained = any(not remedy.last_resort for remedy in verdict.remedies)
    most = MOST_IF_EXPLAINED if explained else MOST_ORIGINS
    marked = _of_one_size(origins, verdict)
    shown = sorted(origins, key=lambda o: id(o) not in marked)[:most] if len(origins) > most else origins
    rows = [
        (formula(o.amount, style), shown_path(o.entry.kernel or o.entry.what, root), o.entry.because) for o in shown
    ]
    width, second = (max(len(row[i]) for row in rows) for i in (0, 1))
    signs = ["* " if id(o) in marked else "  " if marked else "" for o in shown]
    lines = [
        f"  {sign}{amount:<{width}}  {where:<{second}}  {why}".rstrip()
        for sign, (amount, where, why) in zip(signs, rows, strict=True)
    ]
    more = len(origins) - most
    whole = formula(reduce(add, (o.amount for o in origins)), style)
    heading = f"the derived terms that differ, {whole}, are the sum of"
    return [heading, *lines, *([f"  and {more} more"] if more > 0 else ())]


def _of_one_size(origins: tuple[Origin, ...], verdict: Verdict) -> frozenset[int]:
    """The entries any of which would explain the difference, where they are too many to name one."""
    open_ = [cause for cause in verdict.causes if not cause.entries and cause.sort == "entry"]
    sizes = [-verdict.difference if cause.sense == "left out" else verdict.difference for cause in open_]
    return frozenset(id(o) for o in origins if o.amount in sizes)


def _causes(verdict: Verdict, style: Style) -> Iterable[str]:
    for cause in verdict.causes:
        yield _cause(cause, verdict, style)


def _cause(cause: Cause, verdict: Verdict, style: Style) -> str:
    amount = render(factored(-verdict.difference if cause.sense == "left out" else verdict.difference, style), style)
    if not cause.entries:
        noun = {"entry": "contributions", "group": "groups of contributions", "pair": "pairs of contributions"}[
            cause.sort
        ]
        those = (
            f"any one of {', '.join(cause.names)}" if 0 < len(cause.names) <= MOST_IF_EXPLAINED else "any one of them"
        )
        done = f"leaving out {those}" if cause.sense == "left out" else f"counting {those} twice"
        where = " (marked * below)" if cause.sort == "entry" else ""
        return f"not certain {cause.fits} {noun} are of exactly this size{where}: {done} would explain it"
    root = verdict.question.left_quantities[0].subject.root
    paths = dict.fromkeys(shown_path(entry.what, root) for entry in cause.entries)
    names = ", ".join(list(paths)[:MOST_NAMED])
    more = len(paths) - MOST_NAMED
    names += f" and {more} more" if more > 0 else ""
    if cause.any_of:
        block = shown_path(".".join(cause.entries[0].path), root)
        short = ", ".join(path.removeprefix(f"{block}.") for path in paths)
        return f"{cause.sense:<11} one of {short}{f' of {block}' if block != root else ''} ({amount} each)"
    alike = f", one of {cause.fits} alike" if cause.fits > 1 else ""
    group = f"{cause.name}: " if cause.name else ""
    return f"{cause.sense:<11} {group}{names} ({amount}){alike}"


def remedy_text(remedy: Remedy, style: Style) -> str:
    """What a change says, its formulas as the author writes them."""
    return remedy.text.format(*(formula(a, style) for a in remedy.amounts)) if remedy.amounts else remedy.text


def _remedies(verdict: Verdict, style: Style) -> list[str]:
    return [_remedy(remedy, style) for remedy in verdict.remedies]


def _remedy(remedy: Remedy, style: Style) -> str:
    """`holds       for …`: a label and the rest, so that the lines of a verdict stand in two columns."""
    for label in ("holds", "right", "this is"):
        if remedy.text.startswith(f"{label} "):
            shown = "consistent" if remedy.consistent else label
            return f"{shown:<11} {remedy.text.removeprefix(label).strip()}"
    return remedy_text(remedy, style)


def _basis(verdict: Verdict, style: Style) -> list[str]:
    """Lets in force, domain, convention and source, each where there is something to say."""
    question = verdict.question
    lets = ", ".join(f"{name} = {formula(let_value(name, verdict), style)}" for name in question.lets)
    convention = convention_text(basis_of(question.quantities))
    source = question.clauses.source
    parts = (("lets", lets), ("domain", domain_text(question)), ("counted", convention))
    lines = [f"{name:<11} {text}" for name, text in parts if text]
    return [*lines, *([f"from        {source}"] if source else ())]


def let_value(name: str, verdict: Verdict) -> Normal:
    scope = verdict.question.scope
    size = scope.lets[name] if name not in scope.bindings else scope.bindings[name]
    return normal(size, scope)
