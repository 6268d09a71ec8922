"""From arguments to values: the session of a FILE, the context of `--under` and `--machine`, the bindings of numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from roofdsl.cli.console import Console
    from roofdsl.evaluate.bind import Binding
    from roofdsl.evaluate.machine import Machine
    from roofdsl.quantities.ask import Context
    from roofdsl.quantities.assumptions import Assumptions
    from roofdsl.quantities.conventions import Convention
    from roofdsl.quantities.session import Session
    from roofdsl.report.rooflines import Scene
    from roofdsl.report.shape import Shape
    from roofdsl.source import Source


def open_file(
    name: str, console: Console, mentions: Iterable[str] = (), assumptions: Assumptions | None = None
) -> tuple[Source, Session]:
    """The session of a FILE; notes are shown, errors raised. `mentions` is text that may name library operators;
    `assumptions` are those of its times.
    """
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.opening import open_session
    from roofdsl.passes.load import load_named

    sink = Sink()
    source, library = load_named(name, sink, mentions=" ".join(mentions))
    sink.stop_on_errors()
    console.report(sink.notes)
    return source, open_session(library, assumptions)


def with_named_config(arguments: argparse.Namespace, console: Console) -> argparse.Namespace:
    """The arguments, where FILE is the name of a shipped config: its file, and the config before others."""
    from pathlib import Path

    from roofdsl.passes.find import find_spec

    name = arguments.file if getattr(arguments, "takes_spec", False) else ""
    if not name.isidentifier() or Path(name).exists() or find_spec(name) is not None:
        return arguments
    from roofdsl.passes.listing import model_configs

    file = model_configs().get(name)
    if file is None:
        return arguments
    console.remark(f"note: `{name}` is a config of `{file}`")
    configs = {"config": [name, *arguments.config]} if hasattr(arguments, "config") else {}
    return argparse.Namespace(**(vars(arguments) | {"file": file} | configs))


def read_context(arguments: argparse.Namespace, session: Session) -> Context:
    """What `--under` and `--machine` say about a formula."""
    from roofdsl.quantities.ask import Context

    return Context(read_convention(arguments, session), getattr(arguments, "machine", None))


def read_convention(arguments: argparse.Namespace, session: Session) -> Convention | None:
    """The convention of `--under`, if it was given."""
    if arguments.under is None:
        return None
    from roofdsl.quantities.conventions import find_convention
    from roofdsl.source import word

    return find_convention(arguments.under, session.library, word(arguments.under, "--under"))


def read_shape(arguments: argparse.Namespace) -> Shape:
    """What `--factor`, `--collect`, `--leading`, `--rename` … ask for, as far as the verb has them."""
    from roofdsl.cli.renaming import read_renames
    from roofdsl.report.shape import Shape, read_growth

    terms = getattr(arguments, "in_terms_of", None) or ""
    collect = getattr(arguments, "collect", None) or ""
    renames = tuple(read_renames(arguments.rename).items())
    order = getattr(arguments, "big_o", None)
    leading = getattr(arguments, "leading", None)
    return Shape(
        getattr(arguments, "factor", None),
        _names(collect),
        _names(terms),
        renames,
        getattr(arguments, "factored", False),
        None if leading is None else read_growth(leading),
        None if order is None else _names(order),
        getattr(arguments, "cases", False),
    )


def read_binding(arguments: argparse.Namespace, session: Session, own: Iterable[str] = ()) -> Binding:
    """The sizes `--config` and `--set` give; raises `RoofError` for what is wrong in them."""
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.bind import bind
    from roofdsl.evaluate.settings import read_setting

    sink = Sink()
    known = (*session.library.symbols, *own)
    settings = [read_setting(text, sink, known) for text in arguments.settings]
    from roofdsl.source import word

    configs = [(name, word(name, "--config")) for name in arguments.config]
    binding = bind(session.library, sink, configs, [s for s in settings if s is not None], own)
    sink.stop_on_errors()
    return binding


def needs_machine(scene: Scene, why: str, *helps: str) -> NoReturn:
    """E0811, with how a machine is named."""
    from roofdsl.diagnostics import fail
    from roofdsl.errors.usage import NEEDS_MACHINE

    fail(NEEDS_MACHINE, scene.subject.span, why, helps=("--machine h100_sxm", *helps))


def read_machine(arguments: argparse.Namespace, session: Session, scene: Scene, why: str) -> Machine:
    """The machine of `--machine`; E0811 that says why one is needed where it was not given."""
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.describe import named_machine

    if arguments.machine is None:
        needs_machine(scene, why)
    return named_machine(arguments.machine, session.library, Sink())


def read_scene(arguments: argparse.Namespace, session: Session, source: Source) -> Scene:
    """The subject, phase, convention and assumptions that `--of`, `--phase`, `--under`, `--tile` … ask for."""
    from dataclasses import replace

    from roofdsl.cli.assumptions import read_assumptions
    from roofdsl.report.rooflines import make_scene

    scene = make_scene(session, source, arguments.of, arguments.phase, read_convention(arguments, session))
    return replace(scene, convention=read_assumptions(arguments).applied(scene.convention))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
