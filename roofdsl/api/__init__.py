"""The Python API. `import roofdsl as rd` gives the same names."""

from __future__ import annotations

from roofdsl.api.answers import Crossover, Plot, Utilisation
from roofdsl.api.model import Model, Part, load, load_text
from roofdsl.api.results import Derivation, Evaluation, OpGraph, Verdict
from roofdsl.diagnostics import RoofError

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
