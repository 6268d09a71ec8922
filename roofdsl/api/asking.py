"""From the arguments of API calls to what the passes take, and from their answers to results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from roofdsl.api.results import Derivation, Evaluation, Verdict
from roofdsl.diagnostics import InternalError, Sink, fail
from roofdsl.errors.claims import WRONG_ARGUMENTS
from roofdsl.errors.evaluation import BAD_NUMBER
from roofdsl.errors.usage import NEEDS_MACHINE
from roofdsl.source import Source, word

if TYPE_CHECKING:
    from roofdsl.algebra.symbols import SymbolTable
    from roofdsl.evaluate.bind import Binding
    from roofdsl.evaluate.machine import Machine
    from roofdsl.quantities.ask import Context
    from roofdsl.quantities.conventions import Convention
    from roofdsl.quantities.quantity import Asked
    from roofdsl.quantities.session import Session
    from roofdsl.report.rooflines import Scene
    from roofdsl.syntax import ast

Number = int | Fraction | str


def symbols(session: Session, names: Iterable[str]) -> SymbolTable:
    """SymPy symbols of these names, with the declared minima as assumptions."""
    from roofdsl.algebra.symbols import symbol_table

    return symbol_table(names, {name: dim.minimum for name, dim in session.library.dims.items()})


def convention(session: Session, under: str | None) -> Convention | None:
    """The convention of a name; None is each quantity's own."""
    from roofdsl.quantities.conventions import find_convention

    return None if under is None else find_convention(under, session.library, word(under, "under"))


def context(session: Session, under: str | None, machine: str | None) -> Context:
    """What is asked besides a formula."""
    from roofdsl.quantities.ask import Context

    return Context(convention(session, under), machine)


def derivation(session: Session, text: str, under: str | None, machine: str | None) -> Derivation:
    """A closed form with all that belongs to it."""
    from roofdsl.algebra.expr import to_expr
    from roofdsl.report.derived import derive
    from roofdsl.report.footer import basis_of, footer_text
    from roofdsl.units.display import unit_symbol

    found = derive(session, text, context(session, under, machine))
    expr = to_expr(found.form, symbols(session, found.style.order))
    basis = footer_text(basis_of(found.found), (found.dimension,))
    return Derivation(text, expr, unit_symbol(found.dimension), basis, found)


def binding(session: Session, config: str | Iterable[str], sizes: Mapping[str, Number]) -> Binding:
    """The sizes of configs and keywords; raises `RoofError` for what is wrong in them."""
    from roofdsl.evaluate.bind import bind

    sink = Sink()
    names = (config,) if isinstance(config, str) else tuple(config)
    settings = [_setting(name, value, session, sink) for name, value in sizes.items()]
    configs = [(name, word(name, "config")) for name in names]
    found = bind(session.library, sink, configs, [s for s in settings if s is not None])
    sink.stop_on_errors()
    return found


def _setting(name: str, value: Number, session: Session, sink: Sink) -> ast.Binding | None:
    from roofdsl.evaluate.settings import read_setting
    from roofdsl.syntax import ast

    if isinstance(value, str):
        return read_setting(f"{name}={value}", sink, session.library.symbols)
    span = word(f"{name}={value}", "size")
    try:
        return ast.Binding(name, ast.Number(Fraction(value), str(value), span), span)
    except (TypeError, ValueError, OverflowError):  # None, nan, inf
        sink.add(BAD_NUMBER, span, "this is not a number", found=str(value))
        return None


def verdict(session: Session, claim: ast.Claim) -> Verdict:
    """The verdict of a claim."""
    from roofdsl.report.verdict import claim_text, render_verdict
    from roofdsl.verify.verdict import verify_claim

    found = verify_claim(claim, session)
    witness = found.judgement.witness
    sizes = {} if witness is None else dict(witness.sizes)
    return Verdict(claim_text(found), found.outcome, found.passed, sizes, render_verdict(found, session), found)


def read_claim(text: str) -> ast.Claim:
    """A claim from text; raises `RoofError` if it is none."""
    from roofdsl.syntax.parser import parse_claim

    sink = Sink()
    claim = parse_claim(Source("claim", text), sink)
    sink.stop_on_errors()
    if claim is None:
        raise InternalError("no claim was parsed, and nothing was said about it")
    return claim


def function_claim(session: Session, quantity: str, function: Callable[..., Any]) -> ast.Claim:
    """The claim that a quantity is what a function of symbols gives."""
    from roofdsl.algebra.symbols import symbol_table
    from roofdsl.api.functions import call_with_symbols, formula_of
    from roofdsl.syntax.claims import Claim
    from roofdsl.syntax.parser import parse_marker

    sink = Sink()
    marker = parse_marker(word(quantity, "quantity"), sink)
    sink.stop_on_errors()
    if marker is None or marker.left is None:
        raise InternalError("no quantity was parsed, and nothing was said about it")
    library = session.library
    minimum = {name: dim.minimum for name, dim in library.dims.items()}
    table = symbol_table(library.dims, minimum, library.lets)
    shown, result = call_with_symbols(function, table)
    right = formula_of(result, table)
    negated = "not " if marker.negated else ""
    written = f"{negated}{marker.left.span.text} = {shown}"
    return Claim(marker.left, "=", right, marker.clauses, marker.negated, None, marker.span, written)


def values(session: Session, quantities: Iterable[str], sizes: Binding, asked: Context) -> Evaluation:
    """The numbers of quantities."""
    from roofdsl.report.derived import ask
    from roofdsl.report.values import evaluate, values_table

    found = {}
    for text in quantities:
        asker, formula = ask(session, text, replace(asked, stored=True))
        found[text] = evaluate(asker, text, formula, sizes)
    return Evaluation(found, None, (values_table(found.values(), ""),))


def scene(session: Session, source: Source, of: str | None, phase: Asked, under: str | None) -> Scene:
    """What a roofline or a graph shows."""
    from roofdsl.report.rooflines import make_scene

    return make_scene(session, source, of, phase, convention(session, under))


def roofline(session: Session, shown: Scene, machine: Machine, sizes: Binding) -> Evaluation:
    """The roofline of a scene with its tables."""
    from roofdsl.report.footer import roofline_footer
    from roofdsl.report.roofline_table import bound_table, roofline_table
    from roofdsl.report.rooflines import entries_for, roofline_of

    found = roofline_of(session, shown, machine, sizes)
    footer = roofline_footer(shown.convention, entries_for(session, shown))
    title = f"{shown.subject.text} · {shown.phase} · {machine.name}"
    return Evaluation({}, found, (roofline_table(found, title, footer), bound_table(found)))


def overview(session: Session, source: Source) -> str:
    """The main quantities of everything a file declares, as an HTML table."""
    from roofdsl.report.derive_table import derive_table, main_questions
    from roofdsl.report.derived import derive
    from roofdsl.report.markup import render_html

    results = [derive(session, question) for question in main_questions(session.library, source)]
    return render_html(derive_table(source.name, results, markup=True))


def named_machine(session: Session, name: str | None) -> Machine:
    """The machine of a name; E0811 if there is no name."""
    from roofdsl.evaluate.describe import named_machine as find

    if name is None:
        fail(NEEDS_MACHINE, word("evaluate", "call"), "a roofline needs a machine", helps=("machine='h100_sxm'",))
    return find(name, session.library, Sink(), word(name, "machine"))


def known_phase(phase: str, known: Iterable[str]) -> Any:
    """The phase, if there is one of that name (E0706)."""
    if phase not in known:
        fail(WRONG_ARGUMENTS, word(phase, "phase"), "there is no such phase", expected=", ".join(known), found=phase)
    return phase
