"""The fingerprint that ties parse tables to their grammar; apart, so that a run need not import the generator."""

from __future__ import annotations

import zlib


def grammar_digest(text: str) -> str:
    """A short fingerprint of a grammar: it guards against forgetting, not against malice."""
    data = text.encode()
    return f"{zlib.crc32(data):08x}-{len(data)}"
