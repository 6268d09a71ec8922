"""What a formula is asked to look like: factored, collected, in other symbols, its leading terms, under other names.

Takes a normal form and gives a layout; what cannot be done to it is a diagnostic of the option that asks for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from roofdsl.algebra.asymptotic import leading
from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import Sink, fail
from roofdsl.errors.usage import BAD_RENAME, NO_LEADING, NOT_A_SYMBOL
from roofdsl.ir.size import ONE
from roofdsl.passes.names import did_you_mean
from roofdsl.report.formula_growth import big_o, order_layout
from roofdsl.report.formula_layout import Layout, Style, lay_out
from roofdsl.report.formula_shape import as_papers, collected, in_terms_of, pulled_out
from roofdsl.source import Source, Span, word
from roofdsl.syntax.parser import parse_formula


@dataclass(frozen=True, slots=True)
class Growth:
    """What grows: `large` against `small`, as in `h >> s`; without `small`, by itself."""

    large: str
    small: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in (self.large, self.small) if name)

    @property
    def text(self) -> str:
        return " >> ".join(self.names)


def read_growth(text: str) -> Growth:
    """From `h >> s` or `s`; E0810 if one side is missing."""
    large, sign, small = (part.strip() for part in text.partition(">>"))
    if not large or (sign and not small):
        fail(NOT_A_SYMBOL, word(text, "--leading"), "what grows?", helps=("such as 'h >> s', or s",))
    return Growth(large, small)


@dataclass(frozen=True, slots=True)
class Shape:
    """How a formula is asked to look. `factor` is a product to pull out; `factored` asks for the factors papers pull out;
    `collect` symbols to order by; `terms` the symbols it shall be expressed in; `leading` what grows;
    `order` the symbols of a big O, all if empty; `renames` our names and those to be printed; `cases` asks for the regimes
    of a time though they are many.
    """

    factor: str | None = None
    collect: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    factored: bool = False
    leading: Growth | None = None
    order: tuple[str, ...] | None = None
    cases: bool = False

    @property
    def plain(self) -> bool:
        """Whether the formula is to be printed as it comes, perhaps under other names or in cases."""
        return replace(self, renames=(), cases=False) == PLAIN

    @property
    def relation(self) -> str:
        """How what is printed relates to the quantity: its leading terms are not equal to it."""
        return "=" if self.leading is None else "~"

    @property
    def regime(self) -> str:
        """Where the leading terms lead: ` for h >> s`, ` as s → ∞`."""
        if self.leading is None:
            return ""
        named = dict(self.renames)
        shown = Growth(*(named.get(name, name) for name in self.leading.names))
        return f" for {shown.text}" if shown.small else f" as {shown.text} → ∞"


PLAIN = Shape()


def shaped(form: Normal, scope: Scope, shape: Shape) -> Normal:
    """The form in other symbols, or its leading terms."""
    for name in shape.terms:
        check_symbol(name, scope)
    if shape.terms:
        form = in_terms_of(form, shape.terms, scope)
    return form if shape.leading is None else _leading(form, scope, shape.leading)


def laid_out(form: Normal, style: Style, scope: Scope, shape: Shape) -> Layout:
    """The layout asked for."""
    check_renames(style.renamed, form.symbols, scope.order)
    if shape.order is not None:
        return _order(form, style, scope, shape.order)
    if shape.factor is not None:
        return pulled_out(form, _product(shape.factor, scope), style)
    if shape.collect:
        for name in shape.collect:
            check_symbol(name, scope)
        return collected(form, shape.collect, style)
    found = as_papers(form, style) if shape.factored else None
    return lay_out(form, style) if found is None else found


def _leading(form: Normal, scope: Scope, growth: Growth) -> Normal:
    for name in growth.names:
        check_symbol(name, scope)
    found = leading(form, growth.large, growth.small, scope)
    if found is None:
        fail(NO_LEADING, word(growth.text, "--leading"), "the leading terms cannot be told")
    return found


def _order(form: Normal, style: Style, scope: Scope, names: tuple[str, ...]) -> Layout:
    for name in names:
        check_symbol(name, scope)
    found = big_o(form, names or tuple(form.symbols))
    if found is None:
        fail(NO_LEADING, word(",".join(names), "--big-o"), "only sums of products have one here")
    return order_layout(lay_out(found, style))


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


def check_symbol(name: str, scope: Scope) -> None:
    if name in scope.order:
        return
    helps = did_you_mean(name, scope.order)
    fail(NOT_A_SYMBOL, word(name, "symbols"), f"`{name}` is no dim and no let", helps=helps)


def check_renames(renames: Mapping[str, str], symbols: Iterable[str], known: Collection[str] | None = None) -> None:
    """E0814 where two symbols of a formula would be printed alike, or (with `known`) where a name is no symbol."""
    for ours in renames:
        if known is not None and ours not in known:
            helps = did_you_mean(ours, known)
            fail(BAD_RENAME, word(ours, "--rename"), f"`{ours}` is no dim and no let", helps=helps)
    shown: dict[str, str] = {}
    for name in symbols:
        other = shown.setdefault(renames.get(name, name), name)
        if other != name:
            text = f"`{other}` and `{name}` would both be printed `{renames.get(name, name)}`"
            fail(BAD_RENAME, word(renames.get(name, name), "--rename"), text, helps=("rename the other one too",))
