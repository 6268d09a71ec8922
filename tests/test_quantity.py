"""Quantities of subjects: what they sum, per phase, path and convention; and what is refused."""

from __future__ import annotations

import pytest

from roofdsl.diagnostics import RoofError
from roofdsl.quantities.ask import Context
from roofdsl.quantities.conventions import find_convention, read_convention
from roofdsl.quantities.quantity import contribution
from roofdsl.units.dimension import BYTE, FLOP, PARAMETER, SECOND, TOKEN
from tests.asking import asked, form, session_of, spec

GPT = spec("gpt3")


@pytest.mark.parametrize(
    ("quantity", "formula"),
    [
        ("flops(layer)", "24bsh² + 4bs²h"),
        ("flops(layer, backward)", "48bsh² + 8bs²h"),
        ("flops(layer, train)", "72bsh² + 12bs²h"),
        ("flops(layer, hardware)", "72bsh² + 12bs²h"),
        ("flops(layer{checkpoint attention}, recompute)", "8bsh² + 4bs²h"),
        ("saved(attention)", "11sbh + 5as²b"),
        ("saved(mlp)", "19sbh"),
        ("saved(layer{checkpoint attention.core})", "34sbh"),
        ("params(gpt)", "12Lh² + 13Lh + (V + N)h + 2h"),
        ("params(layer)", "12h² + 13h"),
        ("param_bytes(layer)", "24h² + 26h"),
        ("state(layer)", "16(12h² + 13h)"),
        ("cache(gpt)", "4Lsbh"),
        ("cache(gpt{s = 1, t = N})", "4LNbh"),
        ("memory(layer)", "24h² + 26h + 34sbh + 5as²b"),
        ("memory(layer, train)", "16(12h² + 13h) + 34sbh + 5as²b"),
        ("memory(layer, infer)", "24h² + 26h + 4sbh"),
        ("flops(gpt{s = 1}, infer)", "24bLh² + 4bLh + 2bhV"),
        ("intensity(layer) * bytes(layer)", "24bsh² + 4bs²h + 49bsh + 8abs² + 8bs"),
    ],
)
def test_formulas(quantity: str, formula: str) -> None:
    assert form(GPT, quantity) == form(GPT, formula)


@pytest.mark.parametrize(
    ("quantity", "formula"),
    [
        ("flops(gpt.layer)", "L(24bsh² + 4bs²h)"),
        ("flops(gpt.layer.mlp)", "16Lbsh²"),
        ("flops(gpt.mlp)", "16Lbsh²"),
        ("flops(layer.attention.core)", "4bs²h"),
        ("flops(attention.S)", "2bs²h"),
        ("bytes(attention.S)", "4sbh + 2as²b"),
        ("saved(layer.attention.D.u)", "as²b"),
        ("saved(attention.P)", "2as²b"),
        ("saved(attention.S)", "0"),
        ("params(gpt.E)", "Vh"),
        ("params(layer.n1)", "2h"),
        ("params(gpt.head)", "2h"),
        ("saved(gpt.layer.attention.K)", "2Lsbh"),
    ],
)
def test_paths_filter(quantity: str, formula: str) -> None:
    assert form(GPT, quantity) == form(GPT, formula)


def test_parts_add_up_to_the_whole() -> None:
    parts = "flops(gpt.layer) + flops(gpt.head)"
    assert form(GPT, parts) == form(GPT, "flops(gpt)")
    assert form(GPT, "flops(layer.attention) + flops(layer.mlp)") == form(GPT, "flops(layer)")


def test_entries_sum_to_the_size() -> None:
    found = asked(GPT, "saved(gpt)")
    assert len(found.entries) > 15
    sum_of_entries = sum((form_of(contribution(e)) for e in found.entries), start=form(GPT, "0"))
    assert sum_of_entries == form_of(found.size)


def form_of(size):
    from roofdsl.algebra.normal import normal
    from roofdsl.algebra.scope import Scope

    return normal(size, Scope(GPT.library.symbols, GPT.lets))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("flops(gpt) per token", "24Lh² + 4Lsh + 2Vh"),
        ("flops(gpt) per layer", "24bsh² + 4bs²h + 2bshV/L"),
        ("params(gpt) per device", "params(gpt)"),
        ("flops(mlp) per token", "16h²"),
    ],
)
def test_per(text: str, formula: str) -> None:
    assert form(GPT, text) == form(GPT, formula)


