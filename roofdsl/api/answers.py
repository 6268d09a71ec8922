"""What crossovers, utilisation and plots hand out: frozen values with SymPy expressions or exact numbers, and their texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympy import Expr

    from roofdsl.evaluate.utilisation import Measured
    from roofdsl.report.ceilings import Ceiling
    from roofdsl.report.plot_model import Series
    from roofdsl.report.table import Table
    from roofdsl.report.utilisation import Row


@dataclass(frozen=True, slots=True)
class Change:
    """Up to `last` the roof `before` bounds, from `last + 1` on `after` does; `value` is where both take equally long,
    None where no closed form gives it.
    """

    before: str
    after: str
    last: int
    value: Fraction | float | None


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where two roofs take equally long: `formula` is the size there, valid where all of `needs` are above zero; on the
    model's symbols, with the machine's ridge as the symbol `I_ridge`, whose number in FLOP/byte is `ridge`.
    """

    between: tuple[str, str]
    formula: Expr
    needs: tuple[Expr, ...]
    ridge: Fraction | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Kernels that behave alike as the size grows: `first` bounds at the smallest size, then each of `changes`; None where
    another size has no value.
    """

    kernels: tuple[str, ...]
    boundaries: tuple[Boundary, ...]
    first: str | None
    changes: tuple[Change, ...] | None


@dataclass(frozen=True, slots=True)
class Crossover:
    """Where something changes as one size grows. Of a roofline: `crossings`, one for each kind of kernel. Of two
    quantities: `formulas`, the values of the size at which they are equal, as SymPy expressions, and `values`, their
    numbers.
    """

    size: str
    crossings: tuple[Crossing, ...]
    formulas: tuple[Expr, ...]
    values: tuple[Fraction | float, ...]
    text: str = field(repr=False)

    def __getitem__(self, kernel: str) -> Crossing:
        """The crossing of a kernel, by its name or the end of it."""
        found = [c for c in self.crossings if any(k == kernel or k.endswith(f".{kernel}") for k in c.kernels)]
        if len(found) != 1:
            known = ", ".join(name for crossing in self.crossings for name in crossing.kernels)
            raise KeyError(f"{kernel!r} is not one of {known}")
        return found[0]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"


@dataclass(frozen=True, slots=True)
class Utilisation:
    """What a measurement says, or what a run takes. For training `rows`, one for each way of counting FLOP, also as
    `found["paper"]`: `utilisation` (MFU; above 1 is impossible), `step.seconds`, `step.rate` in tokens per second, `plan.days`,
    `plan.device_hours`, `plan.cost` in dollars. For inference the `ceiling`: `step` in seconds, `by_roofline` and
    `by_bytes` in tokens per second, `cost_per_million`. For measured kernel times `kernels`: `work_rate`, `traffic_rate`
    and `shares` of each roof. All numbers are exact fractions in base units.
    """

    rows: tuple[Row, ...]
    ceiling: Ceiling | None
    kernels: tuple[Measured, ...]
    table: Table = field(repr=False)

    def __getitem__(self, counted: str) -> Row:
        """The row of a way of counting."""
        for row in self.rows:
            if row.counted.name == counted:
                return row
        raise KeyError(f"{counted!r} is not one of {', '.join(row.counted.name for row in self.rows)}")

    @property
    def possible(self) -> bool:
        """Whether no way of counting gives more than 100 %."""
        return all(row.utilisation <= 1 for row in self.rows)

    def __str__(self) -> str:
        from roofdsl.report.plain import render_plain

        return render_plain(self.table)

    def _repr_html_(self) -> str:
        from roofdsl.report.markup import render_html

        return render_html(self.table)


@dataclass(frozen=True, slots=True)
class Plot:
    """A roofline plot. `series` has what is on it as numbers: roofs, ridges, and a point for each group of kernels that
    coincide; pictures are drawn when asked for.
    """

    title: str
    series: tuple[Series, ...]

    def draw(self, form: str) -> bytes:
        """The picture in `svg`, `pdf` or `png`. Raises `RoofError` (E0825) without matplotlib."""
        from roofdsl.report.plot_draw import draw_plot

        return draw_plot(self.series, self.title, form)

    def save(self, path: str | Path) -> None:
        """Write a .svg, .pdf or .png file, whole or not at all. Raises `RoofError` if it cannot be."""
        from roofdsl.files import write_atomic
        from roofdsl.report.plot_draw import plot_format

        write_atomic(Path(path), self.draw(plot_format(str(path))))

    def _repr_html_(self) -> str:
        text = self.draw("svg").decode()
        return text[text.find("<svg") :]
