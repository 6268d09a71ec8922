"""Where files are: shipped specs by name, and the files a `use` may reach.

Paths are resolved (`..`, symbolic links) before they are judged: what counts is where a file really is.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from roofdsl.paths import specs_folder

SUFFIX = ".roof"
BASE_FILES = ("scalar", "dtypes", "conventions", "optimizers")
"""Always in force, without `use`."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_LONGEST_NAME = 100
_FOLDERS = ("models", "papers", "machines", "blocks", "examples", "ops")


@dataclass(frozen=True, slots=True)
class Found:
    """A file or folder a `use` names, resolved. `allowed` says whether it may be imported; `link` is where a symbolic
    link in its path leads, if there is one.
    """

    path: Path
    allowed: bool
    link: str | None = None


@cache
def specs_root() -> Path:
    """The shipped specs, symbolic links resolved."""
    return specs_folder().resolve()


def find_spec(name: str) -> Path | None:
    """The shipped file of a name: `gpt3`, `models/gpt3`, `machines/h100_sxm`, `scalar`; None if there is none."""
    plain = name.removesuffix(SUFFIX)
    if len(plain) > _LONGEST_NAME or _NAME.fullmatch(plain) is None:
        return None
    root = specs_root()
    places = (root, *(root / folder for folder in _FOLDERS))
    candidates = (place / f"{plain}{SUFFIX}" for place in places)
    return next((path for path in candidates if path.is_file()), None)


def spec_files() -> tuple[Path, ...]:
    """Every shipped file, ordered by folder and name."""
    return tuple(sorted(specs_root().rglob(f"*{SUFFIX}")))


def spec_name(path: Path) -> str:
    """How a shipped file is named: `models/gpt3`."""
    return path.relative_to(specs_root()).with_suffix("").as_posix()


def shown(path: Path, folder: Path | None) -> str:
    """How a file is called in messages: relative to the root file's folder, or `specs/…`."""
    root = specs_root()
    if path.is_relative_to(root):
        return f"specs/{path.relative_to(root).as_posix()}"
    if folder is not None and path.is_relative_to(folder):
        return path.relative_to(folder).as_posix()
    return path.as_posix()


def find_used(text: str, here: Path | None, folder: Path | None) -> Found | None:
    """What `use "text"` names in a file of the folder `here`; imports may not leave `folder` (or the shipped specs).
    None if nothing is there. Both folders are resolved; None stands for text that has no folder.
    """
    if not text.startswith(("./", "../", "/", "~")):
        return _shipped(text)
    if here is None:
        return Found(Path(text), allowed=False)
    try:
        path = (here / text).resolve()
        exists = path.exists()
    except (OSError, ValueError, RuntimeError):
        return None
    inside = path.is_relative_to(specs_root()) or (folder is not None and path.is_relative_to(folder))
    if not inside:
        plain = os.path.normpath(here / text)
        return Found(path, allowed=False, link=None if plain == str(path) else str(path))
    return Found(path, allowed=True) if exists else None


def _shipped(text: str) -> Found | None:
    if len(text) > _LONGEST_NAME or _NAME.fullmatch(text) is None:
        return None
    folder = specs_root() / text
    if folder.is_dir():
        return Found(folder, allowed=True)
    path = find_spec(text)
    return None if path is None else Found(path, allowed=True)
