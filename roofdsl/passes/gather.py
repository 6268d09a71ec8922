"""From a root file to everything in force: `use` is followed, library folders are parsed as far as they are mentioned.

Gives an `ir.library.Library`. What a name means is for later passes; where a `use` may reach stands in `find`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from roofdsl.diagnostics import Sink
from roofdsl.errors.names import CYCLE, NOT_FOUND, OUTSIDE, TOO_MANY_FILES
from roofdsl.ir.library import Library
from roofdsl.passes.find import BASE_FILES, SUFFIX, find_used, shown, spec_files, spec_name, specs_root
from roofdsl.passes.merge import Part, Rank, merge
from roofdsl.passes.names import suggest
from roofdsl.passes.outline import Outline, needed, outline, uses_of, words_of
from roofdsl.passes.read import read_file
from roofdsl.source import Source, Span
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_file

MAX_FILES = 200
MAX_DEPTH = 16
_QUOTED = re.compile(r'"[^"\n]*"')


@dataclass(slots=True)
class _Loading:
    """What one call of `load` has read so far. `open` is the chain of files being read, the root first; a `Part` is
    parsed, an `Outline` waits until it is known which of its declarations are mentioned.
    """

    sink: Sink
    folder: Path | None
    open: list[Path] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)
    units: list[Part | Outline] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    reach: dict[Path, frozenset[Path]] = field(default_factory=dict)


def load(source: Source, sink: Sink, *, folder: Path | None, mentions: str = "") -> Library:
    """Everything in force for a root text: what it declares, what it uses, and the base.

    `folder` is where relative `use` starts and may not leave (None: no relative `use`). `mentions` is further text,
    such as formulas of the command line, whose names count as mentioned when library folders are parsed.
    """
    state = _Loading(sink, None if folder is None else folder.resolve())
    root = None if state.folder is None else (state.folder / Path(source.name).name).resolve()
    state.words.update(words_of(mentions))
    if root is not None:
        state.seen.add(root)
        state.open.append(root)
    base = _base(state)
    _visit(state, source, state.folder, "root")
    parts = _parse_mentioned(state)
    return merge((*base, *parts), sink, offered=_offered(state))


def _base(state: _Loading) -> tuple[Part, ...]:
    """The files always in force, whole; the root file may itself be one of them."""
    paths = tuple(specs_root() / f"{name}{SUFFIX}" for name in BASE_FILES)
    sources = tuple(read_file(path, state.sink, name=shown(path, None)) for path in paths if path not in state.seen)
    state.seen.update(paths)
    return tuple(Part(parse_file(source, state.sink), "library") for source in sources if source is not None)


def _visit(state: _Loading, source: Source, here: Path | None, rank: Rank) -> None:
    """Parse a file; what it uses comes before it, in the order written."""
    file = parse_file(source, state.sink)
    state.words.update(words_of(source.text))
    used = [_follow(state, use, here) for use in file.declarations if isinstance(use, ast.Use)]
    reach = frozenset(path for file in used if file is not None for path in (file, *state.reach.get(file, ())))
    own = state.open[-1] if state.open else None
    if own is not None:
        state.reach[own] = reach
    state.units.append(Part(file, rank, own, reach, words_of(_QUOTED.sub("", source.text))))


def _follow(state: _Loading, use: ast.Use, here: Path | None) -> Path | None:
    """Read what is used, unless it is in force already; the file it is, or None for a folder or a fault."""
    found = find_used(use.path, here, state.folder)
    if found is None:
        near = suggest(use.path, (*(spec_name(path) for path in spec_files()), *_stems(), "ops"))
        helps: tuple[str, ...] = (
            ("`roofdsl specs` lists what ships",) if near is None else (f'did you mean `use "{near}"`?',)
        )
        helps = () if use.path.startswith(("./", "../", "/")) else helps
        if use.path.endswith(SUFFIX) and not use.path.startswith((".", "/")):
            helps = (f'a file beside this one is `use "./{use.path}"`',)
        state.sink.add(NOT_FOUND, _text_span(use), f"there is no `{use.path}`", helps=helps)
        return None
    if not found.allowed:
        helps = ("move it into the folder of the file you check, or below",)
        text = "this lies outside the folder of the file" if here is not None else "text without a file has no folder"
        state.sink.add(OUTSIDE, _text_span(use), text, found=found.link, helps=helps)
        return None
    if found.path.is_dir():
        for path in sorted(found.path.glob(f"*{SUFFIX}")):
            _shelve(state, path, use)
        return None
    if found.path in state.open:
        _report_cycle(state, found.path, use)
        return None
    source = _read_once(state, found.path, use)
    if source is not None:
        _descend(state, found.path, source, _rank(found.path))
    return found.path


def _shelve(state: _Loading, path: Path, use: ast.Use) -> None:
    """A file of a used folder: only outlined now, unless it has to be parsed whole."""
    real = Path(os.path.realpath(path))  # `resolve` raises where links go round in a circle
    if not any(real.is_relative_to(root) for root in (specs_root(), state.folder) if root is not None):
        state.sink.add(
            OUTSIDE, _text_span(use), f"{path.name} in this folder is a link that leads outside", found=str(real)
        )
        return
    source = _read_once(state, real, use)
    if source is None:
        return
    cut = outline(source)
    if cut.whole:
        _descend(state, real, source, "library")
        return
    uses = uses_of(cut)
    if uses is not None:
        state.open.append(real)
        for declaration in parse_file(uses, state.sink).declarations:
            if isinstance(declaration, ast.Use):
                _follow(state, declaration, real.parent)
        state.open.pop()
    state.units.append(cut)


def _descend(state: _Loading, path: Path, source: Source, rank: Rank) -> None:
    state.open.append(path)
    _visit(state, source, path.parent, rank)
    state.open.pop()


def _read_once(state: _Loading, path: Path, use: ast.Use) -> Source | None:
    """The text of a used file, unless it is in force already."""
    if path in state.seen:
        return None
    if len(state.seen) >= MAX_FILES or len(state.open) >= MAX_DEPTH:
        limit = f"at most {MAX_FILES} files, {MAX_DEPTH} deep"
        state.sink.add(TOO_MANY_FILES, _text_span(use), "this is one file too many", expected=limit)
        return None
    state.seen.add(path)
    return read_file(path, state.sink, name=shown(path, state.folder), span=_text_span(use))


def _rank(path: Path) -> Rank:
    return "library" if path.is_relative_to(specs_root() / "ops") else "used"


def _report_cycle(state: _Loading, path: Path, use: ast.Use) -> None:
    chain = (*state.open[state.open.index(path) :], path)
    text = " → ".join(shown(step, state.folder) for step in chain)
    state.sink.add(CYCLE, _text_span(use), text, helps=("move what both need into a third file",))


def _parse_mentioned(state: _Loading) -> tuple[Part, ...]:
    """All parts in order, with the mentioned declarations of outlined files parsed."""
    cuts = tuple(unit for unit in state.units if isinstance(unit, Outline))
    sources = iter(needed(cuts, state.words))
    parts: list[Part] = []
    for unit in state.units:
        if isinstance(unit, Part):
            parts.append(unit)
            continue
        source = next(sources)
        if source is not None:
            parts.append(Part(parse_file(source, state.sink), "library"))
    return tuple(parts)


def _offered(state: _Loading) -> tuple[str, ...]:
    pieces = (piece for unit in state.units if isinstance(unit, Outline) for piece in unit.pieces)
    return tuple(p.name for p in pieces if p.name is not None and p.kind in ("op", "block", "model"))


def _text_span(use: ast.Use) -> Span:
    """The path in a `use`, quotes included."""
    span = use.span
    offset = span.text.find('"')
    return span if offset < 0 else Span(span.source, span.start + offset, span.end)


def _stems() -> tuple[str, ...]:
    return tuple(path.stem for path in spec_files())
