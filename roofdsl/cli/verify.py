"""`roofdsl verify`."""

from __future__ import annotations

import argparse

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("x")


def _run(arguments: argparse.Namespace, console: Console) -> int:
    return codes.FAULT


VERB = Verb("verify", "todo", _configure, _run)
