"""What a verb is, and the arguments several verbs share. Imports only the standard library."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from roofdsl.cli.console import Console

FORMATS = ("text", "latex", "markdown", "json", "mathml", "sympy")


PHASES = ("forward", "backward", "recompute", "train", "hardware", "infer")


@dataclass(frozen=True, slots=True)
class Verb:
    """A command: `configure` adds its arguments, `run` does it and returns the exit code; `example` ends its help."""

    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Console], int]
    example: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A word that is none of those an argument may be."""

    argument: str
    word: str
    choices: tuple[str, ...]


class MisuseError(Exception):
    """Arguments that a parser refuses: what is wrong with them, those it does not know, and the choice that is none."""

    def __init__(
        self,
        message: str,
        parser: argparse.ArgumentParser,
        unknown: Sequence[str] = (),
        choice: Choice | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.parser = parser
        self.unknown = tuple(unknown)
        self.choice = choice


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong by raising, so that it can be told as every other fault is."""

    def error(self, message: str) -> NoReturn:
        raise MisuseError(message, self)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """What argparse calls for every word that must be one of some choices."""
        if action.choices is None or value in action.choices:
            return
        name = next(iter(action.option_strings), None) or str(action.metavar or action.dest)
        choice = Choice(name, str(value), tuple(str(one) for one in action.choices))
        raise MisuseError(f"`{value}` is no value of `{name}`", self, choice=choice)


class VerbParser(Parser):
    """Options may stand between the positional arguments: `eval gpt3 --config gpt3_175b "flops(gpt)"`."""

    _mixing = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Intermixed, which argparse does by calling this method again, then to be done the plain way."""
        if self._mixing:
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            found, unknown = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False
        if unknown:
            raise MisuseError(f"unrecognized arguments: {' '.join(unknown)}", self, unknown)
        return found, unknown


def add_file(parser: argparse.ArgumentParser) -> None:
    """One FILE; `takes_spec` tells it from the files other verbs take."""
    parser.add_argument(
        "file", metavar="FILE", help="a path, - for standard input, or the name of a shipped spec or config"
    )
    parser.set_defaults(takes_spec=True)


def add_files(parser: argparse.ArgumentParser) -> None:
    """One FILE or more."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a path, -, the name of a shipped spec, or a folder")


def add_format(parser: argparse.ArgumentParser, *more: str) -> None:
    """`--format` and its short form `--json`; `more` are formats only this verb has."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--format", choices=(*FORMATS, *more), default="text", help="how formulas and tables are printed"
    )
    group.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")


def add_shape(parser: argparse.ArgumentParser) -> None:
    """How formulas are shaped."""
    parser.add_argument("--factor", metavar="F", help="pull out this factor: --factor sbh")
    parser.add_argument("--factored", action="store_true", help="pull out what papers pull out")
    parser.add_argument("--collect", metavar="X", help="order by powers of this symbol: --collect s")
    parser.add_argument("--in-terms-of", metavar="X,Y", help="put in the lets until only these symbols are left")
    parser.add_argument("--leading", metavar="X", help="only the terms that decide for 'h >> s', or as s grows: s")
    parser.add_argument(
        "--big-o", metavar="X,Y", nargs="?", const="", help="the order of growth, in these symbols or all"
    )
    parser.add_argument("--cases", action="store_true", help="a time by its regimes, up to 24 of them")
    parser.add_argument("--per", metavar="WORD", help="per token, layer, device or step")


def add_rename(parser: argparse.ArgumentParser) -> None:
    """`--rename`."""
    parser.add_argument("--rename", metavar="h=d_model,a=n_h", help="print our symbols under a paper's names")


def add_convention(parser: argparse.ArgumentParser) -> None:
    """`--under`."""
    parser.add_argument("--under", metavar="CONVENTION", help="what counts as work: paper, exact, or one of the file")


def add_values(parser: argparse.ArgumentParser) -> None:
    """Where numbers come from."""
    parser.add_argument("--config", metavar="C", action="append", default=[], help="a config of the file; later wins")
    parser.add_argument("--machine", metavar="M", help="a machine of the file or a shipped one (`roofdsl machines`)")
    parser.add_argument(
        "--set", metavar="N=V", dest="settings", action="append", default=[], help="bind a dim or let; may be repeated"
    )


def add_scene(parser: argparse.ArgumentParser) -> None:
    """What is shown, and in which phase."""
    parser.add_argument("--of", metavar="X", help="a model, block or op; without it the file's first model")
    parser.add_argument("--phase", choices=PHASES, default="forward", help="forward (default), train, infer, ...")
