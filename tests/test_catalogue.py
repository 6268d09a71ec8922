"""The catalogue of diagnostics: complete, without doubles, and each entry stands alone as text."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from roofdsl.diagnostics import Kind
from roofdsl.errors.catalogue import TOPICS, all_kinds, find_kind

ROOT = Path(__file__).parent.parent
KINDS = all_kinds()


def test_every_module_of_the_folder_is_in_the_catalogue() -> None:
    files = {path.stem for path in (ROOT / "roofdsl" / "errors").glob("*.py")}
    assert set(TOPICS) == files - {"__init__", "catalogue"}


def test_no_kind_stands_outside_the_catalogue() -> None:
    outside = [
        str(path)
        for path in (ROOT / "roofdsl").rglob("*.py")
        if path.parent.name != "errors" and re.search(r"\bKind\(\s*\n?\s*[\"'][EN]\d", path.read_text(encoding="utf-8"))
    ]
    assert outside == []


def test_codes_are_unique() -> None:
    declared = [
        value.code
        for topic in TOPICS
        for module in [import_module(f"roofdsl.errors.{topic}")]
        for value in vars(module).values()
        if isinstance(value, Kind) and getattr(module, "__name__", "") == f"roofdsl.errors.{topic}"
    ]
    doubles = {code for code in declared if declared.count(code) > 1}
    same = {code for code in doubles if len({kind for kind in KINDS if kind.code == code}) == 1}
    assert doubles <= same, "one code, two kinds"
    assert len({kind.code for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_an_entry_stands_alone(kind: Kind) -> None:
    assert re.fullmatch(r"[EN]0[1-9]\d\d", kind.code)
    assert kind.code.startswith("N") == (kind.severity == "note")
    first = kind.title.split()[0]
    assert first[0].islower() or not first[0].isalpha() or first.isupper() or "`" in first, "titles are in lower case"
    assert not kind.title.endswith(".")
    assert len(kind.explanation.split()) >= 7, "the long form says more than the title"


def test_codes_are_found_in_any_case() -> None:
    kind = KINDS[0]
    assert find_kind(f" {kind.code.lower()} ") == kind
    assert find_kind("E9999") is None
