"""From arguments to an exit code: builds the parser, runs the verb, and turns every way it can end into a code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from roofdsl import __version__
from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.failure import report_failure, report_misuse, wants_json
from roofdsl.cli.loading import with_named_config
from roofdsl.cli.streams import as_utf8, prepare_streams, silence_stdout
from roofdsl.cli.verb import MisuseError, Parser, Verb, VerbParser


class Listed(NamedTuple):
    """A verb as the list of commands shows it, and where it is: its module is imported when it is asked for."""

    name: str
    summary: str
    module: str
    constant: str = "VERB"


VERBS = (
    Listed("check", "parse, resolve, check shapes and units; all diagnostics", "check"),
    Listed("derive", "closed forms of quantities; without Q the main ones of every block and model", "derive"),
    Listed("explain", "where every term of a quantity comes from", "explain"),
    Listed("verify", "prove or refute claims", "verify"),
    Listed("eval", "numbers with units; without Q the roofline of every kernel", "evaluate"),
    Listed("graph", "the op graph, coloured by what bounds each kernel", "graph"),
    Listed("import", "a .roof file from a config.json, a GGUF file or a folder of weights", "import_"),
    Listed("ops", "every shipped operator with what is derived for it", "ops"),
    Listed("plot", "the roofline with every kernel on it", "plot"),
    Listed("crossover", "where the bound changes, as a formula and a number", "crossover"),
    Listed(
        "utilisation", "what a measurement says of a machine; what a run takes, what decoding reaches", "utilisation"
    ),
    Listed("tiles", "tiles and waves of every matrix product on a machine", "tiles"),
    Listed("specs", "what ships: models, ops, machines, papers' claims", "listings", "SPECS"),
    Listed("machines", "the machines that ship, listed or side by side", "machines", "LIST"),
    Listed("machine-check", "check a machine somebody wrote: units, headlines, sources", "machines", "CHECK"),
    Listed("dtypes", "the number formats that ship: bits, range, epsilon", "dtypes"),
    Listed("bib", "BibTeX of the works that claims and figures are from", "bib"),
    Listed("fmt", "rewrite files in canonical form, comments kept", "formatter"),
    Listed("explain-error", "the long form of an error or note", "explain_error"),
)
_EPILOG = """For example: roofdsl derive gpt3 "saved(layer)"

FILE is a path, - for standard input, or the name of a shipped spec (see `roofdsl specs`).
`roofdsl COMMAND --help` explains a command.
Exit codes: 0 fine, 1 the file is wrong or a claim fails, 2 usage, 3 undecided, 70 a fault of ours."""


def build_parser(asked: str | None) -> argparse.ArgumentParser:
    """The parser of the whole command line, with the arguments of the verb that was asked for."""
    parser = Parser(
        prog="roofdsl",
        description="Derive, evaluate and verify closed forms for FLOPs, bytes, memory and time of models written as text.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"roofdsl {__version__}")
    verbs = parser.add_subparsers(
        dest="verb", metavar="COMMAND", title="commands", required=True, parser_class=VerbParser
    )
    for listed in VERBS:
        sub = verbs.add_parser(
            listed.name,
            help=listed.summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if listed.name == asked:
            _configure(sub, listed)
    return parser


def _configure(parser: argparse.ArgumentParser, listed: Listed) -> None:
    verb: Verb = getattr(import_module(f"roofdsl.cli.{listed.module}"), listed.constant)
    parser.description = f"{listed.summary[0].upper()}{listed.summary[1:]}."
    parser.epilog = verb.example
    verb.configure(parser)
    parser.add_argument("--debug", action="store_true", help="show the traceback of a fault of ours")
    parser.set_defaults(run=verb.run)


def run(arguments: Sequence[str]) -> int:
    """Parse the arguments, run the verb and return the exit code."""
    prepare_streams()
    words = [as_utf8(argument) for argument in arguments]
    console = Console(sys.stdout, sys.stderr)
    try:
        asked = next((word for word in words if not word.startswith("-")), None)
        parsed = build_parser(asked).parse_args(words)
    except MisuseError as misuse:
        return report_misuse(misuse, words, console)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else codes.USAGE
    try:
        code: int = parsed.run(with_named_config(parsed, console), console)
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
        return codes.BROKEN_PIPE
    except KeyboardInterrupt:
        return codes.INTERRUPTED
    except Exception as error:  # noqa: BLE001  (the last resort: nothing may reach the user as a traceback)
        return report_failure(error, console, debug=parsed.debug, as_json=wants_json(words))
    return code
