"""`roofdsl dtypes`: the number formats that ship, or those of a file, with what follows from their bits."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb, add_format

if TYPE_CHECKING:
    from roofdsl.ir.library import Library


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="number formats to show; or a FILE, for those it declares too"
    )
    add_format(parser)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.cli.output import write_table
    from roofdsl.diagnostics import Sink
    from roofdsl.passes.listing import shipped_texts
    from roofdsl.passes.load import load
    from roofdsl.report.formats import dtype_document, formats_table
    from roofdsl.report.json import document
    from roofdsl.source import Source

    sink = Sink()
    library = load(Source("<dtypes>", ""), sink, folder=None)
    files = [name for name in arguments.names if name not in library.dtypes]
    if files:
        library = _with_file(files, library)
    sink.stop_on_errors()
    names = [name for name in arguments.names if name in library.dtypes]
    found = tuple(dtype for name, dtype in library.dtypes.items() if not names or name in names)
    texts = {name: shown.text for name, shown in shipped_texts(names, "dtype").items()}
    if arguments.format == "json":
        documents = [dtype_document(d) | ({"text": texts[d.name]} if d.name in texts else {}) for d in found]
        console.write(document("dtypes", dtypes=documents, defaults=library.defaults))
        return codes.FINE
    if arguments.format == "text" and texts:
        console.write("\n".join(texts.values()) + "\n")
        console.out.write("\n")
    write_table(formats_table(found, library.defaults), arguments.format, console)
    return codes.FINE


def _with_file(names: list[str], shipped: Library) -> Library:
    """The library of a FILE; what is neither a number format nor a file is told with both in mind."""
    from pathlib import Path

    from roofdsl.diagnostics import Sink, fail
    from roofdsl.errors.names import UNKNOWN_NAME
    from roofdsl.passes.load import find_spec, load_named
    from roofdsl.passes.names import did_you_mean
    from roofdsl.source import word

    first = names[0]
    if first != "-" and not Path(first).exists() and find_spec(first) is None:
        helps = did_you_mean(first, shipped.dtypes, "format") or ("`roofdsl dtypes` lists what ships",)
        fail(UNKNOWN_NAME, word(first, "NAME"), f"no number format and no file is called `{first}`", helps=helps)
    sink = Sink()
    _, library = load_named(first, sink)
    sink.stop_on_errors()
    return library


VERB = Verb(_configure, _run, "For example: roofdsl dtypes mxfp4")
