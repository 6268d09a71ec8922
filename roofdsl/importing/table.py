"""Reads the tables of `specs/import/`: which field of a configuration is which dim of which shipped model.

A table is lines of text; what they mean is written at the head of `specs/import/common.txt`. Groups are lines that
several architectures share. Nothing here knows a field or an architecture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from roofdsl.diagnostics import InternalError
from roofdsl.paths import specs_folder
from roofdsl.source import Source, Span

KEYWORDS = ("inside", "use", "model", "field", "need", "default", "ignore", "note", "dtype", "swap", "part")
_BINDING = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its keyword (`bind` for `NAME = …`), what follows, the condition after `if`, the reason after `;`."""

    keyword: str
    text: str
    condition: str
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of some architectures; `names` are those of `architectures`, `types` those of `model_type`."""

    names: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()

    def of(self, *keywords: str) -> tuple[Line, ...]:
        """Its lines of these keywords, in order."""
        return tuple(line for line in self.lines if line.keyword in keywords)


@dataclass(slots=True)
class _Reading:
    groups: dict[str, list[Line]] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    current: list[Line] | None = None


def import_folder() -> Path:
    """Where the tables are."""
    return specs_folder() / "import"


@cache
def rows_of(file: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table in columns, below its line of titles."""
    lines = (import_folder() / file).read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))[1:]


def read_tables(folder: Path | None = None) -> tuple[Table, ...]:
    """All tables, in the order of their files' names. Groups may be used by later files: `common` comes first."""
    reading = _Reading()
    for path in sorted((folder or import_folder()).glob("*.txt")):
        _read(Source(path.name, path.read_text(encoding="utf-8")), reading)
    return tuple(reading.tables)


def _read(source: Source, reading: _Reading) -> None:
    reading.current = None
    for text, span in _logical_lines(source):
        keyword, _, rest = text.partition(" ")
        match keyword:
            case "group":
                reading.current = reading.groups.setdefault(rest.strip(), [])
            case "architecture":
                reading.current = None
                reading.tables.append(Table(_list(rest)))
            case "type":
                reading.tables[-1] = replace(reading.tables[-1], types=_list(rest))
            case "with":
                for name in _list(rest):
                    _add(reading, *_group(reading, name, span))
            case _:
                _add(reading, _line(keyword, rest, text, span))


def _add(reading: _Reading, *lines: Line) -> None:
    if reading.current is not None:
        reading.current.extend(lines)
    else:
        table = reading.tables[-1]
        reading.tables[-1] = replace(table, lines=table.lines + lines)


def _group(reading: _Reading, name: str, span: Span) -> list[Line]:
    if name not in reading.groups:
        raise InternalError(f"{_where(span)}: no group `{name}`")
    return reading.groups[name]


def _line(keyword: str, rest: str, text: str, span: Span) -> Line:
    body, _, reason = (rest if keyword in KEYWORDS else text).partition(" ; ")
    body, _, condition = body.partition(" if ")
    if keyword not in KEYWORDS and _BINDING.fullmatch(body.strip()) is None:
        raise InternalError(f"{_where(span)}: not a line of a table: {text}")
    return Line(keyword if keyword in KEYWORDS else "bind", body.strip(), condition.strip(), reason.strip(), span)


def _logical_lines(source: Source) -> list[tuple[str, Span]]:
    """Lines without comments; one that ends in a comma goes on."""
    lines: list[tuple[str, Span]] = []
    offset, begun, start = 0, "", 0
    for raw in source.text.splitlines(keepends=True):
        text = raw.split("#", 1)[0].strip()
        start = start if begun else offset
        begun = f"{begun} {text}".strip()
        offset += len(raw)
        if begun and not begun.endswith(","):
            lines.append((re.sub(r"\s+", " ", begun), Span(source, start, offset)))
            begun = ""
    return lines


def binding(line: Line) -> tuple[str, str]:
    """The name and the right side of `NAME = …`."""
    found = _BINDING.fullmatch(line.text)
    if found is None:
        raise InternalError(f"{_where(line.span)}: expected NAME = …")
    return found[1], found[2]


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def names_in(line: Line) -> tuple[str, ...]:
    """The comma-separated words of a line."""
    return _list(line.text)


def _where(span: Span) -> str:
    return f"{span.source.name}:{span.source.position(span.start)[0]}"
