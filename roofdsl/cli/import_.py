"""`roofdsl import FILE`: a `.roof` file from a model's published configuration."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb

if TYPE_CHECKING:
    from roofdsl.importing.run import Outcome


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a config.json, a GGUF file, or a folder with a config.json")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="write to this file; without it to stdout")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--name", metavar="N", help="what the model and its config are called; else from the file's name"
    )
    parser.add_argument(
        "--weights",
        metavar="W",
        type=Path,
        action="append",
        default=[],
        help="safetensors or GGUF whose tensors to count",
    )
    parser.add_argument(
        "--ignore", metavar="F", action="append", default=[], help="a field that is known not to change the cost"
    )


def _run(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.files import write_atomic
    from roofdsl.importing.run import import_model

    if arguments.output is not None and not arguments.force:
        _refuse_to_overwrite(arguments.output)
    outcome = import_model(
        Path(arguments.file), name=arguments.name, weights=tuple(arguments.weights), ignored=arguments.ignore
    )
    if arguments.output is None:
        console.write(outcome.text)
    else:
        write_atomic(arguments.output, outcome.text)
    console.remark(_remark(outcome))
    return codes.FINE


def _refuse_to_overwrite(path: Path) -> None:
    from roofdsl.diagnostics import fail
    from roofdsl.errors.usage import WOULD_OVERWRITE
    from roofdsl.source import word

    if path.exists() and not path.is_dir():
        fail(WOULD_OVERWRITE, word(str(path), "-o"), f"{path} exists", helps=("--force replaces it",))


def _remark(outcome: Outcome) -> str:
    """What was derived, and how it compares with the weights."""
    lines = [f"{outcome.name}: {outcome.parameters:,} parameters"]
    if outcome.count is not None:
        lines.append(f"the weights file has {outcome.count.total:,} elements, which agrees")
        lines += [f"  of which {extra.elements:,}: {extra.what}" for extra in outcome.count.extras]
    return "\n".join(lines)


VERB = Verb(_configure, _run, "For example: roofdsl import Llama-3.1-8B/config.json -o llama.roof")
