"""LaTeX as papers write it, in quotes: read as the formula it shows, or refused at the place that is not understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roofdsl.diagnostics import Sink
from roofdsl.source import Source
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_formula


def read(latex: str) -> tuple[ast.Expr | None, Sink]:
    sink = Sink()
    return parse_formula(Source("test", f'"{latex}"'), sink), sink


def plain(text: str) -> ast.Expr:
    found = parse_formula(Source("test", text), Sink())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"sbh\bigl(34+5\frac{as}{h}\bigr)", "sbh (34 + 5 (as/h))"),
        (r"sbh\left(34+5\frac{a\,s}{h}\right)", "sbh (34 + 5 ((a s)/h))"),
        (r"\tfrac12 s", "(1/2) s"),
        (r"s^2b", "s^2 b"),
        (r"s^{2b}", "s^(2b)"),
        (r"51{,}200 h", "51200 h"),
        (r"51\,200h", "51200h"),
        (r"\max(1,024)", "max(1, 024)"),
        (r"n_\text{layer} h_{\mathrm{kv}}", "n_layer h_kv"),
        (r"n_{\text{kv heads}}", "n_kv_heads"),
        (r"n_{\rm kv}", "n_kv"),
        (r"\mathrm{Br}\cdot\textit{Bc}", "Br * Bc"),
        (r"\lambda_{0}", "lambda_0"),
        (r"2\{a+b\}", "2 (a+b)"),
        (r"\underbrace{34sbh}_{\text{the rest}} + \boxed{as}", "(34sbh) + (as)"),
        (r"\textcolor{red}{as} & \quad + b\nonumber", "(as) + b"),
        (r"\left.s\right.", "s"),
        (r"{}s{}b", "s b"),
        (r"a\times b\ast c", "a * b * c"),
    ],
)
def test_latex_is_read_as_it_looks(latex: str, text: str) -> None:
    found, sink = read(latex)
    assert not sink.found
    assert isinstance(found, ast.Quoted)
    assert found.value == plain(text)


@pytest.mark.parametrize(
    ("latex", "code", "marked"),
    [
        (r"34 \foo sbh", "E0118", r"\foo"),
        (r"\sum s", "E0119", r"\sum"),
        (r"_s", "E0119", "_"),
        (r"s_{\frac}", "E0119", "s"),
        (r"\frac{s}", "E0119", r"\frac"),
        (r"s^", "E0119", "^"),
        (r"s}", "E0119", "}"),
        (r"\text{2 b}", "E0119", r"\text"),
        (r"\mathrm{s", "E0103", "{"),
    ],
)
def test_what_is_not_understood_is_named(latex: str, code: str, marked: str) -> None:
    _, sink = read(latex)
    assert [(d.kind.code, d.primary.span.text) for d in sink.found] == [(code, marked)]


def test_places_are_those_of_the_text() -> None:
    found, _ = read(r"34sbh + \tfrac{5\,as^{2}}{\mathrm{h}}")
    assert isinstance(found, ast.Quoted)
    assert isinstance(found.value, ast.Binary)
    assert found.value.right.span.text == r"\tfrac{5\,as^{2}}{\mathrm{h}}"
    assert isinstance(found.value.right, ast.Binary)
    assert found.value.right.right.span.text == r"\mathrm{h}"


PIECES = [
    r"\frac",
    r"\left(",
    r"\right)",
    "{",
    "}",
    "^",
    "_",
    "s",
    "12",
    " ",
    r"\text",
    r"\,",
    ",",
    r"\max",
    "&",
    r"\\",
    r"\q",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_anything_is_read_or_refused(pieces: list[str]) -> None:
    found, sink = read("".join(pieces))
    assert (found is None) == bool(sink.errors)
    assert all(0 <= d.primary.span.start <= d.primary.span.end for d in sink.found)


def test_deep_nesting_is_refused() -> None:
    _, sink = read("{" * 5000 + "s" + "}" * 5000)
    assert [d.kind.code for d in sink.errors] == ["E0109"]
