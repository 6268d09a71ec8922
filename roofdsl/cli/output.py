"""Tables and formulas in the format asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from roofdsl.cli.console import Console
    from roofdsl.passes.listing import Shown
    from roofdsl.report.derived import Derived
    from roofdsl.report.table import Table

MARKUP = ("latex", "mathml")
"""Formats in which formula cells need their markup."""


def write_table(table: Table, form: str, console: Console) -> None:
    """A table as text, Markdown, LaTeX or HTML; other formats have no tables (E0809)."""
    from roofdsl.diagnostics import fail
    from roofdsl.errors.usage import NOTHING_TO_PRINT
    from roofdsl.report.markup import render_html, render_latex, render_markdown
    from roofdsl.source import word

    match form:
        case "text":
            console.write_table(table)
        case "markdown":
            console.write(render_markdown(table))
        case "latex":
            console.write(render_latex(table))
        case "html":
            console.write(render_html(table))
        case _:
            span = word(form, "--format")
            fail(NOTHING_TO_PRINT, span, "a table has no such form", expected="text, markdown, latex or json")


def write_texts(texts: Iterable[Shown], console: Console) -> None:
    """Declarations as they stand in the files that ship."""
    for shown in texts:
        console.write(f"# {shown.path}\n{shown.text}\n")
        console.out.write("\n")


def text_document(shown: Shown | None) -> dict[str, str]:
    """The same as data; nothing where none ships."""
    return {} if shown is None else {"path": shown.path, "text": shown.text}


def write_formulas(results: list[Derived], form: str, console: Console) -> None:
    """Formulas, one a line, each with the line that says what it rests on. In a format that a program reads, those
    remarks go to standard error.
    """
    from roofdsl.report.footer import basis_of, footer_text

    width = max(len(derived.text) for derived in results)
    for derived in results:
        footer = footer_text(basis_of(derived.found), (derived.dimension,))
        match form:
            case "text":
                if derived.timed is not None:
                    from roofdsl.report.time_text import time_lines

                    first, *others = time_lines(derived.timed)
                    console.write("\n".join((f"{derived.text:<{width}} {first}", *(f"    {line}" for line in others))))
                elif derived.regimes:
                    console.write("\n".join((f"{derived.text:<{width}} =", *(f"    {r}" for r in derived.regimes))))
                else:
                    console.write(
                        f"{derived.text:<{width}} {derived.shape.relation} {derived.printed()}{derived.shape.regime}"
                    )
                if derived.remark:
                    console.write(f"    ({derived.remark})")
                console.write(f"    [{footer}]")
            case "latex":
                where = f"; {derived.where}" if derived.where else ""
                console.write(f"{derived.printed('latex')} % {_asked(derived)}{where}; {footer}")
            case "markdown":
                console.write(f"{derived.printed('markdown')}\n\n`{_asked(derived)}`; {footer}\n")
            case "mathml":
                console.write(derived.printed("mathml"))
                console.remark(f"[{footer}]")
            case _:
                console.write(derived.printed("sympy"))
                console.remark(f"[{footer}]")


def _asked(derived: Derived) -> str:
    """What was asked, with the regime of leading terms."""
    return f"{derived.text}{',' if derived.shape.regime else ''}{derived.shape.regime}"
