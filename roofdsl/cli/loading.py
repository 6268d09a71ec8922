"""From arguments to values: the session of a FILE, the context of `--under` and `--machine`, the bindings of numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.cli.console import Console
    from roofdsl.evaluate.bind import Binding
    from roofdsl.quantities.ask import Context
    from roofdsl.quantities.conventions import Convention
    from roofdsl.quantities.session import Session
    from roofdsl.quantities.subject import Subject
    from roofdsl.report.derived import Shape
    from roofdsl.report.rooflines import Scene
    from roofdsl.source import Source, Span


def open_file(name: str, console: Console, mentions: Iterable[str] = ()) -> tuple[Source, Session]:
    """The session of a FILE; notes are shown, errors raised. `mentions` is text that may name library operators."""
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.figures import open_session
    from roofdsl.passes.load import load_named

    sink = Sink()
    source, library = load_named(name, sink, mentions=" ".join(mentions))
    sink.stop_on_errors()
    console.report(sink.notes)
    return source, open_session(library)


def read_context(arguments: argparse.Namespace, session: Session) -> Context:
    """What `--under` and `--machine` say about a formula."""
    from roofdsl.quantities.ask import Context

    return Context(read_convention(arguments, session), getattr(arguments, "machine", None))


def read_convention(arguments: argparse.Namespace, session: Session) -> Convention | None:
    """The convention of `--under`, if it was given."""
    if arguments.under is None:
        return None
    from roofdsl.quantities.conventions import find_convention

    return find_convention(arguments.under, session.library, argument(arguments.under, "--under"))


def read_shape(arguments: argparse.Namespace) -> Shape:
    """What `--factor`, `--collect` and `--in-terms-of` ask for."""
    from roofdsl.report.derived import Shape

    terms = arguments.in_terms_of or ""
    collect = arguments.collect or ""
    return Shape(arguments.factor, _names(collect), _names(terms))


def read_binding(arguments: argparse.Namespace, session: Session, own: Iterable[str] = ()) -> Binding:
    """The sizes `--config` and `--set` give; raises `RoofError` for what is wrong in them."""
    from roofdsl.diagnostics import Sink
    from roofdsl.evaluate.bind import bind
    from roofdsl.evaluate.settings import read_setting

    sink = Sink()
    known = (*session.library.symbols, *own)
    settings = [read_setting(text, sink, known) for text in arguments.settings]
    configs = [(name, argument(name, "--config")) for name in arguments.config]
    binding = bind(session.library, sink, configs, [s for s in settings if s is not None], own)
    sink.stop_on_errors()
    return binding


def read_scene(arguments: argparse.Namespace, session: Session, source: Source) -> Scene:
    """The subject, phase and convention that `--of`, `--phase` and `--under` ask for."""
    from roofdsl.quantities.conventions import ALL_WORK
    from roofdsl.report.rooflines import Scene

    subject = read_subject(arguments.of, session, source)
    return Scene(subject, arguments.phase, read_convention(arguments, session) or ALL_WORK)


def read_subject(text: str | None, session: Session, source: Source) -> Subject:
    """The subject of `--of`, or the file's first model, or its last block."""
    from roofdsl.diagnostics import Sink, fail
    from roofdsl.errors.usage import NEEDS_SUBJECT
    from roofdsl.quantities.subject import resolve_subject
    from roofdsl.syntax.parser import parse_subject

    if text is None:
        text = _main_subject(session, source)
    span = argument(text or source.name, "--of" if text else "FILE")
    if text is None:
        fail(NEEDS_SUBJECT, span, "nothing to show", helps=("say what is meant: --of NAME",))
    sink = Sink()
    expr = parse_subject(span.source, sink)
    sink.stop_on_errors()
    if expr is None:
        raise AssertionError("nothing was parsed, and nothing was said about it")
    return resolve_subject(expr, session.library)


def _main_subject(session: Session, source: Source) -> str | None:
    definitions = session.library.definitions.items()
    models = [name for name, d in definitions if d.kind == "model"]
    blocks = [name for name, d in definitions if d.kind == "block" and d.span.source is source]
    return models[0] if models else blocks[-1] if blocks else None


def argument(text: str, option: str) -> Span:
    """The place of a word of the command line."""
    from roofdsl.source import Source, Span

    return Span(Source(option, text), 0, len(text))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
