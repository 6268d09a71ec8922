"""`roofdsl check FILE...`: everything that can be wrong with a file, without deriving anything from it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_files

if TYPE_CHECKING:
    from roofdsl.cli.checking import Checked


def _configure(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument("--json", action="store_true", help="as JSON, diagnostics included")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.checking import check_file, expand_folders
    from roofdsl.report.json import diagnostics_of, document

    results = [check_file(name) for name in expand_folders(arguments.files)]
    if arguments.json:
        files = [
            {"file": r.name, "ok": r.ok, "counts": r.counts, "diagnostics": diagnostics_of(r.diagnostics)}
            for r in results
        ]
        console.write(document("check", files=files))
    else:
        for result in results:
            _show(result, console)
    return codes.FINE if all(result.ok for result in results) else codes.WRONG


def _show(result: Checked, console: Console) -> None:
    console.report(result.diagnostics)
    if result.ok:
        counts = ", ".join(f"{number} {what}{'s' if number != 1 else ''}" for what, number in result.counts.items())
        console.write(f"ok {result.name}" + (f" ({counts})" if counts else ""))


VERB = Verb(_configure, _run, "For example: roofdsl check gpt3")
