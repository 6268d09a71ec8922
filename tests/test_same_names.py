"""A kernel, a statement and a tensor have one name in every command, also where a block calls an op twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import roofdsl

TWICE = """use "ops"
use "blocks"
let d = h/a

block layer(x[s,b,h]) -> y {
    o = x + gqa{qkv = qkv_rope}(rmsnorm(x))
    y = o + gated_mlp(rmsnorm(o))
}

config small { h = 64, a = 4, g = 2, f = 128, s = 16, b = 1 }
"""
SECOND = "rmsnorm#2"


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "twice.roof"
    file.write_text(TWICE, encoding="utf-8")
    return str(file)


def test_a_second_call_is_named_alike_everywhere(path: str, tmp_path: Path) -> None:
    kernels = roofdsl("eval", path, "--config", "small", "--machine", "h100_sxm", "--json").document["kernels"]
    names = [kernel["kernel"] for kernel in kernels if kernel["label"] == "rmsnorm"]
    assert names == ["layer.rmsnorm", f"layer.{SECOND}"]
    explained = roofdsl("explain", path, "saved(layer)").out
    assert f"\n{SECOND} = rmsnorm(o)\n" in explained
    assert f"{SECOND}[s,b,h] bf16" in explained
    refuted = roofdsl("verify", path, "--claim", "saved(layer) = 34sbh").out
    assert f"  {SECOND} " in refuted
    assert "  rmsnorm " in refuted
    drawn = tmp_path / "twice.dot"
    roofdsl("graph", path, "--of", "layer", "-o", str(drawn))
    text = drawn.read_text(encoding="utf-8")
    assert f'label="{SECOND}\\n' in text
    assert f'label=" {SECOND} [s, b, h] bf16' in text


def test_a_second_instance_of_a_block_too(tmp_path: Path) -> None:
    kernels = roofdsl("eval", "llama4", "--config", "llama_4_scout", "--machine", "h100_sxm", "--json").document[
        "kernels"
    ]
    assert any(kernel["kernel"].startswith("llama4.experts_layer#2.") for kernel in kernels)
    assert "experts_layer#2." in roofdsl("explain", "llama4", "saved(llama4)").out
    drawn = tmp_path / "llama4.dot"
    roofdsl("graph", "llama4", "-o", str(drawn))
    assert 'label="experts_layer#2"' in drawn.read_text(encoding="utf-8")