def test_units() -> None:
    def unit(text: str) -> object:
        from roofdsl.quantities.ask import Asker
        from tests.asking import expression

        return Asker(GPT, Context()).resolve(expression(text)).dimension

    assert unit("flops(layer)") == FLOP
    assert unit("flops(layer)/bytes(layer)") == FLOP / BYTE
    assert unit("params(layer)") == PARAMETER
    assert unit("flops(gpt) per token") == FLOP / TOKEN
    assert unit("time(layer, h100_sxm)") == SECOND
    assert unit("bytes(layer)/bandwidth(h100_sxm)") == SECOND
    assert unit("peak(h100_sxm, bf16)/bandwidth(h100_sxm)") == FLOP / BYTE


CAUSAL = """
dim T
dim d
let U = T

block head(q[T, d], k[U, d]) -> p {
    S[T, U] = sum(q[T, d] * k[U, d]) where U <= T
    p = softmax(S)
}

model tiny(ids[T]: int32) -> x {
    param E[U, d]
    x = embedding(E, ids)
}

convention mine {
    work = all
    causal = half
    softmax = 7 per element
}

quantity twice(x) = 2 flops(x)
quantity ratio(x, y) = twice(x)/flops(y)
"""


def under(name: str) -> Context:
    session = session_of('use "ops"\n' + CAUSAL)
    return Context(find_convention(name, session.library))


def test_conventions_decide_what_counts() -> None:
    session = session_of('use "ops"\n' + CAUSAL)
    assert form(session, "flops(head)") == form(session, "2T²d")
    exact = Context(find_convention("exact", session.library))
    assert form(session, "flops(head.S)", exact) == form(session, "dT(T + 1)")
    half = Context(find_convention("causal_half", session.library))
    assert form(session, "flops(head)", half) == form(session, "T²d")


def test_an_op_set_by_hand_replaces_its_forward_work() -> None:
    session = session_of('use "ops"\n' + CAUSAL)
    mine = Context(find_convention("mine", session.library))
    assert form(session, "flops(head.p)", mine) == form(session, "7T²")
    (entry,) = asked(session, "flops(head.p)", mine).entries
    assert entry.declared


def test_a_lookup_counts_as_matmul_only_where_the_convention_says_so() -> None:
    session = session_of('use "ops"\n' + CAUSAL)
    assert form(session, "flops(tiny)").is_zero
    from dataclasses import replace

    paper = find_convention("paper", session.library)
    assert form(session, "flops(tiny)", Context(replace(paper, embedding="matmul"))) == form(session, "2T²d")


def test_quantities_of_the_user() -> None:
    session = session_of('use "ops"\n' + CAUSAL)
    assert form(session, "twice(head)") == form(session, "4T²d")
    assert form(session, "ratio(head, head)") == form(session, "2")


@pytest.mark.parametrize(
    "text",
    ["flops(nothing)", "flops(layer.nothing)", "flops(layer, forwards)", "params(layer, train)", "comm(layer)",
     "flops(layer, train, train)", "time(layer)", "time(layer, h101)", "price(h100_sxm)"],
)  # fmt: skip
def test_refused(text: str) -> None:
    with pytest.raises(RoofError):
        form(GPT, text)


def test_two_things_of_one_name_are_not_guessed() -> None:
    session = session_of(
        """
dim n
block inner(x[n]) -> y { y[n] = 2 * x[n] }
block left(x[n]) -> y { y = inner(x) }
block right(x[n]) -> y { y = inner(x) }
block both(x[n]) -> y { y = left(x) + right(x) }
"""
    )
    with pytest.raises(RoofError) as error:
        form(session, "bytes(both.inner)")
    assert "left.inner" in str(error.value.diagnostics[0].expected)
    assert form(session, "bytes(both.left.inner)") == form(session, "4n")


def test_all_faults_of_a_convention_are_reported_together() -> None:
    session = session_of("convention bad {\n    work = some\n    causal = odd\n}\ndim n\n")
    with pytest.raises(RoofError) as error:
        read_convention(session.library.conventions["bad"], session.library)
    assert [d.kind.code for d in error.value.diagnostics] == ["E0710", "E0710"]


def test_what_an_alias_binds_follows_what_is_bound_outside() -> None:
    primer = spec("primer")
    assert form(primer, "flops(square{n = 8})") == form(primer, "flops(gemm{M = 8, K = 8, n = 8})")
    assert form(primer, "flops(square{M = 3})") == form(primer, "flops(gemm{M = 3, K = n})")
    assert form(primer, "flops(square{n = 2n})") == form(primer, "8 flops(square)")
