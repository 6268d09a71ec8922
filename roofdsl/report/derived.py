"""A formula asked for, derived and laid out: what `derive`, `explain`, the API and the tables print.

Takes a session and the text of a formula over quantities and symbols; gives its closed form with all it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import bounded, normal
from roofdsl.algebra.piecewise import FEW_CASES, Case, cases_of, has_inner_extremum
from roofdsl.algebra.scope import Causal, Scope
from roofdsl.diagnostics import InternalError, Sink
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size
from roofdsl.passes.names import FUNCTIONS, QUANTITIES
from roofdsl.quantities.amounts import Formula
from roofdsl.quantities.ask import Asker, Context
from roofdsl.quantities.quantity import Quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.stored import spread
from roofdsl.report.formula import Format, render
from roofdsl.report.formula_layout import Layout, Powers, Style
from roofdsl.report.formula_written import written_orders
from roofdsl.report.piecewise import case_lines, cases_in_rates, cases_latex, cases_sympy
from roofdsl.report.shape import PLAIN, Shape, laid_out, shaped
from roofdsl.source import Source
from roofdsl.syntax.parser import parse_formula
from roofdsl.units.dimension import PURE, SECOND, Dimension

if TYPE_CHECKING:
    from roofdsl.report.time_form import TimeForm


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
    shape: Shape = PLAIN
    timed: TimeForm | None = None
    spread: bool = False

    def printed(self, kind: Format = "text") -> str:
        """The closed form in one of the formats; min and max inside sums as cases where these are few or asked for."""
        if self.cases is not None and kind == "sympy":
            return cases_sympy(self.cases, self.style)
        if self.cases is not None and kind in ("latex", "markdown"):
            text = cases_latex(self.cases, self.style) if self.timed is None else cases_in_rates(self.timed)
            return text if kind == "latex" else f"${text}$"
        if self.timed is not None and kind != "sympy":
            return render(self.timed.layout, self.style, kind)
        return render(self.layout, self.style, kind)

    @property
    def where(self) -> str:
        """What names of rates in the printed form stand for; empty where there are none."""
        return "" if self.timed is None else self.timed.legend

    @property
    def remark(self) -> str:
        """What to say where a formula over times has regimes that are not listed, or bytes of partial groups count less
        than is stored.
        """
        if self.spread:
            return "bits that groups share are spread over elements: exact where groups fill; `eval` counts whole ones"
        many = self.timed is None and self.dimension == SECOND and self.cases is None and has_inner_extremum(self.form)
        return "regimes are not listed: --cases, or ask part by part" if many else ""

    @property
    def regimes(self) -> tuple[str, ...]:
        """The cases for people, one a line; empty where there are none."""
        if self.cases is None:
            return ()
        if self.timed is None:
            return tuple(case_lines(self.cases, self.style))
        from roofdsl.report.time_text import case_texts

        return tuple(case_texts(self.timed))


def derive(
    session: Session,
    text: str,
    context: Context | None = None,
    shape: Shape | None = None,
    bind: Callable[[Iterable[str]], Mapping[str, Size]] | None = None,
) -> Derived:
    """The closed form of a formula over quantities; raises `RoofError` with what is wrong in it. `bind` gives sizes that
    are put in, from the subject's own names.
    """
    asker, formula = ask(session, text, context)
    return derived(session, asker, text, formula, shape or Shape(), None if bind is None else bind(tuple(asker.own)))


def ask(session: Session, text: str, context: Context | None = None) -> tuple[Asker, Formula]:
    """A formula of the command line or the API read and resolved, and the asker that knows what it is made of."""
    sink = Sink()
    expr = parse_formula(Source("quantity", text), sink)
    sink.stop_on_errors()
    if expr is None:
        raise InternalError("no formula was parsed, and nothing was said about it")
    asker = Asker(session, context or Context())
    return asker, asker.resolve(expr)


def derived(
    session: Session,
    asker: Asker,
    text: str,
    formula: Formula,
    shape: Shape,
    given: Mapping[str, Size] | None = None,
) -> Derived:
    """A resolved formula brought to normal form and laid out; sizes `given` are put in."""
    scope = scope_of(session, asker.order, causal_of(asker), asker.own)
    scope = replace(scope, bindings=given) if given else scope
    style = style_of(session, asker.order, shape.renames)
    form = normal(formula.size, scope)
    form = shaped(form, scope, shape)
    layout = laid_out(form, style, scope, shape)
    found = tuple(asker.found)
    timed = _timed(session, found, formula, scope, style, shape)
    cases = _cases(form, formula, scope, shape) if timed is None else timed.cases()
    dimension = formula.dimension or PURE
    shared = spread(found, session.library)
    return Derived(
        text, formula.size, dimension, form, layout, style, found, tuple(asker.figures), cases, shape, timed, shared
    )


def _timed(
    session: Session, found: tuple[Quantity, ...], formula: Formula, scope: Scope, style: Style, shape: Shape
) -> TimeForm | None:
    """The form of a formula that is nothing but one time, unless it is asked for in another shape."""
    if len(found) != 1 or found[0].name != "time" or found[0].size != formula.size or not shape.plain:
        return None
    from roofdsl.report.timed import form_of_time

    return form_of_time(session, found[0], scope, style, cases=shape.cases)


def _cases(form: Normal, formula: Formula, scope: Scope, shape: Shape) -> tuple[Case, ...] | None:
    if formula.dimension != SECOND or shape.relation != "=" or shape.order is not None:
        return None
    cases = cases_of(form, scope.known)
    return cases if cases is not None and (shape.cases or len(cases) <= FEW_CASES) else None


def scope_of(
    session: Session, order: tuple[str, ...], causal: Causal = "full", own: Container[str] | None = None
) -> Scope:
    """What names stand for in a formula of a session: lets are put in. `own` are names of the subject's own, which the
    bounds of dims say nothing of; None: no bounds are used.
    """
    minimum = {name: dim.minimum for name, dim in session.library.dims.items()}
    scope = Scope(order, session.lets, causal=causal, minimum=minimum)
    most = {} if own is None else session.library.bounds(own)
    return bounded(scope, most) if most else scope


def style_of(session: Session, order: tuple[str, ...], renames: tuple[tuple[str, str], ...] = ()) -> Style:
    """How formulas of a session are written: order of declaration, and products as the file's author writes them, in the
    names of a paper where it has its own.
    """
    library = session.library
    written = session.remembered("written orders", lambda: _written(library))
    renamed = dict(renames)
    names = frozenset(renamed.get(name, name) for name in order)
    return Style(order, written, names, QUANTITIES | FUNCTIONS | frozenset(library.quantities), renamed)


def _written(library: Library) -> Mapping[Powers, tuple[str, ...]]:
    """How all claims and quantities of the files order their products: read once, since there may be thousands."""
    formulas = [claim.right for claim in library.claims] + [defined.value for defined in library.quantities.values()]
    return written_orders(formulas, library.symbols)


def causal_of(asker: Asker) -> Causal:
    """How causal guards count in a formula: as its convention says."""
    if asker.context.convention is not None:
        return asker.context.convention.causal
    return asker.found[0].convention.causal if asker.found else "full"
