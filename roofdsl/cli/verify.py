"""`roofdsl verify FILE...`: a verdict for every claim."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.assumptions import add_assumptions
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_files

if TYPE_CHECKING:
    from roofdsl.diagnostics import Diagnostic
    from roofdsl.quantities.session import Session
    from roofdsl.report.scoreboard import Tally
    from roofdsl.syntax import ast
    from roofdsl.verify.verdict import Verdict


def _configure(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument(
        "--claim", metavar='"Q = F"', dest="claims", action="append", default=[], help="verify this instead"
    )
    parser.add_argument(
        "--tex",
        metavar="PAPER",
        action="append",
        default=[],
        help="verify the equations a .tex file marks for us instead",
    )
    parser.add_argument("--rename", metavar="h=d,a=n_h", help="what the paper calls our symbols, for --tex and --claim")
    add_assumptions(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.checking import expand_folders
    from roofdsl.report.json import document
    from roofdsl.report.scoreboard import scoreboard_table, tally, tally_document, total

    names = expand_folders(arguments.files)
    several = len(names) > 1
    found: list[tuple[Verdict, Session]] = []
    unjudged: list[Diagnostic] = []
    tallies: list[Tally] = []
    for name in names:
        verdicts, shown, broken = _verify_file(name, arguments, console, failures_only=several)
        found += verdicts
        unjudged += shown
        tallies.append(tally(name, (verdict for verdict, _ in verdicts), broken))
    sums = total(tallies)
    counts = {"passed": sums.passed, "failed": sums.failed, "undecided": sums.undecided}
    if arguments.json:
        from roofdsl.report.json import diagnostics_of
        from roofdsl.report.verdict_json import verdict_document

        data = [verdict_document(verdict, session) for verdict, session in found]
        board = [tally_document(each) for each in tallies if each.claims]
        faults = diagnostics_of(unjudged)
        console.write(document("verify", verdicts=data, diagnostics=faults, scoreboard=board, summary=counts))
    else:
        if several:
            console.write_table(scoreboard_table(tallies))
        console.write(", ".join(f"{number} {what}" for what, number in counts.items()))
    if sums.failed:
        return codes.WRONG
    return codes.UNDECIDED if sums.undecided else codes.FINE


def _verify_file(
    name: str, arguments: argparse.Namespace, console: Console, *, failures_only: bool
) -> tuple[list[tuple[Verdict, Session]], list[Diagnostic], int]:
    """The verdicts of one file, what was said about claims that could not be judged, and how many those are. Of several
    files only those verdicts are printed that need a reader; the scoreboard counts the others.
    """
    from roofdsl.cli.assumptions import read_assumptions
    from roofdsl.cli.loading import open_file
    from roofdsl.diagnostics import RoofError
    from roofdsl.verify.verdict import verify_claim

    given, mentions, unread = _given(arguments)
    source, session = open_file(name, console, mentions, read_assumptions(arguments))
    claims = given or [c for c in session.library.claims if c.span.source is source]
    console.report(unread)
    if not claims and not unread:
        _report_none(name, arguments, console)
        return [], [], 0
    found: list[tuple[Verdict, Session]] = []
    shown: list[Diagnostic] = list(unread)
    faults = sum(diagnostic.kind.severity == "error" for diagnostic in unread)
    for claim in claims:
        try:
            verdict = verify_claim(claim, session)
        except RoofError as error:
            console.report([diagnostic for diagnostic in error.diagnostics if diagnostic not in shown])
            shown += error.diagnostics
            faults += 1
            continue
        found.append((verdict, session))
        if not (arguments.json or (failures_only and verdict.passed)):
            _show(verdict, session, console)
    return found, shown, faults


def _show(verdict: Verdict, session: Session, console: Console) -> None:
    """The verdict; of an equation of a paper also where it stands, underlined if it does not hold."""
    from roofdsl.report.message import render_place
    from roofdsl.report.verdict import render_verdict

    console.write(render_verdict(verdict, session))
    if verdict.claim.written is None:
        return
    span = verdict.claim.span
    if verdict.passed:
        line, _ = span.source.position(span.start)
        console.write(f"  in          {span.source.name}:{line}")
        return
    severity = "note" if verdict.outcome == "undecided" else "error"
    said: str = verdict.outcome
    if verdict.fault is not None:
        span, said = verdict.fault.span, f"{verdict.fault.meant} makes it hold" if verdict.fault.meant else "refuted"
    console.write(render_place(span, said, severity=severity, colour=console.coloured(console.out)))


def _given(arguments: argparse.Namespace) -> tuple[list[ast.Claim], list[str], list[Diagnostic]]:
    """The claims of `--claim` and `--tex`, text that may name operators of the library, and what is wrong in equations
    that could not be read: the others are verified all the same.
    """
    from roofdsl.cli.renaming import read_renames, with_reading
    from roofdsl.diagnostics import Sink

    claims = _claims(arguments.claims)
    unread = Sink()
    for path in arguments.tex:
        from roofdsl.cli.papers import claims_of_paper

        claims += claims_of_paper(Path(path), unread)
    renames = read_renames(arguments.rename)
    mentions = [*arguments.claims, *(claim.left.span.text for claim in claims)]
    return [with_reading(claim, renames) for claim in claims], mentions, unread.found


def _claims(texts: list[str]) -> list[ast.Claim]:
    from roofdsl.diagnostics import Sink
    from roofdsl.source import Source
    from roofdsl.syntax.parser import parse_claim

    sink = Sink()
    claims = [parse_claim(Source("--claim", text), sink) for text in texts]
    sink.stop_on_errors()
    return [claim for claim in claims if claim is not None]


def _report_none(name: str, arguments: argparse.Namespace, console: Console) -> None:
    """A file of a folder may have no claims; the only file that was named must have some."""
    from roofdsl.diagnostics import fail
    from roofdsl.errors.usage import NO_CLAIMS
    from roofdsl.source import word

    if arguments.files == [name]:
        fail(NO_CLAIMS, word(name, "FILE"), "no claim stands in this file", helps=('--claim "Q = F"',))
    console.remark(f"{name}: no claims")


VERB = Verb(_configure, _run, 'For example: roofdsl verify gpt3 --claim "saved(layer) = 34sbh + 5as²b"')
