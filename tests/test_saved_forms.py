"""Saved tensors and adjoints where repeats, checkpoints, views, shared and frozen weights meet (R5, R6), by hand."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import pytest

from roofdsl.ir.library import Library
from roofdsl.measures.backward import backward_traffic, backward_work
from roofdsl.measures.plan import backward_plan
from roofdsl.measures.saved import saved
from roofdsl.measures.work import forward_work
from tests.kept_backward import check_saved
from tests.models import Formula, contractions, library_of, placed_graph, value

USE = 'use "ops"\ndim s\ndim h\ndim L\ndim M\ndim r\ndim V\ndim X\ndim k\nlet j = h\nlet t = s\n'
STEP = """
block step(x[s, h]) -> y {
    param W[h, h]
    n = rmsnorm(x)
    y[s, h] = x[s, h] + sum(n[s, j] * W[j, h])
}
"""
FORMS: dict[str, tuple[str, Formula]] = {
    # n and x in every iteration; x_L is read by nobody but the last addition.
    "repeat": ("block f(x[s, h]) -> y { \n repeat L { \n x = step(x) \n } \n y = x + x \n }", lambda n: 4 * n.L * n.s * n.h),
    # One more x where the last one is read as well.
    "repeat and after": (
        "block f(x[s, h]) -> y { \n repeat L { \n x = step(x) \n } \n y = relu(exp2(x)) \n }",
        lambda n: 4 * n.L * n.s * n.h + 4 * n.s * n.h,
    ),
    "read again after the repeat": (
        "block f(x[s, h]) -> y { \n repeat L { \n x = step(x) \n } \n n = rmsnorm(x) \n y = mul(n, x) \n }",
        lambda n: 4 * n.L * n.s * n.h + 4 * n.s * n.h,
    ),
    "nested": (
        "block f(x[s, h]) -> y { \n repeat M { \n repeat L { \n x = step(x) \n } \n } \n y = rmsnorm(x) \n }",
        lambda n: 4 * n.L * n.M * n.s * n.h + 2 * n.s * n.h,
    ),
    "two in a row": (
        "block f(x[s, h]) -> y { \n repeat L { \n x = step(x) \n } \n repeat M { \n x = step(x) \n } \n y = x + x \n }",
        lambda n: 4 * (n.L + n.M) * n.s * n.h,
    ),
    # Only the input of each iteration; what is inside runs again.
    "checkpoint in a repeat": (
        "block f(x[s, h]) -> y { \n repeat L { \n checkpoint one { \n x = step(x) \n } \n } \n y = x + x \n }",
        lambda n: 2 * n.L * n.s * n.h,
    ),
    "repeat in a checkpoint": (
        "block f(x[s, h]) -> y { \n checkpoint all { \n repeat L { \n x = step(x) \n } \n } \n y = rmsnorm(x) \n }",
        lambda n: 4 * n.s * n.h,
    ),
    "fused repeat": (
        "block f(x[s, h]) -> y { \n fused all { \n repeat L { \n x = exp2(x) \n } \n } \n y = exp2(x) \n }",
        lambda n: 4 * n.s * n.h,
    ),
    # The skipped tensor is the repeat's own first input.
    "skip": (
        "block f(x[s, h]) -> y { \n z = x \n view u[s, h] of x \n repeat L { \n x = step(x) \n } \n y = mul(x, u) \n }",
        lambda n: 4 * n.L * n.s * n.h + 2 * n.s * n.h,
    ),
    # What every iteration reads from outside is one tensor.
    "read in every iteration": (
        "block f(x[s, h], m[s, h]) -> y { \n repeat L { \n x = mul(x, m) \n } \n y = x + x \n }",
        lambda n: 2 * n.L * n.s * n.h + 2 * n.s * n.h,
    ),
    # relu and exp keep their results, which the next product reads, too.
    "results": ("block f(x[s, h]) -> y { \n u = relu(x) \n v = exp2(u) \n y = mul(v, u) \n }", lambda n: 4 * n.s * n.h),
    # Two tensors joined by a view are saved as what they are.
    "joined": (
        "block f(c[s, h], g[t, h]) -> y { \n let u = 2s \n view z[u, h] of c, g \n y = rmsnorm(z) \n }",
        lambda n: 4 * n.s * n.h,
    ),
    # Adapter: x for dA, u for dB; the frozen product saves nothing of its own.
    "adapter": (
        "block f(x[s, h]) -> y { \n param W[h, h] frozen \n param A[h, r], B[r, h] \n u[s, r] = sum(x[s, h] * A[h, r]) \n y[s, h] = sum(x[s, j] * W[j, h]) + sum(u[s, r] * B[r, h]) \n }",
        lambda n: 2 * n.s * n.h + 2 * n.s * n.r,
    ),
    # Nothing is trainable up to the norm's result: the norm needs no backward, and only dW reads n.
    "frozen start": (
        "model f(ids[s]: int32) -> y { \n param E[V, h] frozen, W[h, h] \n e = embedding(E, ids) \n x = exp2(e) \n y[s, h] = sum(x[s, j] * W[j, h]) \n }",
        lambda n: 2 * n.s * n.h,
    ),
    # Indices chosen inside are saved (int32), those given are not.
    "routed": (
        "block f(p[s, X]) -> y { \n w, ids = topk(p) \n y[s, k] = exp2(w) \n }",
        lambda n: 4 * n.s * n.k + 2 * n.s * n.k,
    ),
    # A recurrence: dA reads H one step before, dH reads A; C and H for the product after it.
    "recurrence": (
        "block f(x[s, h], A[s, h], C[s, h]) -> y { \n H[s, h] = A[s, h] * H[s-1, h] + x[s, h] \n y = mul(C, H) \n }",
        lambda n: 6 * n.s * n.h,
    ),
    # As one kernel it keeps what H is rebuilt from.
    "fused recurrence": (
        "block f(x[s, h], A[s, h], C[s, h]) -> y { \n fused scan { \n H[s, h] = A[s, h] * H[s-1, h] + x[s, h] \n y = mul(C, H) \n } \n }",
        lambda n: 6 * n.s * n.h,
    ),
    "given indices": ("block f(E[V, h], ids[s]: int32) -> y { \n y = embedding(E, ids) \n }", lambda n: 0 * n.s),
}  # fmt: skip
EXP = "op exp2(x[...]) -> y { \n y[...] = exp(x[...]) \n }\n"
SIZES = ({"s": 3, "t": 3, "h": 4, "j": 4, "L": 5, "M": 2, "r": 2, "V": 7, "X": 4, "k": 2},)
SIZES = (*SIZES, {"s": 7, "t": 7, "h": 2, "j": 2, "L": 1, "M": 6, "r": 1, "V": 5, "X": 3, "k": 1})
REPEATED = frozenset(form for form, (text, _) in FORMS.items() if "repeat" in text)


@cache
def _library(form: str) -> Library:
    return library_of(USE + EXP + STEP + FORMS[form][0] + "\n")


@pytest.mark.parametrize("form", FORMS)
def test_saved_of_forms(form: str) -> None:
    library = _library(form)
    entries = saved(placed_graph(library, "f"), library)
    for env in SIZES:
        assert value(entries, env) == FORMS[form][1](SimpleNamespace(**env)), [(e.what, e.because) for e in entries]


@pytest.mark.parametrize("form", sorted(set(FORMS) - REPEATED - {"joined"}))
def test_forms_run_on_what_they_save(form: str) -> None:
    library = _library(form)
    check_saved(placed_graph(library, "f"), library, SIZES[0])


def test_frozen_weights_have_no_gradient_of_their_own() -> None:
    """Per token 4·N frozen + 6·N adapter: forward 2 each, backward 2 for the input, 2 more for trained weights."""
    library = _library("adapter")
    graph = placed_graph(library, "f")
    trained = (*contractions(forward_work(graph, library)), *contractions(backward_work(graph, library)))
    for env in SIZES:
        frozen, adapter = env["h"] ** 2, 2 * env["h"] * env["r"]
        assert value(trained, env) == env["s"] * (4 * frozen + 6 * adapter)


def test_no_adjoint_without_a_parameter_upstream() -> None:
    library = _library("frozen start")
    plan = backward_plan(placed_graph(library, "f"), library)
    assert [part.kernel.label for part in plan.kernels if part.adjoints] == ["y"]
    (adjoint,) = plan.kernels[-1].adjoints
    assert adjoint.wrt.tensor == "f.W"


def test_shared_weights_are_added_up_over_the_iterations() -> None:
    """`repeat L shared`: dW is written once and added to L − 1 times, each read and written."""
    text = USE + STEP + "block f(x[s, h]) -> y { \n repeat L shared { \n x = step(x) \n } \n y = x + x \n }\n"
    library = library_of(text)
    graph = placed_graph(library, "f")
    added = [e for e in backward_work(graph, library) if e.kernel.endswith("dW") and "added" in e.because]
    moved = [e for e in backward_traffic(graph, library) if e.what.endswith(".W") and e.what.startswith("∂")]
    for env in SIZES:
        assert value(added, env) == (env["L"] - 1) * env["h"] ** 2
        assert value(moved, env) == 2 * env["h"] ** 2 * (2 * env["L"] - 1)


def test_an_adjoint_handed_back_by_a_repeat_is_added_to_one_that_is_there() -> None:
    """x is read by z, by what comes after, and enters the repeat: two of its three contributions are additions."""
    text = (
        USE + EXP + "block f(x[s, h]) -> y { \n z = exp2(x) \n repeat L { \n x = exp2(x) \n } \n y = mul(x, z) \n }\n"
    )
    library = library_of(text)
    graph = placed_graph(library, "f")
    added = [e for e in backward_work(graph, library) if "added" in e.because]
    for env in SIZES:
        assert value(added, env) == env["s"] * env["h"]
