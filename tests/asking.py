"""What tests of quantities and claims share: sessions over shipped specs or a text, and short ways to ask."""

from __future__ import annotations

from functools import cache

from roofdsl.algebra.form import Normal
from roofdsl.algebra.normal import normal
from roofdsl.algebra.scope import Scope
from roofdsl.diagnostics import RoofError, Sink
from roofdsl.evaluate.figures import open_session
from roofdsl.passes.load import load, load_named
from roofdsl.quantities.ask import Asker, Context
from roofdsl.quantities.quantity import Quantity
from roofdsl.quantities.session import Session
from roofdsl.source import Source
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_claim, parse_formula
from roofdsl.verify.verdict import Verdict, verify_claim

OPS = "softmax layernorm gelu dropout linear cross_entropy embedding relu"


@cache
def spec(name: str) -> Session:
    """A session over a shipped spec, shared by tests (it only remembers what was derived)."""
    sink = Sink()
    _, library = load_named(name, sink, mentions=OPS)
    sink.stop_on_errors()
    return open_session(library)


def session_of(text: str) -> Session:
    sink = Sink()
    library = load(Source("test", text), sink, folder=None)
    sink.stop_on_errors()
    return open_session(library)


def expression(text: str) -> ast.Expr:
    sink = Sink()
    expr = parse_formula(Source("test", text), sink)
    sink.stop_on_errors()
    assert expr is not None
    return expr


def form(session: Session, text: str, context: Context | None = None) -> Normal:
    """The normal form of a formula over quantities, lets expanded, causal guards as its convention counts them."""
    asker = Asker(session, context or Context())
    formula = asker.resolve(expression(text))
    causal = asker.found[0].convention.causal if asker.found else "full"
    return normal(formula.size, Scope(asker.order, session.lets, causal=causal))


def asked(session: Session, text: str, context: Context | None = None) -> Quantity:
    """The one quantity a formula asks for."""
    asker = Asker(session, context or Context())
    asker.resolve(expression(text))
    (found,) = asker.found
    return found


def claim(text: str) -> ast.Claim:
    sink = Sink()
    found = parse_claim(Source("claim", text), sink)
    sink.stop_on_errors()
    assert found is not None
    return found


def verdict(session: Session, text: str) -> Verdict:
    return verify_claim(claim(text), session)


def code_of(session: Session, text: str) -> str:
    """The code of the one diagnostic a claim ends in."""
    try:
        verify_claim(claim(text), session)
    except RoofError as error:
        (diagnostic,) = error.diagnostics
        return diagnostic.kind.code
    raise AssertionError(f"{text} was judged")
