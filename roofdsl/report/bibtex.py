"""BibTeX of the works that claims, measured facts and machines are taken from.

A `from "Korthikanti et al. 2022, eq. 1"` means the source declared with the text it begins with; what no declaration
covers is listed in comments, so that nothing is passed over silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from roofdsl.ir.library import Library
from roofdsl.report.markup import escape_latex
from roofdsl.report.plain import one_line
from roofdsl.source import Source
from roofdsl.syntax import ast

_KINDS = {"journal": "article", "booktitle": "inproceedings", "institution": "techreport", "school": "phdthesis"}
"""The kind of an entry, by a field that tells it; else `misc`."""
_VERBATIM = frozenset(("url", "doi", "eprint", "year"))
_CORRECTED = re.compile(r"^(?:corrected|adapted) from ")
_URL = re.compile(r"https?://[^\s,]+")


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The works cited, each once, and the texts that name none that is declared."""

    works: tuple[ast.Reference, ...]
    machines: tuple[ast.Machine, ...]
    undeclared: tuple[str, ...]


def cited_texts(library: Library, source: Source) -> tuple[str, ...]:
    """What the claims and measured facts of a file say they are from, in its order."""
    clauses = (clause for claim in library.claims for clause in claim.clauses if clause.kind == "from")
    texts = [clause.text for clause in clauses if clause.text and clause.span.source is source]
    texts += [fact.source for fact in library.measured.values() if fact.source and fact.span.source is source]
    return tuple(dict.fromkeys(texts))


def bibliography(
    texts: Iterable[str], known: Mapping[str, ast.Reference], machines: Iterable[ast.Machine]
) -> Bibliography:
    """The works some texts name, of those that are known, and machines that state their sources."""
    works: dict[str, ast.Reference] = {}
    undeclared: dict[str, None] = {}
    for text in texts:
        work = find_work(text, known)
        if work is None:
            undeclared[text] = None
        else:
            works[work.name] = work
    stated = tuple(m for m in machines if any(isinstance(item, ast.Note) for item in m.items))
    return Bibliography(tuple(works.values()), stated, tuple(undeclared))


def find_work(text: str, known: Mapping[str, ast.Reference]) -> ast.Reference | None:
    """The work a text begins with; of several the one with the longest text."""
    bare = _CORRECTED.sub("", text)
    fitting = [work for work in known.values() if work.text and _begins(bare, work.text)]
    return max(fitting, key=lambda work: len(work.text), default=None)


def _begins(text: str, with_: str) -> bool:
    rest = text.removeprefix(with_)
    return text.startswith(with_) and not rest[:1].isalnum()


def render_bibtex(found: Bibliography) -> str:
    """The entries, then what is not declared as comments."""
    parts = [*(_work(work) for work in found.works), *(_machine(machine) for machine in found.machines)]
    if found.undeclared:
        shown = (one_line(text).replace("@", "(at)") for text in found.undeclared)  # an @ would begin an entry
        parts.append("\n".join(f"% no source is declared for: {text}" for text in shown))
    return "\n\n".join(parts) + "\n" if parts else ""


def _work(work: ast.Reference) -> str:
    fields = {field.name: field.text for field in work.fields}
    kind = fields.pop("type", None) or next((kind for name, kind in _KINDS.items() if name in fields), "misc")
    if "eprint" in fields:
        fields.setdefault("archivePrefix", "arXiv")
    return _entry(kind, work.name, fields)


def _machine(machine: ast.Machine) -> str:
    """A machine as its data sheets: what its sources say, in one note."""
    notes = [item.text for item in machine.items if isinstance(item, ast.Note)]
    urls = [url for note in notes for url in _URL.findall(note)]
    fields = {"key": machine.name, "title": machine.title or machine.name, "note": "; ".join(notes)}
    return _entry("misc", machine.name, fields | ({"url": urls[0]} if urls else {}))


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = [f"@{_letters(kind) or 'misc'}{{{key},", *(f"  {line}," for line in _fields(fields)), "}"]
    return "\n".join(lines)


def _fields(fields: Mapping[str, str]) -> Iterator[str]:
    """Titles and organizations stand in double braces: they keep their capitals, and are no names of people."""
    for name, text in fields.items():
        value = _balanced(one_line(text)) if name in _VERBATIM else escape_latex(one_line(text))
        whole = name in ("title", "organization")
        key = "author" if name == "organization" and "author" not in fields else _letters(name)
        yield f"{key} = {{{{{value}}}}}" if whole else f"{key} = {{{value}}}"


def _letters(name: str) -> str:
    return "".join(c for c in name if c.isascii() and c.isalpha())


def _balanced(text: str) -> str:
    """Text without what would end its field."""
    return "".join(c for c in text if c not in "{}")
