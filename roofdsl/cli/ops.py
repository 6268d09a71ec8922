"""`roofdsl ops`: every shipped operator with what is derived for it; `roofdsl ops NAME` the text of one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_format

if TYPE_CHECKING:
    from roofdsl.report.derived import Derived
    from roofdsl.report.table import Table

QUANTITIES = ("flops({})", "flops({}, backward)", "bytes({})", "saved({})")
_HEADINGS = ("op", "work", "backward", "bytes", "saved")
_KINDS = ("op", "scalar")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="an op or scalar function to show, or a file of ops such as norms to list",
    )
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.output import text_document, write_texts
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.opening import open_session
    from roofdsl.passes.listing import load_operators, shipped_texts
    from roofdsl.quantities.ask import Context
    from roofdsl.quantities.conventions import ALL_WORK
    from roofdsl.report.derive_table import derived_document
    from roofdsl.report.derived import derive
    from roofdsl.report.json import document

    sink = Sink()
    session = open_session(load_operators(sink))
    sink.stop_on_errors()
    ops = tuple(name for name, definition in session.library.definitions.items() if definition.kind == "op")
    names, asked = _named(arguments.names, ops)
    context = Context(ALL_WORK)
    results = {n: [derive(session, q.format(n), context) for q in QUANTITIES] if n in ops else [] for n in names}
    texts = shipped_texts(asked, *_KINDS)
    if arguments.format == "json":
        listed = [
            {"op": name, **text_document(texts.get(name)), "results": [derived_document(d) for d in found]}
            for name, found in results.items()
        ]
        console.write(document("ops", ops=listed))
        return codes.FINE
    if arguments.format == "text":
        write_texts(texts.values(), console)
    _write({name: found for name, found in results.items() if found}, arguments.format, console)
    return codes.FINE


def _named(wanted: list[str], ops: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names to list, and those among them that were asked for by name, whose text is shown."""
    from roofdsl.diagnostics import fail
    from roofdsl.errors.names import UNKNOWN_NAME
    from roofdsl.passes.listing import list_specs
    from roofdsl.passes.names import did_you_mean
    from roofdsl.source import word

    if not wanted:
        return ops, ()
    specs = list_specs()
    files = {s.name.removeprefix("ops/"): s.of_kind("op") for s in specs if s.name.startswith("ops/")}
    scalars = {name for spec in specs for name in spec.of_kind("scalar")}
    listed: dict[str, None] = {}
    for name in wanted:
        if name not in ops and name not in scalars and name not in files:
            helps = did_you_mean(name, (*ops, *scalars, *files), "op") or ("`roofdsl ops` lists all",)
            fail(UNKNOWN_NAME, word(name, "NAME"), f"no op that ships is called `{name}`", helps=helps)
        listed |= dict.fromkeys((name,) if name in ops or name in scalars else files[name])
    return tuple(listed), tuple(name for name in wanted if name in ops or name in scalars)


def _write(results: dict[str, list[Derived]], form: str, console: Console) -> None:
    from roofdsl.cli.output import write_table

    if results:
        write_table(_table(results, form), form, console)


def _table(results: dict[str, list[Derived]], form: str) -> Table:
    from roofdsl.cli.output import MARKUP
    from roofdsl.report.derive_table import formula_cell
    from roofdsl.report.footer import basis_of, footer_text
    from roofdsl.report.table import Cell, make_table

    rows = [[Cell(name), *(formula_cell(d, markup=form in MARKUP) for d in found)] for name, found in results.items()]
    basis = basis_of(quantity for found in results.values() for d in found for quantity in d.found)
    notes = ("work in FLOP; bytes and saved in byte",)
    return make_table("", _HEADINGS, rows, notes=notes, footer=footer_text(basis, ()))


VERB = Verb(_configure, _run, "For example: roofdsl ops softmax")
