"""Verdicts and faults as data: what a program learns without taking a text apart, for every command that gives JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from roofdsl.cli import codes
from tests.commands import roofdsl


def verdict_of(*claim: str, spec: str = "gpt3") -> dict[str, Any]:
    (found,) = roofdsl("verify", spec, "--claim", *claim, "--json").document["verdicts"]
    return found


def test_a_refutation_has_every_finding_under_its_key() -> None:
    found = verdict_of('saved(layer) = 34sbh + 6as²b from "my appendix"')
    assert (found["outcome"], found["passed"], found["source"]) == ("refuted", False, "my appendix")
    assert found["claim"] == "saved(layer) = 34sbh + 6as²b"
    assert found["derived"]["sympy"] == "34*s*b*h + 5*a*s**2*b"
    assert found["claimed"]["text"] == "34sbh + 6as²b"
    assert (found["difference"]["text"], found["difference"]["sympy"]) == ("as²b", "a*s**2*b")
    assert found["witness"]["sizes"] == {"s": 1, "b": 1, "h": 1, "a": 1}
    assert (found["witness"]["derived"]["exact"], found["witness"]["claimed"]["exact"]) == ("39", "40")
    assert [c["what"] for c in found["contributors"]] == ["attention.P", "attention.D.u", "attention.D"]
    assert found["fault"] == {
        "span": {"file": "--claim", "line": 1, "column": 24, "end_line": 1, "end_column": 25},
        "found": "6",
        "right": "5",
    }
    assert found["lets"] == {"t": "s", "d": "h/a", "f": "4h"}
    assert found["domain"] == {"whole": ["d"], "declared": [], "when": []}
    assert found["unit"] == "B"
    assert found["location"]["file"] == "--claim"


def test_the_convention_under_which_a_claim_holds() -> None:
    exact = verdict_of("flops(mlp) = 16bsh² under exact")
    (change, *_) = exact["changes"]
    assert exact["holds_under"] == change["convention"] == "paper"
    assert (change["kinds"], change["identical"]) == (["convention"], True)
    assert exact["conventions"][0]["settings"]["work"] == "all"


def test_the_single_change_of_a_claim_about_numbers() -> None:
    found = verdict_of("cache(gpt) ~ 9.00 [GB] at gpt3_175b")
    assert found["changes"][0]["kinds"] == ["unit"]
    assert not found["changes"][0]["identical"]
    assert found["values"]["sizes"]["h"] == 12288
    assert Fraction(found["values"]["derived"]["exact"]) == 4 * 2048 * 96 * 12288
    assert Fraction(found["values"]["claimed"]["exact"]) == 9 * 10**9


def test_what_is_left_out_is_named_as_data() -> None:
    (cause,) = verdict_of("saved(layer) = 32sbh + 4as²b")["causes"]
    assert (cause["sense"], cause["name"], len(cause["entries"])) == ("left out", "kept masks", 3)


def test_other_verdicts_have_the_same_keys() -> None:
    proved = verdict_of("saved(layer) = 34sbh + 5as²b")
    order = verdict_of("saved(layer) <= 34sbh")
    limit = verdict_of("flops(layer)/saved(layer) -> 4 [FLOP/B] for s -> oo")
    assert set(proved) == set(order) == set(limit)
    assert (proved["witness"], proved["fault"], order["difference"]) == (None, None, None)
    assert limit["limit"]["sympy"] == "4*h/(5*a)"


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code"),
    [
        (("derive", "gpt3", "saved(nothing)"), codes.WRONG, "E0703"),
        (("explain", "nothing_of_this_name", "saved(layer)"), codes.WRONG, "E0210"),
        (("eval", "gpt3", "flops(layer)"), codes.WRONG, "E0610"),
        (("eval", "gpt3", "--config", "gpt3_175b"), codes.USAGE, "E0811"),
        (("crossover", "gpt3", "--machine", "nothing", "--in", "b"), codes.WRONG, "E0201"),
        (("tiles", "gpt3", "--machine", "nothing"), codes.WRONG, "E0201"),
        (("verify", "nothing_of_this_name"), codes.WRONG, "E0210"),
        (("check", "--unknown"), codes.USAGE, "E0817"),
        (("derive", "gpt3", "--shape"), codes.USAGE, "E0817"),
    ],
)
def test_faults_are_documents_too(arguments: tuple[str, ...], exit_code: int, code: str) -> None:
    ran = roofdsl(*arguments, "--json")
    document = ran.document
    assert (ran.code, document["kind"], document["exit_code"]) == (exit_code, "error", exit_code)
    found = document["diagnostics"][0]
    assert (found["code"], found["severity"]) == (code, "error")
    assert found["message"]
    assert found["span"]["line"] >= 1
    assert f"error[{code}]" in ran.err


def test_without_json_nothing_goes_to_standard_output() -> None:
    ran = roofdsl("derive", "gpt3", "--shape")
    assert (ran.code, ran.out) == (codes.USAGE, "")
    assert "error[E0817]" in ran.err


def test_claims_that_cannot_be_judged_stand_beside_those_that_can() -> None:
    ran = roofdsl("verify", "gpt3", "--claim", "saved(nothing) = s", "--claim", "saved(mlp) = 19sbh", "--json")
    document = ran.document
    assert [verdict["outcome"] for verdict in document["verdicts"]] == ["proved"]
    assert [(d["code"], d["span"]["file"]) for d in document["diagnostics"]] == [("E0703", "--claim")]
    assert document["summary"] == {"passed": 1, "failed": 1, "undecided": 0}
