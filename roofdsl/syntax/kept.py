"""The file that keeps parse tables, and the fingerprint that ties them to their grammar: what the generator writes and
what a run reads, so that neither need import the other for it.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

TABLES_FILE = Path(__file__).with_name("tables.json")


def grammar_digest(text: str) -> str:
    """A short fingerprint of a grammar: it guards against forgetting, not against malice."""
    data = text.encode()
    return f"{zlib.crc32(data):08x}-{len(data)}"


def dump_tables(data: dict[str, Any]) -> str:
    """The text of the data file, one line per entry so that changes can be read."""
    return json.dumps(data, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"
