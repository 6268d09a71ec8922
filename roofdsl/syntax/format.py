"""`roofdsl fmt`: the canonical text of a file, with its comments, its blank lines and the line breaks its author chose.

A statement that goes over several lines, or has a comment inside, keeps its own text. What comes out is read again and
compared; if its meaning or a comment had changed, nothing is written and the user is told.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

from roofdsl.diagnostics import Sink
from roofdsl.errors import syntax as errors
from roofdsl.source import Source, Span
from roofdsl.syntax import ast
from roofdsl.syntax.document import INDENT, WIDTH, Group, Line, Piece, one_line
from roofdsl.syntax.parser import parse_file
from roofdsl.syntax.print_declarations import print_declaration

_SCAN = re.compile(r'"[^"\n\r]*"|#[^\n\r]*')
_SPREAD = 60
_HEAD = re.compile(r'(?:"[^"\n\r]*"|#[^\n\r]*|[^"#{])*\{')


def format_text(source: Source, sink: Sink) -> str:
    r"""The formatted text, with `\n` at line ends; the text as it is if it has errors (they go to the sink)."""
    if "\r" in source.text:
        source = Source(source.name, source.text.replace("\r\n", "\n").replace("\r", "\n"))
    own = Sink()
    file = parse_file(source, own)
    sink.found += own.found
    if own.errors:
        return source.text
    comments = _comments(source)
    writer = _Writer(source, comments)
    writer.items(tuple(print_declaration(declaration) for declaration in file.declarations), 0, len(source.text))
    text = "".join(f"{line}\n" for line in _aligned(writer.lines))
    if _same(file, comments, text):
        return text
    whole = Span(source, 0, 0)
    sink.add(errors.NOT_FORMATTABLE, whole, "the formatted text would not mean the same", helps=("please report this",))
    return source.text


def _same(file: ast.File, comments: list[Comment], text: str) -> bool:
    again = Sink()
    made = Source("formatted", text)
    kept = [comment.text for comment in _comments(made)]
    return parse_file(made, again) == file and not again.errors and kept == [comment.text for comment in comments]


@dataclass(frozen=True, slots=True)
class Comment:
    """`# …` and whether nothing else stands before it on its line."""

    start: int
    text: str
    alone: bool


def _comments(source: Source) -> list[Comment]:
    text = source.text
    found = []
    for match in _SCAN.finditer(text):
        if match.group()[0] == "#":
            line = text.rfind("\n", 0, match.start()) + 1
            alone = not text[line : match.start()].strip()
            found.append(Comment(match.start(), match.group().rstrip(), alone))
    return found


@dataclass(slots=True)
class _Line:
    """A line that comes out (or several, where the author's text is kept) and the comment behind it."""

    text: str
    depth: int
    comment: str = ""

    @property
    def width(self) -> int:
        return len(self.text) - self.text.rfind("\n") - 1


@dataclass(slots=True)
class _Writer:
    """Writes pieces in order; `read` is how far the source has been dealt with, `next` the next comment, `fresh`
    whether a file or block has just begun.
    """

    source: Source
    comments: list[Comment]
    lines: list[_Line] = field(default_factory=list)
    depth: int = 0
    read: int = 0
    next: int = 0
    fresh: bool = True

    def items(self, pieces: tuple[Piece, ...], start: int, end: int) -> None:
        """Pieces that stand between two offsets, and the comments and blank lines between them."""
        self.read = start
        self.fresh = True
        for piece in pieces:
            self.comments_before(piece.span.start)
            self.gap(piece.span.start)
            self.piece(piece)
            self.read = piece.span.end
        self.comments_before(end)

    def piece(self, piece: Piece) -> None:
        source = piece.span.text
        if isinstance(piece, Line):
            self.add(piece.text if self.plain(piece.span) else _own_text(source))
            return
        flat = one_line(piece)
        if flat is not None and "\n" not in source and len(INDENT) * self.depth + len(flat) <= WIDTH:
            self.add(flat)
            return
        self.group(piece)

    def group(self, group: Group) -> None:
        head = _HEAD.match(self.source.text, group.span.start, group.span.end)
        inside = head.end() if head else group.span.start
        if self.plain(Span(self.source, group.span.start, inside)):
            self.add(f"{group.head} {{")
        else:
            self.add(_own_text(self.source.text[group.span.start : inside]))
        self.depth += 1
        self.items(group.items, inside, group.span.end - 1)
        self.depth -= 1
        self.add("}")

    def plain(self, span: Span) -> bool:
        """Whether a part of the source is on one line and has no comment in it."""
        if "\n" in span.text:
            self.skip(span.end)
            return False
        return True

    def skip(self, end: int) -> None:
        """Comments up to there have been written with the text they stand in."""
        while self.next < len(self.comments) and self.comments[self.next].start < end:
            self.next += 1

    def comments_before(self, end: int) -> None:
        while self.next < len(self.comments) and self.comments[self.next].start < end:
            comment = self.comments[self.next]
            if comment.alone or not self.lines:
                self.gap(comment.start)
                self.add(comment.text)
            else:
                self.lines[-1].comment = comment.text
            self.read = comment.start + len(comment.text)
            self.next += 1

    def gap(self, position: int) -> None:
        """One blank line where the author left any, but none at the beginning of a file or block."""
        if not self.fresh and self.source.text.count("\n", self.read, position) > 1:
            self.lines.append(_Line("", self.depth))

    def add(self, text: str) -> None:
        self.lines.append(_Line(INDENT * self.depth + text if text else "", self.depth))
        self.fresh = False


def _aligned(lines: list[_Line]) -> list[str]:
    """The lines with comments behind them in one column per run: up to a blank line or another depth."""
    texts = []
    for _, run in itertools.groupby(lines, key=lambda line: (line.depth, bool(line.text))):
        members = list(run)
        widths = [line.width for line in members if line.comment]
        column = max(widths, default=0)
        if column - min(widths, default=0) > _SPREAD:
            column = 0
        texts += [f"{_padded(line, column)}  {line.comment}".rstrip() for line in members]
    return texts


def _padded(line: _Line, column: int) -> str:
    return line.text + " " * max(0, column - line.width) if line.comment else line.text


def _own_text(text: str) -> str:
    """The author's lines, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in text.split("\n"))
