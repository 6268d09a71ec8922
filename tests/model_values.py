"""Numbers of shipped models at their configs, for tests: one session per file, shared."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.bind import bind
from roofdsl.evaluate.figures import open_session
from roofdsl.passes.listing import list_specs
from roofdsl.passes.load import load_named
from roofdsl.quantities.ask import Asker, Context
from roofdsl.quantities.conventions import read_convention
from roofdsl.quantities.session import Session
from roofdsl.source import NOWHERE
from roofdsl.syntax import ast
from tests.asking import expression

FILES = {config: spec for spec in list_specs() if spec.name.startswith("models/") for config in spec.of_kind("config")}


@cache
def session(name: str) -> Session:
    """A session over a shipped spec with all conventions."""
    sink = Sink()
    _, library = load_named(name, sink)
    sink.stop_on_errors()
    return open_session(library)


def shipped(name: str) -> str:
    """The name of a config from that of a model: `llama-3.2-1b` is `llama_3_2_1b`."""
    return name.replace("-", "_").replace(".", "_")


def value(config: str, quantity: str, **sizes: int | Fraction) -> Fraction:
    """A quantity at a config of `specs/models`; `{}` in it stands for the first model of the config's file."""
    spec = FILES[config]
    models = spec.of_kind("model")
    text = quantity.replace("{}", models[0]) if models else quantity
    return amount(session(spec.name), text, config, **sizes)


def amount(one: Session, formula: str, *configs: str, **sizes: int | Fraction) -> Fraction:
    """The exact value of a formula over quantities, in base units; it may end in `under CONVENTION`."""
    text, _, under = formula.partition(" under ")
    convention = read_convention(one.library.conventions[under], one.library) if under else None
    asker = Asker(one, Context(convention=convention))
    resolved = asker.resolve(expression(text))
    sink = Sink()
    settings = [ast.Binding(name, ast.Number(Fraction(size), str(size))) for name, size in sizes.items()]
    bound = bind(one.library, sink, [(config, NOWHERE) for config in configs], settings, own=asker.order)
    sink.stop_on_errors()
    return bound.value(resolved.size, "full" if convention is None else convention.causal)
