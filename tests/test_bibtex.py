"""BibTeX of what claims are from: declared works by the text a `from` begins with, machines by their data sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roofdsl.cli import codes
from roofdsl.diagnostics import Sink
from roofdsl.passes.references import shipped_references
from roofdsl.report.bibtex import find_work
from roofdsl.source import Source
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_file
from tests.commands import roofdsl

PAPERS = sorted((Path(__file__).parent.parent / "specs" / "papers").glob("*.roof"))
FILE = r"""use "gpt3"

source mine2026 "Mine 2026" {
    author "Doe, Jane and Müller, Jörg"
    title "50% of C_1 & more"
    journal "Notes"
    year "2026"
    url "https://example.org/a_b#c"
}
source group "Mine 2026, part two" { organization "A Group", title "Other" }

claim saved(mlp) = 19sbh from "Mine 2026, eq. 1"
claim not saved(mlp) = 18sbh from "corrected from Mine 2026, eq. 2"
claim saved(mlp) <= 20sbh from "Mine 2026, part two: a bound"
claim saved(mlp) >= 18sbh from "Mine 20261 @ page 2"
claim saved(layer) = 34sbh + 5as²b from "Korthikanti et al. 2022, eq. 1"
"""


def entries(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Kind and fields of each entry; fails for what BibTeX would not read."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    bare = re.sub(r"^%.*\n?", "", text, flags=re.MULTILINE)
    for kind, key, body in re.findall(r"^@([a-z]+)\{([A-Za-z0-9_]+),\n(.*?)^\}$", bare, re.MULTILINE | re.DOTALL):
        fields = re.findall(r"^  ([A-Za-z]+) = \{(.*)\},$", body, re.MULTILINE)
        assert len(fields) == len(body.splitlines())
        for _, value in fields:
            plain = re.sub(r"\\[{}]", "", value)
            assert plain.count("{") == plain.count("}")
        found[key] = kind, dict(fields)
    assert len(found) == len(re.findall("^@", bare, re.MULTILINE))
    return found


def test_the_works_a_file_cites(tmp_path: Path) -> None:
    path, out = tmp_path / "mine.roof", tmp_path / "refs.bib"
    path.write_text(FILE, encoding="utf-8")
    assert roofdsl("bib", str(path), "-o", str(out)).code == codes.FINE
    text = out.read_text(encoding="utf-8")
    found = entries(text)
    assert list(found) == ["mine2026", "group", "korthikanti2022"]
    kind, fields = found["mine2026"]
    assert kind == "article"
    assert fields["author"] == "Doe, Jane and Müller, Jörg"
    assert fields["title"] == r"{50\% of C\_1 \& more}"
    assert fields["url"] == "https://example.org/a_b#c"
    assert found["group"][1]["author"] == "{A Group}"
    assert found["korthikanti2022"][1]["archivePrefix"] == "arXiv"
    assert text.endswith("% no source is declared for: Mine 20261 (at) page 2\n")


def test_machines_are_cited_by_their_data_sheets() -> None:
    found = entries(roofdsl("bib", "machines/h100_sxm").out)
    assert "NVIDIA H100" in found["h100_sxm"][1]["title"]
    assert "whitepaper" in found["h100_sxm"][1]["note"]


def test_a_file_that_cites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bare.roof"
    path.write_text("dim s\n", encoding="utf-8")
    ran = roofdsl("bib", str(path))
    assert ran.code == codes.FINE
    assert not entries(ran.out)


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_every_declared_source_is_cited_where_it_stands(path: Path) -> None:
    sink = Sink()
    file = parse_file(Source(path.name, path.read_text(encoding="utf-8")), sink)
    works = {d.name: d for d in file.declarations if isinstance(d, ast.Reference)}
    clauses = (clause for d in file.declarations if isinstance(d, ast.Claim) for clause in d.clauses)
    texts = [clause.text for clause in clauses if clause.text]
    texts += [d.source for d in file.declarations if isinstance(d, ast.MeasuredFact) and d.source]
    cited = {work.name for text in texts if (work := find_work(text, works)) is not None}
    assert cited == set(works)


def test_shipped_works_have_names_of_their_own() -> None:
    known = shipped_references()
    assert len(known) >= 25
    texts = [work.text for work in known.values()]
    assert len(texts) == len(set(texts))
    for work in known.values():
        fields = {field.name for field in work.fields}
        assert "title" in fields, work.name
        assert fields & {"author", "organization"}, work.name
        assert fields & {"eprint", "url", "doi"}, work.name


def test_arxiv_numbers_are_well_formed_their_own_and_of_their_year() -> None:
    numbers: list[str] = []
    for work in shipped_references().values():
        fields = {field.name: field.text for field in work.fields}
        if "eprint" not in fields:
            continue
        number = re.fullmatch(r"(\d\d)(0[1-9]|1[0-2])\.\d{5}", fields["eprint"])
        assert number is not None, work.name
        assert int(fields["year"]) - (2000 + int(number[1])) in (0, 1), work.name  # of its number or of its printing
        numbers.append(number[0])
    assert len(numbers) >= 20
    assert len(numbers) == len(set(numbers))


def test_titles_persons_and_addresses_are_written_alike() -> None:
    for work in shipped_references().values():
        fields = {field.name: field.text for field in work.fields}
        assert not fields["title"].endswith("."), work.name
        assert re.fullmatch(r"https://\S+", fields.get("url", "https://arxiv.org")), work.name
        for person in fields.get("author", "").split(" and "):
            assert re.fullmatch(r"|\w+|[^,]+, [^,]+", person), (
                work.name
            )  # nobody, a pen name or others, or a family name first


def test_a_source_is_declared_once() -> None:
    sink = Sink()
    text = 'source a "A" { title "x" }\nsource a "B" { title "y" }\n'
    from roofdsl.passes.load import load

    load(Source("test", text), sink, folder=None)
    assert [d.kind.code for d in sink.errors] == ["E0202"]
    assert "a source" in sink.errors[0].primary.text
