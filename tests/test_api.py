"""The Python API: SymPy expressions on the model's symbols, numbers, verdicts, graphs, and how they show themselves."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
import sympy

import roofdsl as rd

OP = 'use "ops"\ndim s\ndim h\nblock f(x[s, h]) -> y { y = softmax(x) }\n'


@pytest.fixture(scope="module")
def model() -> rd.Model:
    return rd.load("gpt3")


def test_public_names_are_few_and_documented() -> None:
    assert len(rd.__all__) <= 12
    for name in rd.__all__:
        assert getattr(rd, name).__doc__, name
    assert set(rd.__all__) <= set(dir(rd))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = rd.nonsense


def test_public_methods_are_documented() -> None:
    for name in rd.__all__:
        owner = getattr(rd, name)
        if isinstance(owner, type) and owner.__module__.startswith("roofdsl.api"):
            public = [member for member in vars(owner) if not member.startswith("_")]
            described = [m for m in public if callable(getattr(owner, m)) or isinstance(vars(owner)[m], property)]
            assert all(getattr(owner, member).__doc__ for member in described), name


def test_quantities_are_sympy_expressions_on_the_symbols(model: rd.Model) -> None:
    s = model.symbols
    layer = model["layer"]
    assert sympy.expand(layer.saved - (34 * s.s * s.b * s.h + 5 * s.a * s.s**2 * s.b)) == 0
    assert sympy.expand(layer.flops - (24 * s.b * s.s * s.h**2 + 4 * s.b * s.s**2 * s.h)) == 0
    assert s.s.is_positive
    assert s.s.is_integer
    assert layer.saved.subs({s.s: 2, s.b: 1, s.h: 1, s.a: 1}) == 88


def test_parts_take_braces_and_paths(model: rd.Model) -> None:
    s = model.symbols
    assert model["layer{checkpoint layer}"].saved == 2 * s.s * s.b * s.h
    assert model["gpt.layer.mlp"].flops == 16 * s.L * s.b * s.s * s.h**2


def test_an_unknown_quantity_or_subject(model: rd.Model) -> None:
    with pytest.raises(AttributeError, match="flops"):
        _ = model["layer"].flop
    with pytest.raises(rd.RoofError, match="E0703"):
        _ = model["lyer"].flops
    assert "saved" in dir(model["layer"])
    assert not hasattr(model["layer"], "_repr_png_")


def test_derive_gives_unit_and_basis(model: rd.Model) -> None:
    found = model.derive("flops(gpt, train)")
    assert (found.unit, str(found)) == ("FLOP", "72bLsh² + 12bLs²h + 6bshV")
    assert "paper" in found.basis
    assert found._repr_latex_() == f"${found.latex()}$"
    assert model["gpt"].derive("flops", "train").expr == found.expr
    assert model.derive("flops(layer)", under="exact").expr != model["layer"].flops


def test_time_is_a_closed_form_too(model: rd.Model) -> None:
    found = model.derive("time(layer)", machine="h100_sxm")
    assert found.unit == "s"
    assert found.expr.has(sympy.Max)


def test_verdicts(model: rd.Model) -> None:
    proved = model.verify("saved(layer) = 34sbh + 5as²b")
    assert (bool(proved), proved.outcome, proved.witness) == (True, "proved", {})
    refuted = model.verify("saved(layer) = 34sbh + 5asb")
    assert (bool(refuted), refuted.outcome) == (False, "refuted")
    assert refuted.witness == {"s": 2, "b": 1, "h": 1, "a": 1}
    assert "&lt;" not in refuted._repr_html_()
    assert all(model.verify_all())
    with pytest.raises(rd.RoofError, match="E01"):
        model.verify("saved(layer")


def test_numbers_are_exact(model: rd.Model) -> None:
    found = model.evaluate("flops(layer)", "time(layer)", config="gpt3_175b", machine="h100_sxm")
    assert found["flops(layer)"].number == 24 * 2048 * 12288**2 + 4 * 2048**2 * 12288
    assert isinstance(found["time(layer)"].number, Fraction)
    assert found["time(layer)"].printed.endswith("ms")
    assert "<table>" in found._repr_html_()


def test_sizes_come_from_configs_then_keywords(model: rd.Model) -> None:
    def saved(**sizes: int | str) -> Fraction:
        return model.evaluate("saved(mlp)", config="gpt3_175b", **sizes)["saved(mlp)"].number

    assert saved(s=4096) == 2 * saved()
    assert saved(s="4Ki") == saved(s=4096)
    with pytest.raises(rd.RoofError, match="E06"):
        saved(s=0)


def test_a_roofline(model: rd.Model) -> None:
    found = model.evaluate(of="layer", machine="h100_sxm", config="gpt3_175b")
    assert found.roofline is not None
    assert sum(kernel.time for kernel in found.kernels) == found.roofline.time
    assert {kernel.bound for kernel in found.kernels} == {"compute", "memory"}
    assert "Totals by bound" in str(found)
    with pytest.raises(rd.RoofError, match="E0811"):
        model.evaluate(of="layer", config="gpt3_175b")


def test_graphs(model: rd.Model, tmp_path: Path) -> None:
    graph = model["layer"].graph(machine="h100_sxm", config="gpt3_175b")
    assert graph.dot.startswith("digraph")
    assert graph._repr_svg_().startswith("<svg")
    graph.save(tmp_path / "layer.png")
    assert (tmp_path / "layer.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(rd.RoofError, match="E0802"):
        graph.save(tmp_path / "layer.gif")


def test_a_model_from_text() -> None:
    model = rd.load_text(OP)
    assert model.derive("flops(f)", under="exact").expr == 5 * model.symbols.s * model.symbols.h
    assert "f" in model.parts
    assert model._repr_html_().startswith("<table>")
    with pytest.raises(rd.RoofError, match="E01"):
        rd.load_text("block f( {")
    with pytest.raises(rd.RoofError, match="E0210"):
        rd.load("no/such/file.roof")


def test_a_model_is_iterated_by_the_names_of_its_parts(model: rd.Model) -> None:
    assert list(model) == list(model.parts)
    assert "layer" in model
    assert "nothing" not in model
    with pytest.raises(TypeError):
        model[0]


@pytest.mark.parametrize("size", [float("nan"), float("inf"), None])
def test_sizes_that_are_no_numbers(model: rd.Model, size: object) -> None:
    with pytest.raises(rd.RoofError, match="E0615"):
        model.evaluate("flops(layer)", config="gpt3_175b", s=size)
