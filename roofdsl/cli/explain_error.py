"""`roofdsl explain-error E0302`: the long form of a diagnostic."""

from __future__ import annotations

import argparse

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb

_WIDTH = 90
_NO_BREAK = "\N{NO-BREAK SPACE}"


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", nargs="?", help="such as E0302; without it all codes are listed")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.diagnostics import fail
    from roofdsl.errors.catalogue import all_kinds, find_kind
    from roofdsl.errors.usage import UNKNOWN_CODE
    from roofdsl.report.table import make_table
    from roofdsl.source import word

    if arguments.code is None:
        console.write_table(make_table("", ("code", "title"), ((k.code, k.title) for k in all_kinds())))
        return codes.FINE
    kind = find_kind(arguments.code)
    if kind is None:
        near = tuple(k.code for k in all_kinds() if k.code[:3] == arguments.code.strip().upper()[:3])[:6]
        helps = (
            (f"of this topic there are {', '.join(near)}",) if near else ("`roofdsl explain-error` lists all codes",)
        )
        fail(UNKNOWN_CODE, word(arguments.code, "CODE"), "not a code of the catalogue", helps=helps)
    console.write(f"{kind.severity} {kind.code}: {kind.title}\n\n{_wrapped(kind.explanation)}")
    return codes.FINE


def _wrapped(text: str) -> str:
    """Paragraphs wrapped for reading; indented examples stay as they are."""
    paragraphs = (paragraph for paragraph in text.strip("\n").split("\n\n") if paragraph.strip())
    return "\n\n".join(p if p.startswith(" ") else _filled(p) for p in paragraphs)


def _filled(paragraph: str) -> str:
    """A paragraph in lines of reading width; code between backticks is not broken."""
    import re
    from textwrap import fill

    whole = re.sub(r"`[^`]*`", lambda code: code.group().replace(" ", _NO_BREAK), " ".join(paragraph.split()))
    return fill(whole, _WIDTH, break_long_words=False, break_on_hyphens=False).replace(_NO_BREAK, " ")


VERB = Verb(_configure, _run, "For example: roofdsl explain-error E0301")
