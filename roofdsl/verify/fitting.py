"""Whether a claim can be asked as it is written: printed numbers need values, limits a symbol that can grow.

These are faults of the text, found before anything is decided, so that `check` reports them too.
"""

from __future__ import annotations

from roofdsl.algebra.asymptotic import Diverges, Finite, limit
from roofdsl.algebra.domain import Domain
from roofdsl.algebra.domination import Below, compared
from roofdsl.algebra.form import Normal, symbol
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.passes.names import did_you_mean
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.verify.clauses import Clauses
from roofdsl.verify.printed import printed

INFINITY = "oo"


def check_fit(
    claim: ast.Claim, clauses: Clauses, left: Normal, right: Normal, scope: Scope, *, ordered: bool = False
) -> None:
    """E0709, E0712, E0713 or E0721 if the claim's form does not fit its sides."""
    if clauses.limit is not None:
        _check_limit(clauses.limit, scope)
        if not ordered:
            _check_free(claim, clauses.limit.name, right)
    if ordered and not left.symbols and not right.symbols and scope.bindings:
        text = "all sizes have values here, and an order is about sizes that grow"
        fail(errors.BAD_CLAUSE, claim.right.span, text, helps=("leave out `at`, or compare with `~`",))
    if clauses.regime is not None:
        large, small, span = clauses.regime
        for name in (large, small):
            _check_grows(name, span, scope)
    if claim.relation == "~" and clauses.within is None and clauses.regime is None:
        _check_printed(claim, left, right, scope)


def _check_printed(claim: ast.Claim, left: Normal, right: Normal, scope: Scope) -> None:
    if printed(claim.right) is None:
        text = "only a printed number agrees to its last digit"
        helps = ("`within 1%` says how near", "`for h >> s` says where", "`=` if it is exact")
        fail(errors.BAD_WITHIN, claim.right.span, text, helps=helps)
    missing = left.symbols | right.symbols
    names = [name for name in (*scope.symbols, *sorted(missing)) if name in missing]
    if names:
        shown = ", ".join(dict.fromkeys(names))
        give = f"give them with `at CONFIG` or `at {names[0]} = …`"
        fail(errors.UNBOUND, claim.left.span, f"no value for {shown}", helps=(give,))


def _check_limit(binding: ast.Binding, scope: Scope) -> None:
    _check_grows(binding.name, binding.span, scope)
    if not (isinstance(binding.value, ast.Name) and binding.value.text == INFINITY):
        expected = f"{binding.name} -> {INFINITY}"
        fail(errors.BAD_CLAUSE, binding.span, "only limits at infinity are taken", expected=expected)


def _check_free(claim: ast.Claim, name: str, right: Normal) -> None:
    if name in right.symbols:
        text = f"a limit does not depend on {name}"
        helps = (f"`= Θ(F) for {name} -> oo` and `~ F for {name} >> …` compare growth",)
        fail(errors.BAD_CLAUSE, claim.right.span, text, helps=helps)


def _check_grows(name: str, span: Span, scope: Scope) -> None:
    if name in scope.symbols:
        return
    stands = scope.definition(name) is not None
    text = f"`{name}` is a let or has a value here, so it cannot grow by itself" if stands else f"`{name}` is no dim"
    detach = (f"`for {name} free` detaches the let",) if name in scope.lets and name not in scope.bindings else ()
    fail(errors.UNKNOWN_CLAUSE_NAME, span, text, helps=detach if stands else did_you_mean(name, scope.symbols))


def check_can_grow(claim: ast.Claim, clauses: Clauses, scope: Scope, domain: Domain) -> None:
    """E0713 where the sizes of an order cannot grow as it says: the claim would be about nothing."""
    if clauses.limit is not None and _is_held(clauses.limit.name, scope, domain):
        _cannot_grow(claim, clauses.limit.name)
    if clauses.regime is not None:
        large, small, _ = clauses.regime
        tied = isinstance(compared(symbol(large), symbol(small), domain), Below)
        if tied or _is_held(large, scope, domain, beside=small):
            _cannot_grow(claim, f"{large}/{small}")


def _is_held(name: str, scope: Scope, domain: Domain, beside: str = "") -> bool:
    """Whether the domain bounds a size while the others, but for the one `beside` it, stay."""
    if name in domain.maximum:
        return True
    facts = (fact for fact in domain.known.nonnegative if name in fact.symbols and beside not in fact.symbols)
    ends = [limit(fact, name, scope) for fact in facts]
    falls = any(isinstance(end, Diverges) and end.sign < 0 for end in ends)
    return falls or any(isinstance(end, Finite) and (end.value.constant or 0) < 0 for end in ends)


def _cannot_grow(claim: ast.Claim, what: str) -> None:
    clause = next(c for c in claim.clauses if c.kind in ("limit", "regime"))
    helps = ("`when`, declared bounds and extents that must be whole hold it below sizes that stay as they are",)
    fail(errors.BAD_CLAUSE, clause.span, f"{what} cannot grow without bound here", helps=helps)
