"""roofdsl: a declarative symbolic model compiler. See README.md.

The Python API is loaded when its first name is used, so that `import roofdsl` and the command line start at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roofdsl.api import (
        Crossover,
        Derivation,
        Evaluation,
        Model,
        OpGraph,
        Part,
        Plot,
        RoofError,
        Utilisation,
        Verdict,
        load,
        load_text,
    )

__version__ = "0.1.0"
__all__ = [
    "Crossover",
    "Derivation",
    "Evaluation",
    "Model",
    "OpGraph",
    "Part",
    "Plot",
    "RoofError",
    "Utilisation",
    "Verdict",
    "load",
    "load_text",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'roofdsl' has no attribute {name!r}")
    from roofdsl import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
