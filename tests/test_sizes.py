"""Every published size of the shipped families has a config of its name, and its figures are those of its `config.json`.

That the parameters are those of the framework's own model is in `tests/torch/test_parameters.py`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.opening import open_session
from roofdsl.passes.gather import load
from roofdsl.passes.listing import list_specs
from roofdsl.paths import specs_folder
from roofdsl.quantities.session import Session
from roofdsl.source import Source
from tests.commands import roofdsl
from tests.configs_sizes import SIZES as DECODERS
from tests.configs_sizes_encoders import MORE_SIZES
from tests.model_values import FILES, amount, shipped, value
from tests.published import CONFIGS
from tests.torch.derived import imported

ASKED = ("params({})", "active_params({})", "flops({})", "cache({})")
SHORT = {"s": 3, "b": 1, "t": 2}
"""Three tokens, of which two positions are cached: all widths and heads take part. Numbers are in 16 bit, as in the shipped texts."""
_CONFIG = re.compile(r"^config mine \{(.*?)\}\n", re.MULTILINE | re.DOTALL)


@cache
def opened(text: str) -> Session:
    """A session over an imported text without its config, which many sizes share."""
    sink = Sink()
    library = load(Source("imported", text), sink, folder=None, mentions=" ".join(ASKED))
    sink.stop_on_errors()
    return open_session(library)


def read(text: str) -> tuple[str, dict[str, int]]:
    """An imported text without comments and config, and the config's sizes."""
    (config,) = _CONFIG.findall(text)
    sizes = {name: int(size) for name, size in re.findall(r"(\w+) = (\d+)", config)}
    plain = _CONFIG.sub("", text)
    return "\n".join(line for line in plain.splitlines() if line and not line.startswith("#")) + "\n", sizes


SIZES = DECODERS | MORE_SIZES
UNSHIPPED = {
    "albert-for-classes",
    "albert-for-tokens",
    "bert-for-classes",
    "bert-for-tokens",
    "deberta-for-classes",
    "deberta-for-tokens",
    "distilbert-base",
    "distilbert-for-answers",
    "distilbert-for-classes",
    "e5-mistral-7b",
    "electra-for-classes",
    "electra-for-tokens",
    "glm-4.7-flash",
    "glm-5",
    "grok-1",
    "llama-2-7b-body",
    "mimo-7b",
    "ministral-3b-windows",
    "mistral-7b-reward",
    "olmo-1b",
    "qwen2-7b-body",
    "qwen2.5-7b-reward",
    "qwen3-8b-body",
    "qwen3-8b-reward",
    "qwen3-vl-30b-a3b",
    "roberta-for-answers",
    "roberta-for-classes",
    "skywork-reward-llama-3.1-8b",
    "smolvlm2-256m",
    "t5-rectified",
    "vit-b16-in21k",
}
"""Published files whose sizes have no config of their name in `specs/models`; their imports are tested in `tests/torch`."""
SHIPPED = {name: config for name, config in CONFIGS.items() if name not in UNSHIPPED}


def test_all_sizes_ship() -> None:
    assert [name for name in SIZES if shipped(name) not in FILES] == []
    assert {name for name in CONFIGS if shipped(name) not in FILES} == UNSHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_config_has_the_parameters_of_the_published_file(name: str, tmp_path: Path) -> None:
    text, sizes = read(imported(SHIPPED[name], tmp_path))
    assert value(shipped(name), "params({})") == amount(opened(text), "params(mine)", **sizes)


@pytest.mark.parametrize("name", SIZES)
def test_a_shipped_size_has_the_figures_of_the_published_file(name: str, tmp_path: Path) -> None:
    text, sizes = read(imported(SIZES[name] | {"torch_dtype": "bfloat16"}, tmp_path))
    derived = [amount(opened(text), quantity.format("mine"), **(sizes | SHORT)) for quantity in ASKED]
    assert [value(shipped(name), quantity, **SHORT) for quantity in ASKED] == derived


def test_the_name_of_a_config_is_enough() -> None:
    by_name = roofdsl("eval", "llama_3_70b", "params(llama)", "--json").document
    assert (
        by_name["results"]
        == roofdsl("eval", "llama", "params(llama)", "--config", "llama_3_70b", "--json").document["results"]
    )
    assert by_name["results"][0]["number"]["exact"] == "70553706496"
    assert "is a config of `llama`" in roofdsl("derive", "llama_3_70b", "params(llama)").err


def test_where_a_config_is_no_file_its_file_is_named() -> None:
    assert "`roofdsl eval mamba --config mamba_370m`" in roofdsl("verify", "mamba_370m").err
    assert "did you mean `qwen2_5_14b`?" in roofdsl("eval", "qwen25_14b", "params(qwen2_5)").err


def test_no_paper_hides_a_size_of_the_model_it_uses() -> None:
    """A config of the same name would be declared twice."""
    papers = [spec for spec in list_specs() if spec.name.startswith("papers/")]
    found = [(spec.name, name) for spec in papers for name in spec.of_kind("config") if name in used(spec.name)]
    assert found == []


def used(name: str) -> set[str]:
    """The configs of the models a shipped text uses."""
    text = (specs_folder() / f"{name}.roof").read_text("utf-8")
    return {
        c
        for c, spec in FILES.items()
        if spec.name.removeprefix("models/") in re.findall(r'^use "(?:models/)?(\w+)"', text, re.MULTILINE)
    }
