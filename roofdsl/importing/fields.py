"""The fields of a model's configuration, wherever they come from: paths of names to values with their places.

A field of a nested configuration (`text_config`) is found by its own name once a table has said which one it looks
into. A null is an absent value that still stands in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from roofdsl.importing.json_text import Content, Value
from roofdsl.source import Source, Span


@dataclass(frozen=True, slots=True)
class Fields:
    """`root` is the whole object; `inside` the path of the part a table looks into first."""

    root: Value
    inside: tuple[str, ...] = ()
    defaults: Mapping[str, Content] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        return self.root.span.source

    def find(self, path: str) -> Value | None:
        """The value at a dotted path, looked for inside first; None if the file has no such field."""
        parts = tuple(path.split("."))
        found = walk(self.root, (*self.inside, *parts)) if self.inside else None
        return found or walk(self.root, parts)

    def content(self, path: str) -> Content:
        """What stands there, or the table's default where the field is absent; a null is None too."""
        found = self.find(path)
        return found.content if found is not None else self.defaults.get(path)

    def place(self, path: str) -> Span:
        """Where a field stands, or the beginning of the file where it does not."""
        found = self.find(path)
        return found.span if found is not None else self.beginning

    @property
    def beginning(self) -> Span:
        """The first character: the place of what is missing."""
        start = self.root.span.start
        return Span(self.source, start, min(start + 1, len(self.source.text)))

    def names(self) -> Iterator[tuple[str, Value]]:
        """Every field of the object and of the nested one looked into, by the path a table would use."""
        for name, value in (self.root.object or {}).items():
            if not self.inside or name != self.inside[0]:
                yield name, value
        part = walk(self.root, self.inside) if self.inside else None
        yield from ((part.object or {}) if part is not None else {}).items()


def walk(value: Value, path: tuple[str, ...]) -> Value | None:
    """The value at a path of names."""
    here: Value | None = value
    for part in path:
        inner = here.object if here is not None else None
        if inner is None:
            return None
        here = inner.get(part)
    return here


def kind_of(content: Content) -> str:
    """What a value is, in words."""
    match content:
        case None:
            return "null"
        case bool():
            return "true" if content else "false"
        case int():
            return str(content)
        case str():
            return f'"{content[:40]}"'
        case tuple():
            return f"a list of {len(content)}"
        case dict():
            return "an object"
        case _:
            return f"{float(content):g}"
