"""A formula asked for, derived and laid out: what `derive`, `explain`, the API and the tables print.

Takes a session and the text of a formula over quantities and symbols; gives its closed form with all it rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.piecewise import MOST_CASES, Case, cases_of, has_inner_extremum
from roofdsl.algebra.scope import Causal, Scope
from roofdsl.algebra.signs import Known
from roofdsl.diagnostics import InternalError, Sink, fail
from roofdsl.errors.usage import BAD_RENAME, NOT_A_SYMBOL
from roofdsl.ir.size import ONE, Size
from roofdsl.passes.names import FUNCTIONS, QUANTITIES, suggest
from roofdsl.quantities.amounts import Formula
from roofdsl.quantities.ask import Asker, Context
from roofdsl.quantities.quantity import Quantity
from roofdsl.quantities.session import Session
from roofdsl.report.formula import Format, render
from roofdsl.report.formula_layout import Layout, Style, lay_out
from roofdsl.report.formula_shape import collected, in_terms_of, pulled_out
from roofdsl.report.formula_written import written_orders
from roofdsl.report.piecewise import case_lines, cases_latex, cases_sympy
from roofdsl.source import Source, Span
from roofdsl.syntax.parser import parse_formula
from roofdsl.units.dimension import PURE, SECOND, Dimension


@dataclass(frozen=True, slots=True)
class Shape:
    """How a formula is asked to look. `factor` is a product to pull out; `collect` symbols to order by; `terms` the
    symbols it shall be expressed in; `renames` our names and those to be printed.
    """

    factor: str | None = None
    collect: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Derived:
    """`text` as asked; `size` in base units of `dimension`; `form` with all lets put in; `layout` as shaped. `found` are
    the quantities it was made of, `figures` the machine figures.
    """

    text: str
    size: Size
    dimension: Dimension
    form: Normal
    layout: Layout
    style: Style
    found: tuple[Quantity, ...]
    figures: tuple[str, ...] = ()
    cases: tuple[Case, ...] | None = None

    def printed(self, kind: Format = "text") -> str:
        """The closed form in one of the formats; min and max inside sums as cases where there are not too many."""
        if self.cases is not None and kind == "sympy":
            return cases_sympy(self.cases, self.style)
        if self.cases is not None and kind == "latex":
            return cases_latex(self.cases, self.style)
        return render(self.layout, self.style, kind)

    @property
    def remark(self) -> str:
        """What to say where a time has too many regimes to list."""
        timed = self.dimension == SECOND and self.cases is None and has_inner_extremum(self.form)
        return f"more than {MOST_CASES} regimes: ask part by part, or for a number" if timed else ""

    @property
    def regimes(self) -> tuple[str, ...]:
        """The cases for people, one a line; empty where there are none."""
        return () if self.cases is None else tuple(case_lines(self.cases, self.style))


def derive(session: Session, text: str, context: Context | None = None, shape: Shape | None = None) -> Derived:
    """The closed form of a formula over quantities; raises `RoofError` with what is wrong in it."""
    asker, formula = ask(session, text, context)
    return derived(session, asker, text, formula, shape or Shape())


def ask(session: Session, text: str, context: Context | None = None) -> tuple[Asker, Formula]:
    """A formula of the command line or the API read and resolved, and the asker that knows what it is made of."""
    sink = Sink()
    expr = parse_formula(Source("quantity", text), sink)
    sink.stop_on_errors()
    if expr is None:
        raise InternalError("no formula was parsed, and nothing was said about it")
    asker = Asker(session, context or Context())
    return asker, asker.resolve(expr)


def derived(session: Session, asker: Asker, text: str, formula: Formula, shape: Shape) -> Derived:
    """A resolved formula brought to normal form and laid out."""
    scope = scope_of(session, asker.order, causal_of(asker))
    style = style_of(session, asker.order, shape.renames)
    form = normal(formula.size, scope)
    if shape.terms:
        for name in shape.terms:
            _check_symbol(name, scope)
        form = in_terms_of(form, shape.terms, scope)
    check_renames(style.renamed, form.symbols, asker.order)
    layout = _laid_out(form, style, scope, shape)
    found = tuple(asker.found)
    cases = cases_of(form, Known(scope.minimum)) if formula.dimension == SECOND else None
    dimension = formula.dimension or PURE
    return Derived(text, formula.size, dimension, form, layout, style, found, tuple(asker.figures), cases)


def check_renames(renames: Mapping[str, str], symbols: Iterable[str], known: Collection[str] | None = None) -> None:
    """E0814 where two symbols of a formula would be printed alike, or (with `known`) where a name is no symbol."""
    for ours in renames:
        if known is not None and ours not in known:
            near = suggest(ours, known)
            helps = (f"did you mean `{near}`?",) if near else ()
            fail(BAD_RENAME, _named("--rename", ours), f"`{ours}` is no dim and no let", helps=helps)
    shown: dict[str, str] = {}
    for name in symbols:
        other = shown.setdefault(renames.get(name, name), name)
        if other != name:
            text = f"`{other}` and `{name}` would both be printed `{renames.get(name, name)}`"
            fail(BAD_RENAME, _named("--rename", renames.get(name, name)), text, helps=("rename the other one too",))


def _named(option: str, word: str) -> Span:
    return Span(Source(option, word), 0, len(word))


def scope_of(session: Session, order: tuple[str, ...], causal: Causal = "full") -> Scope:
    """What names stand for in a formula of a session: lets are put in."""
    minimum = {name: dim.minimum for name, dim in session.library.dims.items()}
    return Scope(order, session.lets, causal=causal, minimum=minimum)


def style_of(session: Session, order: tuple[str, ...], renames: tuple[tuple[str, str], ...] = ()) -> Style:
    """How formulas of a session are written: order of declaration, and products as the file's author writes them, in the
    names of a paper where it has its own.
    """
    library = session.library
    formulas = [claim.right for claim in library.claims] + [defined.value for defined in library.quantities.values()]
    written = written_orders(formulas, library.symbols)
    renamed = dict(renames)
    names = frozenset(renamed.get(name, name) for name in order)
    return Style(order, written, names, QUANTITIES | FUNCTIONS | frozenset(library.quantities), renamed)


def causal_of(asker: Asker) -> Causal:
    """How causal guards count in a formula: as its convention says."""
    if asker.context.convention is not None:
        return asker.context.convention.causal
    return asker.found[0].convention.causal if asker.found else "full"


def _laid_out(form: Normal, style: Style, scope: Scope, shape: Shape) -> Layout:
    if shape.factor is not None:
        return pulled_out(form, _product(shape.factor, scope), style)
    if shape.collect:
        for name in shape.collect:
            _check_symbol(name, scope)
        return collected(form, shape.collect, style)
    return lay_out(form, style)


def _product(text: str, scope: Scope) -> Normal:
    """The product `--factor` names, such as `sbh`; a let in it stands for itself as in any formula."""
    from roofdsl.quantities.formula import Names, resolve, symbol_formulas

    sink = Sink()
    source = Source("--factor", text)
    expr = parse_formula(source, sink)
    sink.stop_on_errors()
    if expr is None:
        return normal(ONE, scope)
    form = normal(resolve(expr, Names(symbol_formulas(scope.order))).size, scope)
    if len(form.numer) != 1 or len(form.denom) != 1:
        fail(NOT_A_SYMBOL, Span(source, 0, len(text)), "only a product can be pulled out", helps=("such as sbh",))
    return form


def _check_symbol(name: str, scope: Scope) -> None:
    if name in scope.order:
        return
    near = suggest(name, scope.order)
    helps = (f"did you mean `{near}`?",) if near else ()
    source = Source("symbols", name)
    fail(NOT_A_SYMBOL, Span(source, 0, len(name)), f"`{name}` is no dim and no let", helps=helps)
