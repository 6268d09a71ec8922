"""`roofdsl specs`: what ships, as a table or JSON."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb

if TYPE_CHECKING:
    from roofdsl.passes.listing import SpecFile

_KINDS_SHOWN = ("model", "block", "op", "machine", "config")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")


def _run_specs(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.passes.listing import list_specs
    from roofdsl.report.json import document
    from roofdsl.report.table import Column, make_table

    specs = list_specs()
    if arguments.json:
        console.write(document("specs", specs=[_spec_document(spec) for spec in specs]))
        return codes.FINE
    rows = ((spec.name, _declared(spec), _first_sentence(spec.about)) for spec in specs)
    console.write_table(make_table("", ("name", "declares", Column("about", wide=True)), rows))
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


SPECS = Verb(_configure, _run_specs)
