"""Parameters of every published configuration: those derived from its import are those of the framework's own model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.configs_sizes import SIZES as DECODERS
from tests.configs_sizes_encoders import MORE_SIZES
from tests.model_values import shipped, value
from tests.published import CONFIGS
from tests.torch.derived import imported, numbers
from tests.torch.framework import build, corrections, has, parameters

SIZES = DECODERS | MORE_SIZES
BUILT = [name for name, config in CONFIGS.items() if has(config)]


def test_nearly_all_are_built() -> None:
    assert len(BUILT) >= 75


@pytest.mark.parametrize("name", BUILT)
def test_parameters_are_those_of_the_instantiated_model(name: str, tmp_path: Path) -> None:
    (derived,) = numbers(imported(CONFIGS[name], tmp_path), {}, "params(mine)")
    model = build(CONFIGS[name], "meta")
    assert derived == parameters(model) + corrections(model)


@pytest.mark.parametrize("name", [name for name, config in SIZES.items() if has(config)])
def test_shipped_sizes_are_those_of_the_instantiated_models(name: str) -> None:
    model = build(SIZES[name], "meta")
    assert value(shipped(name), "params({})") == parameters(model) + corrections(model)


def test_the_bias_is_a_buffer_of_its_own() -> None:
    assert corrections(build(CONFIGS["deepseek-v3"], "meta")) == (61 - 3) * 256
