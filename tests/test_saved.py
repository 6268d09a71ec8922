"""What is saved for backward (R6), what is computed again (R7), and the work of backward (R5), reasoned out by hand.

Every expectation is written as the paper or the rule gives it and compared at several sizes with what was derived;
whether what is saved is also enough, and all of it needed, is tried by running backward on nothing else.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.measures.backward import backward_traffic, backward_work
from roofdsl.measures.plan import backward_plan
from roofdsl.measures.recompute import recompute_traffic, recompute_work
from roofdsl.measures.saved import saved
from roofdsl.measures.work import forward_work
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.place import place
from tests.kept_backward import check_saved
from tests.models import GPT_SIZES, Formula, contractions, gpt, gpt_graph, gpt_sizes, value

# --------------------------------------------------------------------------- Korthikanti et al. 2022

TABLE: dict[str, tuple[Formula, str]] = {
    # Norm: y = c·r·g + b reads c and r in its adjoints; both are rebuilt from x, so x alone is kept.
    "layer.x": (lambda n: 2 * n.s * n.b * n.h, "n1"),
    # dWq = xᵀ·dq and likewise for k and v: one tensor, read three times, saved once.
    "layer.n1": (lambda n: 2 * n.s * n.b * n.h, "Wq"),
    # S = q·k: dq reads k, dk reads q.
    "layer.attention.k": (lambda n: 2 * n.s * n.b * n.h, "with respect to q"),
    "layer.attention.q": (lambda n: 2 * n.s * n.b * n.h, "with respect to K"),
    # Softmax: dS = P·(dP − Σ dP·P): its result, not its operand.
    "layer.attention.P": (lambda n: 2 * n.a * n.s**2 * n.b, "declared adjoint of P"),
    # Dropout: dP = dD·u/0.9 reads the mask, a byte per element, and not P.
    "layer.attention.D.u": (lambda n: n.a * n.s**2 * n.b, "D"),
    # c = D·v: dD reads v, dv reads D.
    "layer.attention.v": (lambda n: 2 * n.s * n.b * n.h, "with respect to D"),
    "layer.attention.D": (lambda n: 2 * n.a * n.s**2 * n.b, "with respect to U"),
    # dWo = cᵀ·do.
    "layer.attention.c": (lambda n: 2 * n.s * n.b * n.h, "Wo"),
    # Dropout before the residual; the addition r = x + y itself reads nothing.
    "layer.attention.y.u": (lambda n: n.s * n.b * n.h, "o"),
    "layer.r": (lambda n: 2 * n.s * n.b * n.h, "n2"),
    "layer.n2": (lambda n: 2 * n.s * n.b * n.h, "W1"),
    # gelu is differentiated at its operand, 4h wide; dW2 reads its result.
    "layer.mlp.u": (lambda n: 8 * n.s * n.b * n.h, "with respect to u"),
    "layer.mlp.g": (lambda n: 8 * n.s * n.b * n.h, "W2"),
    "layer.mlp.y.u": (lambda n: n.s * n.b * n.h, "o"),
}


def test_the_published_table_row_by_row() -> None:
    entries = saved(gpt_graph("layer"), gpt())
    assert {entry.what for entry in entries} == set(TABLE)
    for entry in entries:
        formula, reader = TABLE[entry.what]
        assert reader in entry.because, f"{entry.what}: {entry.because}"
        assert entry.declared == entry.what.endswith(".u") or entry.what == "layer.mlp.u"  # u of the MLP is no mask
        assert (entry.rule, entry.measure) == ("R6", "saved")
        for env in GPT_SIZES:
            assert value((entry,), env) == formula(SimpleNamespace(**env)), entry.what


def _sbh(n: SimpleNamespace) -> int:
    return n.s * n.b * n.h


def _scores(n: SimpleNamespace) -> int:
    return n.a * n.s**2 * n.b


SAVED: dict[tuple[str, ...], Formula] = {
    ("attention",): lambda n: 11 * _sbh(n) + 5 * _scores(n),
    ("mlp",): lambda n: 19 * _sbh(n),
    ("layer",): lambda n: 34 * _sbh(n) + 5 * _scores(n),
    ("head",): lambda n: 4 * _sbh(n),
    # Selective: the core is one kernel or runs again; q, k, v stay, P, its mask and D go.
    ("layer", "fused attention.core"): lambda n: 34 * _sbh(n),
    ("layer", "checkpoint attention.core"): lambda n: 34 * _sbh(n),
    # Full: the layer's input and nothing else, whatever is placed inside.
    ("layer", "checkpoint layer"): lambda n: 2 * _sbh(n),
    ("layer", "checkpoint layer", "fused attention.core"): lambda n: 2 * _sbh(n),
    ("layer", "checkpoint layer", "checkpoint attention.core"): lambda n: 2 * _sbh(n),
    # A checkpoint inside a fused region has nothing left to say: x, and q, k, v, c are rebuilt.
    ("attention", "fused attention", "checkpoint attention.core"): lambda n: 2 * _sbh(n),
    # The attention block runs again from n1; its result is read by the addition only, which saves nothing.
    ("layer", "checkpoint attention", "fused attention.core"): lambda n: (34 - 9) * _sbh(n),
    # The MLP as one kernel keeps n2, rebuilds u, g and its mask.
    ("layer", "fused mlp"): lambda n: (34 - 17) * _sbh(n) + 5 * _scores(n),
    # x_0 … x_L each once: L of them in the layers, the last one in the final norm. The mask of the embedding's dropout
    # is sbh, norm and logits 4sbh(1 + V/h) with logits in fp32.
    ("gpt",): lambda n: n.L * (34 * _sbh(n) + 5 * _scores(n)) + 5 * _sbh(n) + 4 * n.s * n.b * n.V,
    ("gpt_flash",): lambda n: 34 * n.L * _sbh(n) + 5 * _sbh(n) + 4 * n.s * n.b * n.V,
    ("gpt_selective",): lambda n: 34 * n.L * _sbh(n) + 5 * _sbh(n) + 4 * n.s * n.b * n.V,
    ("gpt_full",): lambda n: 2 * n.L * _sbh(n) + 5 * _sbh(n) + 4 * n.s * n.b * n.V,
}


@pytest.mark.parametrize("subject", SAVED, ids=" ".join)
def test_saved(subject: tuple[str, ...]) -> None:
    entries = saved(gpt_graph(*subject), gpt())
    for env in GPT_SIZES:
        assert value(entries, env) == SAVED[subject](SimpleNamespace(**env))


@pytest.mark.parametrize(
    "subject",
    [key for key in SAVED if not key[0].startswith("gpt")] + [("layer", "fused attention", "fused mlp")],
    ids=" ".join,
)
def test_what_is_saved_is_enough_and_needed(subject: tuple[str, ...]) -> None:
    assert check_saved(gpt_graph(*subject), gpt(), gpt_sizes(2, 1, 4, 2, V=3, N=2))


def _forward_contractions(n: SimpleNamespace) -> int:
    return 24 * n.b * n.s * n.h**2 + 4 * n.b * n.s**2 * n.h


AGAIN: dict[tuple[str, ...], Formula] = {
    ("layer",): lambda n: 0 * n.s,
    # The fused core rebuilds S = q·k, half of its forward: with 2 × forward in backward that is the 5/2 of kernels.
    ("layer", "fused attention.core"): lambda n: 2 * n.b * n.s**2 * n.h,
    ("layer", "checkpoint attention.core"): lambda n: 4 * n.b * n.s**2 * n.h,
    ("layer", "checkpoint layer"): _forward_contractions,
    # The rerun of the layer is followed by the core's own backward, which again rebuilds S, or reruns the core.
    ("layer", "checkpoint layer", "fused attention.core"): lambda n: _forward_contractions(n) + 2 * n.b * n.s**2 * n.h,
    ("layer", "checkpoint layer", "checkpoint attention.core"): lambda n: (
        _forward_contractions(n) + 4 * n.b * n.s**2 * n.h
    ),
    # All but the last product of the fused MLP: g is needed, and u for it; not o.
    ("layer", "fused mlp"): lambda n: 8 * n.b * n.s * n.h**2,
    # The head stands outside the checkpoints: its logits are not computed again.
    ("gpt_full",): lambda n: n.L * _forward_contractions(n),
    ("gpt_selective",): lambda n: 4 * n.L * n.b * n.s**2 * n.h,
}


@pytest.mark.parametrize("subject", AGAIN, ids=" ".join)
def test_contractions_of_recompute(subject: tuple[str, ...]) -> None:
    entries = contractions(recompute_work(gpt_graph(*subject), gpt()))
    assert all(entry.phase == "recompute" and entry.rule == "R7" for entry in entries)
    for env in GPT_SIZES:
        assert value(entries, env) == AGAIN[subject](SimpleNamespace(**env))


@pytest.mark.parametrize("subject", [("attention",), ("mlp",), ("layer",), ("head",), *AGAIN, ("gpt",)], ids=" ".join)
def test_backward_contractions_are_twice_the_forward_ones(subject: tuple[str, ...]) -> None:
    """Whatever is placed: recompute is never part of backward (R7)."""
    graph = gpt_graph(*subject)
    backward = contractions(backward_work(graph, gpt()))
    for env in GPT_SIZES:
        assert value(backward, env) == 2 * value(contractions(forward_work(graph, gpt())), env) > 0


def test_masks_are_declared_and_drawn_again_in_fused_kernels_and_checkpoints() -> None:
    kept = {entry.what for entry in saved(gpt_graph("layer"), gpt()) if entry.declared}
    assert kept == {"layer.attention.D.u", "layer.attention.y.u", "layer.mlp.y.u"}
    fused = {entry.what for entry in saved(gpt_graph("layer", "fused attention.core"), gpt()) if entry.declared}
    assert fused == kept - {"layer.attention.D.u"}
    assert not [entry for entry in saved(gpt_graph("layer", "checkpoint layer"), gpt()) if entry.declared]


def test_embedding_gradient_is_scattered_and_added_to_the_tied_one() -> None:
    """dE gets sbh additions (vector), after the head's product wrote it: what is touched is read and written."""
    graph = gpt_graph("gpt")
    scatter = [e for e in backward_work(graph, gpt()) if "respect to E" in e.because and e.kind != "contraction"]
    for env in GPT_SIZES:
        assert value(scatter, env) == env["s"] * env["b"] * env["h"]
    moved = [e for e in backward_traffic(graph, gpt()) if e.what == "∂gpt.E"]
    for env in GPT_SIZES:
        touched = 2 * env["h"] * min(env["V"], env["s"] * env["b"])
        assert value(moved, env) == 2 * env["h"] * env["V"] + 2 * touched


