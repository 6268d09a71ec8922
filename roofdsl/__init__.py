"""roofdsl: a declarative symbolic model compiler. See README.md; the Python API is `roofdsl.api`."""

from __future__ import annotations

__version__ = "0.1.0"
