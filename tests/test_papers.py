"""The papers library: every published figure is accounted for, every claim stands, and nothing is compared with itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from roofdsl.cli import codes
from roofdsl.quantities.ask import OF_MACHINES
from roofdsl.quantities.session import Session
from roofdsl.report.scoreboard import Tally, scoreboard_table, tally, total
from roofdsl.report.verdict import claim_text, render_verdict
from roofdsl.syntax import ast
from roofdsl.verify.verdict import Verdict, verify_claim
from tests.asking import code_of, spec
from tests.commands import roofdsl

ROOT = Path(__file__).parent.parent
SPECS = ROOT / "specs"
PAPERS = sorted(str(path.relative_to(SPECS).with_suffix("")) for path in (SPECS / "papers").rglob("*.roof"))
REASONS = {"measurement": 26, "communication": 24, "arithmetic": 18, "fact": 8, "layouts": 4}
WRONG = ("erratum", "unreproducible")


@dataclass(frozen=True)
class Published:
    """A figure somebody published: where a claim derives it, or why none does."""

    id: str
    status: str
    file: str
    claim: str

    @property
    def derived(self) -> bool:
        return self.file != "-"


def _read() -> tuple[Published, ...]:
    lines = (ROOT / "tests" / "data" / "published.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(Published(*line.split("\t")) for line in lines if not line.startswith("#"))


PUBLISHED = _read()
FILES = sorted({published.file for published in PUBLISHED if published.derived})


@cache
def session_of(name: str) -> Session:
    return spec(name)


def claims_of(name: str) -> tuple[ast.Claim, ...]:
    """The claims of the file itself, without those of what it uses."""
    stem = name.rsplit("/", 1)[-1]
    return tuple(c for c in session_of(name).library.claims if Path(c.span.source.name).stem == stem)


@cache
def verdicts_of(name: str) -> tuple[Verdict, ...]:
    return tuple(verify_claim(claim, session_of(name)) for claim in claims_of(name))


def source_of(claim: ast.Claim) -> str | None:
    return next((clause.text for clause in claim.clauses if clause.kind == "from"), None)


def text_of(claim: ast.Claim) -> str:
    """A claim as written, on one line, without `claim` and its source."""
    text = claim.span.text.strip().removeprefix("claim").strip()
    return " ".join(text.split(' from "')[0].split())


# ------------------------------------------------------------------------------------------ what is accounted for


def test_every_figure_is_listed_once() -> None:
    assert len(PUBLISHED) == 598
    assert len({published.id for published in PUBLISHED}) == 598
    statuses = Counter(published.status for published in PUBLISHED)
    assert statuses == {"consistent": 536, "erratum": 36, "rounding": 15, "unreproducible": 11}


def test_what_is_left_out_has_a_reason() -> None:
    assert Counter(published.claim for published in PUBLISHED if not published.derived) == REASONS


@pytest.mark.parametrize("file", FILES)
def test_every_figure_has_its_claim(file: str) -> None:
    found = {key: claim for claim in claims_of(file) for key in (source_of(claim), text_of(claim))}
    for published in PUBLISHED:
        if published.file != file:
            continue
        assert published.claim in found, f"{published.id}: {file} has no claim {published.claim!r}"


def test_a_figure_that_is_wrong_is_refuted_or_corrected() -> None:
    for published in PUBLISHED:
        if not published.derived or published.status not in WRONG:
            continue
        claims = [c for c in claims_of(published.file) if published.claim in (source_of(c), text_of(c))]
        assert any(_says_it_is_wrong(c) for c in claims), f"{published.id}: {published.claim}"


def _says_it_is_wrong(claim: ast.Claim) -> bool:
    return claim.negated or (source_of(claim) or "").startswith("corrected from")


# ------------------------------------------------------------------------------------------ what stands


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_of_the_papers_stands(paper: str) -> None:
    assert verdicts_of(paper)
    for verdict in verdicts_of(paper):
        assert verdict.passed, render_verdict(verdict, session_of(paper))
        assert verdict.decided


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_has_a_source(paper: str) -> None:
    assert all(source_of(claim) for claim in claims_of(paper))


@pytest.mark.parametrize("paper", PAPERS)
def test_no_claim_compares_typed_arithmetic(paper: str) -> None:
    for verdict in verdicts_of(paper):
        figures = any(f"{figure}(" in verdict.claim.left.span.text for figure in OF_MACHINES)
        assert verdict.question.left_quantities or figures, claim_text(verdict)
        assert verdict.claim.left != verdict.claim.right


def test_typed_arithmetic_cannot_be_claimed() -> None:
    assert code_of(session_of("models/gpt3"), "24bsh² + 4bs²h = 4bsh(6h + s)") == "E0707"


# ------------------------------------------------------------------------------------------ the scoreboard

SMALL = """
dim h

block f(x[h]) -> y {
    let i = h
    param W[h,i]
    y[i] = sum(x[h] * W[h,i])
}
"""


def test_the_scoreboard_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "a.roof").write_text(
        SMALL + "claim params(f) = h²\nclaim not params(f) = h off by h - h²\n", encoding="utf-8"
    )
    (tmp_path / "b.roof").write_text(SMALL + "claim params(f) = 2h²\n", encoding="utf-8")
    ran = roofdsl("verify", str(tmp_path))
    assert ran.code == codes.WRONG
    head, *_, ours, theirs, sums, last = (line.split() for line in ran.out.splitlines())
    assert head[0] == "refuted"  # what passes is counted, what fails is shown
    assert ours[1:] == ["2", "1", "1", "–", "–"]
    assert theirs[1:] == ["1", "–", "–", "–", "1"]
    assert sums == ["total", "3", "1", "1", "–", "1"]
    assert " ".join(last) == "2 passed, 1 failed, 0 undecided"


def test_one_file_has_no_scoreboard(tmp_path: Path) -> None:
    path = tmp_path / "a.roof"
    path.write_text(SMALL + "claim params(f) = h²\n", encoding="utf-8")
    ran = roofdsl("verify", str(path))
    assert ran.out.startswith("proved")
    assert "total" not in ran.out


def test_tallies_add_up() -> None:
    verdicts = verdicts_of("papers/narayanan_2021")
    found = tally("n", verdicts, broken=2)
    assert (found.passed, found.refuted, found.undecided, found.failed) == (len(verdicts), 2, 0, 2)
    assert total((found, found)).claims == 2 * found.claims
    assert total(()) == Tally("total")
    assert len(scoreboard_table((found, Tally("empty"))).rows) == 2
