"""`roofdsl verify FILE...`: a verdict for every claim."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_files

if TYPE_CHECKING:
    from roofdsl.diagnostics import Diagnostic
    from roofdsl.quantities.session import Session
    from roofdsl.syntax import ast
    from roofdsl.verify.verdict import Verdict


def _configure(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument(
        "--claim", metavar='"Q = F"', dest="claims", action="append", default=[], help="verify this instead"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.checking import expand_folders
    from roofdsl.report.json import document
    from roofdsl.report.verdict import verdict_document

    found: list[tuple[Verdict, Session]] = []
    broken = 0
    for name in expand_folders(arguments.files):
        verdicts, faults = _verify_file(name, arguments, console)
        found += verdicts
        broken += faults
    undecided = sum(not verdict.decided for verdict, _ in found)
    passed = sum(verdict.passed for verdict, _ in found)
    counts = {"passed": passed, "failed": len(found) - passed - undecided + broken, "undecided": undecided}
    if arguments.json:
        data = [verdict_document(verdict, session) for verdict, session in found]
        console.write(document("verify", verdicts=data, summary=counts))
    else:
        console.write(", ".join(f"{number} {what}" for what, number in counts.items()))
    if counts["failed"]:
        return codes.WRONG
    return codes.UNDECIDED if undecided else codes.FINE


def _verify_file(
    name: str, arguments: argparse.Namespace, console: Console
) -> tuple[list[tuple[Verdict, Session]], int]:
    """The verdicts of one file, and how many claims could not be judged at all."""
    from roofdsl.cli.loading import open_file
    from roofdsl.diagnostics import RoofError
    from roofdsl.report.verdict import render_verdict
    from roofdsl.verify.verdict import verify_claim

    source, session = open_file(name, console, arguments.claims)
    claims = _claims(arguments.claims) or [c for c in session.library.claims if c.span.source is source]
    if not claims:
        return [], _report_none(name, arguments, console)
    found: list[tuple[Verdict, Session]] = []
    shown: list[Diagnostic] = []
    faults = 0
    for claim in claims:
        try:
            verdict = verify_claim(claim, session)
        except RoofError as error:
            console.report([diagnostic for diagnostic in error.diagnostics if diagnostic not in shown])
            shown += error.diagnostics
            faults += 1
            continue
        found.append((verdict, session))
        if not arguments.json:
            console.write(render_verdict(verdict, session))
    return found, faults


def _claims(texts: list[str]) -> list[ast.Claim]:
    from roofdsl.diagnostics import Sink
    from roofdsl.source import Source
    from roofdsl.syntax.parser import parse_claim

    sink = Sink()
    claims = [parse_claim(Source("--claim", text), sink) for text in texts]
    sink.stop_on_errors()
    return [claim for claim in claims if claim is not None]


def _report_none(name: str, arguments: argparse.Namespace, console: Console) -> int:
    """A file of a folder may have no claims; the only file that was named must have some."""
    from roofdsl.cli.loading import argument
    from roofdsl.diagnostics import fail
    from roofdsl.errors.usage import NO_CLAIMS

    if arguments.files == [name]:
        fail(NO_CLAIMS, argument(name, "FILE"), "no claim stands in this file", helps=('--claim "Q = F"',))
    console.remark(f"{name}: no claims")
    return 0


VERB = Verb(_configure, _run, 'For example: roofdsl verify gpt3 --claim "saved(layer) = 34sbh + 5as²b"')
