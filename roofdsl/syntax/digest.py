"""The fingerprint that ties parse tables to their grammar; apart, so that a run need not import the generator."""

from __future__ import annotations

import hashlib


def grammar_digest(text: str) -> str:
    """A short fingerprint of a grammar."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]
