"""`roofdsl ops`: every shipped operator with what is derived for it."""

from __future__ import annotations

import argparse

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_format

QUANTITIES = ("flops({})", "flops({}, backward)", "bytes({})", "saved({})")
_HEADINGS = ("op", "work", "backward", "bytes", "saved")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="OP", nargs="*", help="only these")
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.output import MARKUP, write_table
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.opening import open_session
    from roofdsl.passes.listing import load_operators
    from roofdsl.quantities.ask import Context
    from roofdsl.quantities.conventions import ALL_WORK
    from roofdsl.report.derive_table import derived_document, formula_cell
    from roofdsl.report.derived import derive
    from roofdsl.report.footer import basis_of, footer_text
    from roofdsl.report.json import document
    from roofdsl.report.table import make_table

    sink = Sink()
    session = open_session(load_operators(sink))
    sink.stop_on_errors()
    names = arguments.names or [n for n, d in session.library.definitions.items() if d.kind == "op"]
    context = Context(ALL_WORK)
    results = {name: [derive(session, q.format(name), context) for q in QUANTITIES] for name in names}
    if arguments.format == "json":
        ops = [{"op": name, "results": [derived_document(d) for d in found]} for name, found in results.items()]
        console.write(document("ops", ops=ops))
        return codes.FINE
    markup = arguments.format in MARKUP
    rows = ((name, *(formula_cell(d, markup=markup) for d in found)) for name, found in results.items())
    basis = basis_of(quantity for found in results.values() for d in found for quantity in d.found)
    table = make_table(
        "", _HEADINGS, rows, notes=("work in FLOP; bytes and saved in byte",), footer=footer_text(basis, ())
    )
    write_table(table, arguments.format, console)
    return codes.FINE


VERB = Verb(_configure, _run)