def test_lookups_as_matmuls_have_a_matmuls_backward() -> None:
    lookups = [entry for entry in backward_work(gpt_graph("gpt"), gpt()) if entry.lookup]
    forward = [entry for entry in forward_work(gpt_graph("gpt"), gpt()) if entry.lookup]
    for env in GPT_SIZES:
        assert value(lookups, env) == 2 * value(forward, env) > 0


def test_nothing_is_kept_in_inference() -> None:
    sink = Sink()
    graph = elaborate(gpt(), "gpt", None, "infer", sink)
    assert graph is not None
    graph = place(graph)
    assert saved(graph, gpt()) == backward_work(graph, gpt()) == recompute_work(graph, gpt()) == ()


# --------------------------------------------------------------------------- kernels of backward

CORE = ("attention", "fused attention.core")


def test_backward_kernels_of_a_product_with_bias() -> None:
    """q = x·Wq + bq: dx and dWq are kernels of their own, dbq is the rest; dx is added to what k and v gave n1."""
    kernels = {e.kernel for e in backward_traffic(gpt_graph("layer"), gpt()) if e.primal == "layer.attention.q"}
    ends = {kernel.removeprefix("layer.attention.q:") for kernel in kernels}
    assert ends == {"dn1", "dWq", "backward"}


def test_a_fused_backward_moves_what_crosses_its_boundary() -> None:
    """Reads q, k, v and dc; writes dq, dk, dv: 7 tensors of sbh, nothing s×s."""
    graph = gpt_graph(*CORE)
    moved = [e for e in backward_traffic(graph, gpt()) if e.primal == "attention.core"]
    assert len({e.kernel for e in moved}) == 1
    assert {(e.access, e.what.removeprefix("∂").rsplit(".", 1)[-1]) for e in moved} == {
        *(("read", name) for name in "qkvc"),
        *(("write", name) for name in "qkv"),
    }
    again = [e for e in recompute_traffic(graph, gpt()) if e.primal == "attention.core"]
    assert again == []  # what S is rebuilt from is read by adjoints anyway
    for env in GPT_SIZES:
        assert value(moved, env) == 7 * 2 * env["s"] * env["b"] * env["h"]


def test_identities_cost_nothing() -> None:
    """The residual r = x + y passes its adjoint on to both as it is; only the norm's contribution is added."""
    graph = gpt_graph("layer")
    assert not [e for e in (*backward_work(graph, gpt()), *backward_traffic(graph, gpt())) if e.primal == "layer.r"]
    added = [e for e in backward_work(graph, gpt()) if "added" in e.because and e.what.startswith("layer.attention")]
    assert {e.kernel for e in added} == {"layer.attention.q:dn1", "layer.attention.k:dn1"}


def test_plans_name_what_has_an_adjoint() -> None:
    live = backward_plan(gpt_graph("gpt"), gpt()).live
    assert {"gpt.E", "gpt.Pos", "gpt.loss", "gpt.layer.attention.S"} <= live
    assert not {"gpt.tokens", "gpt.layer.attention.D.u", "gpt.loss.m"} & live
