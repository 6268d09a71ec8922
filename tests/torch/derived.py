"""What roofdsl derives for a configuration: the import's text, and exact numbers of quantities at given sizes."""

from __future__ import annotations

import json
from pathlib import Path

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.bind import bind
from roofdsl.evaluate.opening import open_session
from roofdsl.evaluate.settings import read_setting
from roofdsl.importing.run import import_model
from roofdsl.passes.gather import load
from roofdsl.quantities.ask import Context
from roofdsl.report.derived import ask
from roofdsl.report.values import evaluate
from roofdsl.source import NOWHERE, Source


def imported(config: dict, folder: Path) -> str:
    """The text of a configuration, its model and config called `mine`."""
    path = folder / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return import_model(path, name="mine").text


def numbers(text: str, sizes: dict[str, int], *quantities: str, config: str | None = "mine") -> list[int]:
    """Exact values of quantities of a text, under its config and these sizes."""
    sink = Sink()
    library = load(Source("test", text), sink, folder=None, mentions=" ".join(quantities))
    sink.stop_on_errors()
    session = open_session(library)
    settings = [read_setting(f"{name}={value}", sink, library.symbols) for name, value in sizes.items()]
    binding = bind(library, sink, [(config, NOWHERE)] if config else [], [s for s in settings if s is not None])
    sink.stop_on_errors()
    found = []
    for quantity in quantities:
        asker, formula = ask(session, quantity, Context())
        value = evaluate(asker, quantity, formula, binding).number
        assert value.denominator == 1
        found.append(int(value))
    return found
