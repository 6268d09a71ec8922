"""A claim made ready to be judged: both sides as sizes, what names stand for, and the domain it speaks about.

Everything a claim depends on is settled here once: convention, machine, bindings, detached lets, conditions. How it is
decided is for `decide`; nothing here knows a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofdsl.algebra.blame import blamed_on
from roofdsl.algebra.domain import Domain
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Causal, Scope
from roofdsl.diagnostics import RoofError, Sink, fail
from roofdsl.errors import claims as errors
from roofdsl.evaluate.bind import bind
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size, Symbol, symbols_of
from roofdsl.passes.load import find_machine
from roofdsl.passes.names import did_you_mean
from roofdsl.quantities.amounts import Formula, comparable
from roofdsl.quantities.ask import Asker, Context
from roofdsl.quantities.conventions import Convention, find_convention
from roofdsl.quantities.formula import Names, resolve
from roofdsl.quantities.orders import OrderWord, order_of
from roofdsl.quantities.quantity import Asked, Quantity
from roofdsl.quantities.session import Session
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.units.dimension import Dimension
from roofdsl.verify.clauses import Clauses, read_clauses
from roofdsl.verify.fitting import check_can_grow, check_fit
from roofdsl.verify.narrow import Condition, narrow
from roofdsl.verify.sizes import renamed


@dataclass(frozen=True, slots=True)
class Change:
    """One thing changed about a claim, to see whether it holds then: another convention or phase, or symbols of the
    right side read as others.
    """

    convention: Convention | None = None
    phase: Asked | None = None
    symbols: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A claim with everything it depends on. `dimension` None: both sides are pure. `whole` are the extents that must be
    whole, for people. `left_quantities` and `right_quantities` are what the sides were derived from; `off` is the
    formula of `off by`. With an `order`, `right` is the formula in its parentheses.
    `declared` are bounds that the dims which occur were declared with.
    """

    claim: ast.Claim
    clauses: Clauses
    left: Formula
    right: Formula
    dimension: Dimension | None
    scope: Scope
    domain: Domain
    whole: tuple[str, ...] = ()
    left_quantities: tuple[Quantity, ...] = ()
    right_quantities: tuple[Quantity, ...] = ()
    off: Formula | None = None
    order: OrderWord | None = None
    declared: tuple[str, ...] = ()

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return (*self.left_quantities, *self.right_quantities)

    @property
    def conventions(self) -> tuple[Convention, ...]:
        """The conventions in force, each once."""
        return tuple(dict.fromkeys(q.convention for q in self.quantities))

    @property
    def lets(self) -> tuple[str, ...]:
        """The lets in force that the sides use, directly or through other lets, as declared."""
        used = used_names(self.scope, (self.left.size, self.right.size))
        return tuple(n for n in self.scope.lets if n in used and n not in self.scope.free)


UNCHANGED = Change()


def pose(claim: ast.Claim, session: Session, change: Change = UNCHANGED) -> Question:
    """The question a claim asks. Raises `RoofError` (E07xx and what elaboration finds) if it cannot be asked."""
    order = order_of(claim.right, _declared_names(claim, session.library)) if claim.relation == "=" else None
    clauses = read_clauses(claim, ordered=order is not None)
    asker = Asker(session, context_of(clauses, session.library, change))
    left = asker.resolve(claim.left)
    if not asker.found and not asker.figures:
        _report_underived(claim)
    count = len(asker.found)
    right = asker.resolve(claim.right) if order is None else replace(asker.resolve(order.of), numeral=False)
    dimension = comparable((left, claim.left.span), (right, claim.right.span))
    off = None if clauses.off is None else asker.resolve(clauses.off)
    found = tuple(asker.found)
    scope = _scope(clauses, asker, found, claim)
    graphs = [session.graph(q.subject, q.mode) for q in found]
    conditions = _conditions(clauses, asker)
    sizes = (left.size, right.size, *(side for c in conditions for side in (c.left, c.right)))
    conditions += _declared(asker, scope, sizes)
    declared = _declared_texts(asker, scope, used_names(scope, sizes))
    scope, domain, whole = narrow(scope, conditions, graphs, claim.span)
    right = Formula(renamed(right.size, dict(change.symbols)), right.dimension, right.numeral)
    sides, word = (found[:count], found[count:]), None if order is None else order.word
    question = Question(claim, clauses, left, right, dimension, scope, domain, whole, *sides, off, word, declared)
    check_fit(claim, clauses, *forms(question), scope, ordered=order is not None)
    if order is not None:
        check_can_grow(claim, clauses, scope, domain)
    return question


def _declared_names(claim: ast.Claim, library: Library) -> frozenset[str]:
    """Names that mean a size here, those of the source included."""
    theirs = (clause.names[0] for clause in claim.clauses if clause.kind == "reading")
    return frozenset((*library.symbols, *theirs))


def forms(question: Question) -> tuple[Normal, Normal]:
    """Both sides expanded under the lets and bindings in force."""
    with blamed_on(question.claim.left.span):
        left = normal(question.left.size, question.scope)
    with blamed_on(question.claim.right.span):
        return left, normal(question.right.size, question.scope)


def unbounded(question: Question, *growing: str) -> Question:
    """The question without conditions on what grows: a formula simplified by them would hold below a bound alone."""
    kept = tuple(form for form in question.scope.assumed if form.symbols.isdisjoint(growing))
    return replace(question, scope=replace(question.scope, assumed=kept))


