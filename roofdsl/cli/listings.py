"""`specs`, `machines` and `dtypes`: what ships, as tables or JSON. (`ops` derives formulas and has a module of its own.)"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb

if TYPE_CHECKING:
    from roofdsl.ir.library import Dtype
    from roofdsl.passes.listing import SpecFile
    from roofdsl.syntax import ast

_KINDS_SHOWN = ("model", "block", "op", "machine", "config")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")


def _run_specs(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.passes.listing import list_specs
    from roofdsl.report.json import document
    from roofdsl.report.table import make_table

    specs = list_specs()
    if arguments.json:
        console.write(document("specs", specs=[_spec_document(spec) for spec in specs]))
        return codes.FINE
    rows = ((spec.name, _declared(spec), _first_sentence(spec.about)) for spec in specs)
    console.write_table(make_table("", ("name", "declares", "about"), rows))
    return codes.FINE


def _declared(spec: SpecFile) -> str:
    counts = [(len(spec.of_kind(kind)), kind) for kind in _KINDS_SHOWN] + [(spec.claims, "claim")]
    return ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for count, kind in counts if count)


def _first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    import re

    return re.split(r"\.\s+(?=[A-Z])", text, maxsplit=1)[0].rstrip(".")


def _spec_document(spec: SpecFile) -> dict[str, object]:
    declares = [{"kind": kind, "name": name} for kind, name in spec.declares]
    return {"name": spec.name, "path": spec.path, "about": spec.about, "declares": declares, "claims": spec.claims}


def _run_machines(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.diagnostics import Sink
    from roofdsl.ir.library import Library
    from roofdsl.passes.load import find_machine, machine_names
    from roofdsl.report.json import document
    from roofdsl.report.table import make_table

    sink = Sink()
    library = Library()
    found = [find_machine(library, name, sink) for name in machine_names(library)]
    sink.stop_on_errors()
    machines = [machine for machine in found if machine is not None]
    if arguments.json:
        console.write(document("machines", machines=[_machine_document(m) for m in machines]))
        return codes.FINE
    rows = [(m.name, m.title or "", what, value) for m in machines for what, value in _figures(m)]
    shown = [
        row if number == 0 or rows[number - 1][0] != row[0] else ("", "", *row[2:]) for number, row in enumerate(rows)
    ]
    footer = "peaks are dense; sources stand in the machines' files (`roofdsl machines --json` prints them)"
    console.write_table(make_table("", ("machine", "title", "figure", ">value"), shown, footer=footer))
    return codes.FINE


def _figures(machine: ast.Machine) -> list[tuple[str, str]]:
    """What a machine declares, as written."""
    from roofdsl.syntax import ast as tree

    figures: list[tuple[str, str]] = []
    for item in machine.items:
        match item:
            case tree.Peak(kind, dtype, value):
                figures.append((f"peak {kind}{f' {dtype}' if dtype else ''}", value.span.text))
            case tree.MemoryLevel(role, name, size, bandwidth):
                parts = [part.span.text for part in (size, bandwidth) if part is not None]
                figures.append((f"{role} {name}", " at ".join(parts)))
            case tree.Link(name, rate):
                figures.append((f"link {name}", rate.span.text))
            case tree.Figure(name, value):
                figures.append((name, value.span.text))
            case tree.Note():
                continue
    return figures


def _machine_document(machine: ast.Machine) -> dict[str, object]:
    from roofdsl.syntax import ast as tree

    sources = [item.text for item in machine.items if isinstance(item, tree.Note)]
    figures = [{"figure": what, "value": value} for what, value in _figures(machine)]
    return {"name": machine.name, "title": machine.title, "figures": figures, "sources": sources}


def _run_dtypes(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.diagnostics import Sink
    from roofdsl.passes.listing import list_specs
    from roofdsl.passes.load import load
    from roofdsl.report.json import document, exact_number
    from roofdsl.report.table import make_table
    from roofdsl.source import Source

    sink = Sink()
    names = " ".join(name for spec in list_specs() for name in spec.of_kind("dtype"))
    library = load(Source("<dtypes>", ""), sink, folder=None, mentions=names)
    sink.stop_on_errors()
    dtypes = list(library.dtypes.values())
    if arguments.json:
        entries = [{"name": d.name, "bits": exact_number(d.bits), "integer": d.integer} for d in dtypes]
        console.write(document("dtypes", dtypes=entries))
        return codes.FINE
    rows = ((d.name, _bits(d), "integer" if d.integer else "") for d in dtypes)
    console.write_table(make_table("", ("dtype", ">bit per element", "kind"), rows))
    return codes.FINE


def _bits(dtype: Dtype) -> str:
    """Exact: `4.25`, since group overheads are powers of two; else a fraction."""
    bits = dtype.bits
    return f"{float(bits):g}" if 2**40 % bits.denominator == 0 else str(bits)


SPECS = Verb(_configure, _run_specs)
MACHINES = Verb(_configure, _run_machines)
DTYPES = Verb(_configure, _run_dtypes)
