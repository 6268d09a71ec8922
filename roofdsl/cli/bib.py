"""`roofdsl bib FILE...`: BibTeX of the works that files take their claims and figures from."""

from __future__ import annotations

import argparse
from pathlib import Path

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_files


def _configure(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument("-o", metavar="OUT.bib", dest="output", help="write to this file")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.checking import expand_folders
    from roofdsl.cli.loading import open_file
    from roofdsl.files import write_atomic
    from roofdsl.passes.references import shipped_references
    from roofdsl.report.bibtex import bibliography, cited_texts, render_bibtex
    from roofdsl.syntax import ast

    texts: list[str] = []
    machines: dict[str, ast.Machine] = {}
    known = shipped_references()
    for name in expand_folders(arguments.files):
        source, session = open_file(name, console)
        texts += cited_texts(session.library, source)
        known |= session.library.references
        machines |= {n: m for n, m in session.library.machines.items() if m.span.source is source}
    found = render_bibtex(bibliography(texts, known, machines.values()))
    if arguments.output is None:
        console.write(found or "% nothing here says what it is from")
    else:
        write_atomic(Path(arguments.output), found)
    return codes.FINE


VERB = Verb(_configure, _run, "For example: roofdsl bib papers -o refs.bib")
