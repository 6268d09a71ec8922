"""Parameters of every published configuration: those derived from its import are those of the framework's own model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.configs import CONFIGS
from tests.torch.derived import imported, numbers
from tests.torch.framework import build, parameters

BUFFERS = {"deepseek-v3": (61 - 3) * 256}
"""Router correction biases: published as parameters, in the framework a buffer."""


@pytest.mark.parametrize("name", CONFIGS)
def test_parameters_are_those_of_the_instantiated_model(name: str, tmp_path: Path) -> None:
    (derived,) = numbers(imported(CONFIGS[name], tmp_path), {}, "params(mine)")
    assert derived == parameters(build(CONFIGS[name], "meta")) + BUFFERS.get(name, 0)


def test_the_bias_is_a_buffer_of_its_own() -> None:
    buffers = dict(build(CONFIGS["deepseek-v3"], "meta").named_buffers())
    assert sum(b.numel() for name, b in buffers.items() if "correction_bias" in name) == BUFFERS["deepseek-v3"]
