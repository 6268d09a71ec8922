"""Tiles and waves: exact ceilings, the published cases, and what they do to a roofline."""

from __future__ import annotations

from fractions import Fraction

import pytest

from roofdsl.diagnostics import RoofError, Sink
from roofdsl.evaluate.bind import Binding
from roofdsl.evaluate.describe import named_machine
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.model import bind_subject, evaluate_subject, products_of
from roofdsl.evaluate.opening import open_session
from roofdsl.evaluate.settings import read_setting
from roofdsl.evaluate.tiling import Tiling, array_tiling, read_tiling, tiles_formula, waves_formula, waves_of
from roofdsl.ir.size import ONE, Symbol, const
from roofdsl.measures.products import MatrixProduct
from roofdsl.passes.load import load, load_named
from roofdsl.quantities.subject import Subject
from roofdsl.source import NOWHERE, Source

LIBRARY = load(Source("empty", ""), Sink(), folder=None)
SQUARE = MatrixProduct("y", ONE, Symbol("n"), Symbol("n"), Symbol("n"))


def machine(name: str) -> Machine:
    return named_machine(name, LIBRARY, Sink())


@pytest.mark.parametrize(("n", "tiles", "waves", "busy"), [(1792, 98, 1, "0.9074"), (1793, 120, 2, "0.5556")])
def test_one_column_more_needs_a_second_wave(n: int, tiles: int, waves: int, busy: str) -> None:
    tiling = read_tiling("256x128", machine("a100_80gb"), NOWHERE)
    assert tiling.units == 108
    found = waves_of(SQUARE, tiling, Binding({"n": n}))
    assert (found.tiles, found.waves) == (tiles, waves)
    assert round(float(found.busy), 4) == float(busy)


def test_133_tiles_on_132_units_cost_264() -> None:
    tiling = read_tiling("128x128", machine("h100_sxm"), NOWHERE)
    found = waves_of(MatrixProduct("y", ONE, const(133 * 128), const(128), const(64)), tiling, Binding())
    assert (found.tiles, found.waves, found.waves * tiling.units) == (133, 2, 264)
    assert found.last == Fraction(1, 132)
    assert found.slower == Fraction(264, 133)


def test_a_vocabulary_that_is_no_multiple_is_padded() -> None:
    tiling = Tiling(1, 64)
    odd, even = (
        waves_of(MatrixProduct("y", ONE, const(8), const(v), const(768)), tiling, Binding()) for v in (50257, 50304)
    )
    assert odd.padded == even.padded == (8, 50304, 768)
    assert odd.useful == Fraction(50257, 50304)
    assert even.useful == 1


def test_a_systolic_array_pads_columns_and_inner_size() -> None:
    tiling = array_tiling(machine("tpu_v5e"))
    assert tiling == Tiling(1, 128, 128)
    found = waves_of(MatrixProduct("y", ONE, const(8), const(130), const(100)), tiling, Binding())
    assert found.padded == (8, 256, 128)
    assert array_tiling(machine("h100_sxm")) is None


@pytest.mark.parametrize("n", [1, 127, 128, 129, 1792, 1793, 4096])
def test_the_formulas_agree_with_the_numbers(n: int) -> None:
    tiling = Tiling(256, 128, 64, 108)
    binding = Binding({"n": n})
    found = waves_of(SQUARE, tiling, binding)
    assert binding.value(tiles_formula(SQUARE, tiling)) == found.tiles
    assert binding.value(waves_formula(SQUARE, tiling)) == found.waves


@pytest.mark.parametrize("text", ["256", "0x128", "256x-1", "axb", "256x128x64x2", ""])
def test_other_text_is_no_tile(text: str) -> None:
    with pytest.raises(RoofError) as caught:
        read_tiling(text, machine("h100_sxm"), NOWHERE)
    assert caught.value.diagnostics[0].kind.code == "E0820"


def test_a_layer_is_taken_apart_into_its_products() -> None:
    session = open_session(load_named("gpt3", Sink())[1])
    layer = Subject("layer", text="layer")
    forward = {p.kernel: p for p in products_of(session, layer, "forward")}
    binding = bind_subject(session, layer, [("gpt3_175b", NOWHERE)])
    sizes = {
        name: tuple(binding.value(part) for part in (p.batch, p.rows, p.inner, p.columns))
        for name, p in forward.items()
    }
    assert sizes["layer.attention.q"] == (1, 2048, 12288, 12288)
    assert sizes["layer.attention.S"] == (96, 2048, 128, 2048)
    assert sizes["layer.mlp.u"] == (1, 2048, 12288, 49152)
    train = products_of(session, layer, "train")
    assert len(train) == 3 * len(forward)
    assert all(binding.value(a) > 0 for p in train for a in (p.batch, p.rows, p.inner, p.columns))


def test_experts_chosen_by_an_index_are_no_single_product() -> None:
    session = open_session(load_named("mixtral", Sink())[1])
    found = {p.kernel for p in products_of(session, Subject("mixtral", text="mixtral"), "forward")}
    assert any("router" in kernel for kernel in found)
    assert not any("experts" in kernel for kernel in found)


def test_waves_make_products_slower_and_nothing_else() -> None:
    session = open_session(load_named("primer", Sink())[1])
    subject = Subject("gemm", text="gemm")
    settings = [s for text in ("M=1793", "K=1793", "n=1793") if (s := read_setting(text, Sink())) is not None]
    binding = bind_subject(session, subject, (), settings)
    a100 = machine("a100_80gb")
    plain = evaluate_subject(session, subject, a100, binding)
    tiled = evaluate_subject(session, subject, a100, binding, tiling=Tiling(256, 128, 1, 108))
    assert tiled.time / plain.time == Fraction(2 * 108 * 256 * 128, 1793**2)
    assert tiled.kernels[0].parts["memory"] == plain.kernels[0].parts["memory"]


def test_units_stand_in_for_a_machine() -> None:
    from tests.commands import roofdsl

    asked = ("tiles", "primer", "--of", "gemm", "--config", "wide", "--tile", "128x128")
    ran = roofdsl(*asked, "--units", "132")
    assert "2,048     16" in ran.out
    assert "ceil(ceil(M/128)·ceil(n/128)/132)" in ran.out
    assert roofdsl(*asked, "--units", "132", "--json").document["machine"] is None
    assert "at least 1" in roofdsl(*asked, "--units", "0").err
