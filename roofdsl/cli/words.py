"""Words of the command line as source text, so that a fault in one is underlined where it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.source import Span


def argument(text: str, option: str) -> Span:
    """The place of a word of the command line."""
    from roofdsl.source import Source, Span

    return Span(Source(option, text), 0, len(text))
