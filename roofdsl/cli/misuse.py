"""What is wrong with arguments that the parser refuses, in the words of the command line: which word, what could stand
there, and an example.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.cli.verb import Choice, MisuseError
    from roofdsl.diagnostics import Diagnostic

_MISSING = "the following arguments are required: "
_UNKNOWN = "unrecognized arguments: "


def explain_misuse(misuse: MisuseError, words: Sequence[str]) -> Diagnostic:
    """The diagnostic (E0817) for arguments that are not understood."""
    message, parser = misuse.message, misuse.parser
    if misuse.choice is not None:
        return _of_choice(misuse.choice, parser, words)
    if message.startswith(_UNKNOWN):
        return _of_unknown(misuse.unknown or message.removeprefix(_UNKNOWN).split(), parser, words)
    if message.startswith(_MISSING):
        return _made(_missing_text(message.removeprefix(_MISSING), parser), None, parser, words)
    name, _, fault = message.removeprefix("argument ").partition(": ")
    option = name.split("/")[0]
    needs = "needs a value" if fault.startswith("expected") else fault
    return _made(f"`{option}` {needs}" if fault else message, option, parser, words)


def _of_choice(choice: Choice, parser: argparse.ArgumentParser, words: Sequence[str]) -> Diagnostic:
    from roofdsl.passes.names import did_you_mean

    name, word, choices = choice.argument, choice.word, choice.choices
    command = name == "COMMAND"
    near = did_you_mean(word, choices, "command" if command else "phase" if name == "--phase" else None)
    text = f"there is no command `{word}`" if command else f"`{word}` is no value of `{name}`"
    return _made(text, word, parser, words, expected=f"one of {', '.join(choices)}", near=near)


def _of_unknown(unknown: Sequence[str], parser: argparse.ArgumentParser, words: Sequence[str]) -> Diagnostic:
    from roofdsl.passes.names import did_you_mean

    word = next((word for word in unknown if word.startswith("-")), unknown[0])
    option = word.partition("=")[0]
    if not word.startswith("-"):
        return _made(f"`{word}` is one argument too many", word, parser, words)
    known = [string for action in parser._actions for string in action.option_strings if string.startswith("--")]  # noqa: SLF001
    plain = {string.removeprefix("--"): string for string in known}
    near = tuple(_with_dashes(help_, plain) for help_ in did_you_mean(option.lstrip("-"), plain))
    return _made(f"there is no option `{option}` here", word, parser, words, near=near)


def _with_dashes(help_: str, options: dict[str, str]) -> str:
    return re.sub(r"`([^`]*)`", lambda found: f"`{options.get(found[1], found[1])}`", help_)


def _missing_text(listed: str, parser: argparse.ArgumentParser) -> str:
    """Arguments that may be left out are listed by the parser too."""
    optional = {str(action.metavar) for action in parser._actions if action.nargs in ("*", "?")}  # noqa: SLF001
    names = [name for name in listed.split(", ") if name not in optional]
    if names == ["COMMAND"]:
        return "a command is missing"
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} missing"


def _made(
    text: str,
    word: str | None,
    parser: argparse.ArgumentParser,
    words: Sequence[str],
    *,
    expected: str | None = None,
    near: tuple[str, ...] = (),
) -> Diagnostic:
    from roofdsl.diagnostics import Diagnostic, Label
    from roofdsl.errors.usage import MISUSE
    from roofdsl.source import Source, Span

    source = Source("arguments", " ".join(words))
    start = -1 if word is None else f" {source.text} ".find(f" {word}")
    span = Span(source, start, start + len(word)) if word and start >= 0 else Span(source, 0, len(source.text))
    example = (parser.epilog or "").partition("For example: ")[2].split("\n")[0]
    helps = (*near, *((f"for example: {example}",) if example else ()), f"`{parser.prog} --help` explains the rest")
    return Diagnostic(MISUSE, Label(span, text), (), expected, None, helps)
