"""Every shipped model equals its published counts to the unit: parameters, active ones, FLOP and cache per token.

Expected integers, with their sources, are in `data/models.json`; the left sides are derived from `specs/models`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roofdsl.cli.checking import check_file
from roofdsl.report.verdict import render_verdict
from roofdsl.verify.verdict import verify_claim
from tests.model_values import FILES, session, value

FACTS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "models.json").read_text("utf-8"))["models"]


def ids(facts: list[dict[str, Any]]) -> list[str]:
    return [fact["config"] for fact in facts]


ACTIVE = [fact for fact in FACTS if "active_params" in fact]
PER_TOKEN = [fact for fact in FACTS if "forward_flop_per_token" in fact]


@pytest.mark.parametrize("fact", FACTS, ids=ids(FACTS))
def test_parameters(fact: dict[str, Any]) -> None:
    assert value(fact["config"], "params({})") == fact["params"]


@pytest.mark.parametrize("fact", ACTIVE, ids=ids(ACTIVE))
def test_active_parameters(fact: dict[str, Any]) -> None:
    """Publishers differ in whether the input embedding counts; the whole table less the row of one token is what they
    add. Ours is what one token touches, so one row.
    """
    table = value(fact["config"], "params({}.E)")
    row = value(fact["config"], "h")
    active = value(fact["config"], "active_params({})")
    assert active - row == fact["active_params_without_embedding"]
    assert active - row + table == fact["active_params"]


@pytest.mark.parametrize("fact", PER_TOKEN, ids=ids(PER_TOKEN))
def test_flop_and_cache_per_token(fact: dict[str, Any]) -> None:
    """FLOP of one and of two positions tell what is linear in them from the attention core (design §4: full square)."""
    config = fact["config"]
    one = value(config, "flops({})", s=1, b=1)
    two = value(config, "flops({})", s=2, b=1)
    core = (two - 2 * one) / 2
    assert core == fact["attention_flop_per_token_and_position"]
    assert one - core == fact["forward_flop_per_token"] == 2 * fact["matmul_weights_per_token"]
    assert value(config, "cache({})", s=1, t=1, b=1) / 2 == fact["cache_elements_per_token"]


STORED = [fact for fact in FACTS if "stored_elements" in fact]
MORE = {
    "tied matrix twice": "params({}.E)",
    "+ L*64 rotary buffer values": "L d / 2",
    "+ one MTP layer 11,610,068,224 + second copies of both embedding matrices 1,853,358,080": (
        "params({}_mtp) - params({}) + 2 V h"
    ),
    "another upload of the same shape: + one scale byte per 32 expert weights": "3 L X h F / 32",
}
"""What a published file stores beyond the parameters, in the model's own terms."""


@pytest.mark.parametrize("fact", STORED, ids=ids(STORED))
def test_stored_tensors_are_explained(fact: dict[str, Any]) -> None:
    config = fact["config"]
    more = value(config, MORE[fact["stored_because"]])
    assert value(config, "params({})") + more == fact["stored_elements"]


@pytest.mark.parametrize("name", sorted({spec.name for spec in FILES.values()}))
def test_every_model_file_is_sound(name: str) -> None:
    checked = check_file(name)
    assert checked.diagnostics == ()


WHOLE = sorted(config for config, spec in FILES.items() if spec.of_kind("model") and config not in ("decode", "step"))


@pytest.mark.parametrize("config", WHOLE)
def test_every_config_evaluates(config: str) -> None:
    """All sizes a model needs have values in its config: work, traffic and memory of training and inference."""
    for quantity in ("flops({}, train)", "bytes({})", "saved({})", "bytes({}, infer)", "memory({}, train)"):
        assert value(config, quantity) > 0


@pytest.mark.parametrize("name", sorted({spec.name for spec in FILES.values()}))
def test_claims_of_the_models_stand(name: str) -> None:
    one = session(name)
    for claim in one.library.claims:
        found = verify_claim(claim, one)
        assert found.passed, render_verdict(found, one)


def test_a_router_has_a_time_too() -> None:
    """What an op declares as work runs in the format of its kind, so that a machine can say how long it takes."""
    assert value("mixtral_8x7b", "time({}, h100_sxm)") > 0
