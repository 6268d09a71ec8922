"""Where the grammar and the shipped specs are: inside an installed wheel, or beside the package in a checkout."""

from __future__ import annotations

from pathlib import Path


def _root() -> Path:
    packaged = Path(__file__).parent / "_data"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent


def grammar_file() -> Path:
    """The one grammar."""
    return _root() / "grammar" / "roofdsl.lark"


def specs_folder() -> Path:
    """The root of everything that ships as text."""
    return _root() / "specs"
