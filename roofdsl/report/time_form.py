"""A time as a formula that people read: FLOP over peaks and bytes over bandwidths, the rates named and explained.

Kernels that one roof bounds at all sizes are one term for each roof; the others are maxima, equal ones counted. Where the
regimes are few, or asked for, each is a formula of its own with the condition under which it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from roofdsl.algebra.form import Normal, number
from roofdsl.algebra.piecewise import FEW_CASES, Case, Choice, choices, deciding
from roofdsl.algebra.signs import Known
from roofdsl.evaluate.roofs import Roof
from roofdsl.report.formula import Format, render
from roofdsl.report.formula_layout import (
    FunctionFactor,
    GroupFactor,
    Layout,
    Style,
    SymbolFactor,
    Term,
    lay_out,
)
from roofdsl.report.rates import Rates
from roofdsl.report.time_sum import Open, Part, TimeSum


@dataclass(frozen=True, slots=True)
class Line:
    """One term of a sum, and the kernels it is of."""

    layout: Layout
    kernels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TimeForm:
    """`regimes` None: as a sum of maxima, of which there are `count` regimes; 0 if they are too many, or none at all."""

    terms: TimeSum
    rates: Rates
    style: Style
    regimes: tuple[Choice, ...] | None
    count: int = 0

    @property
    def lines(self) -> tuple[Line, ...]:
        """The terms of the sum: what units decide, what is open, what memory decides, launches."""
        units = [d for d in self.terms.decided if d.part.amounts[0][0].bound != "memory"]
        memory = [d for d in self.terms.decided if d not in units]
        return (
            *(Line(self._over(d.part), d.kernels) for d in units),
            *(Line(Layout((self._open(found),)), found.kernels) for found in self.terms.opened),
            *(Line(self._over(d.part), d.kernels) for d in memory),
            *self._launches(),
        )

    @property
    def layout(self) -> Layout:
        """The sum of maxima."""
        return Layout(tuple(term for line in self.lines for term in line.layout.terms))

    @property
    def legend(self) -> str:
        """What the names of the rates stand for."""
        return self.rates.legend(self.terms.roofs, None if self.terms.launches.is_zero else self.terms.launch)

    def cases(self) -> tuple[Case, ...] | None:
        """Each regime in numbers of seconds; None where they are not shown."""
        if self.regimes is None:
            return None
        return tuple(Case(self._seconds(choice), choice.conditions) for choice in self.regimes)

    def printed_cases(self, kind: Format = "text") -> tuple[tuple[str, str], ...]:
        """Each regime and its condition in one of the formats."""
        shown = self._conditions(kind)
        joined = " and " if kind == "text" else ", "
        return tuple(
            (render(self._case(choice), self.style, kind), joined.join(shown[c] for c in choice.conditions))
            for choice in self.regimes or ()
        )

    def _open(self, found: Open) -> Term:
        return self._times(found.count, FunctionFactor("max", tuple(self._over(part) for part in found.parts)))

    def _launches(self) -> Iterator[Line]:
        if not self.terms.launches.is_zero:
            yield Line(Layout((self._times(self.terms.launches, SymbolFactor(self.rates.launch)),)), ())

    def _times(self, count: Normal, factor: FunctionFactor | SymbolFactor) -> Term:
        terms = lay_out(count, self.style).terms
        if len(terms) == 1:
            return replace(terms[0], above=(*terms[0].above, factor))
        return Term(Fraction(1), (GroupFactor(Layout(terms)), factor))

    def _over(self, part: Part) -> Layout:
        """FLOP ÷ peak, bytes ÷ bandwidth."""
        return Layout(tuple(self._quotient(amount, roof) for roof, amount in part.amounts))

    def _quotient(self, amount: Normal, roof: Roof) -> Term:
        below = SymbolFactor(self.rates.names[roof])
        terms = lay_out(amount, self.style).terms
        if len(terms) == 1:
            return replace(terms[0], below=(*terms[0].below, below))
        return Term(Fraction(1), (GroupFactor(Layout(terms)),), (below,))

    def _picked(self, choice: Choice) -> Iterator[Part]:
        """What a regime adds up: what is decided anyway, and of each maximum the part that is the longest."""
        yield from (decided.part for decided in self.terms.decided)
        for found, place in zip(self.terms.opened, choice.picked, strict=True):
            yield found.parts[place].times(found.count)

    def _case(self, choice: Choice) -> Layout:
        amounts: dict[Roof, Normal] = {}
        for part in self._picked(choice):
            for roof, amount in part.amounts:
                amounts[roof] = amounts.get(roof, number(0)) + amount
        ordered = [roof for roof in self.rates.names if roof in amounts]
        launches = (term for line in self._launches() for term in line.layout.terms)
        return Layout((*(self._quotient(amounts[roof], roof) for roof in ordered), *launches))

    def _seconds(self, choice: Choice) -> Normal:
        launches = self.terms.launches * self.terms.launch
        return sum((part.seconds for part in self._picked(choice)), start=launches)

    def _conditions(self, kind: Format) -> Mapping[Normal, str]:
        """Each condition as work and traffic: `2sbh² / π ≥ (4sbh + 2h²) / β`."""
        sign = r" \ge " if kind == "latex" else " ≥ "
        found: dict[Normal, str] = {}
        for opened in self.terms.opened:
            for one in opened.parts:
                for other in opened.parts:
                    if one is not other:
                        key = deciding(one.seconds - other.seconds)
                        left, right = (render(self._over(part), self.style, kind) for part in (one, other))
                        found.setdefault(key, f"{left}{sign}{right}")
        return found


def time_form(terms: TimeSum, rates: Rates, style: Style, known: Known, *, cases: bool = False) -> TimeForm:
    """The form of a time: regimes where they are few, or up to 24 where `cases` asks for them."""
    groups = tuple(tuple(part.seconds for part in found.parts) for found in terms.opened)
    if not groups:
        return TimeForm(terms, rates, style, None)
    single = not terms.decided and len(groups) == 1 and terms.launches.is_zero
    regimes = choices(groups, known) or ()
    shown = cases or (len(regimes) <= FEW_CASES and not single)
    return TimeForm(terms, rates, style, regimes if shown and regimes else None, len(regimes))