def _report_underived(claim: ast.Claim) -> None:
    helps = ("ask for a quantity: `flops(x)`, `bytes(x)`, `saved(x)`, `params(x)`, `time(x, machine)` …",)
    fail(errors.NOTHING_DERIVED, claim.left.span, "nothing here is derived from a model", helps=helps)


def context_of(clauses: Clauses, library: Library, change: Change = UNCHANGED) -> Context:
    """What the clauses say about how quantities are asked."""
    convention = change.convention
    if convention is None and clauses.under is not None:
        convention = find_convention(clauses.under[0], library, clauses.under[1])
    machine = None if clauses.on is None else clauses.on[0]
    if clauses.on is not None:
        _check_machine(library, *clauses.on)
    names = {}
    for theirs, ours, span in clauses.reading:
        if ours not in library.symbols:
            helps = did_you_mean(ours, library.symbols)
            fail(errors.UNKNOWN_CLAUSE_NAME, span, f"`{ours}` is no symbol of ours", helps=helps)
        names[theirs] = ours
    return Context(convention, machine, change.phase, names)


def _check_machine(library: Library, name: str, span: Span) -> None:
    """The machine of `on`, even where no quantity of the claim asks for one (E0201)."""
    sink = Sink()
    find_machine(library, name, sink, span=span)
    sink.stop_on_errors()


def _scope(clauses: Clauses, asker: Asker, found: tuple[Quantity, ...], claim: ast.Claim) -> Scope:
    library, lets = asker.session.library, asker.session.lets
    for name, span in clauses.free:
        if name not in library.lets:
            helps = did_you_mean(name, library.lets)
            fail(errors.UNKNOWN_CLAUSE_NAME, span, f"`{name}` is no let, so nothing detaches it", helps=helps)
    bindings = _bindings(clauses, asker)
    minimum = {name: dim.minimum for name, dim in library.dims.items()}
    free = frozenset(name for name, _ in clauses.free)
    return Scope(asker.order, lets, free, bindings, _causal(found, claim), minimum)


def _bindings(clauses: Clauses, asker: Asker) -> dict[str, Size]:
    """What `at` binds, in the order written; later wins (E0709 for a config that is not declared)."""
    library = asker.session.library
    settings: list[ast.Binding] = []
    for clause in clauses.at:
        for name in clause.names:
            if name not in library.configs:
                helps = did_you_mean(name, library.configs)
                fail(errors.UNKNOWN_CLAUSE_NAME, clause.span, f"no config is called `{name}`", helps=helps)
            settings += library.configs[name].bindings
        settings += clause.bindings
    if not settings:
        return {}
    sink = Sink()
    made = bind(library, sink, (), settings, asker.order)
    sink.stop_on_errors()
    return dict(made.given)


def _causal(found: tuple[Quantity, ...], claim: ast.Claim) -> Causal:
    """How guards count, which all quantities of a claim must agree on."""
    counts = dict.fromkeys(q.convention.causal for q in found)
    if len(counts) > 1:
        text = f"quantities that count causal attention differently ({', '.join(counts)})"
        fail(errors.BAD_CLAUSE, claim.span, text, helps=("name one convention with `under`",))
    return next(iter(counts), "full")


def _conditions(clauses: Clauses, asker: Asker) -> tuple[Condition, ...]:
    names = asker.names()
    sizes = Names(names.symbols, None, names.unit, None, names.reserved)
    made: list[Condition] = []
    for item in clauses.when:
        left, right = resolve(item.left, sizes), resolve(item.right, sizes)
        comparable((left, item.left.span), (right, item.right.span))
        text = f"{item.left.span.text} {item.relation} {item.right.span.text}"
        made.append(Condition(left.size, item.relation, right.size, text))
    return tuple(made)


def _declared(asker: Asker, scope: Scope, sizes: tuple[Size, ...]) -> tuple[Condition, ...]:
    """Bounds of dims by others, as declared, of those that play a part."""
    bounds = asker.session.library.bounds(asker.own)
    used = used_names(scope, sizes) if bounds else frozenset()
    return tuple(
        Condition(Symbol(name), "<=", Symbol(most), f"{name} <= {most}")
        for name, most in bounds.items()
        if name in used or most in used
    )


def _declared_texts(asker: Asker, scope: Scope, used: frozenset[str]) -> tuple[str, ...]:
    """`m <= X`, `un >= 0`: how the dims that occur without a value are declared, where that is not `>= 1` alone."""
    library = asker.session.library
    bounds = library.bounds(asker.own)
    free = [name for name in library.dims if name in used and name not in asker.own and name not in scope.bindings]
    least = tuple(f"{n} >= {library.dims[n].minimum}" for n in free if library.dims[n].minimum != 1)
    return (*(f"{name} <= {bounds[name]}" for name in free if name in bounds), *least)


def used_names(scope: Scope, sizes: tuple[Size, ...]) -> frozenset[str]:
    """All names sizes mention, those that lets and bindings stand for included."""
    found: set[str] = set()
    todo = [name for size in sizes for name in symbols_of(size)]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        size = scope.definition(name)
        if size is not None:
            todo += symbols_of(size)
    return frozenset(found)


def comes_to(size: Size, scope: Scope, wanted: Normal) -> bool:
    """Whether a size is this form; not where it is not defined."""
    try:
        return normal(size, scope) == wanted
    except RoofError:
        return False
